/* 70. k-means: bins that are vectors, and whose keys are computed.
 *
 * One kernel assigns and updates, so that a step reads each point once. A block takes a part of the points, a
 * tile at a time. In shared memory it has sums of its own, in columns: a thread adds one component of a point
 * to its own word, so no atomic is needed. Where there are too many sums for that, they lie in the L2 cache,
 * as whole numbers in fixed point. Neither way depends on the grid: parts, tiles and columns follow from
 * the sizes of the input, and whole numbers have one sum in any order. */
#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"   // CHECK(call): a call that fails ends the program with one line
#include "given/device.h" // device_has(), fits()
#include "k_means.h"

#if !OPERATION_IS(float_sum)
#error "chapter 70 takes float_sum"
#endif

enum { WARP = 32, THREADS_PER_BLOCK = 128 };
enum { FOUR = 4, AT_ONCE = 12, TILE_FLOATS = 8192, NEAR_FLOATS = 4096, COLUMN_BYTES = 32768 };
enum { POINTS_PER_CLUSTER = 16, MOST_BLOCKS = 8 };
// Of an H200: parts are as many as it works on at the same time, also where there is another device.
enum { MULTIPROCESSORS = 132, MULTIPROCESSOR_BYTES = 228 * 1024 };
#define ALL_LANES 0xffffffffu

/* How the work is shared. All of it follows from the sizes of the input, so that no bit depends on the device. */
struct plan {
    size_t length, sums; // points; clusters x dimensions sums
    size_t parts;        // blocks, each of which takes every so many-th tile
    unsigned int dimensions, clusters;
    unsigned int split;   // lanes that share the squares of a point: a power of two
    unsigned int tile;    // points that a block has in shared memory at a time
    unsigned int width;   // of a row there: a multiple of `split`; behind the components are zeros
    unsigned int pitch;   // from four rows to the next: an odd multiple of `split`, in other banks
    unsigned int near;    // centroids that are in shared memory at a time: a multiple of four
    unsigned int group;   // threads that add a point: a power of two
    unsigned int columns; // copies of the sums in a block, one a group; 0: they are in the L2 cache
};

/* In global memory, from launch to launch. Of two numbers, or rows, a step has the one of its parity; the
 * other is made ready for the next step. */
struct work {
    double *part_sums;           // of columns: one row of `parts` for each sum
    unsigned long long *sums;    // in the L2 cache: fixed point
    unsigned long long *changed; // two: labels that the step has changed
    unsigned int *counts;        // two rows: points of each cluster
    unsigned int *stopped;       // two: whether the step is one too many
    unsigned int *largest;       // the bits of the largest magnitude of a coordinate
    unsigned int *labels;        // NULL: nobody asks for them, in this step or the next
};

/* Shared memory of a block. Rows of points, and of centroids, lie there by fours: component i of four rows is one
 * float4, so that one load brings it for all four. */
struct own {
    float4 *tile, *near;  // points, centroids
    double *sums;         // the columns
    unsigned int *counts; // of the columns
    unsigned int *labels; // of the points of the tile
};

static size_t shared_bytes(const struct plan *plan)
{
    return (size_t)(plan->tile + plan->near) / FOUR * plan->pitch * sizeof(float4) +
           (size_t)plan->columns * plan->sums * sizeof(double) +
           ((size_t)plan->columns * plan->clusters + plan->tile) * sizeof(unsigned int);
}

__device__ static struct own own_memory(const struct plan *plan, float4 *shared)
{
    struct own own;
    own.tile = shared;
    own.near = own.tile + (size_t)plan->tile / FOUR * plan->pitch;
    own.sums = (double *)(own.near + (size_t)plan->near / FOUR * plan->pitch);
    own.counts = (unsigned int *)(own.sums + (size_t)plan->columns * plan->sums);
    own.labels = own.counts + (size_t)plan->columns * plan->clusters;
    return own;
}

/* Where component `column` of a row lies. */
__device__ static float *component(const struct plan *plan, float4 *rows, unsigned int row,
                                   unsigned int column)
{
    return (float *)&rows[row / FOUR * plan->pitch + column] + row % FOUR;
}

/* Copies `count` rows, which lie one behind the other, to shared memory: neighboring threads copy neighbors, and
 * each has AT_ONCE loads under way. All threads call it together. */
__device__ static void load_rows(const struct plan *plan, const float *from, unsigned int count,
                                 float4 *to)
{
    const unsigned int dimensions = plan->dimensions, floats = count * dimensions;
    const unsigned int down = THREADS_PER_BLOCK / dimensions,
                       right = THREADS_PER_BLOCK % dimensions;
    unsigned int row = threadIdx.x / dimensions, column = threadIdx.x % dimensions;
    for (unsigned int i = threadIdx.x; i < floats; i += AT_ONCE * THREADS_PER_BLOCK) {
        float loaded[AT_ONCE];
        for (int k = 0; k < AT_ONCE; k++)
            if (i + k * THREADS_PER_BLOCK < floats)
                loaded[k] = from[i + k * THREADS_PER_BLOCK];
        for (int k = 0; k < AT_ONCE; k++) {
            if (i + k * THREADS_PER_BLOCK < floats)
                *component(plan, to, row, column) = loaded[k];
            row += down;
            column += right;
            if (column >= dimensions) {
                column -= dimensions;
                row++;
            }
        }
    }
}

/* Adds the squares of the differences of one component: of four points with four centroids, each with each. */
__device__ static void add_squares(float4 points, float4 centroids, float sums[FOUR][FOUR])
{
    const float point[FOUR] = {points.x, points.y, points.z, points.w};
    const float centroid[FOUR] = {centroids.x, centroids.y, centroids.z, centroids.w};
    for (int p = 0; p < FOUR; p++)
        for (int c = 0; c < FOUR; c++) {
            const float apart = point[p] - centroid[c]; // exact where the two are near
            sums[p][c] += apart * apart;
        }
}

/* The sums of all components. Of a row each of `split` lanes has its own ones; they call it together, and all get
 * the sums. */
__device__ static void sum_squares(const struct plan *plan, const float4 *points,
                                   const float4 *centroids, float sums[FOUR][FOUR])
{
    for (int p = 0; p < FOUR; p++)
        for (int c = 0; c < FOUR; c++)
            sums[p][c] = 0;
    if (plan->width == 3) { // colors: three steps without a loop
        for (int i = 0; i < 3; i++)
            add_squares(points[i], centroids[i], sums);
        return;
    }
#pragma unroll 2
    for (unsigned int i = threadIdx.x % plan->split; i < plan->width; i += plan->split)
        add_squares(points[i], centroids[i], sums);
    for (unsigned int away = 1; away < plan->split; away *= 2)
        for (int p = 0; p < FOUR; p++)
            for (int c = 0; c < FOUR; c++)
                sums[p][c] += __shfl_xor_sync(ALL_LANES, sums[p][c], (int)away);
}

/* The nearest centroids so far of four points. */
struct nearest {
    float least[FOUR]; // sums of squares
    unsigned int label[FOUR];
};

/* Looks at the centroids in shared memory, of which the first one has the number `first`. */
__device__ static void look_at_centroids(const struct plan *plan, const float4 *points,
                                         const float4 *near, unsigned int first,
                                         struct nearest *nearest)
{
    for (unsigned int n = first; n < first + plan->near && n < plan->clusters; n += FOUR) {
        float sums[FOUR][FOUR];
        sum_squares(plan, points, near + (n - first) / FOUR * plan->pitch, sums);
        // TODO(70.1): sums[p][c] is that of point p and of the centroid with the number n + c; where there is no
        //             such centroid, it is infinite. For each point keep the least sum and its label; of equal ones
        //             the smaller label.
        // end of TODO(70.1)
    }
}

/* Brings some centroids to shared memory, where all threads of the block read them. Behind the last one rows are
 * infinitely far from everything. */
__device__ static void load_centroids(const struct plan *plan, const float *centroids,
                                      unsigned int first, float4 *near)
{
    const unsigned int left = plan->clusters - first, count = left < plan->near ? left : plan->near;
    __syncthreads(); // no thread may replace a centroid that another still reads
    load_rows(plan, centroids + (size_t)first * plan->dimensions, count, near);
    for (unsigned int row = count + threadIdx.x; row < plan->near; row += THREADS_PER_BLOCK)
        *component(plan, near, row, 0) = INFINITY;
    __syncthreads(); // no thread may read a centroid that another has yet to copy
}

/* Labels the `count` points of the tile. All threads of the block call it together. */
__device__ static void label_tile(const struct plan *plan, const struct own *own,
                                  const float *centroids, unsigned int count)
{
    const unsigned int four = threadIdx.x / plan->split; // rows of this thread
    struct nearest nearest;
    for (int p = 0; p < FOUR; p++) {
        nearest.least[p] = INFINITY;
        nearest.label[p] = NO_CLUSTER;
    }
    for (unsigned int first = 0; first < plan->clusters; first += plan->near) {
        if (plan->near < plan->clusters)
            load_centroids(plan, centroids, first, own->near);
        look_at_centroids(plan, own->tile + four * plan->pitch, own->near, first, &nearest);
    }
    for (unsigned int p = 0; p < FOUR; p++)
        if (threadIdx.x % plan->split == 0)
            own->labels[FOUR * four + p] = FOUR * four + p < count ? nearest.label[p] : NO_CLUSTER;
}

/* The labels of this thread's points in the tile, before the step. */
struct before {
    unsigned int label[FOUR];
};

/* Loads them early, for it takes long. */
__device__ static struct before load_labels(const struct work *work, size_t first,
                                            unsigned int count, unsigned int step)
{
    struct before before;
    for (unsigned int k = 0; k < FOUR; k++) {
        const unsigned int p = threadIdx.x + k * THREADS_PER_BLOCK;
        before.label[k] = step > 0 && p < count ? work->labels[first + p] : NO_CLUSTER;
    }
    return before;
}

/* Stores the labels of the tile, which begins at point `first`. Returns how many of this thread's are others than
 * before. */
__device__ static unsigned int store_labels(const struct work *work, const struct own *own,
                                            size_t first, unsigned int count,
                                            const struct before *before)
{
    unsigned int changed = 0;
    for (unsigned int k = 0; k < FOUR; k++) {
        const unsigned int p = threadIdx.x + k * THREADS_PER_BLOCK;
        if (p >= count)
            break;
        changed += own->labels[p] != before->label[k];
        if (work->labels)
            work->labels[first + p] = own->labels[p];
    }
    return changed;
}

/* Adds the points of the tile to the columns of the block. */
__device__ static void add_to_columns(const struct plan *plan, const struct own *own)
{
    const unsigned int column = threadIdx.x / plan->group, member = threadIdx.x % plan->group;
    for (unsigned int p = column; p < plan->tile; p += plan->columns) {
        const unsigned int cluster = own->labels[p];
        const float *point = component(plan, own->tile, p, 0);
        if (cluster == NO_CLUSTER)
            continue;
        double *sums = own->sums + cluster * plan->dimensions * plan->columns + column;
        // TODO(70.2): This thread adds components number member, member + group, ... of the point to the words
        //             of its column: component i is point[i * FOUR], and its word is sums[i * plan->columns].
        //             One thread of the group counts the point in own->counts[cluster * plan->columns + column].
        // end of TODO(70.2)
    }
}

/* How many units of fixed point are 1: a power of two, so that no sum of `length` coordinates needs more than
 * 62 bits and a sign. */
__device__ static double units_of_one(const struct plan *plan, const struct work *work)
{
    const int exponent = (int)(*work->largest >> 23) - 126; // each magnitude is below 2^exponent
    return ldexp(1.0, 62 - exponent - (64 - __clzll((long long)plan->length)));
}

/* Adds the points of the tile to the sums in the L2 cache, as add_to_columns does. */
__device__ static void add_in_cache(const struct plan *plan, const struct work *work,
                                    const struct own *own, unsigned int *counts)
{
    const unsigned int first = threadIdx.x / plan->group, member = threadIdx.x % plan->group;
    const double units = units_of_one(plan, work);
    for (unsigned int p = first; p < plan->tile; p += THREADS_PER_BLOCK / plan->group) {
        const unsigned int cluster = own->labels[p];
        if (cluster == NO_CLUSTER)
            continue;
        for (unsigned int i = member; i < plan->dimensions; i += plan->group) {
            const double of_point = *component(plan, own->tile, p, i);
            // Protects a sum from other threads, which add to it in any order: whole numbers do not round.
            atomicAdd(&work->sums[(size_t)cluster * plan->dimensions + i],
                      (unsigned long long)__double2ll_rn(of_point * units));
        }
        if (member == 0)
            atomicAdd(&counts[cluster], 1); // protects a count from other threads
    }
}

__device__ static void clear_columns(const struct plan *plan, const struct own *own)
{
    for (unsigned int s = threadIdx.x; s < plan->sums * plan->columns; s += THREADS_PER_BLOCK)
        own->sums[s] = 0;
    for (unsigned int c = threadIdx.x; c < plan->clusters * plan->columns; c += THREADS_PER_BLOCK)
        own->counts[c] = 0;
}

/* Zeros, for rows without a point, and for the margin behind the components of a row, where they change no sum. */
__device__ static void clear_rows(const struct plan *plan, const struct own *own)
{
    const unsigned int all = (plan->tile + plan->near) / FOUR * plan->pitch;
    for (unsigned int i = threadIdx.x; i < all; i += THREADS_PER_BLOCK)
        own->tile[i] = make_float4(0, 0, 0, 0);
    __syncthreads(); // no thread may load a row that another has yet to clear
}

/* Adds up the columns of the block, from the first to the last, and stores the sums of its part. */
__device__ static void store_part(const struct plan *plan, const struct work *work,
                                  const struct own *own, unsigned int *counts)
{
    for (unsigned int s = threadIdx.x; s < plan->sums; s += THREADS_PER_BLOCK) {
        double sum = 0;
        for (unsigned int column = 0; column < plan->columns; column++)
            sum += own->sums[s * plan->columns + column];
        work->part_sums[s * plan->parts + blockIdx.x] = sum;
    }
    for (unsigned int c = threadIdx.x; c < plan->clusters; c += THREADS_PER_BLOCK) {
        unsigned int count = 0;
        for (unsigned int column = 0; column < plan->columns; column++)
            count += own->counts[c * plan->columns + column];
        if (count > 0)
            atomicAdd(&counts[c], count); // protects a count from other blocks
    }
}

/* Labels the points of this block's part and adds them up, tile by tile. Returns how many labels of this thread's
 * points have changed. */
__device__ static unsigned int take_part(const struct plan *plan, const struct work *work,
                                         const struct own *own, const float *points,
                                         const float *centroids, unsigned int step)
{
    unsigned int *counts = work->counts + (size_t)(step % 2) * plan->clusters;
    unsigned int changed = 0;
    for (size_t first = (size_t)blockIdx.x * plan->tile; first < plan->length;
         first += plan->parts * plan->tile) {
        const size_t left = plan->length - first;
        const unsigned int count = (unsigned int)(left < plan->tile ? left : plan->tile);
        const struct before before = load_labels(work, first, count, step);
        load_rows(plan, points + first * plan->dimensions, count, own->tile);
        __syncthreads(); // no thread may read a coordinate that another has yet to load
        label_tile(plan, own, centroids, count);
        __syncthreads(); // no thread may read a label that another has yet to find
        changed += store_labels(work, own, first, count, &before);
        if (plan->columns > 0)
            add_to_columns(plan, own);
        else
            add_in_cache(plan, work, own, counts);
        __syncthreads(); // no thread may load a tile, or read a column, while another still adds
    }
    if (plan->columns > 0)
        store_part(plan, work, own, counts);
    return changed;
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK, MOST_BLOCKS)
    assign_and_add(struct plan plan, struct work work, const float *points, const float *centroids,
                   unsigned int step)
{
    extern __shared__ float4 shared[];
    if (work.stopped[step % 2])
        return;
    const struct own own = own_memory(&plan, shared);
    clear_columns(&plan, &own);
    clear_rows(&plan, &own);
    if (plan.near >= plan.clusters)
        load_centroids(&plan, centroids, 0, own.near);
    unsigned int changed = take_part(&plan, &work, &own, points, centroids, step);
    for (unsigned int away = WARP / 2; away > 0; away /= 2)
        changed += __shfl_down_sync(ALL_LANES, changed, away);
    if (threadIdx.x % WARP == 0 && changed > 0)
        atomicAdd(&work.changed[step % 2],
                  (unsigned long long)changed); // protects the number from other warps
}

/* What the host asked for besides. */
struct asked {
    unsigned int *counts, *steps; // NULL: not asked for
    size_t may_change;
};

/* The end of a step, by the first threads of a launch: hands out the counts, makes room for those of the next
 * step, and says whether there is one. */
__device__ static void end_step(const struct plan *plan, const struct work *work,
                                const struct asked *asked, size_t thread, unsigned int step)
{
    const unsigned int now = step % 2, next = 1 - now;
    if (thread < plan->clusters) {
        if (asked->counts)
            asked->counts[thread] = work->counts[now * (size_t)plan->clusters + thread];
        work->counts[next * (size_t)plan->clusters + thread] = 0;
    }
    if (thread > 0)
        return;
    // TODO(70.3): The next step is one too many when at most may_change labels have changed now. No label
    //             has changed in the next step yet.
    // end of TODO(70.3)
    if (asked->steps)
        *asked->steps = step + 1;
}

/* Whether the step does not take place. If so, the next one does not, either. */
__device__ static bool is_stopped(const struct work *work, size_t thread, unsigned int step)
{
    const bool stopped = work->stopped[step % 2] != 0;
    if (stopped && thread == 0)
        work->stopped[1 - step % 2] = 1; // that of this step others still read
    return stopped;
}

/* A warp for each sum adds those of the parts, in an order that is always the same. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    fold_columns(struct plan plan, struct work work, struct asked asked, float *centroids,
                 unsigned int step)
{
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int lane = threadIdx.x % WARP;
    const unsigned int s = (unsigned int)(thread / WARP);
    if (is_stopped(&work, thread, step))
        return;
    if (s < plan.sums) {
        const unsigned int count =
            work.counts[step % 2 * (size_t)plan.clusters + s / plan.dimensions];
        const double *parts = work.part_sums + (size_t)s * plan.parts;
        double sum = 0;
        // TODO(70.4): Lane l adds the sums of parts l, l + WARP and so on; a tree of shuffles adds the
        //             lanes. Lane 0 stores the mean in centroids[s], unless the cluster has no point.
        // end of TODO(70.4)
    }
    end_step(&plan, &work, &asked, thread, step);
}

/* The same of sums in the L2 cache, a thread for each; it clears its sum for the next step. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    fold_cache(struct plan plan, struct work work, struct asked asked, float *centroids,
               unsigned int step)
{
    const size_t s = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (is_stopped(&work, s, step))
        return;
    if (s < plan.sums) {
        const unsigned int count =
            work.counts[step % 2 * (size_t)plan.clusters + s / plan.dimensions];
        const double sum = (double)(long long)work.sums[s] / units_of_one(&plan, &work);
        if (count > 0)
            centroids[s] = (float)(sum / count);
        work.sums[s] = 0;
    }
    end_step(&plan, &work, &asked, s, step);
}

/* What is asked for where no step takes place. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    take_no_step(struct asked asked, unsigned int *labels, size_t length, unsigned int clusters)
{
    const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    for (size_t p = first; labels && p < length; p += threads)
        labels[p] = NO_CLUSTER;
    for (size_t c = first; asked.counts && c < clusters; c += threads)
        asked.counts[c] = 0;
    if (first == 0 && asked.steps)
        *asked.steps = 0;
}

/* The largest magnitude of a finite coordinate, for the unit of fixed point. The bits of floats without their
 * sign are in the order of the floats. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    find_largest(const float *points, size_t floats, unsigned int *largest)
{
    enum { INFINITE = 0x7f800000 };
    const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int mine = 0;
    for (size_t i = first; i < floats; i += (size_t)gridDim.x * blockDim.x) {
        const unsigned int magnitude = __float_as_uint(fabsf(points[i]));
        if (magnitude < INFINITE && magnitude > mine)
            mine = magnitude;
    }
    for (unsigned int away = WARP / 2; away > 0; away /= 2) {
        const unsigned int other = __shfl_down_sync(ALL_LANES, mine, away);
        mine = other > mine ? other : mine;
    }
    if (threadIdx.x % WARP == 0)
        atomicMax(largest, mine); // protects the largest from other warps
}

static size_t divided_up(size_t all, size_t by)
{
    return (all + by - 1) / by;
}

/* The least power of two from `number` on, or `most`. */
static unsigned int power_of_two(size_t number, unsigned int most)
{
    unsigned int power = 1;
    while (power < number && power < most)
        power *= 2;
    return power;
}

/* As many as an H200 works on at the same time, but so few that the sums of a part are few beside its points. */
static size_t parts_of(const struct plan *plan)
{
    const size_t tiles = divided_up(plan->length, plan->tile);
    const size_t room = MULTIPROCESSOR_BYTES / shared_bytes(plan);
    const size_t blocks = MULTIPROCESSORS * (room < MOST_BLOCKS ? room : MOST_BLOCKS);
    const size_t few = plan->length / (POINTS_PER_CLUSTER * (size_t)plan->clusters + 1);
    const size_t parts = plan->columns == 0 ? tiles : few < blocks ? few : blocks;
    return parts == 0 ? 1 : parts < tiles ? parts : tiles;
}

/* Tiles of TILE_FLOATS, or of a few points with many components. */
static void choose_tile(struct plan *plan)
{
    const size_t points = (size_t)FOUR * THREADS_PER_BLOCK;
    plan->split = power_of_two(divided_up(points * plan->dimensions, TILE_FLOATS), WARP);
    plan->tile = (unsigned int)points / plan->split;
    plan->width = (unsigned int)divided_up(plan->dimensions, plan->split) * plan->split;
    plan->pitch = (plan->width / plan->split | 1) * plan->split;
    const size_t most = NEAR_FLOATS / plan->pitch / FOUR, all = divided_up(plan->clusters, FOUR);
    plan->near = (unsigned int)(most < all ? most : all) * FOUR;
}

/* Columns of a block, one for each group of threads; or 0, when they take too much shared memory. */
static unsigned int columns_for(const struct plan *plan)
{
    const unsigned int groups = THREADS_PER_BLOCK / plan->group;
    unsigned int columns = 0;
    // TODO(70.5): One for each group, if so many take COLUMN_BYTES at most. A column has a double for each sum,
    //             and an unsigned int for each cluster.
    // end of TODO(70.5)
    return columns;
}

static struct plan plan_for(size_t length, unsigned int dimensions, unsigned int clusters)
{
    struct plan plan = {};
    plan.length = length;
    plan.dimensions = dimensions;
    plan.clusters = clusters;
    plan.sums = (size_t)clusters * dimensions;
    plan.group = power_of_two(dimensions, THREADS_PER_BLOCK);
    plan.columns = columns_for(&plan);
    choose_tile(&plan);
    plan.parts = parts_of(&plan);
    return plan;
}

/* The arrays of `work` in one allocation, which begins at *room. What a step begins with is zeros: the numbers, the
 * counts, and sums in the L2 cache. */
static struct work allocate(const struct plan *plan, unsigned int *d_labels, unsigned int steps,
                            void **room)
{
    const bool own_labels = !d_labels && steps > 1;
    const size_t counts = 2 * (size_t)plan->clusters;
    const size_t sums = plan->sums * (plan->columns > 0 ? plan->parts : 1);
    const size_t zeros = 4 * sizeof(double) + counts * sizeof(unsigned int) +
                         (plan->columns > 0 ? 0 : sums * sizeof(double));
    struct work work = {};
    CHECK(cudaMallocAsync(room,
                          4 * sizeof(double) + counts * sizeof(unsigned int) +
                              sums * sizeof(double) +
                              (own_labels ? plan->length : 0) * sizeof(unsigned int),
                          0));
    CHECK(cudaMemsetAsync(*room, 0, zeros, 0));
    work.changed = (unsigned long long *)*room;
    work.stopped = (unsigned int *)(work.changed + 2);
    work.largest = work.stopped + 2;
    work.counts = work.largest + 2; // so that sums begin at a multiple of 8
    work.sums = (unsigned long long *)(work.counts + counts);
    work.part_sums = (double *)work.sums;
    work.labels = own_labels ? (unsigned int *)(work.sums + sums) : d_labels;
    return work;
}

static unsigned int blocks_for(size_t threads)
{
    const size_t blocks = divided_up(threads, THREADS_PER_BLOCK);
    return blocks > 0 ? (unsigned int)blocks : 1;
}

/* So many threads that the device is busy, but no more than there is to do. */
static unsigned int some_blocks_for(size_t most)
{
    const size_t threads = THREADS_PER_BLOCK * 8 * device_has(cudaDevAttrMultiProcessorCount);
    return blocks_for(most < threads ? most : threads);
}

/* Launches one step, which takes place unless the device knows better by then. */
static void launch_step(const struct plan *plan, const struct work *work, const struct asked *asked,
                        const float *d_points, float *d_centroids, unsigned int step)
{
    assign_and_add<<<(unsigned int)plan->parts, THREADS_PER_BLOCK, shared_bytes(plan)>>>(
        *plan, *work, d_points, d_centroids, step);
    CHECK(cudaGetLastError());
    if (plan->columns > 0)
        fold_columns<<<blocks_for(plan->sums * WARP), THREADS_PER_BLOCK>>>(*plan, *work, *asked,
                                                                           d_centroids, step);
    else
        fold_cache<<<blocks_for(plan->sums), THREADS_PER_BLOCK>>>(*plan, *work, *asked, d_centroids,
                                                                  step);
    CHECK(cudaGetLastError());
}

static void refuse_too_many(size_t length, unsigned int dimensions)
{
    if (length <= UINT32_MAX && dimensions <= MOST_DIMENSIONS && dimensions > 0)
        return;
    fprintf(
        stderr,
        "k_means: %zu points of %u dimensions; at most 4294967295, of 1 to %d, can be grouped\n",
        length, dimensions, MOST_DIMENSIONS);
    exit(1);
}

void k_means(const float *d_points, size_t length, unsigned int dimensions, float *d_centroids,
             unsigned int clusters, unsigned int steps, size_t may_change, unsigned int *d_labels,
             unsigned int *d_counts, unsigned int *d_steps)
{
    const struct asked asked = {d_counts, d_steps, may_change};
    void *room;
    refuse_too_many(length, dimensions);
    const struct plan plan = plan_for(length, dimensions, clusters);
    fits((const void *)assign_and_add, shared_bytes(&plan));
    if (steps == 0) {
        take_no_step<<<some_blocks_for(length), THREADS_PER_BLOCK>>>(asked, d_labels, length,
                                                                     clusters);
        CHECK(cudaGetLastError());
        return;
    }
    const struct work work = allocate(&plan, d_labels, steps, &room);
    if (plan.columns == 0)
        find_largest<<<some_blocks_for(length * dimensions), THREADS_PER_BLOCK>>>(
            d_points, length * dimensions, work.largest);
    CHECK(cudaGetLastError());
    for (unsigned int step = 0; step < steps; step++)
        launch_step(&plan, &work, &asked, d_points, d_centroids, step);
    CHECK(cudaFreeAsync(room, 0));
}
