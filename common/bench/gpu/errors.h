/* errors.h - a CUDA error on a real GPU ends the program with one line: what was done,
 * what CUDA says, what to do about it. For C and CUDA C. */
#ifndef ERRORS_H
#define ERRORS_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* What to do about an error that is not the program's fault, or NULL. */
static inline const char *advice_on(cudaError_t error)
{
    switch ((int)error) {
#ifndef SIMULATED_GPU
    case cudaErrorMemoryAllocation:
        return "the GPU's memory is full: nvidia-smi shows who has it; SIZE= makes the text "
               "shorter";
    case cudaErrorDevicesUnavailable:
    case cudaErrorDeviceAlreadyInUse:
        return "another program has the GPU for itself: wait for it, or see who it is with "
               "nvidia-smi";
    case cudaErrorNoDevice:
        return "no GPU is here, or CUDA_VISIBLE_DEVICES hides it";
    case cudaErrorInsufficientDriver:
    case cudaErrorUnsupportedPtxVersion:
        return "the driver is missing, or older than the CUDA Toolkit: nvidia-smi shows both "
               "versions";
    case cudaErrorNoKernelImageForDevice:
        return "the program was built for another architecture: leave ARCH out, or name that of "
               "this GPU";
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorMisalignedAddress:
        return "a kernel used memory that is not its own: make test finds where, on the simulated "
               "GPU";
    case cudaErrorECCUncorrectable:
    case cudaErrorHardwareStackError:
    case cudaErrorUnknown:
    case cudaErrorSystemNotReady:
    case cudaErrorExternalDevice:
        return "the GPU is lost to this program: nvidia-smi and dmesg say more; it may need a "
               "restart";
#endif
    default:
        return NULL;
    }
}

/* Prints the line. `what` says what was done, like "cudaMalloc of the texts". */
static inline void say_error(cudaError_t error, const char *what)
{
    const char *advice = advice_on(error);
    fprintf(stderr, "gpu: %s: %s (%s)%s%s\n", what, cudaGetErrorString(error),
            cudaGetErrorName(error), advice ? "; " : "", advice ? advice : "");
}

/* Ends the program with status 1, unless the call succeeded. */
static inline void must(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    say_error(error, what);
    exit(1);
}

/* Whether an allocation has got its memory. Any other error ends the program. */
static inline bool got_memory(cudaError_t error, const char *what)
{
    if (error == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError(); // it is told by the caller, and no news for the next call
        return false;
    }
    must(error, what);
    return true;
}

/* An attribute of the current device: cudaDevAttrMultiProcessorCount, ... */
static inline int device_has(enum cudaDeviceAttr attribute)
{
    int device, value;
    must(cudaGetDevice(&device), "cudaGetDevice");
    must(cudaDeviceGetAttribute(&value, attribute, device), "cudaDeviceGetAttribute");
    return value;
}

#endif
