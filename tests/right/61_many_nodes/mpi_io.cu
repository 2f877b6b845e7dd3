/* C++: MPI reads the file, by MPI_File_read_at into pinned memory, and the slices are dealt to the ranks in turn,
 * so that neighbors in the file belong to different ranks. NCCL gives the sums of a node to all its ranks. */
#include <cuda_runtime.h>
#include <mpi.h>
#include <nccl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "binning.h"
#include "many.h"

namespace
{
constexpr MPI_Offset most = 1 << 20;

[[noreturn]] void stop(const char *what)
{
    std::fprintf(stderr, "%s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
    std::exit(1);
}

void check(cudaError_t error)
{
    if (error != cudaSuccess)
        stop(cudaGetErrorString(error));
}

void check(ncclResult_t result)
{
    if (result != ncclSuccess)
        stop(ncclGetErrorString(result));
}

__global__ void count(const unsigned char *text, size_t length, unsigned long long *sums)
{
    __shared__ unsigned int mine[NUM_BINS];
    for (int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        mine[bin] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < length;
         i += (size_t)gridDim.x * blockDim.x) {
        const int bin = bin_of(text[i]);
        if (bin >= 0)
            atomicAdd(&mine[bin], 1u);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        if (mine[bin])
            atomicAdd(&sums[bin], (unsigned long long)mine[bin]);
}

struct worker {
    int rank, ranks, place, peers;
    MPI_Comm node, heads;
    ncclComm_t nccl;
    cudaStream_t stream[3];
    unsigned char *host[3], *device[3];
    unsigned long long *sums;

    worker()
    {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
        MPI_Comm_rank(node, &place);
        MPI_Comm_size(node, &peers);
        MPI_Comm_split(MPI_COMM_WORLD, place != 0, rank, &heads);
        check(cudaSetDevice(place));
        ncclUniqueId id;
        if (place == 0)
            check(ncclGetUniqueId(&id));
        MPI_Bcast(&id, sizeof id, MPI_CHAR, 0, node);
        check(ncclCommInitRank(&nccl, peers, id, place));
        for (int i = 0; i < 3; i++) {
            check(cudaStreamCreate(&stream[i]));
            check(cudaMallocHost((void **)&host[i], most));
            check(cudaMalloc((void **)&device[i], most));
        }
        check(cudaMalloc((void **)&sums, NUM_BINS * sizeof *sums));
    }
};

int read_and_count(const worker &me, MPI_File file, MPI_Offset length)
{
    check(cudaMemset(me.sums, 0, NUM_BINS * sizeof *me.sums));
    const MPI_Offset slice = length < (1 << 25) ? 9216 : most; // a short file is one slice
    int turn = 0, wrong = MPI_SUCCESS;
    for (MPI_Offset at = me.rank * slice; at < length; at += me.ranks * slice, turn = (turn + 1) % 3) {
        const int wanted = (int)std::min(slice, length - at);
        int got = 0;
        MPI_Status status;
        check(cudaStreamSynchronize(me.stream[turn]));
        wrong = MPI_File_read_at(file, at, me.host[turn], wanted, MPI_BYTE, &status);
        if (wrong == MPI_SUCCESS)
            MPI_Get_count(&status, MPI_BYTE, &got);
        if (wrong == MPI_SUCCESS && got < wanted)
            wrong = MPI_ERR_IO;
        if (wrong != MPI_SUCCESS)
            break;
        check(cudaMemcpyAsync(me.device[turn], me.host[turn], (size_t)wanted,
                              cudaMemcpyHostToDevice, me.stream[turn]));
        count<<<8, 256, 0, me.stream[turn]>>>(me.device[turn], (size_t)wanted, me.sums);
        check(cudaGetLastError());
    }
    check(cudaDeviceSynchronize());
    return wrong;
}
} // namespace

extern "C" int histogram_file(const char *path, unsigned long long *bins)
{
    static worker me;
    MPI_File file = MPI_FILE_NULL;
    MPI_Offset length = 0;
    struct stat about; // of a folder MPI complains by itself
    int wrong = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? MPI_SUCCESS : MPI_ERR_FILE;
    if (wrong == MPI_SUCCESS)
        wrong = MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    if (wrong == MPI_SUCCESS)
        wrong = MPI_File_get_size(file, &length);
    int bad = wrong != MPI_SUCCESS, any_bad = 0;
    long long ends[2] = {length, -length}, most[2];
    MPI_Allreduce(&bad, &any_bad, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    MPI_Allreduce(ends, most, 2, MPI_LONG_LONG, MPI_MAX, MPI_COMM_WORLD);
    any_bad |= most[0] != -most[1];
    if (!any_bad) {
        bad = read_and_count(me, file, length) != MPI_SUCCESS;
        MPI_Allreduce(&bad, &any_bad, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    }
    if (file != MPI_FILE_NULL)
        MPI_File_close(&file);
    if (any_bad) {
        if (me.rank == 0)
            std::fprintf(stderr, "%s: cannot be read\n", path);
        return 1;
    }
    check(ncclAllReduce(me.sums, me.sums, NUM_BINS, ncclUint64, ncclSum, me.nccl, me.stream[0]));
    std::vector<unsigned long long> sums(NUM_BINS);
    check(cudaMemcpyAsync(sums.data(), me.sums, NUM_BINS * sizeof sums[0], cudaMemcpyDeviceToHost,
                          me.stream[0]));
    check(cudaStreamSynchronize(me.stream[0]));
    if (me.place == 0)
        MPI_Reduce(sums.data(), bins, NUM_BINS, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, me.heads);
    return 0;
}
