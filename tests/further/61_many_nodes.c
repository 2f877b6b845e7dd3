/* 61_many_nodes.c - the exercise of chapter 61: all ranks agree in one step. */
#include <string.h>

#include "many/harness.h"

enum { LENGTH = 1 << 14, RANKS = 6, PER_NODE = 2, NODES = RANKS / PER_NODE };

/* Whether something is of MPI, and no reduction of all bins: then ranks agree on something. */
static bool is_agreement(const struct many_collective *one)
{
    return strncmp(one->name, "MPI_", 4) == 0 && one->elements < num_bins();
}

/* Each agreement makes all ranks wait for the slowest one, and takes as many messages one after the other as
 * the number of ranks has bits. Catches one for opening, one for the length, one for reading; and none at all, since
 * then ranks are left behind in the reduction. */
Test(further61, agrees_once)
{
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    const struct many_case asked = {.what = "uniform characters",
                                    .text = text.bytes,
                                    .length = text.length,
                                    .units = RANKS,
                                    .per_node = PER_NODE,
                                    .calls = 2, /* the first one makes what the others keep */
                                    .seed = 1};
    struct many_seen seen = many_measure_case(&asked);
    uint64_t agreements = 0;
    for (size_t i = 0; i < seen.collectives; i++)
        agreements += is_agreement(&seen.collective[i]);
    expect_exactly(
        agreements, "agreements of MPI", 1,
        "whether all could open the file, see the same length and could read their parts is "
        "known after reading; agreements");
    expect_exactly(seen.collectives, "collectives", NODES + 2,
                   "one of NCCL in each node, one agreement, and one MPI_Reduce: nodes + 2");
    technique_is("%s agreement of %u ranks, then %u + 1 reductions", grouped(agreements), RANKS,
                 NODES);
    many_seen_free(&seen);
    text_free(&text);
}
