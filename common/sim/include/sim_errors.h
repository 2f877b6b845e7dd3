/* sim_errors.h - the errors of the CUDA runtime: name, value and text.
 *
 * Names, values and texts are those of CUDA 13. Left out are the errors that
 * only graphics, several processes or JIT compilers can cause. */
#ifndef SIM_ERRORS_H
#define SIM_ERRORS_H

#define SIM_CUDA_ERRORS(ERROR)                                                                     \
    ERROR(cudaSuccess, 0, "no error")                                                              \
    ERROR(cudaErrorInvalidValue, 1, "invalid argument")                                            \
    ERROR(cudaErrorMemoryAllocation, 2, "out of memory")                                           \
    ERROR(cudaErrorInitializationError, 3, "initialization error")                                 \
    ERROR(cudaErrorCudartUnloading, 4, "driver shutting down")                                     \
    ERROR(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                      \
    ERROR(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                                \
    ERROR(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                     \
    ERROR(cudaErrorInvalidHostPointer, 16, "invalid host pointer")                                 \
    ERROR(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                             \
    ERROR(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                \
    ERROR(cudaErrorAddressOfConstant, 22, "invalid address of constant")                           \
    ERROR(cudaErrorSynchronizationError, 25, "incorrect use of __syncthreads()")                   \
    ERROR(cudaErrorNotYetImplemented, 31, "feature not yet implemented")                           \
    ERROR(cudaErrorStubLibrary, 34, "CUDA driver is a stub library")                               \
    ERROR(cudaErrorInsufficientDriver, 35,                                                         \
          "CUDA driver version is insufficient for CUDA runtime version")                          \
    ERROR(cudaErrorIncompatibleDriverContext, 49, "incompatible driver context")                   \
    ERROR(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured")         \
    ERROR(cudaErrorPriorLaunchFailure, 53, "unspecified launch failure in prior launch")           \
    ERROR(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                           \
    ERROR(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                            \
    ERROR(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                   \
    ERROR(cudaErrorNoKernelImageForDevice, 209,                                                    \
          "no kernel image is available for execution on the device")                              \
    ERROR(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid")                      \
    ERROR(cudaErrorDeviceUninitialized, 201, "invalid device context")                             \
    ERROR(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture")           \
    ERROR(cudaErrorDeviceAlreadyInUse, 216,                                                        \
          "exclusive-thread device already in use by a different thread")                          \
    ERROR(cudaErrorPeerAccessUnsupported, 217,                                                     \
          "peer access is not supported between these two devices")                                \
    ERROR(cudaErrorInvalidSource, 300, "device kernel image is invalid")                           \
    ERROR(cudaErrorFileNotFound, 301, "file not found")                                            \
    ERROR(cudaErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found")              \
    ERROR(cudaErrorSharedObjectInitFailed, 303, "shared object initialization failed")             \
    ERROR(cudaErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS")   \
    ERROR(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                          \
    ERROR(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state")    \
    ERROR(cudaErrorSymbolNotFound, 500, "named symbol not found")                                  \
    ERROR(cudaErrorNotReady, 600, "device not ready")                                              \
    ERROR(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                \
    ERROR(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")           \
    ERROR(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                  \
    ERROR(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                \
    ERROR(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                  \
    ERROR(cudaErrorSetOnActiveProcess, 708, "cannot set while device is active in this process")   \
    ERROR(cudaErrorContextIsDestroyed, 709, "context is destroyed")                                \
    ERROR(cudaErrorAssert, 710, "device-side assert triggered")                                    \
    ERROR(cudaErrorHostMemoryAlreadyRegistered, 712,                                               \
          "part or all of the requested memory range is already mapped")                           \
    ERROR(cudaErrorHostMemoryNotRegistered, 713,                                                   \
          "pointer does not correspond to a registered memory region")                             \
    ERROR(cudaErrorHardwareStackError, 714, "hardware stack error")                                \
    ERROR(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")              \
    ERROR(cudaErrorMisalignedAddress, 716, "misaligned address")                                   \
    ERROR(cudaErrorInvalidAddressSpace, 717,                                                       \
          "operation not supported on global/shared address space")                                \
    ERROR(cudaErrorInvalidPc, 718, "invalid program counter")                                      \
    ERROR(cudaErrorLaunchFailure, 719, "unspecified launch failure")                               \
    ERROR(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")        \
    ERROR(cudaErrorNotPermitted, 800, "operation not permitted")                                   \
    ERROR(cudaErrorNotSupported, 801, "operation not supported")                                   \
    ERROR(cudaErrorSystemNotReady, 802, "system not yet initialized")                              \
    ERROR(cudaErrorStreamCaptureUnsupported, 900,                                                  \
          "operation not permitted when stream is capturing")                                      \
    ERROR(cudaErrorStreamCaptureInvalidated, 901,                                                  \
          "operation failed due to a previous error during capture")                               \
    ERROR(cudaErrorStreamCaptureMerge, 902,                                                        \
          "operation would result in a merge of separate capture sequences")                       \
    ERROR(cudaErrorStreamCaptureUnmatched, 903,                                                    \
          "capture was not ended in the same stream as it began")                                  \
    ERROR(cudaErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work")               \
    ERROR(cudaErrorStreamCaptureIsolation, 905,                                                    \
          "dependency created on uncaptured work in another stream")                               \
    ERROR(cudaErrorStreamCaptureImplicit, 906,                                                     \
          "operation would make the legacy stream depend on a capturing blocking stream")          \
    ERROR(cudaErrorCapturedEvent, 907,                                                             \
          "operation not permitted on an event last recorded in a capturing stream")               \
    ERROR(cudaErrorStreamCaptureWrongThread, 908,                                                  \
          "attempt to terminate a thread-local capture sequence from another thread")              \
    ERROR(cudaErrorTimeout, 909, "wait operation timed out")                                       \
    ERROR(cudaErrorGraphExecUpdateFailure, 910,                                                    \
          "the graph update was not performed because it included changes which violated "         \
          "constraints specific to instantiated graph update")                                     \
    ERROR(cudaErrorInvalidClusterSize, 912,                                                        \
          "a kernel launch error has occurred due to cluster misconfiguration")                    \
    ERROR(cudaErrorUnknown, 999, "unknown error")

#endif
