/* many_buckets.h - combines elements into as many bins as 4,096 buckets hold, for any operation.
 *
 * The elements are dealt to buckets of neighboring bins, a tile at a time: they are counted by their buckets, and
 * then put in order. Of counts a place of 16 bits is kept of each, and a tile is read twice; else the whole element,
 * which stays in registers in between, but for those of a hot key, which a thread combines in a register. Then each
 * bucket is combined in shared memory. */
#ifndef LADDER_MANY_BUCKETS_H
#define LADDER_MANY_BUCKETS_H

#include "segments.h"
#if OPERATION_IS(powers)
#include "sorted_tile.h"
#endif

enum {
    MOST_BUCKETS = LADDER_MOST_BUCKETS,
    DEAL_THREADS = LADDER_DEAL_THREADS, // of a block, at most
    DEAL_WARPS = DEAL_THREADS / WARP,
    DEAL_WORDS = LADDER_DEAL_WORDS, // of a thread, in a tile
    BINS_AT_ONCE = 8,               // that a thread reads to combine into them without atomics
};
static const bool SENDS_PLACES = VECTOR_PLACES > 1;
// A multiprocessor of a card for games holds 1,536 threads, of others 2,048 (CUDA Programming Guide).
#if !IS_COUNTED || (__CUDA_ARCH__ > 800 && __CUDA_ARCH__ < 900) || __CUDA_ARCH__ >= 1100
#define DEAL_BLOCKS 1
#else
#define DEAL_BLOCKS 2
#endif

/* Hot keys of a sum of floats are not sent, but added in shared memory, where each has a few sums for the lanes: they
 * would wait for each other in their buckets. */
enum {
    HOT_SLOTS = 256, // pairs of which find a key
    HOT_SUMS = 8,    // of a slot
    HOT_DEAL_BYTES = OPERATION_IS(sum_f32) ? HOT_SLOTS * (HOT_SUMS + 1) * 4 : 0,
};
#if OPERATION_IS(sum_f32)
struct hot_keys {
    unsigned int *slots; // NULL: there are none
    float *sums;
};

__device__ __forceinline__ static unsigned int pair_of_hot(unsigned int key)
{
    return key * 2654435761u >> 25;
}
static_assert(HOT_SLOTS / 2 == 128, "seven bits find a pair");

/* All threads of the block call it; the caller waits for them afterwards. */
__device__ static struct hot_keys begin_hot_keys(void *memory, const struct findings *found)
{
    struct hot_keys hot = {(unsigned int *)memory, (float *)memory + HOT_SLOTS};
    for (unsigned int i = threadIdx.x; i < HOT_SLOTS; i += blockDim.x)
        hot.slots[i] = NO_KEY;
    for (unsigned int i = threadIdx.x; i < HOT_SLOTS * HOT_SUMS; i += blockDim.x)
        hot.sums[i] = 0;
    __syncthreads(); // no key may enter a slot that another thread has yet to clear
    for (unsigned int i = threadIdx.x; found && i < found->num_hot; i += blockDim.x) {
        const unsigned int key = found->hot[i], slot = 2 * pair_of_hot(key);
        if (atomicCAS(&hot.slots[slot], NO_KEY, key) != NO_KEY)
            atomicCAS(&hot.slots[slot + 1], NO_KEY,
                      key); // of a pair that is full the key stays out
    }
    if (!found || found->num_hot == 0)
        hot.slots = NULL;
    return hot;
}

/* Adds an element if its key is hot, and says whether. */
__device__ __forceinline__ static bool add_if_hot(const struct hot_keys *hot, unsigned int key,
                                                  float value)
{
    const unsigned int slot = 2 * pair_of_hot(key);
    const uint2 pair = *(const uint2 *)&hot->slots[slot];
    if (pair.x != key && pair.y != key)
        return false;
    const unsigned int at = (slot + (pair.x == key ? 0 : 1)) * HOT_SUMS;
    atomicAdd(&hot->sums[at + threadIdx.x % HOT_SUMS], value); // other threads add theirs
    return true;
}

/* The sums go to their bins, after all threads have added theirs. */
__device__ static void end_hot_keys(const struct hot_keys *hot, bin_t *bins, unsigned int num_bins)
{
    for (unsigned int slot = threadIdx.x; slot < HOT_SLOTS; slot += blockDim.x) {
        float sum = 0;
        for (unsigned int k = 0; k < HOT_SUMS; k++)
            sum += hot->sums[slot * HOT_SUMS + k];
        if (hot->slots[slot] < num_bins)
            commit(&bins[hot->slots[slot]], sum);
    }
}
#endif

/* The bucket that an element is sent to: none if its key has no bin, or is kept in a register. */
__device__ static unsigned int fine_bucket_of(unsigned int key, unsigned int kept_key,
                                              const struct ladder_dealing *dealing)
{
    const bool is_sent = key < dealing->num_bins && (SENDS_PLACES || key != kept_key);
    return is_sent ? key >> dealing->bits : NO_KEY;
}

/* A key whose elements the lanes of a warp combine in registers, and do not send; or NO_KEY. */
struct kept_key {
    unsigned int key;
    hardware_t word;
#if OPERATION_IS(sum_f32)
    struct hot_keys hot;
#endif
};

/* From now on the warp keeps another key: what it has of the one before is combined into its bin. All lanes of
 * the warp call it. */
__device__ __forceinline__ static void keep_key(struct kept_key *kept, unsigned int key,
                                                bin_t *bins)
{
    if (key == kept->key) // all lanes, or none
        return;
    const hardware_t of_warp = join_warp(kept->word);
    if (threadIdx.x % WARP == 0 && !is_nothing(of_warp))
        commit(&bins[kept->key], of_warp);
    kept->key = key;
    kept->word = nothing();
}

/* Turns how many elements each bucket has in the tile into where they begin, each at a vector of its own, and
 * notes the segments. What remains of a bucket's last vector has no bin of the bucket. Returns the
 * vectors of the tile. */
__device__ static unsigned int lay_out_tile(const struct ladder_dealing *dealing, unsigned int tile,
                                            unsigned int tiles, segment *segments,
                                            unsigned int *cursor, unsigned int *mine,
                                            place_t *ordered)
{
    __shared__ unsigned int sums_of_warps[DEAL_WARPS];
    const unsigned int share = (dealing->buckets + blockDim.x - 1) / blockDim.x;
    const unsigned int from = threadIdx.x * share;
    const unsigned int to = from + share < dealing->buckets ? from + share : dealing->buckets;
    unsigned int vectors = 0, all;
    for (unsigned int b = from; b < to; b++)
        vectors += (cursor[b] + VECTOR_PLACES - 1) / VECTOR_PLACES;
    unsigned int begin = sum_before(vectors, sums_of_warps, &all);
    for (unsigned int b = from; b < to; b++) {
        const unsigned int count = cursor[b];
        const unsigned int end = begin + (count + VECTOR_PLACES - 1) / VECTOR_PLACES;
        const segment part = {(uint16_t)begin, (uint16_t)end};
        segments[(size_t)b * tiles + tile] = part;
        mine[b] += end - begin;
        cursor[b] = begin * VECTOR_PLACES;
#if IS_COUNTED
        for (unsigned int at = begin * VECTOR_PLACES + count; at < end * VECTOR_PLACES; at++)
            ordered[at] = (place_t)(1u << dealing->bits);
#endif
        begin = end;
    }
    return all;
}

#if IS_COUNTED
/* One tile, of keys: reads it to count, and once more to put places in order. Returns its vectors. */
__device__ __forceinline__ static unsigned int
deal_tile(const struct ladder_elements *elements, unsigned int hot_key,
          const struct ladder_dealing *dealing, unsigned int tile, unsigned int tiles,
          segment *segments, unsigned int *cursor, unsigned int *mine, place_t *ordered,
          bin_t *bins, struct kept_key *kept)
{
    (void)bins, (void)kept;
    const unsigned int first_word = tile * dealing->tile_words;
#pragma unroll 4
    for (unsigned int i = threadIdx.x; i < dealing->tile_words; i += blockDim.x) {
        const struct word word = load_word(elements, first_word + i, false);
#pragma unroll
        for (unsigned int k = 0; k < WORD_ELEMENTS; k++)
            if (word.x[k] < dealing->num_bins)
                atomicAdd(&cursor[word.x[k] >> dealing->bits], 1); // others count there now
    }
    __syncthreads(); // no thread may read counts to which another still adds
    const unsigned int vectors =
        lay_out_tile(dealing, tile, tiles, segments, cursor, mine, ordered);
    __syncthreads(); // no thread may ask for a place before all buckets have their beginnings
#pragma unroll 4
    for (unsigned int i = threadIdx.x; i < dealing->tile_words; i += blockDim.x) {
        const struct word word = load_word(elements, first_word + i, false);
        unsigned int bucket[WORD_ELEMENTS], place[WORD_ELEMENTS];
#pragma unroll
        for (unsigned int k = 0; k < WORD_ELEMENTS; k++)
            bucket[k] = fine_bucket_of(word.x[k], hot_key, dealing);
        ask_for_places(bucket, cursor, place);
#pragma unroll
        for (unsigned int k = 0; k < WORD_ELEMENTS; k++)
            if (bucket[k] != NO_KEY)
                ordered[place[k]] = (place_t)slot_of(word.x[k] & dealing->place_mask);
    }
    return vectors;
}

#else
/* The buckets that the elements of a word of each lane are sent to. What is kept instead is joined to *kept: the
 * hot key; but where all lanes have one key in all their elements, as in sorted ones, that key. All lanes
 * of the warp call it. */
__device__ __forceinline__ static void
send_or_keep(const unsigned int *key, const struct word *word, size_t first, unsigned int hot_key,
             const struct ladder_dealing *dealing, bin_t *bins, struct kept_key *kept,
             unsigned int *bucket)
{
    const unsigned int common = __shfl_sync(ALL_LANES, key[0], 0);
    bool is_one = common < dealing->num_bins;
#pragma unroll
    for (unsigned int k = 0; k < WORD_ELEMENTS; k++)
        is_one = is_one && key[k] == common;
    keep_key(kept, __all_sync(ALL_LANES, is_one) ? common : hot_key, bins);
#pragma unroll
    for (unsigned int k = 0; k < WORD_ELEMENTS; k++) {
        bucket[k] = fine_bucket_of(key[k], kept->key, dealing);
#if OPERATION_IS(sum_f32)
        if (kept->hot.slots && bucket[k] != NO_KEY &&
            add_if_hot(&kept->hot, key[k], __uint_as_float(word->x[k].value))) {
            bucket[k] = NO_KEY;
            continue;
        }
#endif
        if (bucket[k] == NO_KEY && key[k] < dealing->num_bins)
            kept->word = join(kept->word, bring(word->x[k], first + k)); // it is the kept key
    }
}

/* One tile, of elements: they stay in registers, with their buckets and their ranks in these, until it is known
 * where the buckets begin; or are kept. Returns the vectors of the tile. */
__device__ __forceinline__ static unsigned int
deal_tile(const struct ladder_elements *elements, unsigned int hot_key,
          const struct ladder_dealing *dealing, unsigned int tile, unsigned int tiles,
          segment *segments, unsigned int *cursor, unsigned int *mine, place_t *ordered,
          bin_t *bins, struct kept_key *kept)
{
    enum { RANK_BITS = 16 };
    const unsigned int words = dealing->tile_words / blockDim.x; // of a thread, DEAL_WORDS at most
    const unsigned int first_word = tile * dealing->tile_words + threadIdx.x;
    struct word word[DEAL_WORDS];
    unsigned int sent_to[DEAL_WORDS][WORD_ELEMENTS]; // a bucket, and above it a rank
#pragma unroll
    for (unsigned int i = 0; i < DEAL_WORDS; i++)
        if (i < words)
            word[i] = load_word(elements, first_word + i * blockDim.x, true);
#pragma unroll
    for (unsigned int i = 0; i < DEAL_WORDS; i++)
        if (i < words) {
            unsigned int key[WORD_ELEMENTS], bucket[WORD_ELEMENTS], rank[WORD_ELEMENTS];
#pragma unroll
            for (unsigned int k = 0; k < WORD_ELEMENTS; k++)
                key[k] = word[i].x[k].key;
            send_or_keep(key, &word[i],
                         elements->base + first_of_word(elements, first_word + i * blockDim.x),
                         hot_key, dealing, bins, kept, bucket);
            ask_for_places(bucket, cursor, rank);
#pragma unroll
            for (unsigned int k = 0; k < WORD_ELEMENTS; k++)
                sent_to[i][k] = bucket[k] == NO_KEY ? NO_KEY : bucket[k] | rank[k] << RANK_BITS;
        }
    __syncthreads(); // no thread may read counts to which another still adds
    const unsigned int vectors =
        lay_out_tile(dealing, tile, tiles, segments, cursor, mine, ordered);
    __syncthreads(); // no thread may go to a bucket before all have their beginnings
#pragma unroll
    for (unsigned int i = 0; i < DEAL_WORDS; i++)
        if (i < words)
#pragma unroll
            for (unsigned int k = 0; k < WORD_ELEMENTS; k++)
                if (sent_to[i][k] != NO_KEY)
                    ordered[cursor[sent_to[i][k] % (1u << RANK_BITS)] +
                            (sent_to[i][k] >> RANK_BITS)] =
                        make_uint2((word[i].x[k].key & dealing->place_mask) |
                                       ((i * blockDim.x + threadIdx.x) * WORD_ELEMENTS + k) << 16,
                                   word[i].x[k].value);
    return vectors;
}
#endif

/* Combines what all threads of the block have kept into a bin. */
__device__ static void commit_kept(hardware_t kept, bin_t *bin, hardware_t *of_warps)
{
    const hardware_t of_warp = join_warp(kept);
    if (threadIdx.x % WARP == 0)
        of_warps[threadIdx.x / WARP] = of_warp;
    __syncthreads(); // no thread may read what a warp has yet to write
    if (threadIdx.x < WARP) {
        const bool is_warp = threadIdx.x < blockDim.x / WARP;
        const hardware_t of_block = join_warp(is_warp ? of_warps[threadIdx.x] : nothing());
        if (threadIdx.x == 0)
            commit(bin, of_block);
    }
}

/* Writes the elements to `store`, tile by tile, in each tile in order of the buckets; to segments[bucket *
 * tiles + tile] where they are; and adds to work[bucket] how many vectors it has. Elements of the hot key are
 * combined into its bin. */
__global__ static void __launch_bounds__(DEAL_THREADS, DEAL_BLOCKS)
    deal(struct ladder_elements elements, struct ladder_dealing dealing, unsigned int tiles,
         const struct findings *found, vector_t *store, segment *segments, unsigned int *work,
         bin_t *bins)
{
    if (found && found->is_direct)
        return;                            // they go straight to their bins
    extern __shared__ uint4 tile_memory[]; // a tile in order; behind it cursor and mine
    vector_t *const ordered = (vector_t *)tile_memory;
    unsigned int *const cursor = (unsigned int *)(ordered + dealing.room);
    unsigned int *const mine = cursor + dealing.buckets;
    const unsigned int hot_key = KEEPS_HOT_KEY && found ? found->hot_key : NO_KEY;
    struct kept_key kept;
    kept.key = hot_key;
    kept.word = nothing();
#if OPERATION_IS(sum_f32)
    kept.hot = begin_hot_keys(mine + dealing.buckets, found); // a multiple of 8 bytes from the tile
#endif
    for (unsigned int b = threadIdx.x; b < dealing.buckets; b += blockDim.x)
        mine[b] = 0;
    for (unsigned int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        for (unsigned int b = threadIdx.x; b < dealing.buckets; b += blockDim.x)
            cursor[b] = 0;
        __syncthreads(); // no thread may count in what another has yet to zero
        const unsigned int vectors = deal_tile(&elements, hot_key, &dealing, tile, tiles, segments,
                                               cursor, mine, (place_t *)ordered, bins, &kept);
        __syncthreads(); // no thread may write out what another has yet to put in order
        for (unsigned int i = threadIdx.x; i < vectors; i += blockDim.x)
            store[(size_t)tile * dealing.room + i] = ordered[i];
        __syncthreads(); // no thread may fill the next tile while another still writes out this one
    }
    for (unsigned int b = threadIdx.x; b < dealing.buckets; b += blockDim.x)
        atomicAdd(&work[b], mine[b]); // other blocks add theirs now
    if (!SENDS_PLACES)
        keep_key(&kept, hot_key, bins); // the last other key goes to its bin
#if OPERATION_IS(sum_f32)
    if (kept.hot.slots) // all threads, or none; the last tile has waited for all
        end_hot_keys(&kept.hot, bins, dealing.num_bins);
    __syncthreads(); // no thread may write to memory that another still reads
#endif
    if (!SENDS_PLACES && hot_key < dealing.num_bins)
        commit_kept(kept.word, &bins[hot_key], (hardware_t *)tile_memory);
}

/* What a warp reads of a bucket at a time: vectors `at` to `to` - 1 of those that its lanes have segments of. A
 * lane's segment has `before` vectors before it, and vector 0 of all would be at `origin`, if it had them, too. */
struct run {
    unsigned int before, origin, at, to, all, tile;
};

/* Of a run of a bucket, number `which` of `runs`, one of so many pieces: 32 segments of tiles `tile` to `end` - 1, one for
 * each lane. Runs have tiles in turn: of sorted elements a bucket is in neighboring tiles. */
__device__ static struct run open_run(const segment *segments, unsigned int room, unsigned int tile,
                                      unsigned int end, unsigned int runs, unsigned int which,
                                      unsigned int piece, unsigned int pieces)
{
    const unsigned int t = tile + which + threadIdx.x % WARP * runs;
    segment part = {0, 0};
    if (t < end)
        part = segments[t];
    const unsigned int size = part.end - part.begin;
    const unsigned int up_to_here = sum_up_to_here(size, WARP);
    const unsigned int all = __shfl_sync(ALL_LANES, up_to_here, WARP - 1);
    struct run run;
    run.tile = t;
    run.before = up_to_here - size;
    run.origin = t * room + part.begin - run.before;
    run.all = all;
    run.at = all * piece / pieces;
    run.to = all * (piece + 1) / pieces;
    return run;
}

/* Where this lane's vector lies, `skipped` after the run's next ones, one for each lane; and in *tile its tile. If there are
 * no more, the run's last vector: so no load depends on a condition, and none waits for the one before. */
__device__ __forceinline__ static unsigned int
vector_of_run(const struct run *run, unsigned int skipped, unsigned int *tile)
{
    const unsigned int next = run->at + skipped + threadIdx.x % WARP;
    const unsigned int at = next < run->to ? next : run->to - 1;
    unsigned int lane = 0; // whose segment has it: the last one that begins there or before
#pragma unroll
    for (unsigned int step = WARP / 2; step > 0; step /= 2)
        if (__shfl_sync(ALL_LANES, run->before, (int)(lane + step)) <= at)
            lane += step;
#if OPERATION_IS(argmax)
    *tile = __shfl_sync(ALL_LANES, run->tile, (int)lane); // an element's number goes by its tile
#else
    *tile = 0;
#endif
    return __shfl_sync(ALL_LANES, run->origin, (int)lane) + at;
}

/* Of tiles `tile` to `end` - 1 a bucket has so many runs, and each warp two pieces of one, if there are fewer. */
__device__ static unsigned int runs_of(unsigned int tile, unsigned int end, unsigned int *pieces)
{
    const unsigned int runs = (end - tile + WARP - 1) / WARP;
    *pieces = runs == 0 ? 0 : (2 * DEAL_WARPS + runs - 1) / runs;
    return runs;
}

#if OPERATION_IS(powers)
/* Combines what tiles `tile` to `end` - 1 have of a bucket, a tile of the sorter at a time, to which each warp brings
 * what its runs have. */
__device__ static void sum_segments(const vector_t *store, const segment *segments,
                                    unsigned int room, unsigned int tile, unsigned int end,
                                    const struct sorter *sorter)
{
    unsigned int pieces;
    const unsigned int runs = runs_of(tile, end, &pieces), lane = threadIdx.x % WARP;
    unsigned int n = threadIdx.x / WARP;
    struct run run = {0, 0, 0, 0, 0, 0};
    bool is_more = true;
    while (__syncthreads_or(is_more)) { // all threads of the block, or none
        unsigned int place[SORT_ELEMENTS];
        float value[SORT_ELEMENTS];
#pragma unroll
        for (unsigned int k = 0; k < SORT_ELEMENTS; k++) {
            for (; run.at >= run.to && n < runs * pieces; n += DEAL_WARPS)
                run = open_run(segments, room, tile, end, runs, n / pieces, n % pieces, pieces);
            unsigned int unused;
            const unsigned int vector = vector_of_run(&run, 0, &unused);
            const bool is_there = run.at + lane < run.to;
            const vector_t loaded = is_there ? __ldcs(&store[vector]) : make_uint2(NO_KEY, 0);
            place[k] = is_there ? loaded.x & 0xffff : NO_KEY;
            value[k] = __uint_as_float(loaded.y);
            run.at += WARP;
        }
        is_more = run.at < run.to || n < runs * pieces;
        sum_tile(sorter, place, value);
    }
}

#else
/* Combines a run. All lanes of the warp call it. */
__device__ __forceinline__ static void combine_run_of(struct run run, const vector_t *store,
                                                      hardware_t *table, unsigned int tile_elements,
                                                      unsigned int base, bool *is_crowded)
{
    const unsigned int lane = threadIdx.x % WARP;
    for (; run.at < run.to; run.at += SEGMENT_LOADS * WARP) {
        vector_t loaded[SEGMENT_LOADS];
        unsigned int of_tile[SEGMENT_LOADS];
#pragma unroll
        for (unsigned int k = 0; k < SEGMENT_LOADS; k++) {
            const unsigned int vector = vector_of_run(&run, k * WARP, &of_tile[k]);
            loaded[k] = __ldcs(&store[vector]);
        }
#pragma unroll
        for (unsigned int k = 0; k < SEGMENT_LOADS; k++) {
            const unsigned int first = run.at + k * WARP;
            if (first < run.to) // all lanes, or none
                combine_vector(loaded[k], first + lane < run.to,
                               base + (size_t)of_tile[k] * tile_elements, table, is_crowded);
        }
    }
}

/* Combines what tiles `tile` to `end` - 1 have of a bucket, about `most` vectors. A warp takes runs in turn. Where
 * neighbors have neighboring keys, a few runs have nearly all vectors of a bucket: of these, all warps take pieces. */
__device__ static void combine_segments(const vector_t *store, const segment *segments,
                                        unsigned int room, unsigned int tile, unsigned int end,
                                        unsigned int most, hardware_t *table,
                                        unsigned int tile_elements, unsigned int base)
{
    enum { LEAST_LONG = 1024 };
    // There is room: of most vectors hardly more than DEAL_WARPS runs have more than this share.
    __shared__ unsigned int long_runs[2 * DEAL_WARPS], num_long;
    const unsigned int share = most / DEAL_WARPS, is_long = share > LEAST_LONG ? share : LEAST_LONG;
    unsigned int pieces;
    const unsigned int runs = runs_of(tile, end, &pieces);
    bool is_crowded = false;
    if (threadIdx.x == 0)
        num_long = 0;
    __syncthreads(); // no thread may note a run before the list is empty, or combine into what is not yet clear
    unsigned int number = runs;
    for (bool of_list = false;; of_list = true) { // first all runs, then those of the list
        for (unsigned int n = threadIdx.x / WARP; n < number * pieces; n += DEAL_WARPS) {
            const unsigned int which = of_list ? long_runs[n / pieces] : n / pieces;
            const unsigned int piece = n % pieces;
            const struct run run = open_run(segments, room, tile, end, runs, which, piece, pieces);
            if (of_list || run.all <= is_long * pieces)
                combine_run_of(run, store, table, tile_elements, base, &is_crowded);
            else if (piece == 0 && threadIdx.x % WARP == 0)
                long_runs[atomicAdd(&num_long, 1)] = which; // other warps note theirs
        }
        if (of_list)
            return;
        __syncthreads(); // no thread may read the list before it is complete
        number = num_long;
        pieces = 2 * DEAL_WARPS / (number + 1) + 1;
    }
}
#endif

/* What a bucket costs, in vectors: those that it has, a segment in each tile, however short, and its bins.
 * Without the last two a few blocks would combine nearly all buckets when one has nearly all elements. */
enum { COST_OF_SEGMENT = 2 };
__device__ static unsigned int cost_of(unsigned int vectors, unsigned int bits, unsigned int tiles)
{
    return vectors == 0 ? 0 : vectors + COST_OF_SEGMENT * tiles + (1u << bits) / VECTOR_PLACES;
}

/* first[bucket] is the cost of the buckets before it, and first[MOST_BUCKETS] that of all. */
__device__ static void sum_costs(const unsigned int *work, const struct ladder_dealing *dealing,
                                 unsigned int tiles, unsigned int *first)
{
    __shared__ unsigned int sums_of_warps[DEAL_WARPS];
    const unsigned int share = MOST_BUCKETS / DEAL_THREADS, mine = threadIdx.x * share;
    unsigned int sum = 0, all;
    for (unsigned int b = mine; b < mine + share; b++)
        sum += b < dealing->buckets ? cost_of(work[b], dealing->bits, tiles) : 0;
    unsigned int before = sum_before(sum, sums_of_warps, &all);
    for (unsigned int b = mine; b < mine + share; b++) {
        first[b] = before;
        before += b < dealing->buckets ? cost_of(work[b], dealing->bits, tiles) : 0;
    }
    if (threadIdx.x == 0)
        first[MOST_BUCKETS] = all;
    __syncthreads(); // no thread may read first before it is complete
}

/* Of a bucket that several blocks share, the tiles .x to .y - 1, which lie between the parts `from` and `to` of
 * `all` of what its segments cost: sorted elements have a bucket in a few tiles only. */
__device__ static uint2 share_of_bucket(const segment *segments, unsigned int tiles,
                                        unsigned int vectors, size_t from, size_t to, size_t all)
{
    __shared__ unsigned int sums_of_warps[DEAL_WARPS], tile_at[2];
    const unsigned int share = (tiles + DEAL_THREADS - 1) / DEAL_THREADS;
    const unsigned int first = threadIdx.x * share;
    const size_t costs = (size_t)vectors + (size_t)COST_OF_SEGMENT * tiles;
    const size_t lower = costs * from / all, upper = costs * to / all;
    if (threadIdx.x < 2)
        tile_at[threadIdx.x] = 0;
    unsigned int sum = 0, unused;
    for (unsigned int t = first; t < first + share && t < tiles; t++)
        sum += segments[t].end - segments[t].begin + COST_OF_SEGMENT;
    unsigned int before = sum_before(sum, sums_of_warps, &unused);
    for (unsigned int t = first; t < first + share && t < tiles; t++) {
        const unsigned int up_to_here =
            before + (segments[t].end - segments[t].begin) + COST_OF_SEGMENT;
        if (before < lower && lower <= up_to_here)
            tile_at[0] = t + 1;
        if (before < upper && upper <= up_to_here)
            tile_at[1] = t + 1;
        before = up_to_here;
    }
    __syncthreads(); // no thread may read tile_at before it is written
    return make_uint2(tile_at[0], tile_at[1]);
}

#if !OPERATION_IS(powers)
/* Combines a table into the bins of its bucket. If no other block has a share in it now, what takes more than one
 * atomic is done without; what is read of the bins at a time is on its way at the same time. */
__device__ static void commit_table(const hardware_t *table, bin_t *bins, unsigned int places,
                                    bool is_whole)
{
    const bool is_slow = OPERATION_IS(argmax) || OPERATION_IS(minmax) || OPERATION_IS(saturate);
    if (!is_whole || !is_slow) {
        for (unsigned int place = threadIdx.x; place < places; place += DEAL_THREADS)
            if (!is_nothing(table[slot_of(place)]))
                commit(&bins[place], table[slot_of(place)]);
        return;
    }
    for (unsigned int first = threadIdx.x; first < places; first += BINS_AT_ONCE * DEAL_THREADS) {
        bin_t bin[BINS_AT_ONCE];
#pragma unroll
        for (unsigned int k = 0; k < BINS_AT_ONCE; k++) {
            const unsigned int place = first + k * DEAL_THREADS;
            if (place < places && !is_nothing(table[slot_of(place)]))
                bin[k] = bins[place];
        }
#pragma unroll
        for (unsigned int k = 0; k < BINS_AT_ONCE; k++) {
            const unsigned int place = first + k * DEAL_THREADS;
            if (place < places && !is_nothing(table[slot_of(place)])) {
                commit_alone(&bin[k], table[slot_of(place)]);
                bins[place] = bin[k];
            }
        }
    }
}
#endif

/* One block: combines tiles share.x to share.y - 1 of a bucket in shared memory, and commits them: `most` vectors, and
 * what they cost beside. */
__device__ static void combine_share(const vector_t *store, const segment *of_bucket,
                                     const struct ladder_dealing *dealing, uint2 share,
                                     unsigned int most, void *memory, bin_t *bins,
                                     unsigned int bins_left, bool is_whole, unsigned int base)
{
    const unsigned int bucket_bins = 1u << dealing->bits;
    const unsigned int count = bins_left < bucket_bins ? bins_left : bucket_bins;
#if OPERATION_IS(powers)
    (void)base, (void)most;
    const struct sorter sorter = begin_sorter(memory, bucket_bins);
    sum_segments(store, of_bucket, dealing->room, share.x, share.y, &sorter);
    commit_sorter(&sorter, bins, count, is_whole);
    __syncthreads(); // no thread may clear for the next bucket what another has yet to commit
#else
    hardware_t *const table = (hardware_t *)memory; // a bucket's bins, and for places one more
    for (unsigned int place = threadIdx.x; place < bucket_bins; place += DEAL_THREADS)
        table[slot_of(place)] = nothing();
    if (SENDS_PLACES && threadIdx.x == 0)
        table[bucket_bins] = nothing();
    combine_segments(store, of_bucket, dealing->room, share.x, share.y, most, table,
                     dealing->tile_words * WORD_ELEMENTS, base);
    __syncthreads(); // no thread may read the table while another still combines into it
    commit_table(table, bins, count, is_whole);
    // No barrier: for the next bucket a thread clears the bins that it has committed itself.
#endif
}

/* The work on all buckets is dealt to the blocks in equal shares. A block combines its part of each bucket
 * that it has a share in, and commits it. */
__global__ static void __launch_bounds__(DEAL_THREADS, 1)
    combine_many_buckets(const vector_t *store, const segment *segments, const unsigned int *work,
                         struct ladder_dealing dealing, unsigned int tiles, bin_t *bins,
                         unsigned int base, const struct findings *found)
{
    if (found && found->is_direct)
        return;
    extern __shared__ uint4 table_memory[];
    __shared__ unsigned int first[MOST_BUCKETS + 1];
    sum_costs(work, &dealing, tiles, first);
    const size_t all = first[MOST_BUCKETS];
    const unsigned int begin = (unsigned int)(all * blockIdx.x / gridDim.x);
    const unsigned int end = (unsigned int)(all * (blockIdx.x + 1) / gridDim.x);
    unsigned int low = 0;
    for (unsigned int step = MOST_BUCKETS / 2; step > 0; step /= 2)
        if (first[low + step] <= begin)
            low += step; // the last bucket that begins at or before `begin`
    for (unsigned int bucket = low; bucket < dealing.buckets && first[bucket] < end; bucket++) {
        const unsigned int from = begin > first[bucket] ? begin : first[bucket];
        const unsigned int to = end < first[bucket + 1] ? end : first[bucket + 1];
        if (from >= to)
            continue; // all threads of the block
        const bool is_whole = from == first[bucket] && to == first[bucket + 1];
        const segment *const of_bucket = segments + (size_t)bucket * tiles;
        uint2 share = make_uint2(0, tiles);
        if (!is_whole) // all threads of the block, or none
            share = share_of_bucket(of_bucket, tiles, work[bucket], from - first[bucket],
                                    to - first[bucket], first[bucket + 1] - first[bucket]);
        const unsigned int first_bin = bucket << dealing.bits;
        combine_share(store, of_bucket, &dealing, share, to - from, table_memory, bins + first_bin,
                      dealing.num_bins - first_bin, is_whole, base);
    }
}

#endif
