/* sim_api_templates.h - the runtime API as C++ programs call it: with typed
 * pointers, with variables as symbols and with functions as kernels. */
#ifndef SIM_API_TEMPLATES_H
#define SIM_API_TEMPLATES_H

#include "../device_abi.h"
#include "cuda_runtime_api.h"
#include "sim_inline.h"

/* Memory */

template <class __T> SIM_INLINE cudaError_t cudaMalloc(__T **__pointer, size_t __bytes)
{
    return cudaMalloc((void **)(void *)__pointer, __bytes);
}

template <class __T>
SIM_INLINE cudaError_t cudaMallocManaged(__T **__pointer, size_t __bytes,
                                         unsigned int __flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)(void *)__pointer, __bytes, __flags);
}

template <class __T> SIM_INLINE cudaError_t cudaMallocHost(__T **__pointer, size_t __bytes)
{
    return cudaMallocHost((void **)(void *)__pointer, __bytes);
}

template <class __T>
SIM_INLINE cudaError_t cudaMallocHost(__T **__pointer, size_t __bytes, unsigned int __flags)
{
    return cudaHostAlloc((void **)(void *)__pointer, __bytes, __flags);
}

template <class __T>
SIM_INLINE cudaError_t cudaHostAlloc(__T **__pointer, size_t __bytes, unsigned int __flags)
{
    return cudaHostAlloc((void **)(void *)__pointer, __bytes, __flags);
}

template <class __T>
SIM_INLINE cudaError_t cudaMallocPitch(__T **__pointer, size_t *__pitch, size_t __width,
                                       size_t __height)
{
    return cudaMallocPitch((void **)(void *)__pointer, __pitch, __width, __height);
}

template <class __T>
SIM_INLINE cudaError_t cudaMallocAsync(__T **__pointer, size_t __bytes, cudaStream_t __stream)
{
    return cudaMallocAsync((void **)(void *)__pointer, __bytes, __stream);
}

template <class __T>
SIM_INLINE cudaError_t cudaHostGetDevicePointer(__T **__device_pointer, void *__host_pointer,
                                                unsigned int __flags)
{
    return cudaHostGetDevicePointer((void **)(void *)__device_pointer, __host_pointer, __flags);
}

/* As CUDA 12 and before declared them: with the number of a device. */
SIM_INLINE struct cudaMemLocation sim_location_of(int __device)
{
    struct cudaMemLocation __location = {__device == cudaCpuDeviceId ? cudaMemLocationTypeHost
                                                                     : cudaMemLocationTypeDevice,
                                         __device == cudaCpuDeviceId ? 0 : __device};
    return __location;
}

SIM_INLINE cudaError_t cudaMemPrefetchAsync(const void *__pointer, size_t __bytes, int __device,
                                            cudaStream_t __stream = 0)
{
    return cudaMemPrefetchAsync(__pointer, __bytes, sim_location_of(__device), 0u, __stream);
}

SIM_INLINE cudaError_t cudaMemAdvise(const void *__pointer, size_t __bytes,
                                     enum cudaMemoryAdvise __advice, int __device)
{
    return cudaMemAdvise(__pointer, __bytes, __advice, sim_location_of(__device));
}

/* Symbols */

template <class __T>
SIM_INLINE cudaError_t cudaMemcpyToSymbol(const __T &__symbol, const void *__from, size_t __bytes,
                                          size_t __offset = 0,
                                          enum cudaMemcpyKind __kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&__symbol, __from, __bytes, __offset, __kind);
}

template <class __T>
SIM_INLINE cudaError_t cudaMemcpyFromSymbol(void *__to, const __T &__symbol, size_t __bytes,
                                            size_t __offset = 0,
                                            enum cudaMemcpyKind __kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(__to, (const void *)&__symbol, __bytes, __offset, __kind);
}

template <class __T>
SIM_INLINE cudaError_t cudaMemcpyToSymbolAsync(const __T &__symbol, const void *__from,
                                               size_t __bytes, size_t __offset = 0,
                                               enum cudaMemcpyKind __kind = cudaMemcpyHostToDevice,
                                               cudaStream_t __stream = 0)
{
    return cudaMemcpyToSymbolAsync((const void *)&__symbol, __from, __bytes, __offset, __kind,
                                   __stream);
}

template <class __T>
SIM_INLINE cudaError_t cudaMemcpyFromSymbolAsync(
    void *__to, const __T &__symbol, size_t __bytes, size_t __offset = 0,
    enum cudaMemcpyKind __kind = cudaMemcpyDeviceToHost, cudaStream_t __stream = 0)
{
    return cudaMemcpyFromSymbolAsync(__to, (const void *)&__symbol, __bytes, __offset, __kind,
                                     __stream);
}

template <class __T>
SIM_INLINE cudaError_t cudaGetSymbolAddress(void **__pointer, const __T &__symbol)
{
    return cudaGetSymbolAddress(__pointer, (const void *)&__symbol);
}

template <class __T>
SIM_INLINE cudaError_t cudaGetSymbolAddress(__T **__pointer, const __T &__symbol)
{
    return cudaGetSymbolAddress((void **)(void *)__pointer, (const void *)&__symbol);
}

template <class __T> SIM_INLINE cudaError_t cudaGetSymbolSize(size_t *__bytes, const __T &__symbol)
{
    return cudaGetSymbolSize(__bytes, (const void *)&__symbol);
}

/* Events */

SIM_INLINE cudaError_t cudaEventCreate(cudaEvent_t *__event, unsigned int __flags)
{
    return cudaEventCreateWithFlags(__event, __flags);
}

/* Graphs: as CUDA 11 and before declared it, with a place for messages. */
SIM_INLINE cudaError_t cudaGraphInstantiate(cudaGraphExec_t *__exec, cudaGraph_t __graph,
                                            cudaGraphNode_t *__node, char *__log, size_t __bytes)
{
    if (__node)
        *__node = nullptr;
    if (__log && __bytes)
        *__log = 0;
    return cudaGraphInstantiate(__exec, __graph, 0ull);
}

/* Kernels */

template <class __T>
SIM_INLINE cudaError_t cudaFuncSetAttribute(__T *__kernel, enum cudaFuncAttribute __which,
                                            int __value)
{
    return cudaFuncSetAttribute((const void *)__kernel, __which, __value);
}

template <class __T>
SIM_INLINE cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *__attributes, __T *__kernel)
{
    return cudaFuncGetAttributes(__attributes, (const void *)__kernel);
}

template <class __T>
SIM_INLINE cudaError_t cudaFuncSetCacheConfig(__T *__kernel, enum cudaFuncCache __preference)
{
    return cudaFuncSetCacheConfig((const void *)__kernel, __preference);
}

template <class __T> SIM_INLINE cudaError_t cudaFuncGetName(const char **__name, __T *__kernel)
{
    return cudaFuncGetName(__name, (const void *)__kernel);
}

template <class __T>
SIM_INLINE cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *__blocks, __T __kernel,
                                                                     int __threads,
                                                                     size_t __dynamic_shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(__blocks, (const void *)__kernel,
                                                         __threads, __dynamic_shared);
}

template <class __T>
SIM_INLINE cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *__blocks, __T __kernel, int __threads, size_t __dynamic_shared, unsigned int __flags)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        __blocks, (const void *)__kernel, __threads, __dynamic_shared, __flags);
}

template <class __T>
SIM_INLINE cudaError_t cudaOccupancyMaxActiveClusters(int *__clusters, __T __kernel,
                                                      const cudaLaunchConfig_t *__config)
{
    return cudaOccupancyMaxActiveClusters(__clusters, (const void *)__kernel, __config);
}

template <class __T>
SIM_INLINE cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *__bytes, __T __kernel,
                                                                 int __blocks, int __threads)
{
    return cudaOccupancyAvailableDynamicSMemPerBlock(__bytes, (const void *)__kernel, __blocks,
                                                     __threads);
}

/* The largest block among those that keep most threads on a multiprocessor, and
 * the number of blocks that fill the device. `shared_of(threads)` gives the bytes
 * of dynamic shared memory that a block of that many threads needs. */
template <class __Function, class __T>
inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *__minimum_grid, int *__block_size, __T __kernel,
                                               __Function __shared_of, int __block_size_limit = 0)
{
    const int __step = 32, __most = 1024;
    int __best = 0, __blocks = 0, __limit = __block_size_limit > 0 ? __block_size_limit : __most;
    __limit = __limit < __most ? __limit : __most;
    if (!__minimum_grid || !__block_size)
        return cudaErrorInvalidValue;
    for (int __threads = (__limit + __step - 1) / __step * __step; __threads > 0;
         __threads -= __step) {
        int __tried = __threads < __limit ? __threads : __limit, __fit = 0;
        cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &__fit, (const void *)__kernel, __tried, (size_t)__shared_of(__tried));
        if (error)
            return error;
        if (__fit * __tried > __best) {
            __best = __fit * __tried;
            __blocks = __fit;
            *__block_size = __tried;
        }
    }
    struct cudaDeviceProp __properties;
    cudaError_t error = cudaGetDeviceProperties(&__properties, 0);
    *__minimum_grid = __blocks * __properties.multiProcessorCount;
    return error;
}

struct sim_fixed_shared {
    size_t __bytes;
    size_t operator()(int) const
    {
        return __bytes;
    }
};

template <class __T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *__minimum_grid, int *__block_size,
                                                      __T __kernel, size_t __dynamic_shared = 0,
                                                      int __block_size_limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(__minimum_grid, __block_size, __kernel,
                                                          sim_fixed_shared{__dynamic_shared},
                                                          __block_size_limit);
}

template <class __T>
SIM_INLINE cudaError_t cudaLaunchKernel(__T *__kernel, dim3 __grid, dim3 __block,
                                        void **__arguments, size_t __shared_bytes = 0,
                                        cudaStream_t __stream = 0)
{
    return cudaLaunchKernel((const void *)__kernel, __grid, __block, __arguments, __shared_bytes,
                            __stream);
}

template <class __T>
SIM_INLINE cudaError_t cudaLaunchCooperativeKernel(__T *__kernel, dim3 __grid, dim3 __block,
                                                   void **__arguments, size_t __shared_bytes = 0,
                                                   cudaStream_t __stream = 0)
{
    return cudaLaunchCooperativeKernel((const void *)__kernel, __grid, __block, __arguments,
                                       __shared_bytes, __stream);
}

/* The arguments become what the kernel's parameters are, as in a plain call. */
template <class... __P, class... __A>
SIM_INLINE cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *__config,
                                          void (*__kernel)(__P...), __A &&...__given)
{
    struct __values {
        cudaError_t operator()(const cudaLaunchConfig_t *__c, const void *__k, __P... __value) const
        {
            void *__arguments[] = {(void *)&__value..., nullptr};
            return cudaLaunchKernelExC(__c, __k, __arguments);
        }
    };
    return __values()(__config, (const void *)__kernel, static_cast<__P>(__given)...);
}

#endif
