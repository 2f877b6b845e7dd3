/* sim_api_templates.h - the runtime API as C++ programs call it: with typed
 * pointers, with variables as symbols and with functions as kernels. */
#ifndef SIM_API_TEMPLATES_H
#define SIM_API_TEMPLATES_H

#include "../device_abi.h"
#include "cuda_runtime_api.h"
#include "sim_inline.h"

/* Memory */

template <class T> SIM_INLINE cudaError_t cudaMalloc(T **pointer, size_t bytes)
{
    return cudaMalloc((void **)(void *)pointer, bytes);
}

template <class T>
SIM_INLINE cudaError_t cudaMallocManaged(T **pointer, size_t bytes,
                                         unsigned int flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)(void *)pointer, bytes, flags);
}

template <class T> SIM_INLINE cudaError_t cudaMallocHost(T **pointer, size_t bytes)
{
    return cudaMallocHost((void **)(void *)pointer, bytes);
}

template <class T>
SIM_INLINE cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned int flags)
{
    return cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}

template <class T>
SIM_INLINE cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned int flags)
{
    return cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}

template <class T>
SIM_INLINE cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height)
{
    return cudaMallocPitch((void **)(void *)pointer, pitch, width, height);
}

template <class T>
SIM_INLINE cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream)
{
    return cudaMallocAsync((void **)(void *)pointer, bytes, stream);
}

template <class T>
SIM_INLINE cudaError_t cudaHostGetDevicePointer(T **device_pointer, void *host_pointer,
                                                unsigned int flags)
{
    return cudaHostGetDevicePointer((void **)(void *)device_pointer, host_pointer, flags);
}

/* As CUDA 12 and before declared them: with the number of a device. */
SIM_INLINE struct cudaMemLocation sim_location_of(int device)
{
    struct cudaMemLocation location = {device == cudaCpuDeviceId ? cudaMemLocationTypeHost
                                                                 : cudaMemLocationTypeDevice,
                                       device == cudaCpuDeviceId ? 0 : device};
    return location;
}

SIM_INLINE cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                            cudaStream_t stream = 0)
{
    return cudaMemPrefetchAsync(pointer, bytes, sim_location_of(device), 0u, stream);
}

SIM_INLINE cudaError_t cudaMemAdvise(const void *pointer, size_t bytes,
                                     enum cudaMemoryAdvise advice, int device)
{
    return cudaMemAdvise(pointer, bytes, advice, sim_location_of(device));
}

/* Symbols */

template <class T>
SIM_INLINE cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
                                          size_t offset = 0,
                                          enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}

template <class T>
SIM_INLINE cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes,
                                            size_t offset = 0,
                                            enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}

template <class T>
SIM_INLINE cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes,
                                               size_t offset = 0,
                                               enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                               cudaStream_t stream = 0)
{
    return cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}

template <class T>
SIM_INLINE cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes,
                                                 size_t offset = 0,
                                                 enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                 cudaStream_t stream = 0)
{
    return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}

template <class T> SIM_INLINE cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol)
{
    return cudaGetSymbolAddress(pointer, (const void *)&symbol);
}

template <class T> SIM_INLINE cudaError_t cudaGetSymbolAddress(T **pointer, const T &symbol)
{
    return cudaGetSymbolAddress((void **)(void *)pointer, (const void *)&symbol);
}

template <class T> SIM_INLINE cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
    return cudaGetSymbolSize(bytes, (const void *)&symbol);
}

/* Events */

SIM_INLINE cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return cudaEventCreateWithFlags(event, flags);
}

/* Kernels */

template <class T>
SIM_INLINE cudaError_t cudaFuncSetAttribute(T *kernel, enum cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}

template <class T>
SIM_INLINE cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, T *kernel)
{
    return cudaFuncGetAttributes(attributes, (const void *)kernel);
}

template <class T>
SIM_INLINE cudaError_t cudaFuncSetCacheConfig(T *kernel, enum cudaFuncCache preference)
{
    return cudaFuncSetCacheConfig((const void *)kernel, preference);
}

template <class T> SIM_INLINE cudaError_t cudaFuncGetName(const char **name, T *kernel)
{
    return cudaFuncGetName(name, (const void *)kernel);
}

template <class T>
SIM_INLINE cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel,
                                                                     int threads,
                                                                     size_t dynamic_shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads,
                                                         dynamic_shared);
}

template <class T>
SIM_INLINE cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T kernel,
                                                                              int threads,
                                                                              size_t dynamic_shared,
                                                                              unsigned int flags)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)kernel,
                                                                  threads, dynamic_shared, flags);
}

template <class T>
SIM_INLINE cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T kernel,
                                                                 int blocks, int threads)
{
    return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)kernel, blocks, threads);
}

/* The largest block among those that keep most threads on a multiprocessor, and
 * the number of blocks that fill the device. `shared_of(threads)` gives the bytes
 * of dynamic shared memory that a block of that many threads needs. */
template <class Function, class T>
inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minimum_grid, int *block_size, T kernel,
                                               Function shared_of, int block_size_limit = 0)
{
    const int step = 32, most = 1024;
    int best = 0, blocks = 0, limit = block_size_limit > 0 ? block_size_limit : most;
    limit = limit < most ? limit : most;
    if (!minimum_grid || !block_size)
        return cudaErrorInvalidValue;
    for (int threads = (limit + step - 1) / step * step; threads > 0; threads -= step) {
        int tried = threads < limit ? threads : limit, fit = 0;
        cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &fit, (const void *)kernel, tried, (size_t)shared_of(tried));
        if (error)
            return error;
        if (fit * tried > best) {
            best = fit * tried;
            blocks = fit;
            *block_size = tried;
        }
    }
    struct cudaDeviceProp properties;
    cudaError_t error = cudaGetDeviceProperties(&properties, 0);
    *minimum_grid = blocks * properties.multiProcessorCount;
    return error;
}

struct sim_fixed_shared {
    size_t bytes;
    size_t operator()(int) const
    {
        return bytes;
    }
};

template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minimum_grid, int *block_size, T kernel,
                                                      size_t dynamic_shared = 0,
                                                      int block_size_limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        minimum_grid, block_size, kernel, sim_fixed_shared{dynamic_shared}, block_size_limit);
}

template <class T>
SIM_INLINE cudaError_t cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **arguments,
                                        size_t shared_bytes = 0, cudaStream_t stream = 0)
{
    return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared_bytes, stream);
}

template <class T>
SIM_INLINE cudaError_t cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block,
                                                   void **arguments, size_t shared_bytes = 0,
                                                   cudaStream_t stream = 0)
{
    return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, arguments, shared_bytes,
                                       stream);
}

/* The arguments become what the kernel's parameters are, as in a plain call. */
template <class... P, class... A>
SIM_INLINE cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...),
                                          A &&...given)
{
    struct values {
        cudaError_t operator()(const cudaLaunchConfig_t *c, const void *k, P... value) const
        {
            void *arguments[] = {(void *)&value..., nullptr};
            return cudaLaunchKernelExC(c, k, arguments);
        }
    };
    return values()(config, (const void *)kernel, static_cast<P>(given)...);
}

#endif
