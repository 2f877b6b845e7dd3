/* editor_cuda.h - what clangd reads before the first line of a .cu file.
 *
 * An editor has no rewriting step: it reads CUDA C as clang does with -x cuda, which knows
 * <<<>>>, but neither CUDA nor the simulator. So this header says which functions a kernel may
 * call, and takes all others from the simulator's headers: they are for host and device there. It
 * stands for sim_language.h, which speaks to the rewriting step. No program includes it. */
#ifndef EDITOR_CUDA_H
#define EDITOR_CUDA_H
#ifdef __CUDA__

#define __CUDACC__
#define __NVCC__
#define SIMULATED_GPU
#define __global__ __attribute__((global))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__  // for host and device: as nothing it is wrong for neither
#define __noinline__ // not clang's attribute: the C++ library writes __attribute__((__noinline__))

/* Of the host alone, and read before what follows for both sides. */
#include <stdlib.h>
#include <exception>
#include <new>
#include <typeinfo>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "sim_math_header.h"

/* The same functions in a kernel: abs, sqrt and so on of clang, sqrtf and the others here. */
#include <__clang_cuda_math_forward_declares.h>
#define EDITOR_OF_ONE(NAME) __device__ float NAME(float __x);
#define EDITOR_OF_TWO(NAME) __device__ float NAME(float __x, float __y);
extern "C" {
EDITOR_OF_ONE(acosf)
EDITOR_OF_ONE(asinf)
EDITOR_OF_ONE(atanf)
EDITOR_OF_ONE(cbrtf)
EDITOR_OF_ONE(ceilf)
EDITOR_OF_ONE(cosf)
EDITOR_OF_ONE(coshf)
EDITOR_OF_ONE(erff)
EDITOR_OF_ONE(exp2f)
EDITOR_OF_ONE(expf)
EDITOR_OF_ONE(expm1f)
EDITOR_OF_ONE(fabsf)
EDITOR_OF_ONE(floorf)
EDITOR_OF_ONE(lgammaf)
EDITOR_OF_ONE(log10f)
EDITOR_OF_ONE(log1pf)
EDITOR_OF_ONE(log2f)
EDITOR_OF_ONE(logf)
EDITOR_OF_ONE(nearbyintf)
EDITOR_OF_ONE(rintf)
EDITOR_OF_ONE(roundf)
EDITOR_OF_ONE(sinf)
EDITOR_OF_ONE(sinhf)
EDITOR_OF_ONE(sqrtf)
EDITOR_OF_ONE(tanf)
EDITOR_OF_ONE(tanhf)
EDITOR_OF_ONE(tgammaf)
EDITOR_OF_ONE(truncf)
EDITOR_OF_TWO(atan2f)
EDITOR_OF_TWO(copysignf)
EDITOR_OF_TWO(fdimf)
EDITOR_OF_TWO(fmaxf)
EDITOR_OF_TWO(fminf)
EDITOR_OF_TWO(fmodf)
EDITOR_OF_TWO(hypotf)
EDITOR_OF_TWO(powf)
EDITOR_OF_TWO(remainderf)
__device__ float fmaf(float __x, float __y, float __z);
__device__ float ldexpf(float __x, int __exponent);
__device__ int abs(int __x);
__device__ long labs(long __x);
__device__ long long llabs(long long __x);

__device__ int printf(const char *__format, ...);
__device__ void *malloc(size_t __bytes);
__device__ void free(void *__memory);
__device__ void *memcpy(void *__to, const void *__from, size_t __bytes);
__device__ void *memmove(void *__to, const void *__from, size_t __bytes);
__device__ void *memset(void *__to, int __byte, size_t __bytes);
__device__ int memcmp(const void *__one, const void *__other, size_t __bytes);
__device__ clock_t clock(void);
__device__ void __assert_fail(const char *__words, const char *__file, unsigned int __line,
                              const char *__function);
}
#undef EDITOR_OF_ONE
#undef EDITOR_OF_TWO

/* The simulator's functions serve both sides. */
#pragma clang force_cuda_host_device begin
#include "cuda_runtime_api.h"
#include "device_abi.h"
#define SIM_LANGUAGE_H
extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
#define __syncthreads sim_not_here // clang has it, for the device alone
#include "cuda_runtime.h"
#undef __syncthreads
/* These as well, whether a kernel includes them or not. */
#include "cooperative_groups.h"
#include "cooperative_groups/memcpy_async.h"
#include "cooperative_groups/reduce.h"
#include "cooperative_groups/scan.h"
#include "cuda/atomic"
#include "cuda/barrier"
#include "cuda/pipeline"
#include "cuda_fp16.h"
#include "cuda_pipeline.h"
#pragma clang force_cuda_host_device end
__device__ void __syncthreads(void);

/* What clang makes of <<<>>>, of one version or another. */
extern "C" unsigned int __cudaPushCallConfiguration(dim3 __grid, dim3 __block,
                                                    size_t __shared_bytes = 0,
                                                    cudaStream_t __stream = 0);
extern "C" cudaError_t cudaConfigureCall(dim3 __grid, dim3 __block, size_t __shared_bytes = 0,
                                         cudaStream_t __stream = 0);

/* Errors that only a real card has: common/bench/gpu. */
enum {
    cudaErrorDevicesUnavailable = 46,
    cudaErrorECCUncorrectable = 214,
    cudaErrorUnsupportedPtxVersion = 222,
    cudaErrorExternalDevice = 911
};

#endif
#endif
