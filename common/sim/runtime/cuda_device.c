/* cuda_device.c - what the CUDA runtime says of a device; all are alike. */
#include <stdio.h>
#include <string.h>

#include "runtime/runtime.h"

/* Numbers of all cards, or of an H200, that only programs which print them need. */
enum {
    REGISTERS = 65536, /* of 32 bits; a block's and a multiprocessor's */
    MOST_PITCH = 2147483647,
    CONSTANT_BYTES = 65536,
    COPY_ENGINES = 3,
    PITCH_ALIGNMENT = 512
};

/* An attribute and the value that cudaDeviceGetAttribute gives; what an attribute
 * allows, it allows to programs that would run on an H200, too. What can be set, or is another one
 * on each device, is not among them; nor what is another one on each card. */
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
    {cudaDevAttrTextureAlignment, PITCH_ALIGNMENT},
    {cudaDevAttrGpuOverlap, 1},
    {cudaDevAttrKernelExecTimeout, 0},
    {cudaDevAttrIntegrated, 0},
    {cudaDevAttrCanMapHostMemory, 1},
    {cudaDevAttrComputeMode, cudaComputeModeDefault},
    {cudaDevAttrConcurrentKernels, 1},
    {cudaDevAttrEccEnabled, 0},
    {cudaDevAttrPciDeviceId, 0},
    {cudaDevAttrTccDriver, 0},
    {cudaDevAttrAsyncEngineCount, COPY_ENGINES},
    {cudaDevAttrUnifiedAddressing, 1},
    {cudaDevAttrStreamPrioritiesSupported, 1},
    {cudaDevAttrGlobalL1CacheSupported, 1},
    {cudaDevAttrLocalL1CacheSupported, 1},
    {cudaDevAttrMaxRegistersPerMultiprocessor, REGISTERS},
    {cudaDevAttrManagedMemory, 1},
    {cudaDevAttrIsMultiGpuBoard, 0},
    {cudaDevAttrMultiGpuBoardGroupID, 0},
    {cudaDevAttrHostNativeAtomicSupported, 0},
    {cudaDevAttrPageableMemoryAccess, 0},
    {cudaDevAttrConcurrentManagedAccess, 1},
    {cudaDevAttrComputePreemptionSupported, 1},
    {cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
    {cudaDevAttrCooperativeLaunch, 1},
    {cudaDevAttrHostRegisterSupported, 1},
    {cudaDevAttrPageableMemoryAccessUsesHostPageTables, 0},
    {cudaDevAttrDirectManagedMemAccessFromHost, 0},
    {cudaDevAttrReservedSharedMemoryPerBlock, SIM_SHARED_RESERVED_PER_BLOCK},
    {cudaDevAttrMemoryPoolsSupported, 1},
    {cudaDevAttrClusterLaunch, 0},
};

static bool is_of_this_card(enum cudaDeviceAttr attribute, int *value)
{
    const struct sim_card *card = sim_options()->card;
    const struct {
        enum cudaDeviceAttr attribute;
        int value;
    } of_card[] = {
        {cudaDevAttrClockRate, card->clock_khz},
        {cudaDevAttrMemoryClockRate, card->memory_clock_khz},
        {cudaDevAttrGlobalMemoryBusWidth, card->memory_bus_bits},
        {cudaDevAttrMaxThreadsPerMultiProcessor, card->threads_per_multiprocessor},
        {cudaDevAttrComputeCapabilityMajor, card->capability / 10},
        {cudaDevAttrComputeCapabilityMinor, card->capability % 10},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, card->shared_per_multiprocessor},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, (int)sim_shared_per_block_optin()},
        {cudaDevAttrMaxBlocksPerMultiprocessor, card->blocks_per_multiprocessor},
        {cudaDevAttrSingleToDoublePrecisionPerfRatio, card->floats_per_double},
    };
    for (size_t i = 0; i < sizeof of_card / sizeof of_card[0]; i++)
        if (of_card[i].attribute == attribute) {
            *value = of_card[i].value;
            return true;
        }
    return false;
}

static bool is_of_this_device(enum cudaDeviceAttr attribute, int device, int *value)
{
    const struct sim_options *set = sim_options();
    if (attribute == cudaDevAttrMultiProcessorCount)
        *value = (int)set->multiprocessors;
    else if (attribute == cudaDevAttrL2CacheSize)
        *value = (int)set->l2_bytes;
    else if (attribute == cudaDevAttrPciBusId)
        *value = device;
    else
        return false;
    return true;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    struct sim_call call = SIM_CALL("cudaDeviceGetAttribute");
    cudaError_t error = sim_check_device(call, device);
    if (!error)
        error = sim_check_result(call, value);
    if (error)
        return error;
    if (is_of_this_device(attribute, device, value) || is_of_this_card(attribute, value))
        return sim_return(cudaSuccess);
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
    p->sharedMemPerBlockOptin = sim_shared_per_block_optin();
    p->sharedMemPerMultiprocessor = (size_t)sim_options()->card->shared_per_multiprocessor;
    p->reservedSharedMemPerBlock = SIM_SHARED_RESERVED_PER_BLOCK;
    p->regsPerBlock = REGISTERS;
    p->regsPerMultiprocessor = REGISTERS;
    p->warpSize = WARP;
    p->maxThreadsPerBlock = SIM_THREADS_PER_BLOCK;
    p->maxThreadsPerMultiProcessor = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    p->maxBlocksPerMultiProcessor = attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
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
    p->memoryBusWidth = sim_options()->card->memory_bus_bits;
    p->memoryClockRate = sim_options()->card->memory_clock_khz;
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
    cudaError_t error = sim_check_device(call, device);
    if (!error)
        error = sim_check_result(call, properties);
    if (error)
        return error;
    memset(properties, 0, sizeof *properties);
    const struct sim_card *card = sim_options()->card;
    snprintf(properties->name, sizeof properties->name, "Simulated GPU (H200 rules%s%s)",
             sim_card_is_measured(card) ? "" : ", limits of an ",
             sim_card_is_measured(card) ? "" : card->name);
    properties->major = card->capability / 10;
    properties->minor = card->capability % 10;
    properties->pciBusID = device;
    describe_limits(properties);
    describe_memory(properties);
    properties->clockRate = card->clock_khz;
    properties->asyncEngineCount = COPY_ENGINES;
    properties->concurrentKernels = 1;
    properties->deviceOverlap = 1;
    properties->streamPrioritiesSupported = 1;
    properties->computePreemptionSupported = 1;
    properties->cooperativeLaunch = 1;
    properties->singleToDoublePrecisionPerfRatio = card->floats_per_double;
    return sim_return(cudaSuccess);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device)
{
    char whole[sizeof "0000:00:00.0"];
    struct sim_call call = SIM_CALL("cudaDeviceGetPCIBusId");
    cudaError_t error = sim_check_device(call, device);
    if (!error)
        error = sim_check_result(call, id);
    if (error)
        return error;
    snprintf(whole, sizeof whole, "0000:%02x:00.0", (unsigned int)device & 0xff);
    if (length < (int)sizeof whole)
        return sim_refuse(call, cudaErrorInvalidValue, "%d bytes for a name that takes %zu", length,
                          sizeof whole);
    memcpy(id, whole, sizeof whole);
    return sim_return(cudaSuccess);
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    unsigned int domain = 0, bus = 0;
    struct sim_call call = SIM_CALL("cudaDeviceGetByPCIBusId");
    cudaError_t error = sim_check_result(call, device);
    if (error)
        return error;
    if (!id || (sscanf(id, "%x:%x:0", &domain, &bus) != 2) || domain != 0 ||
        bus >= sim_options()->devices)
        return sim_refuse(call, cudaErrorInvalidValue, "no device has the bus \"%s\"",
                          id ? id : "a null pointer");
    *device = (int)bus;
    return sim_return(cudaSuccess);
}

static cudaError_t version(struct sim_call call, int *result)
{
    cudaError_t error = sim_check_result(call, result);
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
