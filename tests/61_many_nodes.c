/* 61_many_nodes.c - right on ranks of several nodes, each of which has a device, reads its part and joins two
 * reductions.
 *
 * The tests of tests/many.c catch here parts that lose the remainder, or that all ranks read; offsets and sums of
 * 32 bits; a rank that returns early while others wait in a collective; an error that one rank alone returns,
 * and bins of ranks that should not have any. */
#include <string.h>

#include "many/harness.h"

enum { LENGTH = 1 << 14, LONG = 1 << 26 };

/* So many ranks, and so many on each node: of each kind more than one. All that follows is asked of one job, for to begin
 * its ranks takes longer than to count. */
enum { RANKS = 6, PER_NODE = 2, NODES = RANKS / PER_NODE };

static struct many_seen measure_nodes(void)
{
    struct text text = text_of(TEXT_UNIFORM, 9, LENGTH);
    const struct many_case asked = {.what = "uniform characters",
                                    .text = text.bytes,
                                    .length = text.length,
                                    .units = RANKS,
                                    .per_node = PER_NODE,
                                    .calls = 2, /* the first one makes what the others keep */
                                    .seed = 1};
    struct many_seen seen = many_measure_case(&asked);
    text_free(&text);
    return seen;
}

static bool is_of_nccl(const struct many_collective *one)
{
    return strncmp(one->name, "nccl", 4) == 0;
}

/* How many reductions of all bins there were, of NCCL or of MPI, or other calls by which rank 0 got as many
 * numbers; `last` is the last one. What the ranks agree on is no such reduction: it has fewer elements. */
static unsigned int reductions(const struct many_seen *seen, bool of_nccl,
                               struct many_collective *last)
{
    const size_t room = sizeof seen->collective / sizeof *seen->collective;
    unsigned int found = 0;
    for (size_t i = 0; i < seen->collectives && i < room; i++) {
        const struct many_collective *one = &seen->collective[i];
        const bool has_bins = one->elements >= num_bins() && one->bytes > one->elements;
        if (is_of_nccl(one) != of_nccl || !has_bins)
            continue;
        *last = *one;
        found++;
    }
    return found;
}

/* Catches a device that nobody set, so that all ranks of a node share one and the others stay idle; and a device
 * that the rank in MPI_COMM_WORLD chooses, which the second node does not have. */
static void expect_a_device_each(const struct many_seen *seen)
{
    for (unsigned int one = 0; one < RANKS; one++)
        for (unsigned int other = 0; other < one; other++)
            expect_that(one / PER_NODE != other / PER_NODE ||
                            seen->unit[one].device != seen->unit[other].device,
                        "ranks %u and %u are of one node and both count on its device %u; the rank "
                        "within the node chooses the device, before anything else is asked of CUDA",
                        other, one, seen->unit[one].device);
}

/* Within a node sums travel from device to device. Catches sums that each rank hands to MPI, and a
 * communicator of NCCL of each rank alone. */
static struct many_collective expect_nccl_on_nodes(const struct many_seen *seen)
{
    struct many_collective nccl = {.members = 0};
    expect_exactly(
        reductions(seen, true, &nccl), "reductions of NCCL", NODES,
        "one for each node of %u ranks: they add up their bins once, from device to device",
        PER_NODE);
    expect_exactly(nccl.members, "ranks in the reduction of NCCL", PER_NODE,
                   "all ranks of the node take part");
    expect_exactly(nccl.bytes, "bytes of each rank in it", nccl.elements * 8,
                   "bins of 64 bits, bins x 8");
    return nccl;
}

/* Between nodes one rank speaks for each. Catches an MPI_Reduce of all ranks behind that of NCCL, whose peers
 * count twice or send for nothing, and one for each node. */
static struct many_collective expect_mpi_of_leaders(const struct many_seen *seen)
{
    struct many_collective mpi = {.members = 0};
    expect_exactly(reductions(seen, false, &mpi), "reductions of MPI", 1,
                   "no other call of MPI brings bins, and the leaders of all nodes add up once");
    expect_that(strcmp(mpi.name, "MPI_Reduce") == 0 || strcmp(mpi.name, "MPI_Ireduce") == 0,
                "bins are added up by %s; only rank 0 wants them, and MPI_Reduce gives them to it",
                mpi.name);
    expect_exactly(mpi.members, "ranks in the reduction of MPI", NODES,
                   "the leader of each node, of %u ranks in all", RANKS);
    expect_exactly(mpi.bytes, "bytes of each rank in it", mpi.elements * 8,
                   "bins of 64 bits, bins x 8");
    return mpi;
}

Test(chapter61, adds_up_nodes_with_nccl_and_their_leaders_with_mpi)
{
    struct many_seen seen = measure_nodes();
    expect_a_device_each(&seen);
    const struct many_collective nccl = expect_nccl_on_nodes(&seen),
                                 mpi = expect_mpi_of_leaders(&seen);
    technique_is("each rank a device, %u nodes with one %s each, one %s of their leaders", NODES,
                 nccl.name, mpi.name);
    many_seen_free(&seen);
}

/* A long file, of which nothing is counted: what is read is copied from pinned memory, and beside counting.
 * Catches slices in pageable memory, a wait for each slice, one rank that reads for all, and
 * counting on the host. */
Test(chapter61, reads_copies_and_counts_at_the_same_time)
{
    enum { READERS = 2 };
    const struct many_case asked = {
        .what = "a file of 64 MiB", .length = LONG, .units = READERS, .seed = 1};
    struct many_seen seen = many_measure_case(&asked);
    for (unsigned int rank = 0; rank < READERS; rank++) {
        const struct many_unit *unit = &seen.unit[rank];
        expect_at_most(
            unit->copied, "bytes copied by a rank", LONG / READERS * 3 / 2,
            "rank %u: the file is shared among %u ranks; half as much again as its share", rank,
            READERS);
        expect_exactly(unit->from_pageable, "bytes copied from pageable memory", 0,
                       "rank %u: nothing runs beside such a copy; cudaMallocHost, bytes", rank);
        expect_at_least(unit->overlapped, "bytes copied beside counting", unit->copied / 2,
                        "rank %u: while one slice is counted, the next one is copied: half of %s",
                        rank, grouped(unit->copied));
    }
    many_seen_free(&seen);
}
