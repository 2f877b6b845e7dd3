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

static bool is_pool(cudaMemPool_t pool)
{
    return pool >= default_pool && pool < default_pool + sim_options()->devices;
}

static cudaError_t check_pool(struct sim_call call, cudaMemPool_t pool)
{
    if (is_pool(pool))
        return cudaSuccess;
    return sim_refuse(call, cudaErrorInvalidValue,
                      "%p is no memory pool: cudaDeviceGetDefaultMemPool gives the only one",
                      (void *)pool);
}

static cudaError_t check_attribute(struct sim_call call, cudaMemPool_t pool,
                                   enum cudaMemPoolAttr attribute, const void *value)
{
    cudaError_t error = check_pool(call, pool);
    if (error)
        return error;
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

static cudaError_t check_location(struct sim_call call, struct cudaMemLocation location)
{
    if (location.type == cudaMemLocationTypeDevice)
        return sim_check_device(call, location.id);
    return sim_refuse(call, cudaErrorInvalidValue, "the location is no device");
}

/* All or nothing. A device may always touch its own pool. */
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list,
                                 size_t count)
{
    struct sim_call call = SIM_CALL("cudaMemPoolSetAccess");
    cudaError_t error = check_pool(call, pool);
    if (!error && count && !list)
        error = sim_refuse(call, cudaErrorInvalidValue, "the list is NULL");
    for (size_t i = 0; !error && i < count; i++) {
        error = check_location(call, list[i].location);
        bool own = list[i].location.id == (int)(pool - default_pool);
        if (!error && (list[i].flags == cudaMemAccessFlagsProtRead ||
                       (own && list[i].flags != cudaMemAccessFlagsProtReadWrite)))
            error = sim_refuse(call, cudaErrorInvalidValue,
                               own ? "a device may always touch its own pool"
                                   : "a device may read and write, or nothing");
    }
    if (error)
        return error;
    for (size_t i = 0; i < count; i++)
        sim_set_peer_access((unsigned int)list[i].location.id, (unsigned int)(pool - default_pool),
                            true, list[i].flags == cudaMemAccessFlagsProtReadWrite);
    return sim_return(cudaSuccess);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location)
{
    struct sim_call call = SIM_CALL("cudaMemPoolGetAccess");
    cudaError_t error = check_pool(call, pool);
    if (!error)
        error = sim_check_result(call, flags && location ? flags : NULL);
    if (!error)
        error = check_location(call, *location);
    if (error)
        return error;
    unsigned int owner = (unsigned int)(pool - default_pool), device = (unsigned int)location->id;
    bool open = device == owner || sim_has_peer_access(device, owner, true);
    *flags = open ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return sim_return(cudaSuccess);
}
