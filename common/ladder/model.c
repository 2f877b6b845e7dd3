/* model.c - where bins are updated. */
#include "model.h"

#include <string.h>

#include "constants.h"

/* Bytes of static shared memory that no kernel here exceeds, where tables lie beside lists of buckets; beside a
 * sorter; beside a tile that is dealt; where a block looks for hot keys. */
enum {
    LISTS_BYTES = 19456,
    SORT_BYTES = 3072,
    DEAL_BYTES = 256 + 2304 * 4 + 8, /* with hot keys of floats */
    HOT_BYTES = 16,                  /* beside tables of sums */
    BESIDE_A_SORTER = 4096,
};
enum {
    BUCKET_BYTES = 1 << 17, /* of the words of a bucket, at most */
    SOME_BUCKETS = 1024,    /* for no more, keys are dealt by two blocks of a multiprocessor */
    FEW_BUCKETS = 512,      /* and elements by two smaller ones */
    ENOUGH_BUCKETS = 256,   /* small ones, that have a bin for each thread */
    LEAST_BINS_WITH_HOT = 1024,
};
static const size_t MOST_ELEMENTS = (size_t)1 << 30; /* of a round: counts and numbers of 32 bits */
static const size_t MOST_DEALT = (size_t)1 << 26;    /* of values: 512 MB of temporary memory */
static const size_t MOST_SEGMENTS = (size_t)1 << 24; /* beside values: 64 MB */

/* What the constants do not say of an operation: the bytes of a bin, of its word in shared memory, and what the bins are
 * aligned to; has_values, is_counted, is_maximum, is_sum. */
#define FACTS_count 4, 4, 4, false, true, false, false
#define FACTS_count_64 8, 4, 8, false, true, false, false
#define FACTS_saturate 4, 4, 4, false, true, false, false
#define FACTS_sum_u32 8, 8, 8, true, false, false, true
#define FACTS_sum_f32 4, 4, 4, true, false, false, true
#define FACTS_powers 32, 32, 16, true, false, false, false
#define FACTS_minmax 16, 16, 16, true, false, true, false
#define FACTS_argmax 8, 8, 8, true, false, true, false
#define ROW(operation, ...)                                                                        \
    {#operation, &ladder_kernels_##operation, FACTS_##operation, __VA_ARGS__},
enum { OPERATIONS = LADDER_ARGMAX_U32 }; /* from LADDER_COUNT, which is 1 */
static const struct ladder_facts facts[OPERATIONS] = {LADDER_CONSTANTS(ROW)};

const struct ladder_facts *ladder_facts_of(ladder_operation operation)
{
    return operation >= LADDER_COUNT && operation <= LADDER_ARGMAX_U32 ? &facts[operation - 1]
                                                                       : NULL;
}

/* What is chosen for. */
struct question {
    const ladder_device *device;
    ladder_operation operation;
    const struct ladder_facts *facts;
    size_t length, num_bins;
    size_t shared_bytes; /* for tables of a block */
};

static size_t least(size_t one, size_t other)
{
    return one < other ? one : other;
}

static size_t over(size_t number, size_t divisor)
{
    return (number + divisor - 1) / divisor;
}

/* So many elements a multiprocessor. */
static size_t each(const struct question *q, size_t elements)
{
    return elements * q->device->multiprocessors;
}

/* Whether there is nothing to gain: the elements are few, or fewer than the bins, or to read the bins takes longer. */
static bool are_few(const struct question *q)
{
    const size_t sums = !q->facts->is_sum                ? 0
                        : q->num_bins < (size_t)FEW_BINS ? (size_t)FEW_SUMS
                        : q->operation == LADDER_SUM_F32 ? (size_t)FEW_FLOATS
                                                         : (size_t)ONE_A_THREAD;
    const size_t maxima =
        q->facts->is_maximum && q->length < 4 * q->num_bins ? (size_t)FEW_MAXIMA : 0;
    return q->length <= VERY_FEW_ELEMENTS || q->length < each(q, maxima) ||
           q->length < each(q, sums) ||
           ((!q->facts->is_sum || q->length < each(q, SOME)) &&
            (double)q->length * q->facts->many_bins < (double)q->num_bins) ||
           (q->length < q->num_bins && q->length < each(q, FEW)) ||
           (q->length < 4 * q->num_bins && q->length < each(q, ONE_A_THREAD)) ||
           (q->operation == LADDER_POWERS_F32 && q->length <= 4 * VERY_FEW_ELEMENTS);
}

static size_t bytes_to_combine(const struct question *q, unsigned int bits)
{
    if (q->operation == LADDER_POWERS_F32)
        return ladder_bytes_to_sort((size_t)1 << bits, LADDER_DEAL_THREADS);
    return (((size_t)1 << bits) + q->facts->is_counted) * q->facts->word_bytes;
}

static size_t vector_bytes_of(const struct question *q)
{
    return q->facts->is_counted ? 16 : 8;
}

/* As large buckets as shared memory holds, or, if they pay, small ones while these are no more than enough. Tiles are
 * as large, but if there are few elements, one for each block. 0 buckets if there would be too many. */
static struct ladder_dealing dealing_of(const struct question *q)
{
    const bool counted = q->facts->is_counted;
    const bool small_pay = q->operation == LADDER_ARGMAX_U32 || q->operation == LADDER_POWERS_F32;
    const size_t shared = q->device->shared_of_block;
    struct ladder_dealing dealing = {(unsigned int)q->num_bins, 0, 0, 0, 0, 0, 0, 0};
    while ((size_t)2 << dealing.bits <= BUCKET_BYTES / q->facts->word_bytes)
        dealing.bits++;
    while (bytes_to_combine(q, dealing.bits) > shared - LISTS_BYTES)
        dealing.bits--;
    while (small_pay && (size_t)1 << dealing.bits > LADDER_DEAL_THREADS &&
           q->num_bins <= (size_t)ENOUGH_BUCKETS << (dealing.bits - 1))
        dealing.bits--;
    const size_t buckets = over(q->num_bins, (size_t)1 << dealing.bits);
    if (buckets > LADDER_MOST_BUCKETS)
        return dealing;
    dealing.place_mask = (1u << dealing.bits) - 1;
    const bool by_two = buckets <= (size_t)(counted ? SOME_BUCKETS : FEW_BUCKETS);
    dealing.blocks = q->device->multiprocessors * (by_two ? 2 : 1);
    dealing.threads = counted || !by_two ? LADDER_DEAL_THREADS : LADDER_DEAL_THREADS / 2;
    const size_t word = counted ? 4 : 2, vector_places = counted ? 8 : 1;
    const size_t fair = over(q->length / word, (size_t)dealing.blocks * dealing.threads);
    unsigned int words = counted && !by_two ? 2 * LADDER_DEAL_WORDS : LADDER_DEAL_WORDS;
    if (!counted) /* whose last vectors would be more than the rest */
        words = fair < 1 ? 1 : fair < words ? (unsigned int)fair : words;
    dealing.buckets = (unsigned int)buckets;
    for (; words > 0; words--) {
        dealing.tile_words = words * dealing.threads;
        dealing.room = (unsigned int)(dealing.tile_words * word / vector_places) +
                       (counted ? dealing.buckets : 0);
        if (ladder_bytes_to_deal(&dealing, vector_bytes_of(q)) + DEAL_BYTES <= shared)
            return dealing;
    }
    dealing.buckets = 0;
    return dealing;
}

/* Temporary memory behind the findings for buckets: a store, segments and work. */
static void lay_out(struct ladder_plan *plan, size_t store, size_t segments, size_t work)
{
    plan->segments_at = over(store, 256) * 256;
    plan->work_at = plan->segments_at + over(segments, 256) * 256;
    plan->temporary_bytes = LADDER_FINDINGS_BYTES + plan->work_at + over(work, 256) * 256;
}

static void plan_32_buckets(const struct question *q, struct ladder_plan *plan)
{
    plan->memory = LADDER_IN_32_BUCKETS;
    plan->tiles = over(plan->round + 3, LADDER_SPLIT_TILE); /* 3 keys may be skipped */
    const size_t blocks = least(plan->tiles, 2 * (size_t)q->device->multiprocessors);
    lay_out(plan, plan->tiles * LADDER_SPLIT_ROOM * 16, plan->tiles * LADDER_BUCKETS * 4,
            blocks * LADDER_BUCKETS * 4);
}

static void plan_buckets(const struct question *q, struct ladder_plan *plan)
{
    const size_t word = q->facts->is_counted ? 4 : 2;
    const size_t tile = plan->dealing.tile_words * word;
    if (!q->facts->is_counted) {
        const size_t by_segments = (MOST_SEGMENTS / plan->dealing.buckets - 1) * tile;
        const size_t dealt = least(MOST_DEALT, by_segments);
        plan->round = over(over(q->length, over(q->length, dealt)), 64) * 64;
    }
    plan->memory = LADDER_IN_BUCKETS;
    plan->tiles = over(plan->round + word - 1, tile);
    lay_out(plan, plan->tiles * plan->dealing.room * vector_bytes_of(q),
            plan->tiles * plan->dealing.buckets * 4, plan->dealing.buckets * sizeof(unsigned int));
}

/* Whether a sample is to tell if elements go straight to their bins: for how few sectors of a warp's neighbors, and how
 * small a share of the most frequent key, that pays beside the time otherwise. */
static void plan_direct(const struct question *q, struct ladder_plan *plan)
{
    const size_t bytes = q->num_bins * q->facts->bin_bytes, cache = q->device->cache_bytes;
    const double beyond = q->facts->sector_beyond; /* ps */
    const double sector = bytes <= cache / 2   ? q->facts->sector
                          : bytes <= 2 * cache ? beyond
                                               : beyond * FAR_TIMES;
    const double length = (double)q->length;
    const double buckets = q->facts->is_counted ? COUNT_BUCKETS_PS : VALUE_BUCKETS_PS;
    const double launches = plan->memory == LADDER_IN_BUCKETS ? buckets : OTHERS_PS;
    const double bins = bytes <= cache / 2 ? 0 : (double)bytes * BIN_BYTE_PS;
    /* Each block commits the bins of its share of the 32 buckets, of which it has little more than one. */
    const double commits =
        1.25 * (double)(ladder_places_of(q->num_bins) * q->device->multiprocessors);
    const double committing = plan->memory != LADDER_IN_32_BUCKETS ? 0
                              : commits < length                   ? commits * sector
                                                                   : length * sector;
    const double otherwise =
        LADDER_DIRECT_GAIN * (launches + committing + length * q->facts->buckets + bins);
    if (q->length < each(q, SHORT))
        return;
    plan->may_be_direct = plan->inspects = true;
    plan->most_sectors = (float)(otherwise / (length * sector) * 32);
    plan->most_hot = (float)(otherwise / (length * SAME_ADDRESS_PS));
    const bool rounds = q->operation == LADDER_SUM_F32 || q->operation == LADDER_POWERS_F32;
    if (rounds && plan->most_hot > MOST_ROUNDED / length)
        plan->most_hot = (float)(MOST_ROUNDED / length);
}

/* For bins that are too many for shared memory: where they are, if that is short, or in buckets. */
static void choose_elsewhere(const struct question *q, struct ladder_plan *plan)
{
    plan->memory = LADDER_AS_THEY_ARE;
    if (q->length < each(q, q->facts->few)) /* buckets would take longer */
        return;
    const size_t places = ladder_places_of(q->num_bins);
    const bool by_32 = q->facts->is_counted && places < 1 << 16 &&
                       (places + 1 + 2 * LADDER_BUCKETS) * 4 <= q->device->shared_of_block;
    plan->dealing = dealing_of(q);
    if (by_32)
        plan_32_buckets(q, plan);
    else if (plan->dealing.buckets > 0)
        plan_buckets(q, plan);
    else /* there would be too many */
        return;
    plan->inspects = q->facts->is_sum || q->operation == LADDER_POWERS_F32;
    plan_direct(q, plan);
}

/* Copies of a block's bins, when lanes that meet wait for each other: as many as fit, but no more than there are lanes,
 * and so that clearing and joining them is no more work than half of the elements. */
static unsigned int copies_in_shared(const struct question *q, size_t bytes)
{
    const size_t fit = q->shared_bytes / bytes;
    const size_t work = q->length / each(q, 2 * q->num_bins);
    const size_t wanted = least(least(fit, work), LADDER_COPIES_MOST);
    unsigned int copies = 1;
    while (2 * (size_t)copies <= wanted) /* a power of two: then no two lanes have a bank */
        copies *= 2;
    return copies;
}

/* Whether the plan is for shared memory: in as few passes as it takes, when there is one, or when they cost less than
 * the bins elsewhere. */
static bool choose_shared(const struct question *q, struct ladder_plan *plan)
{
    const bool is_sorted = q->operation == LADDER_POWERS_F32;
    const size_t word = q->facts->word_bytes + (is_sorted ? sizeof(unsigned int) : 0);
    size_t passes = over(q->num_bins * word, q->shared_bytes);
    while (over(over(q->num_bins, passes), 32) * 32 * word > q->shared_bytes)
        passes++; /* tables have whole groups of 32 bins */
    const size_t bytes = over(over(q->num_bins, passes), 32) * 32 * word;
    if (passes > 1 && (double)passes * q->facts->pass >= q->facts->buckets)
        return false;
    plan->memory = LADDER_IN_SHARED;
    plan->passes = (unsigned int)passes;
    if (is_sorted) { /* two blocks of half as many threads, if they fit */
        const size_t half =
            ladder_bytes_to_sort(over(q->num_bins, passes), LADDER_DEAL_THREADS / 2);
        plan->copies = 2 * (half + BESIDE_A_SORTER) <= q->device->shared_of_multiprocessor ? 2 : 1;
        return true;
    }
    if (!q->facts->is_sum)
        return true;
    plan->has_own = q->operation == LADDER_SUM_F32 &&
                    q->num_bins * LADDER_SHARED_THREADS * sizeof(float) <= q->shared_bytes;
    if (passes == 1 && !plan->has_own)
        plan->copies = copies_in_shared(q, bytes);
    if (q->operation != LADDER_SUM_F32 || plan->has_own)
        return true;
    /* Hot floats have sums of their own: of few elements for lanes, if a few elements tell of so many bins. */
    const size_t left = q->shared_bytes - bytes * plan->copies;
    plan->hot_floats = q->length >= each(q, MANY)          ? LADDER_MOST_HOT_FLOATS
                       : q->num_bins < LEAST_BINS_WITH_HOT ? 1
                                                           : LADDER_HOT_FLOATS;
    while (plan->hot_floats * sizeof(float) > left)
        plan->hot_floats /= 2;
    return true;
}

void ladder_choose(const ladder_device *device, ladder_operation operation, size_t length,
                   size_t num_bins, struct ladder_plan *plan)
{
    const size_t rounds = over(length, MOST_ELEMENTS);
    struct question q = {device, operation, ladder_facts_of(operation), 0, num_bins, 0};
    memset(plan, 0, sizeof *plan);
    plan->copies = plan->passes = 1;
    plan->multiprocessors = device->multiprocessors;
    plan->round = over(over(length, rounds), 64) * 64;
    plan->temporary_bytes = LADDER_FINDINGS_BYTES;
    q.length = rounds > 1 ? plan->round : length;
    q.shared_bytes = device->shared_of_block -
                     (operation == LADDER_POWERS_F32
                          ? LADDER_DEAL_THREADS * LADDER_SORT_ELEMENTS * sizeof(float) + SORT_BYTES
                      : q.facts->is_sum ? HOT_BYTES
                                        : 0);
    if (are_few(&q)) {
        plan->memory = LADDER_AS_THEY_ARE;
        return;
    }
    if (!choose_shared(&q, plan))
        choose_elsewhere(&q, plan);
}

const char *ladder_explain(const ladder_device *device, ladder_operation operation, size_t length,
                           size_t num_bins)
{
    static const char *const words[] = {"straight to the bins", "shared memory", "buckets",
                                        "32 buckets"};
    struct ladder_plan plan;
    if (!device || !ladder_facts_of(operation))
        return NULL;
    if (length == 0 || num_bins == 0)
        return "nowhere";
    ladder_choose(device, operation, length, num_bins, &plan);
    return plan.memory == LADDER_IN_SHARED && plan.passes > 1 ? "passes in shared memory"
                                                              : words[plan.memory];
}
