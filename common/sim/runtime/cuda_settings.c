/* cuda_settings.c - what a program sets of the device that is current. */
#include "runtime/runtime.h"

enum { LIMITS = cudaLimitPersistingL2CacheSize + 1 };

/* Of each device; 0 stands for what it has at first, and a limit is kept with 1 added. */
static struct {
    size_t limits[LIMITS];
    unsigned int flags;
    enum cudaFuncCache cache_preference;
} set[SIM_MOST_DEVICES];
static const size_t limits_at_first[LIMITS] = {1024, 1 << 20, 8 << 20, 0, 2048, 128, 0};

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    set[sim_current_device()].flags = flags;
    return sim_return(cudaSuccess);
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    struct sim_call call = SIM_CALL("cudaGetDeviceFlags");
    cudaError_t error = sim_check_result(call, flags);
    if (error)
        return error;
    *flags = set[sim_current_device()].flags;
    return sim_return(cudaSuccess);
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    struct sim_call call = SIM_CALL("cudaDeviceSetLimit");
    if ((unsigned int)limit >= LIMITS)
        return sim_refuse(call, cudaErrorUnsupportedLimit, "limit %d is not known", (int)limit);
    set[sim_current_device()].limits[limit] = value + 1;
    return sim_return(cudaSuccess);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    struct sim_call call = SIM_CALL("cudaDeviceGetLimit");
    cudaError_t error = sim_check_result(call, value);
    if (error)
        return error;
    if ((unsigned int)limit >= LIMITS)
        return sim_refuse(call, cudaErrorUnsupportedLimit, "limit %d is not known", (int)limit);
    size_t kept = set[sim_current_device()].limits[limit];
    *value = kept ? kept - 1 : limits_at_first[limit];
    return sim_return(cudaSuccess);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache preference)
{
    set[sim_current_device()].cache_preference = preference;
    return sim_return(cudaSuccess);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *preference)
{
    struct sim_call call = SIM_CALL("cudaDeviceGetCacheConfig");
    cudaError_t error = sim_check_result(call, preference);
    if (error)
        return error;
    *preference = set[sim_current_device()].cache_preference;
    return sim_return(cudaSuccess);
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig bank_size)
{
    (void)bank_size; /* banks have been 4 bytes wide since compute capability 5.0 */
    return sim_return(cudaSuccess);
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *bank_size)
{
    struct sim_call call = SIM_CALL("cudaDeviceGetSharedMemConfig");
    cudaError_t error = sim_check_result(call, bank_size);
    if (error)
        return error;
    *bank_size = cudaSharedMemBankSizeFourByte;
    return sim_return(cudaSuccess);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return sim_return(cudaSuccess);
}
