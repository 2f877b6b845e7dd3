/* cuda_device.c - what the CUDA runtime says of the device, and its settings. */
#include <stdio.h>
#include <string.h>

#include "runtime/runtime.h"

/* Numbers of an H200 that only programs which print them need. */
enum {
    REGISTERS = 65536, /* of 32 bits; a block's and a multiprocessor's */
    MOST_PITCH = 2147483647,
    CONSTANT_BYTES = 65536,
    CLOCK_KHZ = 1980000,
    MEMORY_CLOCK_KHZ = 3201000,
    MEMORY_BUS_BITS = 6144,
    COPY_ENGINES = 3,
    PITCH_ALIGNMENT = 512,
    LIMITS = cudaLimitPersistingL2CacheSize + 1
};

static size_t limits[LIMITS] = {1024, 1 << 20, 8 << 20, 0, 2048, 128, 0};
static unsigned int device_flags;
static enum cudaFuncCache cache_preference;

/* An attribute and the value that cudaDeviceGetAttribute gives; what an attribute
 * allows, it allows to programs that would run on an H200, too. Multiprocessors are not among
 * them: their number can be set. */
static const struct {
    enum cudaDeviceAttr attribute;
    int value;
} attributes[] = {
    {cudaDevAttrMaxThreadsPerBlock, SIM_THREADS_PER_BLOCK},
    {cudaDevAttrMaxBlockDimX, SIM_THREADS_PER_BLOCK},
    {cudaDevAttrMaxBlockDimY, SIM_THREADS_PER_BLOCK},
    {cudaDevAttrMaxBlockDimZ, SIM_MOST_BLOCK_Z},
    {cudaDevAttrMaxGridDimX, SIM_MOST_GRID_X},
    {cudaDevAttrMaxGridDimY, SIM_MOST_GRID_YZ},
    {cudaDevAttrMaxGridDimZ, SIM_MOST_GRID_YZ},
    {cudaDevAttrMaxSharedMemoryPerBlock, SIM_SHARED_PER_BLOCK},
    {cudaDevAttrTotalConstantMemory, CONSTANT_BYTES},
    {cudaDevAttrWarpSize, WARP},
    {cudaDevAttrMaxPitch, MOST_PITCH},
    {cudaDevAttrMaxRegistersPerBlock, REGISTERS},
    {cudaDevAttrClockRate, CLOCK_KHZ},
    {cudaDevAttrTextureAlignment, PITCH_ALIGNMENT},
    {cudaDevAttrGpuOverlap, 1},
    {cudaDevAttrKernelExecTimeout, 0},
    {cudaDevAttrIntegrated, 0},
    {cudaDevAttrCanMapHostMemory, 1},
    {cudaDevAttrComputeMode, cudaComputeModeDefault},
    {cudaDevAttrConcurrentKernels, 1},
    {cudaDevAttrEccEnabled, 0},
    {cudaDevAttrPciBusId, 0},
    {cudaDevAttrPciDeviceId, 0},
    {cudaDevAttrTccDriver, 0},
    {cudaDevAttrMemoryClockRate, MEMORY_CLOCK_KHZ},
    {cudaDevAttrGlobalMemoryBusWidth, MEMORY_BUS_BITS},
    {cudaDevAttrMaxThreadsPerMultiProcessor, SIM_THREADS_PER_MULTIPROCESSOR},
    {cudaDevAttrAsyncEngineCount, COPY_ENGINES},
    {cudaDevAttrUnifiedAddressing, 1},
    {cudaDevAttrComputeCapabilityMajor, 9},
    {cudaDevAttrComputeCapabilityMinor, 0},
    {cudaDevAttrStreamPrioritiesSupported, 1},
    {cudaDevAttrGlobalL1CacheSupported, 1},
    {cudaDevAttrLocalL1CacheSupported, 1},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, SIM_SHARED_PER_MULTIPROCESSOR},
    {cudaDevAttrMaxRegistersPerMultiprocessor, REGISTERS},
    {cudaDevAttrManagedMemory, 1},
    {cudaDevAttrIsMultiGpuBoard, 0},
    {cudaDevAttrMultiGpuBoardGroupID, 0},
    {cudaDevAttrHostNativeAtomicSupported, 0},
    {cudaDevAttrSingleToDoublePrecisionPerfRatio, 2},
    {cudaDevAttrPageableMemoryAccess, 0},
    {cudaDevAttrConcurrentManagedAccess, 1},
    {cudaDevAttrComputePreemptionSupported, 1},
    {cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
    {cudaDevAttrCooperativeLaunch, 1},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, SIM_SHARED_PER_BLOCK_OPTIN},
    {cudaDevAttrHostRegisterSupported, 1},
    {cudaDevAttrPageableMemoryAccessUsesHostPageTables, 0},
    {cudaDevAttrDirectManagedMemAccessFromHost, 0},
    {cudaDevAttrMaxBlocksPerMultiprocessor, SIM_BLOCKS_PER_MULTIPROCESSOR},
    {cudaDevAttrReservedSharedMemoryPerBlock, SIM_SHARED_RESERVED_PER_BLOCK},
    {cudaDevAttrMemoryPoolsSupported, 1},
    {cudaDevAttrClusterLaunch, 0},
};

/* The one device is number 0. */
static cudaError_t check_device(struct sim_call call, int device)
{
    if (device == 0)
        return cudaSuccess;
    return sim_refuse(call, cudaErrorInvalidDevice,
                      "there is no device %d: the only device is number 0", device);
}

static cudaError_t check_result(struct sim_call call, const void *result)
{
    if (result)
        return cudaSuccess;
    return sim_refuse(call, cudaErrorInvalidValue, "the pointer for the result is NULL");
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    struct sim_call call = SIM_CALL("cudaDeviceGetAttribute");
    cudaError_t error = check_device(call, device);
    if (!error)
        error = check_result(call, value);
    if (error)
        return error;
    if (attribute == cudaDevAttrMultiProcessorCount || attribute == cudaDevAttrL2CacheSize) {
        const struct sim_options *set = sim_options();
        *value = (int)(attribute == cudaDevAttrL2CacheSize ? set->l2_bytes : set->multiprocessors);
        return sim_return(cudaSuccess);
    }
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; ++i) {
        if (attributes[i].attribute == attribute) {
            *value = attributes[i].value;
            return sim_return(cudaSuccess);
        }
    }
    return sim_refuse(call, cudaErrorInvalidValue, "attribute %d is not known here",
                      (int)attribute);
}

/* Properties and attributes must agree: each number stands in one place. */
static int attribute(enum cudaDeviceAttr attribute)
{
    int value = 0;
    cudaDeviceGetAttribute(&value, attribute, 0);
    return value;
}

static void describe_limits(struct cudaDeviceProp *p)
{
    p->sharedMemPerBlock = SIM_SHARED_PER_BLOCK;
    p->sharedMemPerBlockOptin = SIM_SHARED_PER_BLOCK_OPTIN;
    p->sharedMemPerMultiprocessor = SIM_SHARED_PER_MULTIPROCESSOR;
    p->reservedSharedMemPerBlock = SIM_SHARED_RESERVED_PER_BLOCK;
    p->regsPerBlock = REGISTERS;
    p->regsPerMultiprocessor = REGISTERS;
    p->warpSize = WARP;
    p->maxThreadsPerBlock = SIM_THREADS_PER_BLOCK;
    p->maxThreadsPerMultiProcessor = SIM_THREADS_PER_MULTIPROCESSOR;
    p->maxBlocksPerMultiProcessor = SIM_BLOCKS_PER_MULTIPROCESSOR;
    p->maxThreadsDim[0] = attribute(cudaDevAttrMaxBlockDimX);
    p->maxThreadsDim[1] = attribute(cudaDevAttrMaxBlockDimY);
    p->maxThreadsDim[2] = attribute(cudaDevAttrMaxBlockDimZ);
    p->maxGridSize[0] = attribute(cudaDevAttrMaxGridDimX);
    p->maxGridSize[1] = attribute(cudaDevAttrMaxGridDimY);
    p->maxGridSize[2] = attribute(cudaDevAttrMaxGridDimZ);
    p->multiProcessorCount = attribute(cudaDevAttrMultiProcessorCount);
}

static void describe_memory(struct cudaDeviceProp *p)
{
    p->totalGlobalMem = sim_memory_for_programs();
    p->totalConstMem = CONSTANT_BYTES;
    p->memPitch = MOST_PITCH;
    p->l2CacheSize = (int)sim_options()->l2_bytes;
    p->memoryBusWidth = MEMORY_BUS_BITS;
    p->memoryClockRate = MEMORY_CLOCK_KHZ;
    p->textureAlignment = PITCH_ALIGNMENT;
    p->texturePitchAlignment = 32;
    p->surfaceAlignment = PITCH_ALIGNMENT;
    p->canMapHostMemory = 1;
    p->unifiedAddressing = 1;
    p->managedMemory = 1;
    p->concurrentManagedAccess = 1;
    p->globalL1CacheSupported = 1;
    p->localL1CacheSupported = 1;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    struct sim_call call = SIM_CALL("cudaGetDeviceProperties");
    cudaError_t error = check_device(call, device);
    if (!error)
        error = check_result(call, properties);
    if (error)
        return error;
    memset(properties, 0, sizeof *properties);
    snprintf(properties->name, sizeof properties->name, "Simulated GPU (H200 rules)");
    properties->major = 9;
    describe_limits(properties);
    describe_memory(properties);
    properties->clockRate = CLOCK_KHZ;
    properties->asyncEngineCount = COPY_ENGINES;
    properties->concurrentKernels = 1;
    properties->deviceOverlap = 1;
    properties->streamPrioritiesSupported = 1;
    properties->computePreemptionSupported = 1;
    properties->cooperativeLaunch = 1;
    properties->singleToDoublePrecisionPerfRatio = 2;
    return sim_return(cudaSuccess);
}

cudaError_t cudaGetDeviceCount(int *count)
{
    struct sim_call call = SIM_CALL("cudaGetDeviceCount");
    cudaError_t error = check_result(call, count);
    if (error)
        return error;
    *count = 1;
    return sim_return(cudaSuccess);
}

cudaError_t cudaGetDevice(int *device)
{
    struct sim_call call = SIM_CALL("cudaGetDevice");
    cudaError_t error = check_result(call, device);
    if (error)
        return error;
    *device = 0;
    return sim_return(cudaSuccess);
}

cudaError_t cudaSetDevice(int device)
{
    cudaError_t error = check_device(SIM_CALL("cudaSetDevice"), device);
    return error ? error : sim_return(cudaSuccess);
}

cudaError_t cudaInitDevice(int device, unsigned int flags_of_device, unsigned int flags)
{
    (void)flags_of_device, (void)flags;
    cudaError_t error = check_device(SIM_CALL("cudaInitDevice"), device);
    return error ? error : sim_return(cudaSuccess);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    device_flags = flags;
    return sim_return(cudaSuccess);
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    struct sim_call call = SIM_CALL("cudaGetDeviceFlags");
    cudaError_t error = check_result(call, flags);
    if (error)
        return error;
    *flags = device_flags;
    return sim_return(cudaSuccess);
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted)
{
    (void)wanted;
    return cudaGetDevice(device);
}

cudaError_t cudaDeviceSynchronize(void)
{
    cudaError_t error = sim_check_no_capture(SIM_CALL("cudaDeviceSynchronize"), NULL, true);
    if (error)
        return error;
    sim_host_waits_for_all();
    return sim_return(cudaSuccess);
}

cudaError_t cudaDeviceReset(void)
{
    sim_enter();
    sim_host_waits_for_all();
    sim_destroy_streams();
    sim_memory_free_all();
    sim_forget_errors();
    sim_leave();
    return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    struct sim_call call = SIM_CALL("cudaDeviceSetLimit");
    if ((unsigned int)limit >= LIMITS)
        return sim_refuse(call, cudaErrorUnsupportedLimit, "limit %d is not known", (int)limit);
    limits[limit] = value;
    return sim_return(cudaSuccess);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    struct sim_call call = SIM_CALL("cudaDeviceGetLimit");
    cudaError_t error = check_result(call, value);
    if (error)
        return error;
    if ((unsigned int)limit >= LIMITS)
        return sim_refuse(call, cudaErrorUnsupportedLimit, "limit %d is not known", (int)limit);
    *value = limits[limit];
    return sim_return(cudaSuccess);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache preference)
{
    cache_preference = preference;
    return sim_return(cudaSuccess);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *preference)
{
    struct sim_call call = SIM_CALL("cudaDeviceGetCacheConfig");
    cudaError_t error = check_result(call, preference);
    if (error)
        return error;
    *preference = cache_preference;
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
    cudaError_t error = check_result(call, bank_size);
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

cudaError_t cudaDeviceCanAccessPeer(int *can_access, int device, int peer)
{
    struct sim_call call = SIM_CALL("cudaDeviceCanAccessPeer");
    cudaError_t error = check_device(call, device);
    if (!error)
        error = check_device(call, peer);
    if (!error)
        error = check_result(call, can_access);
    if (error)
        return error;
    *can_access = 0;
    return sim_return(cudaSuccess);
}

/* The only device is no peer of itself, so there is no pair to ask about. */
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr kind, int device, int peer)
{
    struct sim_call call = SIM_CALL("cudaDeviceGetP2PAttribute");
    (void)value, (void)kind;
    return sim_refuse(call, cudaErrorInvalidDevice,
                      "devices %d and %d are no pair: the only device is number 0", device, peer);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    (void)peer, (void)flags;
    return sim_refuse(SIM_CALL("cudaDeviceEnablePeerAccess"), cudaErrorInvalidDevice,
                      "there is no second device");
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    (void)peer;
    return sim_refuse(SIM_CALL("cudaDeviceDisablePeerAccess"), cudaErrorPeerAccessNotEnabled,
                      "there is no second device");
}

static cudaError_t version(struct sim_call call, int *result)
{
    cudaError_t error = check_result(call, result);
    if (error)
        return error;
    *result = CUDART_VERSION;
    return sim_return(cudaSuccess);
}

cudaError_t cudaRuntimeGetVersion(int *result)
{
    return version(SIM_CALL("cudaRuntimeGetVersion"), result);
}

cudaError_t cudaDriverGetVersion(int *result)
{
    return version(SIM_CALL("cudaDriverGetVersion"), result);
}

cudaError_t cudaProfilerStart(void)
{
    return sim_return(cudaSuccess);
}

cudaError_t cudaProfilerStop(void)
{
    return sim_return(cudaSuccess);
}
