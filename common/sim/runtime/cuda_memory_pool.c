/* cuda_memory_pool.c - a device's default memory pool: programs set how much it keeps. */
#include <stdint.h>

#include "runtime/runtime.h"

/* CUDA's defaults: all reuse is allowed, and nothing is kept beyond a synchronization. */
static struct sim_memory_pool {
    bool not_reused[cudaMemPoolAttrReleaseThreshold]; /* by attribute; 0 is none */
    uint64_t release_threshold;
} default_pool[SIM_MOST_DEVICES];

static cudaError_t get_pool(struct sim_call call, cudaMemPool_t *pool, int device)
{
    if (!pool)
        return sim_refuse(call, cudaErrorInvalidValue, "the pointer for the result is NULL");
    cudaError_t error = sim_check_device(call, device);
    if (error)
        return error;
    *pool = &default_pool[device];
    return sim_return(cudaSuccess);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    return get_pool(SIM_CALL("cudaDeviceGetDefaultMemPool"), pool, device);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    return get_pool(SIM_CALL("cudaDeviceGetMemPool"), pool, device);
}

static cudaError_t check_attribute(struct sim_call call, cudaMemPool_t pool,
                                   enum cudaMemPoolAttr attribute, const void *value)
{
    if (pool < default_pool || pool >= default_pool + sim_options()->devices)
        return sim_refuse(call, cudaErrorInvalidValue,
                          "%p is no memory pool: cudaDeviceGetDefaultMemPool gives the only one",
                          (void *)pool);
    if (!value)
        return sim_refuse(call, cudaErrorInvalidValue, "the pointer to the value is NULL");
    if ((int)attribute < 1 || attribute > cudaMemPoolAttrUsedMemHigh)
        return sim_refuse(call, cudaErrorInvalidValue, "there is no attribute %d", (int)attribute);
    if (attribute > cudaMemPoolAttrReleaseThreshold)
        return sim_refuse(call, cudaErrorNotSupported,
                          "how much a memory pool holds is not counted here");
    return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    cudaError_t error =
        check_attribute(SIM_CALL("cudaMemPoolSetAttribute"), pool, attribute, value);
    if (error)
        return error;
    if (attribute == cudaMemPoolAttrReleaseThreshold)
        pool->release_threshold = *(const uint64_t *)value;
    else
        pool->not_reused[attribute] = *(const int *)value == 0;
    return sim_return(cudaSuccess);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    cudaError_t error =
        check_attribute(SIM_CALL("cudaMemPoolGetAttribute"), pool, attribute, value);
    if (error)
        return error;
    if (attribute == cudaMemPoolAttrReleaseThreshold)
        *(uint64_t *)value = pool->release_threshold;
    else
        *(int *)value = !pool->not_reused[attribute];
    return sim_return(cudaSuccess);
}

/* Nothing is kept, so nothing is given back. */
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes_to_keep)
{
    cudaError_t error = check_attribute(SIM_CALL("cudaMemPoolTrimTo"), pool,
                                        cudaMemPoolAttrReleaseThreshold, &bytes_to_keep);
    return error ? error : sim_return(cudaSuccess);
}
