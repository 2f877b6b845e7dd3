/* 80_library.c - count_keys() is right, in whatever memory, stream, graph or thread it is called, and finds what is
 * wrong before it launches anything.
 *
 * Operations: count
 *
 * The tests of tests/reduce_by_index.c catch here a kernel that is wrong; those below what is around it. */
#include <stdlib.h>
#include <string.h>

#include "must_have.h"
#include "random_numbers.h"
#include "reduce_by_index/harness.h"
#include "two_phase.h"
#include "two_phase_asked.h"
#include "verdict_log.h"

/* Fails with a sentence, as an assertion of this kind, if something does not hold. */
#define judge(kind, holds, ...)                                                                    \
    do {                                                                                           \
        if (!(holds))                                                                              \
            fail_as(kind, __VA_ARGS__);                                                            \
    } while (0)

/* Of few keys, of bins that fit shared memory, and of bins that do not; on an H200 and on smaller cards. */
static const struct size {
    const char *what;
    size_t length, num_bins;
} shapes[] = {{"few keys", 1000, 40}, {"bins of a block", 9001, 505}, {"many bins", 9001, 60001}};
enum { SHAPES = sizeof shapes / sizeof *shapes, MULTIPROCESSORS = 3 };

/* What the kernel's process saw, and the bins. */
struct asked {
    struct two_phase_seen seen;
    unsigned int *keys, *bins;
    const struct size *shape;
};

static struct asked ask(enum two_phase what, enum bad_thing bad, const struct size *shape)
{
    struct asked asked = {.shape = shape};
    const struct two_phase_asked question = {(uint32_t)what, (uint32_t)bad, shape->length,
                                             shape->num_bins};
    const size_t bytes = shape->length * sizeof *asked.keys;
    struct job job = {.multiprocessors = MULTIPROCESSORS,
                      .seed = schedule_now(),
                      .budget = UINT64_MAX,
                      .function = "count_keys()",
                      .input_bytes = sizeof question + bytes};
    unsigned char *const message = must_have(malloc(job.input_bytes), "for a question");
    void *answer = NULL;
    uint64_t state = shape->length;
    asked.keys = must_have(malloc(bytes), "for keys");
    for (size_t i = 0; i < shape->length; i++) // some have no bin
        asked.keys[i] = random_below(&state, (uint32_t)(shape->num_bins + shape->num_bins / 8 + 1));
    memcpy(message, &question, sizeof question);
    memcpy(message + sizeof question, asked.keys, bytes);
    job_ask_contract(&job, shape->what, message, &answer);
    memcpy(&asked.seen, answer, sizeof asked.seen);
    asked.bins = must_have(malloc(2 * shape->num_bins * sizeof *asked.bins), "for bins");
    memcpy(asked.bins, (char *)answer + sizeof asked.seen,
           2 * shape->num_bins * sizeof *asked.bins);
    free(answer);
    free(message);
    judge("counter", asked.seen.is_there, "there is no count_keys(): two_phase.h declares it");
    return asked;
}

/* Each key was counted so often in the bins of each of so many calls. */
static void expect_counted(const struct asked *asked, unsigned int times, size_t calls,
                           const char *how)
{
    const size_t num_bins = asked->shape->num_bins;
    unsigned int *const wanted = must_have(calloc(num_bins, sizeof *wanted), "for bins");
    for (size_t i = 0; i < asked->shape->length; i++)
        if (asked->keys[i] < num_bins)
            wanted[asked->keys[i]] += times;
    for (size_t call = 0; call < calls; call++)
        for (size_t j = 0; j < num_bins; j++)
            judge("bins", asked->bins[call * num_bins + j] == wanted[j],
                  "%s: %s: bin %zu should be %u, is %u", asked->shape->what, how, j, wanted[j],
                  asked->bins[call * num_bins + j]);
    free(wanted);
}

/* Nothing failed around the calls, and no check reported anything. */
static void expect_well(const struct asked *asked, const char *how)
{
    judge("counter", asked->seen.status == COUNT_OK,
          "%s: %s: count_keys() returned status %d, COUNT_OK is 0", asked->shape->what, how,
          asked->seen.status);
    judge("counter", !asked->seen.error[0], "%s: %s: %s", asked->shape->what, how,
          asked->seen.error);
    judge("counter", asked->seen.reports == 0, "%s: %s: the checks have reported an error above",
          asked->shape->what, how);
    judge("counter", asked->seen.touched == 0,
          "%s: %s: %llu bytes beside the bins and the temporary memory were written: does the "
          "first phase answer as many bytes as the second one uses?",
          asked->shape->what, how, (unsigned long long)asked->seen.touched);
}

static void forget(struct asked *asked)
{
    free(asked->keys);
    free(asked->bins);
}

/* Catches a size that changes, a size of 0, and work in the first phase. */
Test(chapter80, answers_the_same_size_when_it_is_asked_twice)
{
    for (size_t i = 0; i < SHAPES; i++) {
        struct asked asked = ask(TWO_ASK, 0, &shapes[i]);
        expect_well(&asked, "asked for the size");
        judge("counter", asked.seen.bytes[0] > 0,
              "%s: a size of 0 is none: malloc may return NULL for it", shapes[i].what);
        judge("counter", asked.seen.bytes[0] == asked.seen.bytes[1],
              "%s: asked twice, it needs %llu and %llu bytes", shapes[i].what,
              (unsigned long long)asked.seen.bytes[0], (unsigned long long)asked.seen.bytes[1]);
        judge("counter", asked.seen.launches == 0,
              "%s: with temporary == NULL nothing may be launched", shapes[i].what);
        forget(&asked);
    }
}

/* Catches memory that is taken to be zero, more memory than was asked for, a size for the multiprocessors of another
 * card, and allocations: there is no memory left. */
Test(chapter80, works_in_the_memory_that_it_is_given)
{
    for (size_t i = 0; i < SHAPES; i++) {
        struct asked asked = ask(TWO_RUN, 0, &shapes[i]);
        expect_well(&asked, "in memory full of rubbish, with no other left");
        expect_counted(&asked, 2, 1, "two calls in the same temporary memory");
        forget(&asked);
    }
}

/* What each bad thing is, and the status that it gets. */
static const struct {
    const char *what;
    enum count_status status;
    const char *name;
} bad_things[BAD_THINGS] = {
    [BAD_BINS_NULL] = {"d_bins is NULL", COUNT_NULL, "COUNT_NULL"},
    [BAD_KEYS_NULL] = {"d_keys is NULL", COUNT_NULL, "COUNT_NULL"},
    [BAD_BYTES_NULL] = {"temporary_bytes is NULL", COUNT_NULL, "COUNT_NULL"},
    [BAD_TEMPORARY_ADDRESS] = {"temporary is at no multiple of 256", COUNT_MISALIGNED,
                               "COUNT_MISALIGNED"},
    [BAD_KEYS_ADDRESS] = {"d_keys is at no multiple of 4", COUNT_MISALIGNED, "COUNT_MISALIGNED"},
    [BAD_BINS_ADDRESS] = {"d_bins is at no multiple of 4", COUNT_MISALIGNED, "COUNT_MISALIGNED"},
    [BAD_TOO_FEW] = {"there is a byte less than the call needs", COUNT_SHORT, "COUNT_SHORT"},
    [BAD_BINS_ARE_KEYS] = {"the first bin is the last key", COUNT_OVERLAP, "COUNT_OVERLAP"},
    [BAD_BINS_ARE_TEMPORARY] = {"d_bins is temporary", COUNT_OVERLAP, "COUNT_OVERLAP"},
    [BAD_KEYS_ARE_TEMPORARY] = {"d_keys is temporary", COUNT_OVERLAP, "COUNT_OVERLAP"},
};

/* Catches each mistake that is not looked for, or looked for after a launch; and a status that is swallowed. */
Test(chapter80, finds_mistakes_before_it_launches_anything)
{
    for (int bad = 0; bad < BAD_THINGS; bad++)
        for (size_t i = 0; i < SHAPES; i++) {
            struct asked asked = ask(TWO_BAD, (enum bad_thing)bad, &shapes[i]);
            judge("counter", asked.seen.status == (int)bad_things[bad].status,
                  "%s: %s, and count_keys() returns %d instead of %s (%d)", shapes[i].what,
                  bad_things[bad].what, asked.seen.status, bad_things[bad].name,
                  (int)bad_things[bad].status);
            judge("counter", asked.seen.launches == 0,
                  "%s: %s, and still %llu kernels were launched", shapes[i].what,
                  bad_things[bad].what, (unsigned long long)asked.seen.launches);
            judge("counter", asked.seen.touched == 0, "%s: %s, and still %llu bytes were written",
                  shapes[i].what, bad_things[bad].what, (unsigned long long)asked.seen.touched);
            forget(&asked);
        }
}

/* Catches work in the legacy stream, allocations, and whoever waits: all of that cannot be captured. */
Test(chapter80, can_be_captured_in_a_graph)
{
    for (size_t i = 0; i < SHAPES; i++) {
        struct asked asked = ask(TWO_GRAPH, 0, &shapes[i]);
        expect_well(&asked, "captured in a graph");
        expect_counted(&asked, 3, 1, "a graph with the call in it, launched three times");
        forget(&asked);
    }
}

/* Catches work in another stream, for which the call's own does not wait, and memory that two calls share. */
Test(chapter80, runs_in_two_streams_at_once)
{
    for (size_t i = 0; i < SHAPES; i++) {
        struct asked asked = ask(TWO_STREAMS, 0, &shapes[i]);
        expect_well(&asked, "in two streams at once");
        expect_counted(&asked, 1, 2, "a call in each of two streams");
        forget(&asked);
    }
}

Test(chapter80, is_called_by_two_threads)
{
    for (size_t i = 0; i < SHAPES; i++) {
        struct asked asked = ask(TWO_THREADS, 0, &shapes[i]);
        expect_well(&asked, "by two threads");
        expect_counted(&asked, 3, 2, "three calls by each of two threads");
        forget(&asked);
    }
}

/* Catches one kernel for all: few keys are counted in the bins, and more of them in shared memory where the bins fit. */
Test(chapter80, chooses_by_what_it_is_asked)
{
    operation_choose(0);
    for (size_t i = 0; i < SHAPES; i++) {
        struct input input = input_of_keys(KEYS_UNIFORM, 1, shapes[i].length, shapes[i].num_bins);
        set_multiprocessors(MULTIPROCESSORS);
        const struct measurement cost = measure_input(&input);
        if (i == 1)
            expect_at_least(cost.shared.atomic.lanes, "atomics in shared memory", cost.counted,
                            "%s: each key is counted there", shapes[i].what);
        else
            expect_exactly(cost.shared.atomic.lanes, "atomics in shared memory", 0, "%s",
                           shapes[i].what);
        if (i == 0)
            expect_exactly(cost.elsewhere.atomic.lanes, "atomics beside the bins", 0,
                           "%s: copies would take longer than the keys", shapes[i].what);
        if (i == 2)
            expect_at_least(cost.elsewhere.atomic.lanes, "atomics in the copies", cost.counted,
                            "%s: each key is counted in a copy", shapes[i].what);
        input_free(&input);
    }
}
