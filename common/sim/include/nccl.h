/* nccl.h - what the simulated GPU has of NCCL, NVIDIA's library for collectives: one process with
 * several devices (SIM_DEVICES=4), whose communicators ncclCommInitAll makes, or several processes of
 * one machine, as under MPI, each with ncclCommInitRank.
 *
 * The names and numbers are NCCL's; on real GPUs its own header takes the place of this one, and
 * programs are linked with -lnccl, which simcc accepts. A collective that some devices do not join,
 * or join in another way, hangs on a GPU; here it is reported. */
#ifndef NCCL_H_
#define NCCL_H_

#include "cuda_runtime_api.h"

#define NCCL_MAJOR 2
#define NCCL_MINOR 27
#define NCCL_PATCH 3
#define NCCL_SUFFIX ""
#define NCCL_VERSION_CODE 22703
#define NCCL_VERSION(X, Y, Z) ((X)*10000 + (Y)*100 + (Z))

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ncclComm *ncclComm_t;
#define NCCL_COMM_NULL NULL

typedef enum {
    ncclSuccess = 0,
    ncclUnhandledCudaError = 1,
    ncclSystemError = 2,
    ncclInternalError = 3,
    ncclInvalidArgument = 4,
    ncclInvalidUsage = 5,
    ncclRemoteError = 6,
    ncclInProgress = 7,
    ncclNumResults = 8
} ncclResult_t;

typedef enum {
    ncclSum = 0,
    ncclProd = 1,
    ncclMax = 2,
    ncclMin = 3,
    ncclAvg = 4, /* of whole numbers rounded towards 0 */
    ncclNumOps = 5
} ncclRedOp_t;

typedef enum {
    ncclInt8 = 0,
    ncclChar = 0,
    ncclUint8 = 1,
    ncclInt32 = 2,
    ncclInt = 2,
    ncclUint32 = 3,
    ncclInt64 = 4,
    ncclUint64 = 5,
    ncclFloat16 = 6, /* not simulated */
    ncclHalf = 6,
    ncclFloat32 = 7,
    ncclFloat = 7,
    ncclFloat64 = 8,
    ncclDouble = 8,
    ncclBfloat16 = 9, /* not simulated */
    ncclNumTypes = 10
} ncclDataType_t;

ncclResult_t ncclGetVersion(int *__version);
const char *ncclGetErrorString(ncclResult_t __result);
/* The last refusal of a call of this host thread. */
const char *ncclGetLastError(ncclComm_t __comm);

/* A communicator for each of `__count` devices, whose rank is its place; the devices are those of
 * the list, or 0, 1, ... when it is NULL. */
ncclResult_t ncclCommInitAll(ncclComm_t *__comms, int __count, const int *__devices);
/* One rank of a communicator, on the device that is current: all of them, in whatever process of the
 * machine, call it with the id that one has got and given to the others. */
#define NCCL_UNIQUE_ID_BYTES 128
typedef struct {
    char internal[NCCL_UNIQUE_ID_BYTES];
} ncclUniqueId;
ncclResult_t ncclGetUniqueId(ncclUniqueId *__id);
ncclResult_t ncclCommInitRank(ncclComm_t *__comm, int __ranks, ncclUniqueId __id, int __rank);
ncclResult_t ncclCommFinalize(ncclComm_t __comm);
ncclResult_t ncclCommDestroy(ncclComm_t __comm);
ncclResult_t ncclCommAbort(ncclComm_t __comm);
ncclResult_t ncclCommGetAsyncError(ncclComm_t __comm, ncclResult_t *__result);
ncclResult_t ncclCommCount(const ncclComm_t __comm, int *__count);
ncclResult_t ncclCommCuDevice(const ncclComm_t __comm, int *__device);
ncclResult_t ncclCommUserRank(const ncclComm_t __comm, int *__rank);

/* What one host thread calls for several devices stands between these two: it begins at the end. */
ncclResult_t ncclGroupStart(void);
ncclResult_t ncclGroupEnd(void);

/* The arrays of all ranks, element by element, into that of rank `__root`, or of all. */
ncclResult_t ncclReduce(const void *__send, void *__receive, size_t __count, ncclDataType_t __type,
                        ncclRedOp_t __operation, int __root, ncclComm_t __comm,
                        cudaStream_t __stream);
ncclResult_t ncclAllReduce(const void *__send, void *__receive, size_t __count,
                           ncclDataType_t __type, ncclRedOp_t __operation, ncclComm_t __comm,
                           cudaStream_t __stream);

#ifdef __cplusplus
}
#endif

#endif
