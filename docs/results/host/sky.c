/* sky.c - draws 10,391 points of data in clusters and as many random ones, as the judge of chapter 72 does, and
 * counts their pairs as it does: pair_counts.py compares with a tree of scikit-learn. From the top directory:
 *
 *     make chapter72 solution test
 *     common/sim/simcc -O2 $(printf ' -Icommon/%s' judge kernel run sim course contracts/pair_counts contracts/operation) \
 *         docs/results/host/sky.c build/sim-gcc/common/kernel/here/job_here.o \
 *         build/sim-gcc/common/kernel/target/target_host.o build/sim-gcc/common/judge-pair_counts.a \
 *         build/sim-gcc/libsim.a -lm -o /tmp/sky
 *     /tmp/sky /tmp/points /tmp/edges >/tmp/counts
 *     python3 docs/results/host/pair_counts.py /tmp/points /tmp/edges /tmp/counts >docs/results/host/pair-counts.csv
 *
 * with numpy and scikit-learn. */
#include <inttypes.h>
#include <stdio.h>

#include "exact_pairs.h"

static void write_floats(const char *file, const void *floats, size_t count)
{
    FILE *to = fopen(file, "wb");
    if (!to || fwrite(floats, sizeof(float), count, to) != count || fclose(to) != 0)
        perror(file);
}

int main(int count, char **arguments)
{
    enum { POINTS = 10391, BINS = 20 };
    if (count != 3)
        return 2;
    const struct input input =
        input_drawn(&(struct drawn_case){SKY_CLUSTERS, POINTS, {1, BINS}}, 1);
    const struct oracle *oracle = oracle_of(&input);
    write_floats(arguments[1], input.elements, input.length * COMPONENTS);
    write_floats(arguments[2], input.bins + oracle->at.edges * WORD, BINS + 1);
    for (size_t i = 0; i < oracle->at.counters; i++)
        printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", oracle->added[i],
               oracle->added[oracle->at.counters + i], oracle->added[2 * oracle->at.counters + i]);
    return 0;
}
