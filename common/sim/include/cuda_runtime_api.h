/* cuda_runtime_api.h - the CUDA runtime API of the simulated GPU, for C and C++.
 *
 * Names, values and meanings are those of CUDA 13. What differs:
 *
 * - There is one device, and everything that is started has ended when the call
 *   returns: streams keep their order because nothing ever overlaps. So a kernel's
 *   error is there at once, as with CUDA_LAUNCH_BLOCKING=1.
 * - Arrays, textures, memory pools, several devices and processes are
 *   left out; what is not declared here does not exist.
 * - A call whose arguments are wrong returns CUDA's error, and also prints one
 *   line about the mistake on standard error. */
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__

#include <stddef.h>

#include "driver_types.h"
#include "sim_attributes.h"
#include "sim_errors.h"
#include "vector_types.h"

#ifndef SIMULATED_GPU
#define SIMULATED_GPU 1
#endif
#define CUDART_VERSION 13000

#define CUDART_CB
#define CUDARTAPI

#ifdef __cplusplus
#define SIM_DEFAULT(VALUE) = VALUE
extern "C" {
#else
#define SIM_DEFAULT(VALUE)
#endif

/* Errors */

#define SIM_ENUMERATOR(NAME, VALUE, TEXT) NAME = VALUE,
enum cudaError { SIM_CUDA_ERRORS(SIM_ENUMERATOR) };
#undef SIM_ENUMERATOR
typedef enum cudaError cudaError_t;

/* The last error; the first call forgets it, unless a kernel was stopped. */
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);

/* Devices: there is one, number 0 */

enum { cudaCpuDeviceId = -1, cudaInvalidDeviceId = -2 };

typedef struct CUuuid_st {
    char bytes[16];
} cudaUUID_t;

struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    size_t totalGlobalMem;
    size_t sharedMemPerBlock;
    int regsPerBlock;
    int warpSize;
    size_t memPitch;
    int maxThreadsPerBlock;
    int maxThreadsDim[3];
    int maxGridSize[3];
    size_t totalConstMem;
    int major;
    int minor;
    size_t textureAlignment;
    size_t texturePitchAlignment;
    int multiProcessorCount;
    int integrated;
    int canMapHostMemory;
    int maxTexture1D;
    int maxTexture2D[2];
    int maxTexture3D[3];
    int maxTexture1DLayered[2];
    int maxTexture2DLayered[3];
    size_t surfaceAlignment;
    int concurrentKernels;
    int ECCEnabled;
    int pciBusID;
    int pciDeviceID;
    int pciDomainID;
    int tccDriver;
    int asyncEngineCount;
    int unifiedAddressing;
    int memoryBusWidth; /* bits */
    int l2CacheSize;    /* bytes */
    int persistingL2CacheMaxSize;
    int maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported;
    int globalL1CacheSupported;
    int localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor;
    int managedMemory;
    int isMultiGpuBoard;
    int multiGpuBoardGroupID;
    int hostNativeAtomicSupported;
    int pageableMemoryAccess;
    int concurrentManagedAccess;
    int computePreemptionSupported;
    int canUseHostPointerForRegisteredMem;
    int cooperativeLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables;
    int directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported;
    int memoryPoolsSupported;
    int clusterLaunch;
    int unifiedFunctionPointers;
    /* Gone from CUDA 13; kept for programs written for CUDA 12 and before. */
    int clockRate;       /* kHz */
    int memoryClockRate; /* kHz */
    int deviceOverlap;
    int kernelExecTimeoutEnabled;
    int computeMode;
    int cooperativeMultiDeviceLaunch;
    int singleToDoublePrecisionPerfRatio;
};

enum cudaComputeMode {
    cudaComputeModeDefault = 0,
    cudaComputeModeExclusive = 1,
    cudaComputeModeProhibited = 2,
    cudaComputeModeExclusiveProcess = 3
};

enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxBlockDimX = 2,
    cudaDevAttrMaxBlockDimY = 3,
    cudaDevAttrMaxBlockDimZ = 4,
    cudaDevAttrMaxGridDimX = 5,
    cudaDevAttrMaxGridDimY = 6,
    cudaDevAttrMaxGridDimZ = 7,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrTotalConstantMemory = 9,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMaxPitch = 11,
    cudaDevAttrMaxRegistersPerBlock = 12,
    cudaDevAttrClockRate = 13,
    cudaDevAttrTextureAlignment = 14,
    cudaDevAttrGpuOverlap = 15,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrKernelExecTimeout = 17,
    cudaDevAttrIntegrated = 18,
    cudaDevAttrCanMapHostMemory = 19,
    cudaDevAttrComputeMode = 20,
    cudaDevAttrConcurrentKernels = 31,
    cudaDevAttrEccEnabled = 32,
    cudaDevAttrPciBusId = 33,
    cudaDevAttrPciDeviceId = 34,
    cudaDevAttrTccDriver = 35,
    cudaDevAttrMemoryClockRate = 36,
    cudaDevAttrGlobalMemoryBusWidth = 37,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrAsyncEngineCount = 40,
    cudaDevAttrUnifiedAddressing = 41,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrStreamPrioritiesSupported = 78,
    cudaDevAttrGlobalL1CacheSupported = 79,
    cudaDevAttrLocalL1CacheSupported = 80,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrMaxRegistersPerMultiprocessor = 82,
    cudaDevAttrManagedMemory = 83,
    cudaDevAttrIsMultiGpuBoard = 84,
    cudaDevAttrMultiGpuBoardGroupID = 85,
    cudaDevAttrHostNativeAtomicSupported = 86,
    cudaDevAttrSingleToDoublePrecisionPerfRatio = 87,
    cudaDevAttrPageableMemoryAccess = 88,
    cudaDevAttrConcurrentManagedAccess = 89,
    cudaDevAttrComputePreemptionSupported = 90,
    cudaDevAttrCanUseHostPointerForRegisteredMem = 91,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrHostRegisterSupported = 99,
    cudaDevAttrPageableMemoryAccessUsesHostPageTables = 100,
    cudaDevAttrDirectManagedMemAccessFromHost = 101,
    cudaDevAttrMaxBlocksPerMultiprocessor = 106,
    cudaDevAttrReservedSharedMemoryPerBlock = 111,
    cudaDevAttrMemoryPoolsSupported = 115,
    cudaDevAttrClusterLaunch = 120
};

enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,
    cudaDevP2PAttrAccessSupported = 2,
    cudaDevP2PAttrNativeAtomicSupported = 3,
    cudaDevP2PAttrCudaArrayAccessSupported = 4
};

enum cudaLimit {
    cudaLimitStackSize = 0,
    cudaLimitPrintfFifoSize = 1,
    cudaLimitMallocHeapSize = 2,
    cudaLimitDevRuntimeSyncDepth = 3,
    cudaLimitDevRuntimePendingLaunchCount = 4,
    cudaLimitMaxL2FetchGranularity = 5,
    cudaLimitPersistingL2CacheSize = 6
};

enum cudaFuncCache {
    cudaFuncCachePreferNone = 0,
    cudaFuncCachePreferShared = 1,
    cudaFuncCachePreferL1 = 2,
    cudaFuncCachePreferEqual = 3
};

enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault = 0,
    cudaSharedMemBankSizeFourByte = 1,
    cudaSharedMemBankSizeEightByte = 2
};

enum {
    cudaDeviceScheduleAuto = 0x00,
    cudaDeviceScheduleSpin = 0x01,
    cudaDeviceScheduleYield = 0x02,
    cudaDeviceScheduleBlockingSync = 0x04,
    cudaDeviceMapHost = 0x08,
    cudaDeviceLmemResizeToMax = 0x10
};

cudaError_t cudaGetDeviceCount(int *__count);
cudaError_t cudaGetDevice(int *__device);
cudaError_t cudaSetDevice(int __device);
#define cudaDeviceBlockingSync cudaDeviceScheduleBlockingSync /* as it was called before */
cudaError_t cudaSetDeviceFlags(unsigned int __flags);
cudaError_t cudaGetDeviceFlags(unsigned int *__flags);
cudaError_t cudaInitDevice(int __device, unsigned int __device_flags, unsigned int __flags);
cudaError_t cudaChooseDevice(int *__device, const struct cudaDeviceProp *__wanted);
/* Describes the simulated device: the limits of an H200, a name of its own. */
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *__properties, int __device);
cudaError_t cudaDeviceGetAttribute(int *__value, enum cudaDeviceAttr __which, int __device);
/* "0000:01:00.0" of device 1, and back. */
cudaError_t cudaDeviceGetPCIBusId(char *__id, int __length, int __device);
cudaError_t cudaDeviceGetByPCIBusId(int *__device, const char *__id);
cudaError_t cudaDeviceSynchronize(void);
/* Frees everything and forgets the error of a stopped kernel. */
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSetLimit(enum cudaLimit __limit, size_t __value);
cudaError_t cudaDeviceGetLimit(size_t *__value, enum cudaLimit __limit);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache __preference);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *__preference);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig __bank_size);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *__bank_size);
cudaError_t cudaDeviceGetStreamPriorityRange(int *__least, int *__greatest);
cudaError_t cudaDeviceCanAccessPeer(int *__can_access, int __device, int __peer);
cudaError_t cudaDeviceGetP2PAttribute(int *__value, enum cudaDeviceP2PAttr __kind, int __device,
                                      int __peer);
cudaError_t cudaDeviceEnablePeerAccess(int __peer, unsigned int __flags);
cudaError_t cudaDeviceDisablePeerAccess(int __peer);
cudaError_t cudaRuntimeGetVersion(int *__version);
cudaError_t cudaDriverGetVersion(int *__version);

/* Streams and events */

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef void (*cudaStreamCallback_t)(cudaStream_t __stream, cudaError_t __status, void *__data);
typedef void (*cudaHostFn_t)(void *__data);

#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)

enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
enum {
    cudaEventDefault = 0,
    cudaEventBlockingSync = 1,
    cudaEventDisableTiming = 2,
    cudaEventInterprocess = 4
};
enum { cudaEventRecordDefault = 0, cudaEventRecordExternal = 1 };
enum { cudaEventWaitDefault = 0, cudaEventWaitExternal = 1 };

cudaError_t cudaStreamCreate(cudaStream_t *__stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *__stream, unsigned int __flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *__stream, unsigned int __flags,
                                         int __priority);
cudaError_t cudaStreamDestroy(cudaStream_t __stream);
cudaError_t cudaStreamSynchronize(cudaStream_t __stream);
cudaError_t cudaStreamQuery(cudaStream_t __stream);
cudaError_t cudaStreamGetFlags(cudaStream_t __stream, unsigned int *__flags);
cudaError_t cudaStreamGetPriority(cudaStream_t __stream, int *__priority);
cudaError_t cudaStreamGetId(cudaStream_t __stream, unsigned long long *__id);
cudaError_t cudaStreamWaitEvent(cudaStream_t __stream, cudaEvent_t __event,
                                unsigned int __flags SIM_DEFAULT(0));
/* Both call the function before they return: the stream has nothing else to do. */
cudaError_t cudaStreamAddCallback(cudaStream_t __stream, cudaStreamCallback_t __callback,
                                  void *__data, unsigned int __flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t __stream, cudaHostFn_t __function, void *__data);

cudaError_t cudaEventCreate(cudaEvent_t *__event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *__event, unsigned int __flags);
cudaError_t cudaEventDestroy(cudaEvent_t __event);
cudaError_t cudaEventRecord(cudaEvent_t __event, cudaStream_t __stream SIM_DEFAULT(0));
cudaError_t cudaEventRecordWithFlags(cudaEvent_t __event, cudaStream_t __stream SIM_DEFAULT(0),
                                     unsigned int __flags SIM_DEFAULT(0));
cudaError_t cudaEventSynchronize(cudaEvent_t __event);
cudaError_t cudaEventQuery(cudaEvent_t __event);
/* The time that this machine took, in milliseconds: not that of a GPU. */
cudaError_t cudaEventElapsedTime(float *__milliseconds, cudaEvent_t __start, cudaEvent_t __end);

/* Memory */

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
};

enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0,
    cudaMemoryTypeHost = 1,
    cudaMemoryTypeDevice = 2,
    cudaMemoryTypeManaged = 3
};

struct cudaPointerAttributes {
    enum cudaMemoryType type;
    int device;
    void *devicePointer; /* NULL when kernels cannot use the memory */
    void *hostPointer;   /* NULL when the host cannot */
};

enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly = 2,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseUnsetPreferredLocation = 4,
    cudaMemAdviseSetAccessedBy = 5,
    cudaMemAdviseUnsetAccessedBy = 6
};

enum cudaMemLocationType {
    cudaMemLocationTypeInvalid = 0,
    cudaMemLocationTypeDevice = 1,
    cudaMemLocationTypeHost = 2,
    cudaMemLocationTypeHostNuma = 3,
    cudaMemLocationTypeHostNumaCurrent = 4
};
struct cudaMemLocation {
    enum cudaMemLocationType type;
    int id;
};

struct cudaPitchedPtr {
    void *ptr;
    size_t pitch; /* bytes from row to row */
    size_t xsize; /* bytes used of a row */
    size_t ysize; /* rows of a slice */
};
struct cudaExtent {
    size_t width; /* bytes */
    size_t height, depth;
};
struct cudaPos {
    size_t x, y, z;
};
struct cudaMemcpy3DParms {
    struct cudaPos srcPos;
    struct cudaPitchedPtr srcPtr;
    struct cudaPos dstPos;
    struct cudaPitchedPtr dstPtr;
    struct cudaExtent extent;
    enum cudaMemcpyKind kind;
};

enum {
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
    cudaHostAllocWriteCombined = 4
};
enum {
    cudaHostRegisterDefault = 0,
    cudaHostRegisterPortable = 1,
    cudaHostRegisterMapped = 2,
    cudaHostRegisterIoMemory = 4,
    cudaHostRegisterReadOnly = 8
};
enum { cudaMemAttachGlobal = 1, cudaMemAttachHost = 2, cudaMemAttachSingle = 4 };

cudaError_t cudaMalloc(void **__pointer, size_t __bytes);
cudaError_t cudaMallocManaged(void **__pointer, size_t __bytes,
                              unsigned int __flags SIM_DEFAULT(cudaMemAttachGlobal));
cudaError_t cudaMallocPitch(void **__pointer, size_t *__pitch, size_t __width, size_t __height);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *__pointer, struct cudaExtent __extent);
cudaError_t cudaMallocAsync(void **__pointer, size_t __bytes, cudaStream_t __stream);
cudaError_t cudaFree(void *__pointer);
cudaError_t cudaFreeAsync(void *__pointer, cudaStream_t __stream);

/* The pool of a device that cudaMallocAsync takes from, its only one. What is set is kept and told, and changes
 * nothing else: memory goes back when it is freed. How much a pool holds is not counted. */
typedef struct sim_memory_pool *cudaMemPool_t;
enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic = 2,
    cudaMemPoolReuseAllowInternalDependencies = 3,
    cudaMemPoolAttrReleaseThreshold = 4, /* the one of 64 bits */
    cudaMemPoolAttrReservedMemCurrent = 5,
    cudaMemPoolAttrReservedMemHigh = 6,
    cudaMemPoolAttrUsedMemCurrent = 7,
    cudaMemPoolAttrUsedMemHigh = 8
};
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *__pool, int __device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *__pool, int __device);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t __pool, enum cudaMemPoolAttr __which,
                                    void *__value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t __pool, enum cudaMemPoolAttr __which,
                                    void *__value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t __pool, size_t __bytes_to_keep);
/* Which other devices may touch memory of the pool: cudaDeviceEnablePeerAccess does not open it. */
enum cudaMemAccessFlags {
    cudaMemAccessFlagsProtNone = 0,
    cudaMemAccessFlagsProtRead = 1,
    cudaMemAccessFlagsProtReadWrite = 3
};
struct cudaMemAccessDesc {
    struct cudaMemLocation location;
    enum cudaMemAccessFlags flags;
};
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t __pool, const struct cudaMemAccessDesc *__list,
                                 size_t __count);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *__flags, cudaMemPool_t __pool,
                                 struct cudaMemLocation *__location);

cudaError_t cudaMallocHost(void **__pointer, size_t __bytes);
cudaError_t cudaHostAlloc(void **__pointer, size_t __bytes, unsigned int __flags);
cudaError_t cudaFreeHost(void *__pointer);
cudaError_t cudaHostGetDevicePointer(void **__device_pointer, void *__host_pointer,
                                     unsigned int __flags);
cudaError_t cudaHostGetFlags(unsigned int *__flags, void *__pointer);
/* Kernels may use the memory, too, at its own address, until it is unregistered. */
cudaError_t cudaHostRegister(void *__pointer, size_t __bytes, unsigned int __flags);
cudaError_t cudaHostUnregister(void *__pointer);
cudaError_t cudaMemGetInfo(size_t *__available, size_t *__total);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *__attributes,
                                     const void *__pointer);

cudaError_t cudaMemcpy(void *__to, const void *__from, size_t __bytes, enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpyPeer(void *__to, int __to_device, const void *__from, int __from_device,
                           size_t __bytes);
cudaError_t cudaMemcpyPeerAsync(void *__to, int __to_device, const void *__from, int __from_device,
                                size_t __bytes, cudaStream_t __stream SIM_DEFAULT(0));
cudaError_t cudaMemcpyAsync(void *__to, const void *__from, size_t __bytes,
                            enum cudaMemcpyKind __kind, cudaStream_t __stream SIM_DEFAULT(0));
cudaError_t cudaMemcpy2D(void *__to, size_t __to_pitch, const void *__from, size_t __from_pitch,
                         size_t __width, size_t __height, enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpy2DAsync(void *__to, size_t __to_pitch, const void *__from,
                              size_t __from_pitch, size_t __width, size_t __height,
                              enum cudaMemcpyKind __kind, cudaStream_t __stream SIM_DEFAULT(0));
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *__copy);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *__copy,
                              cudaStream_t __stream SIM_DEFAULT(0));
cudaError_t cudaMemset(void *__pointer, int __value, size_t __bytes);
cudaError_t cudaMemsetAsync(void *__pointer, int __value, size_t __bytes,
                            cudaStream_t __stream SIM_DEFAULT(0));
cudaError_t cudaMemset2D(void *__pointer, size_t __pitch, int __value, size_t __width,
                         size_t __height);
cudaError_t cudaMemset2DAsync(void *__pointer, size_t __pitch, int __value, size_t __width,
                              size_t __height, cudaStream_t __stream SIM_DEFAULT(0));
cudaError_t cudaMemset3D(struct cudaPitchedPtr __pitched, int __value, struct cudaExtent __extent);
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr __pitched, int __value,
                              struct cudaExtent __extent, cudaStream_t __stream SIM_DEFAULT(0));

/* `symbol` is the address of a __device__ or __constant__ variable; C++ programs
 * name the variable itself. */
cudaError_t cudaMemcpyToSymbol(const void *__symbol, const void *__from, size_t __bytes,
                               size_t __offset SIM_DEFAULT(0),
                               enum cudaMemcpyKind __kind SIM_DEFAULT(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyFromSymbol(void *__to, const void *__symbol, size_t __bytes,
                                 size_t __offset SIM_DEFAULT(0),
                                 enum cudaMemcpyKind __kind SIM_DEFAULT(cudaMemcpyDeviceToHost));
cudaError_t cudaMemcpyToSymbolAsync(const void *__symbol, const void *__from, size_t __bytes,
                                    size_t __offset, enum cudaMemcpyKind __kind,
                                    cudaStream_t __stream SIM_DEFAULT(0));
cudaError_t cudaMemcpyFromSymbolAsync(void *__to, const void *__symbol, size_t __bytes,
                                      size_t __offset, enum cudaMemcpyKind __kind,
                                      cudaStream_t __stream SIM_DEFAULT(0));
cudaError_t cudaGetSymbolAddress(void **__pointer, const void *__symbol);
cudaError_t cudaGetSymbolSize(size_t *__bytes, const void *__symbol);

/* Hints, which change nothing here; the arguments are checked. */
cudaError_t cudaMemPrefetchAsync(const void *__pointer, size_t __bytes,
                                 struct cudaMemLocation __location, unsigned int __flags,
                                 cudaStream_t __stream SIM_DEFAULT(0));
cudaError_t cudaMemAdvise(const void *__pointer, size_t __bytes, enum cudaMemoryAdvise __advice,
                          struct cudaMemLocation __location);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t __stream, void *__pointer,
                                     size_t __bytes SIM_DEFAULT(0),
                                     unsigned int __flags SIM_DEFAULT(cudaMemAttachSingle));

/* Kernels */

struct cudaFuncAttributes {
    size_t sharedSizeBytes; /* static; known after the first launch, 0 before */
    size_t constSizeBytes;  /* not known: 0 */
    size_t localSizeBytes;  /* not known: 0 */
    int maxThreadsPerBlock;
    int numRegs; /* not known: 0 */
    int ptxVersion;
    int binaryVersion;
    int cacheModeCA;
    int maxDynamicSharedSizeBytes;
    int preferredShmemCarveout;
};

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14 /* refused: there are no clusters */
};

enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxL1 = 0,
    cudaSharedmemCarveoutMaxShared = 100
};

typedef enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributePriority = 8
} cudaLaunchAttributeID;
typedef union cudaLaunchAttributeValue {
    char pad[64];
    int cooperative;
    int priority;
    struct {
        unsigned int x, y, z;
    } clusterDim;
} cudaLaunchAttributeValue;
typedef struct cudaLaunchAttribute_st {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue val;
} cudaLaunchAttribute;
typedef struct cudaLaunchConfig_st {
    dim3 gridDim;
    dim3 blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned int numAttrs;
} cudaLaunchConfig_t;

cudaError_t cudaLaunchKernel(const void *__kernel, dim3 __grid, dim3 __block, void **__arguments,
                             size_t __shared_bytes SIM_DEFAULT(0),
                             cudaStream_t __stream SIM_DEFAULT(0));
cudaError_t cudaLaunchCooperativeKernel(const void *__kernel, dim3 __grid, dim3 __block,
                                        void **__arguments, size_t __shared_bytes,
                                        cudaStream_t __stream);
/* Cooperative launches are supported, clusters of blocks are not. */
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *__config, const void *__kernel,
                                void **__arguments);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *__attributes, const void *__kernel);
cudaError_t cudaFuncSetAttribute(const void *__kernel, enum cudaFuncAttribute __which, int __value);
cudaError_t cudaFuncSetCacheConfig(const void *__kernel, enum cudaFuncCache __preference);
cudaError_t cudaFuncSetSharedMemConfig(const void *__kernel, enum cudaSharedMemConfig __bank_size);
cudaError_t cudaFuncGetName(const char **__name, const void *__kernel);

enum { cudaOccupancyDefault = 0, cudaOccupancyDisableCachingOverride = 1 };
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *__blocks, const void *__kernel,
                                                          int __threads, size_t __dynamic_shared);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *__blocks,
                                                                   const void *__kernel,
                                                                   int __threads,
                                                                   size_t __dynamic_shared,
                                                                   unsigned int __flags);
/* A launch without clusters has clusters of one block. */
cudaError_t cudaOccupancyMaxActiveClusters(int *__clusters, const void *__kernel,
                                           const cudaLaunchConfig_t *__config);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *__bytes, const void *__kernel,
                                                      int __blocks, int __threads);

/* Graphs: what is put into a stream while it is captured is done when the graph is launched.
 * They are made by capturing alone. */

typedef struct cudaGraph_st *cudaGraph_t;
typedef struct cudaGraphExec_st *cudaGraphExec_t;
typedef struct cudaGraphNode_st *cudaGraphNode_t;

enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeThreadLocal = 1,
    cudaStreamCaptureModeRelaxed = 2
};
enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone = 0,
    cudaStreamCaptureStatusActive = 1,
    cudaStreamCaptureStatusInvalidated = 2
};
enum {
    cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
    cudaGraphInstantiateFlagUpload = 2,
    cudaGraphInstantiateFlagDeviceLaunch = 4,
    cudaGraphInstantiateFlagUseNodePriority = 8
};
enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess = 0,
    cudaGraphExecUpdateError = 1,
    cudaGraphExecUpdateErrorTopologyChanged = 2
};
typedef struct cudaGraphExecUpdateResultInfo_st {
    enum cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo;

cudaError_t cudaStreamBeginCapture(cudaStream_t __stream, enum cudaStreamCaptureMode __mode);
cudaError_t cudaStreamEndCapture(cudaStream_t __stream, cudaGraph_t *__graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t __stream, enum cudaStreamCaptureStatus *__status);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *__exec, cudaGraph_t __graph,
                                 unsigned long long __flags SIM_DEFAULT(0));
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *__exec, cudaGraph_t __graph,
                                          unsigned long long __flags SIM_DEFAULT(0));
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t __exec, cudaGraph_t __graph,
                                cudaGraphExecUpdateResultInfo *__info);
cudaError_t cudaGraphLaunch(cudaGraphExec_t __exec, cudaStream_t __stream);
cudaError_t cudaGraphUpload(cudaGraphExec_t __exec, cudaStream_t __stream);
cudaError_t cudaGraphCreate(cudaGraph_t *__graph, unsigned int __flags);
cudaError_t cudaGraphClone(cudaGraph_t *__clone, cudaGraph_t __graph);
/* Only their number: __nodes must be NULL. */
cudaError_t cudaGraphGetNodes(cudaGraph_t __graph, cudaGraphNode_t *__nodes, size_t *__count);
cudaError_t cudaGraphDestroy(cudaGraph_t __graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t __exec);

cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

#ifdef __cplusplus
}
#endif

static inline struct cudaExtent make_cudaExtent(size_t __width, size_t __height, size_t __depth)
{
    struct cudaExtent __extent;
    __extent.width = __width;
    __extent.height = __height;
    __extent.depth = __depth;
    return __extent;
}

static inline struct cudaPos make_cudaPos(size_t __x, size_t __y, size_t __z)
{
    struct cudaPos __position;
    __position.x = __x;
    __position.y = __y;
    __position.z = __z;
    return __position;
}

static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *__pointer, size_t __pitch,
                                                        size_t __width, size_t __height)
{
    struct cudaPitchedPtr __pitched;
    __pitched.ptr = __pointer;
    __pitched.pitch = __pitch;
    __pitched.xsize = __width;
    __pitched.ysize = __height;
    return __pitched;
}

#endif
