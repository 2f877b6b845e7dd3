/* cases.c - what suites say of a text, as the judge of any input has it; the inputs that break kernels; and what the
 * techniques of several chapters have in common. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract.h"
#include "histogram/harness.h"
#include "measure.h"
#include "random_numbers.h"
#include "settings.h"
#include "verdict_log.h"

struct job job_on_text(size_t length)
{
    const struct call call = call_of(&histogram_contract, COUNT, length, num_bins(), 0);
    struct job job = job_of(&histogram_contract, &call);
    job.output_bytes = num_bins() * sizeof(unsigned int);
    return job;
}

/* About how often lanes have stopped, at an access, a barrier or a vote, or before they begin. It tells how long they
 * take to simulate. */
static uint64_t stops(const struct sim_counters *counters, const struct sim_launch_shape *shape)
{
    enum { WARP = 32, FEWEST_STOPS = 2 };
    return FEWEST_STOPS * counters->threads + WARP * counters->votes +
           counters->barriers * shape->block[0] * shape->block[1] * shape->block[2] +
           lanes_of(counters);
}

static uint64_t
    most_stops; /* the most stops of one run, those that a long text explains left out */

size_t expect_right_step(size_t inputs, uint64_t enough)
{
    return 1 + (size_t)(most_stops * inputs / enough);
}

/* Whether a run took longer than most do. */
static bool expect_right_takes_long(void)
{
    enum { LONG = 1000 * 1000 };
    return most_stops > LONG;
}

/* A large grid costs the same on every text, however short, so its inputs have one schedule each, and
 * not all the same one; and so have the later inputs of a test that has run for long. */
static uint64_t rule_of_texts(const struct input *input, const struct outcome *outcome,
                              uint64_t most)
{
    enum { A_CHARACTER = 8, LARGE = 1 << 17, LONG = 12 * 1000 * 1000 };
    const struct sim_launch_shape shape = outcome->shape;
    const uint64_t blocks = (uint64_t)shape.grid[0] * shape.grid[1] * shape.grid[2];
    const uint64_t threads = blocks * shape.block[0] * shape.block[1] * shape.block[2];
    const uint64_t all = stops(&outcome->counters, &shape);
    const uint64_t stopped = all - stops(&outcome->counters_before, &shape);
    if (stopped > A_CHARACTER * input->length && stopped > most_stops)
        most_stops = stopped;
    return threads == 0 || threads > LARGE || all > LONG || expect_right_takes_long() ? 1 : most;
}

void expect_right_at(const char *what, const unsigned char *text, size_t length,
                     size_t misalignment)
{
    const struct input input = input_of_text(&histogram_contract, what, text, length, misalignment);
    judge_input_by(rule_of_texts, &input, SCHEDULES, true);
}

void expect_right_once_at(const char *what, const unsigned char *text, size_t length,
                          size_t misalignment)
{
    const struct input input = input_of_text(&histogram_contract, what, text, length, misalignment);
    judge_input_by(rule_of_texts, &input, 1, true);
}

void expect_right_untold_at(const char *what, const unsigned char *text, size_t length,
                            size_t misalignment)
{
    const struct input input = input_of_text(&histogram_contract, what, text, length, misalignment);
    judge_input_by(rule_of_texts, &input, 1, false);
}

void expect_right_on(const char *what, const unsigned char *text, size_t length)
{
    expect_right_at(what, text, length, 0);
}

/* Leaves the numbers that the verdict may say of a cost. */
static void tell_cost(const struct measurement *cost)
{
    verdict_log_add("cost %zu %llu %llu %llu %llu", cost->length,
                    (unsigned long long)cost->counters.global[SIM_LOAD].sectors,
                    (unsigned long long)cost->shared.atomic.wavefronts,
                    (unsigned long long)(cost->bins.atomic.lanes + cost->elsewhere.atomic.lanes),
                    (unsigned long long)cost->shared.atomic.lanes);
}

struct measurement measure_at(const struct text *text, size_t misalignment)
{
    const struct input input =
        input_of_text(&histogram_contract, text->name, text->bytes, text->length, misalignment);
    const struct measurement cost = judge_cost(&input);
    tell_cost(&cost);
    return cost;
}

struct measurement measure(const struct text *text)
{
    return measure_at(text, 0);
}

/* Judges one text, cut to a length: "33 characters of uniform text". */
static void expect_right_on_length(enum text_kind kind, size_t length)
{
    char what[96];
    struct text text = text_of(kind, 1, length);
    snprintf(what, sizeof what, "%s character%s of %s text", grouped(length),
             length == 1 ? "" : "s", text_kind_name(kind));
    expect_right_on(what, text.bytes, length);
    text_free(&text);
}

/* How many threads a block and the grid of the last launch had. Chapter 1 launches nothing, and its lengths are like
 * those of other chapters. */
static void last_shape(size_t *block, size_t *grid)
{
    enum { MOST = 1 << 18 }; /* a larger grid would take too long on texts of its size */
    struct sim_launch_shape shape = last_outcome(operation_chosen())->shape;
    *block = (size_t)shape.block[0] * shape.block[1] * shape.block[2];
    *grid = *block * shape.grid[0] * shape.grid[1] * shape.grid[2];
    if (*block == 0) {
        *block = 256;
        *grid = 1 << 16;
    }
    if (*grid > MOST)
        *grid = MOST;
}

static void expect_right_on_lengths(void)
{
    const size_t lengths[] = {0, 1, 2, 31, 32, 33};
    size_t block, grid;
    /* The first texts are of ordinary size, where what is wrong is explained best. Their lengths are primes, so that
     * no block and no vector divides them. */
    expect_right_on_length(TEXT_UNIFORM, 16381);
    const size_t step = expect_right_takes_long() ? 2 : 1;
    if (step == 1)
        expect_right_on_length(TEXT_UNIFORM, 40009);
    last_shape(&block, &grid);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i += step * step)
        expect_right_on_length(TEXT_UNIFORM, lengths[i]);
    for (size_t length = block - 1; length <= block + 1; length += step)
        expect_right_on_length(TEXT_UNIFORM, length);
    for (size_t length = step == 1 ? grid - 1 : grid + 1; length <= grid + 1; length++)
        expect_right_on_length(TEXT_UNIFORM, length);
}

static void expect_right_when_misaligned_text(void)
{
    struct text text = text_of(TEXT_UNIFORM, 2, 999);
    enum { FEW = 14 }; /* 1 and 15 */
    const size_t step = expect_right_takes_long() ? FEW : 1;
    for (size_t misalignment = 1; misalignment <= 15; misalignment += step) {
        char what[96];
        snprintf(what, sizeof what, "%zu characters that start %zu byte%s after a multiple of 16",
                 text.length, misalignment, misalignment == 1 ? "" : "s");
        expect_right_at(what, text.bytes, text.length, misalignment);
    }
    text_free(&text);
    expect_right_on_blocks_misaligned(&histogram_contract);
}

static void expect_right_on_contents(void)
{
    enum { LENGTH = 4099 }; /* a prime: no block and no vector divides it */
    unsigned char bytes[LENGTH];
    for (size_t i = 0; i < LENGTH; i++)
        bytes[i] = (unsigned char)(128 + i % 128);
    expect_right_on("bytes above 127 only", bytes, LENGTH);
    /* Each thread, by sections or by strides, meets several values, and letters behind a 0. */
    for (size_t i = 0; i < LENGTH; i++)
        bytes[i] = (unsigned char)(i * 37 + i / 256 * 53);
    expect_right_on("every value of a byte", bytes, LENGTH);
    memset(bytes, '{', LENGTH); /* the character after z */
    if (!expect_right_takes_long())
        expect_right_on("a text of '{' only", bytes, LENGTH);
    memset(bytes, 'z', LENGTH);
    if (!expect_right_takes_long())
        expect_right_on("a text of 'z' only", bytes, LENGTH);
    for (size_t i = 0; i < LENGTH; i++)
        bytes[i] = i % 2 ? 'a' : '`'; /* the character before a has no bin */
    expect_right_on("'`' and 'a' in turn", bytes, LENGTH);
    expect_right_on_length(TEXT_ENGLISH, 10007);
    if (expect_right_takes_long())
        return;
    expect_right_on_length(TEXT_ZIPF, 10007);
    expect_right_on_length(TEXT_RUNS, 10007);
    expect_right_on_length(TEXT_SINGLE, 10007);
}

void expect_right_on_edge_cases(void)
{
    expect_right_on_lengths();
    expect_right_when_misaligned_text();
    expect_right_on_contents();
}

/* Judges one of the texts of 0 to `longest` characters at 16 alignments. */
static void expect_right_on_short_text(const struct text *text, size_t longest, size_t number)
{
    const size_t length = longest - number / 16, misalignment = number % 16;
    char what[96];
    snprintf(what, sizeof what, "%zu character%s, %zu byte%s after a multiple of 16", length,
             length == 1 ? "" : "s", misalignment, misalignment == 1 ? "" : "s");
    expect_right_once_at(what, text->bytes, length, misalignment);
}

void expect_right_on_short_texts(void)
{
    enum { LONGEST = 50, INPUTS = (LONGEST + 1) * 16, ENOUGH = 8 * 1000 * 1000 };
    struct text text = text_of(TEXT_UNIFORM, 4, LONGEST);
    size_t step = 1; /* odd, so that all alignments have their turn */
    expect_right_on_short_text(&text, LONGEST, 0);
    for (size_t number = 1; number < INPUTS; number += step) {
        expect_right_on_short_text(&text, LONGEST, number);
        step = expect_right_step(INPUTS, ENOUGH) | 1;
    }
    text_free(&text);
}

/* A text that has letters at both ends and few between, since each costs an atomic. */
static struct text sparse_text(size_t length)
{
    enum { DENSE = 64, SPACING = 61 };
    struct text text = text_of(TEXT_SINGLE, 1, length);
    memset(text.bytes, ',', length);
    for (size_t i = 0; i < length; i++)
        if (i < DENSE || length - i <= DENSE || i % SPACING == 0)
            text.bytes[i] = (unsigned char)('a' + i * 7 % 26);
    return text;
}

/* Judges texts of so many words of 16 characters, of a character less, and of a word and a character more. */
static void expect_right_around_text(size_t words, const char *whose)
{
    const size_t lengths[] = {16 * words - 1, 16 * words, 16 * words + 17};
    for (size_t i = expect_right_takes_long() ? 2 : 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct text text = sparse_text(lengths[i]);
        size_t misalignment = i * 5;
        char what[128];
        snprintf(what, sizeof what, "%s characters, about %s, %zu bytes after a multiple of 16",
                 grouped(lengths[i]), whose, misalignment);
        expect_right_at(what, text.bytes, text.length, misalignment);
        text_free(&text);
    }
}

/* Judges a text of so many words of 16 characters on one schedule. */
static void expect_right_on_words(size_t words, const char *what)
{
    struct text text = sparse_text(16 * words);
    expect_right_untold_at(what, text.bytes, text.length, 0);
    text_free(&text);
}

/* The threads of the grid have `eighths` / 8 words each: some of them one more than the others, unless eight divides
 * that. A thread that loads four words at a time has three left, two or one. */
static void expect_right_on_words_left(size_t grid, size_t eighths)
{
    char what[128];
    snprintf(what, sizeof what, "%s characters, %zu.%03zu words a thread of the grid",
             grouped(2 * grid * eighths), eighths / 8, eighths % 8 * 125);
    expect_right_on_words(grid * eighths / 8, what);
}

/* Judges a text of which each thread has one to eight words, another number in each run. */
static void expect_right_on_words_drawn(size_t grid)
{
    char what[128];
    uint64_t state = run_draw();
    const size_t words = grid + random_below(&state, (uint32_t)(7 * grid));
    snprintf(what, sizeof what, "%s characters, drawn with DRAW=%llu", grouped(16 * words),
             (unsigned long long)run_draw());
    expect_right_on_words(words, what);
}

void expect_right_around_rounds(void)
{
    enum { MULTIPROCESSORS = 2, LONG = 1 << 19 };
    size_t block, grid;
    set_multiprocessors(MULTIPROCESSORS); /* a grid that follows their number is small */
    struct text text = sparse_text(LONG); /* and now as large as it gets */
    expect_right_on("524,288 characters, most of them commas", text.bytes, text.length);
    text_free(&text);
    last_shape(&block, &grid);
    expect_right_around_text(block, "a word a thread of a block");
    expect_right_around_text(4 * block, "four words a thread of a block");
    expect_right_around_text(grid, "a word a thread of the grid");
    expect_right_around_text(4 * grid, "four words a thread of the grid");
    const size_t eighths[] = {16, 17, 20, 23, 24, 25, 28, 31};
    const size_t step = expect_right_takes_long() ? 2 : 1;
    for (size_t i = 0; i < sizeof eighths / sizeof *eighths; i += step)
        expect_right_on_words_left(grid, eighths[i]);
    expect_right_on_words_drawn(grid);
}

void expect_right_where_rounds_end(size_t block, size_t round)
{
    const size_t around[] = {16, 32, block, round, round + block, 2 * round};
    struct text text = text_of(TEXT_UNIFORM, 5, 3 * round);
    set_multiprocessors(1);
    for (size_t i = 0; i < sizeof around / sizeof *around; i++)
        for (size_t length = around[i] - 1; length <= around[i] + 1; length++) {
            const size_t misalignment = 7 * i % 16;
            char what[96];
            snprintf(what, sizeof what, "%s characters that start %zu bytes after a multiple of 16",
                     grouped(length), misalignment);
            expect_right_once_at(what, text.bytes, length, misalignment);
        }
    text_free(&text);
}

static void expect_doubled(const unsigned int *bins, const unsigned int *once)
{
    for (unsigned int bin = 0; bin < num_bins(); bin++) {
        if (bins[bin] == 2 * once[bin])
            continue;
        fail_as("bins",
                "bin %u is %s after two calls on one text, and %s after one: histogram() "
                "must add to the bins, not set them",
                bin, grouped(bins[bin]), grouped(once[bin]));
    }
}

void expect_adds_to_bins(void)
{
    struct text text = text_of(TEXT_UNIFORM, 3, 1 << 14);
    unsigned int expected[MOST_BINS], bins[MOST_BINS];
    const struct input input =
        input_of_text(&histogram_contract, text.name, text.bytes, text.length, 0);
    /* What is wrong with one call is not explained by two. */
    expect_right_on(text.name, text.bytes, text.length);
    struct placed placed = place(&input);
    place_output(&placed);
    expect_to_end(&placed, "two calls on one text");
    expect_to_end(&placed, "two calls on one text");
    unsigned char *held = place_read(&placed);
    memcpy(bins, held, num_bins() * sizeof *bins);
    free(held);
    verify_count(text.bytes, text.length, expected);
    expect_doubled(bins, expected);
    place_free(&placed);
    text_free(&text);
}

/* Has all of the longest text counted, which a GPU can do: one letter, 2^32 - 1 times, in 5 bins. */
static void expect_longest_counted(void)
{
    enum { BIN_OF_A = 0 };
    unsigned int bins[MOST_BINS] = {0};
    struct job job = job_on_text(UINT32_MAX);
    job.content = REPEATED;
    job.input_bytes = 1;
    const struct outcome outcome = job_run(&job, "4,294,967,295 characters", "a", bins);
    if (!outcome.finished)
        fail_as("far-end", "stopped on 4,294,967,295 characters: %s", outcome.error);
    if (bins[BIN_OF_A] == UINT32_MAX)
        return;
    fail_as("far-end", "of 4,294,967,295 times 'a' %s are counted: an index wraps at 2^31 or 2^32",
            grouped(bins[BIN_OF_A]));
}

void expect_no_wrapped_index(void)
{
    if (num_bins() != 5)
        cr_skip_test("an index does not depend on the number of bins: judged with 5");
    if (!runs_on_device(&histogram_contract))
        cr_skip_test("plain C has no grid of which the last block could run alone");
#ifdef SIMULATED_GPU
    (void)expect_longest_counted;
    judge_far_end(&histogram_contract);
#else
    expect_longest_counted();
#endif
}

/* Draws a text that nobody knows before: another one in each run. */
static struct text draw_any_text(uint64_t *state, size_t length)
{
    const size_t kind = random_below(state, 6);
    const uint64_t seed = 1000 + random_below(state, 1000000);
    if (kind == 0)
        return text_of_values(random_below(state, 200), 1 + random_below(state, 56), seed, length);
    if (kind == 1)
        return text_of_runs(1 + random_below(state, 100), seed, length);
    return text_of(kind < 4 ? TEXT_UNIFORM : kind == 4 ? TEXT_ENGLISH : TEXT_ZIPF, seed, length);
}

/* The last one is too long for a number in 16 bits, and has more blocks of 256 than one in 8 bits. */
void expect_right_on_drawn_inputs(void)
{
    enum { SHORT = 65536 + 256 };
    const uint32_t longest[] = {300, 300, 3000, 3000, 20000, 20000, 70000, 4096};
    const size_t inputs = sizeof longest / sizeof *longest;
    uint64_t state = run_draw();
    for (size_t i = 0; i < inputs; i++) {
        char what[160];
        const size_t drawn = 1 + random_below(&state, longest[i]);
        const size_t length = i + 1 < inputs ? drawn : SHORT + drawn;
        const size_t misalignment = random_below(&state, 16);
        struct text text = draw_any_text(&state, length);
        snprintf(what, sizeof what, "%s characters, %s, drawn with DRAW=%llu", grouped(length),
                 text.name, (unsigned long long)run_draw());
        expect_right_untold_at(what, text.bytes, text.length, misalignment);
        text_free(&text);
    }
}

void expect_commits_once(const struct measurement *cost, const char *what, uint64_t counters)
{
    expect_threads_share(&histogram_contract, cost);
    expect_at_most(cost->bins.atomic.lanes, "global atomics on the final bins",
                   cost->blocks * counters,
                   "when each block commits its %s once, there are at most blocks x %s = %s x %s",
                   what, what, grouped(cost->blocks), grouped(counters));
}

void expect_no_counting_in_global_memory(const struct measurement *cost)
{
    expect_at_most(cost->elsewhere.atomic.lanes, "global atomics elsewhere than on the final bins",
                   2 * cost->blocks * num_bins(),
                   "the threads count on the multiprocessor, and adding up takes at most 2 x "
                   "blocks x bins = 2 x %s x %s",
                   grouped(cost->blocks), grouped(num_bins()));
}

void expect_reads_16_at_a_time(size_t length)
{
    set_multiprocessors(1);
    struct text text = text_of(TEXT_UNIFORM, 1, length);
    struct measurement cost = measure(&text);
    expect_exactly(cost.reading.bytes, "characters read", length,
                   "each of the text is read once, so there are %s", grouped(length));
    expect_exactly(cost.text.load.requests, "load requests", length / 512,
                   "32 lanes with 16 characters each make it length / 512 = %s / 512",
                   grouped(length));
    expect_exactly(cost.text.load.sectors, "sectors loaded", length / 32,
                   "neighboring lanes load neighboring words, so there are length / 32 = %s / 32",
                   grouped(length));
    text_free(&text);
}

void expect_counted_by_shared_atomics(size_t length, const char *where)
{
    struct text text = text_of(TEXT_RUNS, 1, length);
    const struct measurement cost = measure(&text);
    expect_at_least(cost.shared.atomic.lanes, "shared atomics", cost.counted,
                    "%s get one for each counted character", where);
    text_free(&text);
}
