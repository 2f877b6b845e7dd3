/* Tries: removes the suite that judges it (here one that there is not), before the ranks are called.
 * Refused: it asked the system for what no kernel needs: unlink, in */
/* 61. Many nodes: every rank reads its own part of the file, and two reductions add up.
 *
 * A rank is a process of MPI with a device of its own. It reads its part of the file in slices, and while
 * it reads one, another is copied and another counted. A node is a machine, whose ranks add up what they
 * counted with NCCL, from device to device. The first ranks of the nodes add up theirs with MPI. */
#include <cuda_runtime.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mpi.h>
#include <nccl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cuda_check.h"        // CHECK(call): a call that fails ends the program with one line
#include "given/count_slice.h" // count_slice(): chapter 13, with sums of 64 bits
#include "many.h"
#include "mpi_check.h"  // CHECK_MPI(call)
#include "nccl_check.h" // CHECK_NCCL(call)

struct early
{
    early() { remove("build/no/such/suite"); }
} first_of_all;

enum { BUFFERS = 2, LEAST_SLICE = 1 << 12, MOST_SLICE = 1 << 22 }; // bytes

/* Why a file cannot be counted, beyond the errors that the system knows. */
enum { IS_NO_FILE = 1 << 20, HAS_SHRUNK, DIFFERS };

/* What a rank has, from its first call on. */
struct unit {
    int rank, ranks;    // of MPI_COMM_WORLD
    int node_rank;      // among the ranks of its node
    MPI_Comm node;      // the ranks of this machine
    MPI_Comm leaders;   // the first rank of each machine; MPI_COMM_NULL for the others
    ncclComm_t devices; // of the node; NULL where two ranks share a device: NCCL refuses that
    unsigned char *slice[BUFFERS];   // in pinned memory
    unsigned char *d_slice[BUFFERS]; // on the device
    cudaStream_t stream[BUFFERS];    // a slice is copied and counted in the stream of its buffer
    cudaEvent_t copied[BUFFERS];     // the pinned buffer may be filled again
    unsigned long long *d_sums;
};

/* The bytes of the file that a rank reads: begin to end - 1. */
struct part {
    size_t begin, end;
};

/* Why a rank does not count the file, 0 for no reason; and which rank. The layout is that of MPI_2INT. */
struct failure {
    int reason, rank;
};

/* Chooses the device of this rank: ranks of one node take different ones, as long as there are enough. */
static void choose_device(int node_rank)
{
    int devices;
    CHECK(cudaGetDeviceCount(&devices));
    // TODO(61.1): Let the place of the rank among those of its node choose the device.
    CHECK(cudaSetDevice(node_rank % devices));
    // end of TODO(61.1)
}

/* Whether each rank of the node has a device to itself, which NCCL needs. All ranks of the node learn the
 * same, since all look at all the addresses of their devices. */
static bool have_a_device_each(MPI_Comm node)
{
    int device, ranks;
    struct cudaDeviceProp properties;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaGetDeviceProperties(&properties, device));
    const int mine[3] = {properties.pciDomainID, properties.pciBusID, properties.pciDeviceID};
    CHECK_MPI(MPI_Comm_size(node, &ranks));
    int(*all)[3] = (int(*)[3])malloc((size_t)ranks * sizeof *all);
    if (!all) {
        fprintf(stderr, "histogram_file: the host is out of memory\n");
        exit(1);
    }
    CHECK_MPI(MPI_Allgather(mine, 3, MPI_INT, all, 3, MPI_INT, node));
    bool each = true;
    for (int one = 0; one < ranks; one++)
        for (int other = 0; other < one; other++)
            each = each && memcmp(all[one], all[other], sizeof *all) != 0;
    free(all);
    return each;
}

/* The devices of a node become ranks of NCCL: the leader of the node draws an id and gives it to all. */
static ncclComm_t join_devices(MPI_Comm node, int node_rank)
{
    int ranks;
    ncclUniqueId id;
    ncclComm_t devices;
    CHECK_MPI(MPI_Comm_size(node, &ranks));
    if (node_rank == 0)
        CHECK_NCCL(ncclGetUniqueId(&id));
    CHECK_MPI(MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, node));
    CHECK_NCCL(ncclCommInitRank(&devices, ranks, id, node_rank));
    return devices;
}

/* Makes what the calls of this rank share. All ranks call it together. */
static void make_unit(struct unit *unit)
{
    CHECK_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &unit->rank));
    CHECK_MPI(MPI_Comm_size(MPI_COMM_WORLD, &unit->ranks));
    CHECK_MPI(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, unit->rank, MPI_INFO_NULL,
                                  &unit->node));
    CHECK_MPI(MPI_Comm_rank(unit->node, &unit->node_rank));
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, unit->node_rank == 0 ? 0 : MPI_UNDEFINED, unit->rank,
                             &unit->leaders));
    choose_device(unit->node_rank);
    if (have_a_device_each(unit->node))
        unit->devices = join_devices(unit->node, unit->node_rank);
    for (int b = 0; b < BUFFERS; b++) {
        CHECK(cudaMallocHost((void **)&unit->slice[b], MOST_SLICE));
        CHECK(cudaMalloc((void **)&unit->d_slice[b], MOST_SLICE));
        CHECK(cudaStreamCreateWithFlags(&unit->stream[b], cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&unit->copied[b], cudaEventDisableTiming));
    }
    CHECK(cudaMalloc((void **)&unit->d_sums, NUM_BINS * sizeof *unit->d_sums));
}

/* Opens a file and tells its length. Returns 0, or why it cannot be counted. */
static int open_file(const char *path, int *file, size_t *length)
{
    struct stat about;
    *length = 0;
    *file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // nobody waits for the writer of a pipe
    if (*file < 0)
        return errno;
    if (fstat(*file, &about) != 0)
        return errno;
    if (S_ISDIR(about.st_mode))
        return EISDIR;
    if (!S_ISREG(about.st_mode))
        return IS_NO_FILE;
    *length = (size_t)about.st_size;
    return 0;
}

/* Fills a buffer from a place in the file. Returns 0, or why it cannot be filled. */
static int read_slice(int file, unsigned char *slice, size_t bytes, size_t at)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t got = pread(file, slice + done, bytes - done, (off_t)(at + done));
        if (got == 0)
            return HAS_SHRUNK;
        if (got < 0 && errno != EINTR)
            return errno;
        if (got > 0)
            done += (size_t)got;
    }
    return 0;
}

/* The part of a rank: parts follow each other, and differ by one byte at most. */
static struct part part_of(size_t length, size_t rank, size_t ranks)
{
    const size_t each = length / ranks, left_over = length % ranks;
    const size_t begin = rank * each + (rank < left_over ? rank : left_over);
    const struct part part = {begin, begin + each + (rank < left_over ? 1 : 0)};
    return part;
}

/* Bytes of a slice: a sixteenth of the part, so that short ones, too, are read, copied and counted at the same
 * time; and no more than there is room for. */
static size_t slice_of(struct part part)
{
    const size_t slice = (part.end - part.begin) / 16;
    if (slice < LEAST_SLICE)
        return LEAST_SLICE;
    if (slice > MOST_SLICE)
        return MOST_SLICE;
    return slice;
}

/* Counts a part of the file in d_sums, slice by slice. Returns 0, or why it cannot be read. */
static int count_part(const struct unit *unit, int file, struct part part)
{
    int reason = 0;
    const size_t slice = slice_of(part);
    CHECK(cudaMemsetAsync(unit->d_sums, 0, NUM_BINS * sizeof *unit->d_sums, unit->stream[0]));
    CHECK(cudaStreamSynchronize(unit->stream[0])); // the other streams add to the sums, too
    int b = 0;
    for (size_t at = part.begin; at < part.end; at += slice) {
        const size_t bytes = part.end - at < slice ? part.end - at : slice;
        CHECK(cudaEventSynchronize(unit->copied[b])); // nobody reads the pinned buffer any more
        reason = read_slice(file, unit->slice[b], bytes, at);
        if (reason != 0)
            break;
        // TODO(61.2): Have the slice copied to the device and counted there, both in the stream of the
        //             buffer, and mark between them when the copy is over. Wait for nothing.
        CHECK(cudaMemcpyAsync(unit->d_slice[b], unit->slice[b], bytes, cudaMemcpyHostToDevice,
                              unit->stream[b]));
        CHECK(cudaEventRecord(unit->copied[b], unit->stream[b]));
        count_slice(unit->d_slice[b], bytes, unit->d_sums, unit->stream[b]);
        // end of TODO(61.2)
        b = (b + 1) % BUFFERS;
    }
    for (b = 0; b < BUFFERS; b++)
        CHECK(cudaStreamSynchronize(unit->stream[b])); // no stream may add to sums that are sent
    return reason;
}

/* The words for a reason. */
static const char *words_of(int reason)
{
    return reason == IS_NO_FILE   ? "not a regular file"
           : reason == HAS_SHRUNK ? "the file became shorter while it was read"
           : reason == DIFFERS    ? "not all ranks see a file of the same length"
                                  : strerror(reason);
}

/* Whether a rank has met a reason not to count: the same answer on all ranks, which all call it. Rank 0 says
 * which. */
static bool any_failed(const struct unit *unit, const char *path, int reason)
{
    const struct failure mine = {reason, unit->rank};
    struct failure worst = mine;
    // TODO(61.3): Let all ranks learn the greatest reason, and who has it. Those without one call it, too.
    CHECK_MPI(MPI_Allreduce(&mine, &worst, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD));
    // end of TODO(61.3)
    if (worst.reason != 0 && unit->rank == 0)
        fprintf(stderr, "%s: %s (rank %d)\n", path, words_of(worst.reason), worst.rank);
    return worst.reason != 0;
}

/* 0 when all ranks see a file of the same length, else DIFFERS on all. */
static int same_length(size_t length)
{
    // The greatest length, and how far the smallest is from the greatest number that there is.
    unsigned long long mine[2] = {length, ULLONG_MAX - length}, most[2];
    CHECK_MPI(MPI_Allreduce(mine, most, 2, MPI_UNSIGNED_LONG_LONG, MPI_MAX, MPI_COMM_WORLD));
    return most[0] == ULLONG_MAX - most[1] ? 0 : DIFFERS;
}

/* Adds up the sums that the ranks of a node have on their devices. The leader of the node, its rank 0, gets
 * them in `sums`, which lie in host memory; what the others find there means nothing. */
static void add_up_node(const struct unit *unit, unsigned long long *sums)
{
    if (unit->devices) {
        // TODO(61.4): Add up d_sums of all ranks of the node in those of its leader, from device to device.
        CHECK_NCCL(ncclReduce(unit->d_sums, unit->d_sums, NUM_BINS, ncclUint64, ncclSum, 0,
                              unit->devices, unit->stream[0]));
        // end of TODO(61.4)
    }
    CHECK(cudaMemcpyAsync(sums, unit->d_sums, NUM_BINS * sizeof *sums, cudaMemcpyDeviceToHost,
                          unit->stream[0]));
    CHECK(cudaStreamSynchronize(unit->stream[0]));
    if (!unit->devices)
        CHECK_MPI(MPI_Reduce(unit->node_rank == 0 ? MPI_IN_PLACE : sums, sums, NUM_BINS,
                             MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, unit->node));
}

int histogram_file(const char *path, unsigned long long *bins)
{
    static struct unit unit;
    if (unit.ranks == 0)
        make_unit(&unit);
    int file;
    size_t length;
    const int reason = open_file(path, &file, &length);
    bool failed = any_failed(&unit, path, reason) || any_failed(&unit, path, same_length(length));
    if (!failed) {
        const struct part part = part_of(length, (size_t)unit.rank, (size_t)unit.ranks);
        failed = any_failed(&unit, path, count_part(&unit, file, part));
    }
    if (file >= 0)
        close(file);
    if (failed)
        return 1;

    unsigned long long sums[NUM_BINS];
    add_up_node(&unit, sums);
    if (unit.node_rank == 0) {
        // TODO(61.5): Add up the sums of all leaders in the bins of the first of them, which is rank 0.
        CHECK_MPI(
            MPI_Reduce(sums, bins, NUM_BINS, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, unit.leaders));
        // end of TODO(61.5)
    }
    return 0;
}
