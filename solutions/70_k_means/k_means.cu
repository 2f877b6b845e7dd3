/* 70. k-means: bins that are vectors, and whose keys are computed.
 *
 * One kernel assigns and updates, so that a step reads each point once. A group of lanes has some points in registers,
 * each lane some of their components. The group finds their labels, and each lane adds its components to a column of its
 * own in shared memory, so no atomic is needed. Where there are too many sums for that, a block compares a tile of
 * points with all centroids, and the sums lie in the L2 cache, as whole numbers in fixed point. Neither way depends
 * on the grid: parts, tiles and columns follow from the sizes of the input, and whole numbers have one sum in any
 * order. */
#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"          // CHECK(call): a call that fails ends the program with one line
#include "given/device.h"        // device_has(), fits()
#include "given/near_colors.h"   // label_by_scores(): the labels of colors by products
#include "given/one_unit.h"      // sums of 64 bits
#include "given/rows_by_fours.h" // sum_eight_by_eight(): squares as in a product of matrices
#include "given/rows_in_lanes.h" // load_rows(), sum_squares(): points in the registers of groups of lanes
#include "k_means.h"

#if !OPERATION_IS(float_sum)
#error "chapter 70 takes float_sum"
#endif

enum { THREADS_PER_BLOCK = 128, WARPS = THREADS_PER_BLOCK / LANES, COLUMN_BYTES = 65536 };
enum { POINTS_PER_CLUSTER = 16, MOST_BLOCKS = 3, MOST_POINTS = 1 << 18 };
enum { COLORS = 3, LONG_ROW = 256 }; // dimensions for which the compiler makes code of its own
// Of an H200: parts are as many as it works on at the same time, also where there is another device.
enum { MULTIPROCESSORS = 132, MULTIPROCESSOR_BYTES = 228 * 1024, SYSTEM_BYTES = 1024 };
#define ALL_LANES 0xffffffffu

/* How the work is shared. All of it follows from the sizes of the input, so that no bit depends on the device. */
struct plan {
    size_t length, sums; // points; clusters x dimensions sums
    size_t parts;        // blocks, each of which has a part of the points
    unsigned int dimensions, clusters;
    struct in_lanes in; // how lanes share points, where there are columns
    bool has_columns;   // false: the sums are in the L2 cache
};

/* In global memory, from launch to launch. Of two numbers, or rows, a step has the one of its parity; the
 * other is made ready for the next step. */
struct work {
    double *part_sums;           // of columns, for each part: see place_of()
    unsigned long long *sums;    // in the L2 cache: fixed point
    unsigned long long *changed; // two: labels that the step has changed
    unsigned int *counts;        // two rows: points of each cluster
    unsigned int *stopped;       // two: whether the step is one too many
    unsigned int *largest;       // the bits of the largest magnitude of a coordinate
    unsigned int *labels;        // NULL: nobody asks for them, in this step or the next
};

/* The nearest centroid of a point so far. */
struct nearest {
    float least; // its sum of squares
    unsigned int label;
};

__device__ __forceinline__ static struct nearest none_so_far(void)
{
    struct nearest nearest;
    nearest.least = INFINITY;
    nearest.label = NO_CLUSTER;
    return nearest;
}

/* Looks at a centroid, of which the point has this sum of squares. A thread looks at them in the order of their
 * numbers. */
__device__ __forceinline__ static void look_at(struct nearest *nearest, float sum,
                                               unsigned int centroid)
{
    // TODO(70.1): Keep the least sum and the number of its centroid; of equal sums the smaller number.
    if (sum < nearest->least) { // a NaN is not
        nearest->least = sum;
        nearest->label = centroid;
    }
    // end of TODO(70.1)
}

/* Shared memory of a block with columns. Words of a column lie THREADS_PER_BLOCK apart, so each lane has banks of its
 * own. */
struct own {
    float4 *centroids;    // as spread_rows() leaves them
    double *sums;         // of this lane: `each` words for cluster 0, `each` for cluster 1, ...
    unsigned int *counts; // of this lane: a word for each cluster
    float *exchange;      // of this warp
};

/* Whether there are few colors, which products tell apart. */
__host__ __device__ __forceinline__ static bool are_few_colors(const struct plan *plan)
{
    return plan->in.each == COLORS && plan->clusters <= FEW;
}

/* Rows of centroids in shared memory. */
__host__ __device__ static unsigned int centroid_rows(const struct plan *plan)
{
    return are_few_colors(plan) ? FEW : plan->clusters;
}

static size_t column_bytes(const struct plan *plan)
{
    return plan->clusters * (plan->in.each * sizeof(double) + sizeof(unsigned int));
}

static size_t shared_bytes(const struct plan *plan)
{
    return (size_t)centroid_rows(plan) * float4_of_row(&plan->in) * sizeof(float4) +
           THREADS_PER_BLOCK * (column_bytes(plan) + exchange_bytes(&plan->in));
}

__device__ static struct own own_memory(const struct plan *plan, float4 *shared)
{
    const unsigned int columns = plan->clusters * THREADS_PER_BLOCK, warp = threadIdx.x / LANES;
    double *const sums = (double *)(shared + centroid_rows(plan) * float4_of_row(&plan->in));
    unsigned int *const counts = (unsigned int *)(sums + columns * plan->in.each);
    struct own own;
    own.centroids = shared;
    own.sums = sums + threadIdx.x;
    own.counts = counts + threadIdx.x;
    own.exchange = (float *)(counts + columns) + warp * (plan->in.rows * plan->in.each * LANES);
    return own;
}

/* Brings the centroids to shared memory, and clears the columns. */
__device__ static void begin_part(const struct plan *plan, const struct own *own,
                                  const float *centroids)
{
    if (are_few_colors(plan))
        spread_colors(centroids, plan->clusters, own->centroids);
    else
        spread_rows(&plan->in, centroids, plan->clusters, own->centroids);
    for (unsigned int s = 0; s < plan->clusters * plan->in.each; s++)
        own->sums[s * THREADS_PER_BLOCK] = 0;
    for (unsigned int c = 0; c < plan->clusters; c++)
        own->counts[c * THREADS_PER_BLOCK] = 0;
    __syncthreads(); // no thread may read a centroid that another has yet to copy
}

/* Finds the labels of the four points of a group: a lane of its own looks at each of them. All lanes of the warp call it
 * together. */
__device__ __forceinline__ static void label_together(const struct plan *plan,
                                                      const float4 *centroids,
                                                      const struct some_rows *points,
                                                      unsigned int labels[MOST_ROWS])
{
    const struct in_lanes *const in = &plan->in;
    const unsigned int member = threadIdx.x % in->group, of_warp = threadIdx.x % LANES;
    struct nearest nearest = none_so_far();
#pragma unroll 4
    for (unsigned int c = 0; c < plan->clusters; c++) {
        float sums[MOST_ROWS];
        sum_squares(in, points, centroids + c * float4_of_row(in) + member, sums);
        look_at(&nearest, sum_of_group(in, sums), c);
    }
#pragma unroll
    for (unsigned int p = 0; p < FOUR; p++)
        labels[p] = __shfl_sync(ALL_LANES, nearest.label, (int)(of_warp - member + p));
}

/* Finds the labels of the points of which this lane has all components. */
__device__ __forceinline__ static void label_alone(const struct plan *plan, const float4 *centroids,
                                                   const struct some_rows *points,
                                                   unsigned int labels[MOST_ROWS])
{
    struct nearest nearest[MOST_ROWS];
#pragma unroll
    for (unsigned int p = 0; p < plan->in.rows; p++)
        nearest[p] = none_so_far();
#pragma unroll 4
    for (unsigned int c = 0; c < plan->clusters; c++) {
        float sums[MOST_ROWS];
        sum_squares(&plan->in, points, centroids + c, sums);
#pragma unroll
        for (unsigned int p = 0; p < plan->in.rows; p++)
            look_at(&nearest[p], sums[p], c);
    }
#pragma unroll
    for (unsigned int p = 0; p < plan->in.rows; p++)
        labels[p] = nearest[p].label;
}

/* Adds this lane's components of a point to its column. */
__device__ __forceinline__ static void add_to_column(const struct own *own, unsigned int cluster,
                                                     const float *point, const unsigned int each)
{
    // TODO(70.2): This lane has `each` components of the point, the first in point[0]. Those of the cluster are words
    //             cluster * each and following of the column; word w is own->sums[w * THREADS_PER_BLOCK]. Each
    //             lane counts the point, too: own->counts[cluster * THREADS_PER_BLOCK].
#pragma unroll
    for (unsigned int j = 0; j < each; j++)
        own->sums[(cluster * each + j) * THREADS_PER_BLOCK] += (double)point[j];
    own->counts[cluster * THREADS_PER_BLOCK]++;
    // end of TODO(70.2)
}

/* Stores a label if it is another one than before, or nobody has stored one. Returns whether it is another one. */
__device__ __forceinline__ static bool store_label(unsigned int *labels, unsigned int point,
                                                   unsigned int label, unsigned int before,
                                                   unsigned int step)
{
    if (labels && (step == 0 || label != before))
        labels[point] = label;
    return label != before;
}

/* Finds the labels of `count` points, of which this lane holds some components, and adds the points to its column.
 * Returns how many labels the lane has changed. All lanes of the warp call it together. */
__device__ __forceinline__ static unsigned int
take_points(const struct plan *plan, const struct own *own, const struct some_rows *points,
            unsigned int *labels, unsigned int count, unsigned int step)
{
    const struct in_lanes *const in = &plan->in;
    const bool is_first = threadIdx.x % in->group == 0; // of its group
    unsigned int before[MOST_ROWS], label[MOST_ROWS], changed = 0;
#pragma unroll
    for (unsigned int p = 0; p < in->rows; p++) { // early, for it takes long
        const unsigned int row = row_of_group(in, p);
        before[p] = step > 0 && is_first && row < count ? labels[row] : NO_CLUSTER;
    }
    if (in->group > 1)
        label_together(plan, own->centroids, points, label);
    else if (!are_few_colors(plan) || !label_by_scores(points->x, in->rows, own->centroids, label))
        label_alone(plan, own->centroids, points, label);
#pragma unroll
    for (unsigned int p = 0; p < in->rows; p++) {
        const unsigned int row = row_of_group(in, p);
        if (row >= count)
            continue;
        if (is_first)
            changed += store_label(labels, row, label[p], before[p], step);
        if (label[p] != NO_CLUSTER)
            add_to_column(own, label[p], points->x + p * in->each, in->each);
    }
    return changed;
}

/* How many points there are for a warp, from number `first` on. */
__device__ __forceinline__ static unsigned int points_from(const struct plan *plan, size_t first)
{
    const size_t left = first < plan->length ? plan->length - first : 0;
    const unsigned int most = plan->in.rows * (LANES / plan->in.group);
    return left < most ? (unsigned int)left : most;
}

/* Takes the points of this warp, some of each group at a time. Returns how many labels this lane has changed. */
__device__ __forceinline__ static unsigned int take_all(const struct plan *plan,
                                                        const struct work *work,
                                                        const struct own *own, const float *points,
                                                        unsigned int step)
{
    const struct in_lanes *const in = &plan->in;
    const size_t warp = (size_t)blockIdx.x * WARPS + threadIdx.x / LANES;
    const unsigned int most = in->rows * (LANES / in->group);
    const size_t stride = plan->parts * WARPS * most;
    size_t first = warp * most;
    unsigned int count = points_from(plan, first), changed = 0;
    struct some_rows loaded = load_rows(in, points + first * in->dimensions, count);
    while (count > 0) {
        const struct some_rows held = hand_out(in, own->exchange, &loaded);
        const unsigned int next = points_from(plan, first + stride);
        loaded = load_rows(in, points + (first + stride) * in->dimensions, next); // early, too
        unsigned int *const labels = work->labels ? work->labels + first : NULL;
        if (count == most) // a number that the compiler knows
            changed += take_points(plan, own, &held, labels, most, step);
        else
            changed += take_points(plan, own, &held, labels, count, step);
        first += stride;
        count = next;
    }
    return changed;
}

/* The same with numbers that the compiler knows: then loops have no test, and arrays are in registers. */
__device__ static unsigned int take_part(struct plan plan, const struct work *work,
                                         const struct own *own, const float *points,
                                         unsigned int step)
{
    if (plan.in.each == COLORS) {
        plan.in = (struct in_lanes){COLORS, 1, MOST_ROWS, COLORS};
        return take_all(&plan, work, own, points, step);
    }
    if (plan.in.each == LONG_ROW / LANES) {
        plan.in = (struct in_lanes){LONG_ROW, LANES, FOUR, LONG_ROW / LANES};
        return take_all(&plan, work, own, points, step);
    }
    plan.in.rows = FOUR;
    if (plan.in.each == 1) {
        plan.in.each = 1;
        return take_all(&plan, work, own, points, step);
    }
    if (plan.in.each == FOUR) {
        plan.in.each = FOUR;
        return take_all(&plan, work, own, points, step);
    }
    plan.in.group = LANES;
    plan.in.each = MOST_FLOATS / FOUR;
    return take_all(&plan, work, own, points, step);
}

/* The sum over the lanes of a warp, for lane 0. */
__device__ static unsigned int add_lanes(unsigned int sum)
{
    for (unsigned int away = LANES / 2; away > 0; away /= 2)
        sum += __shfl_down_sync(ALL_LANES, sum, away);
    return sum;
}

/* The sum of what the threads of the block have in one word of their columns, over those with the same number in their
 * groups. The order is always the same. All lanes of a warp call it together. */
__device__ static double sum_of_word(const double *word, unsigned int group)
{
    double sum = 0;
    for (unsigned int thread = threadIdx.x % LANES; thread < THREADS_PER_BLOCK; thread += LANES)
        sum += word[thread];
    for (unsigned int away = group; away < LANES; away *= 2)
        sum += __shfl_xor_sync(ALL_LANES, sum, (int)away);
    return sum;
}

/* Where the sum of a part lies in part_sums. Lanes side by side store sums side by side: FOUR of them are a sector of
 * memory. Behind these are those of the next part. */
__host__ __device__ static size_t place_of(const struct plan *plan, size_t sum, size_t part)
{
    return (sum / FOUR * plan->parts + part) * FOUR + sum % FOUR;
}

/* Adds up the columns of the block, a warp for each word, and stores the sums of its part. All threads of the block call
 * it together. */
__device__ static void store_part(const struct plan *plan, const struct work *work,
                                  const struct own *own, unsigned int *counts)
{
    const struct in_lanes *const in = &plan->in;
    const unsigned int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    __syncthreads(); // no thread may read a column to which another still adds
    for (unsigned int w = warp; w < plan->clusters * in->each; w += WARPS) {
        const double sum = sum_of_word(own->sums - threadIdx.x + w * THREADS_PER_BLOCK, in->group);
        const unsigned int i = lane + w % in->each * in->group;
        if (lane < in->group && i < plan->dimensions)
            work->part_sums[place_of(plan, w / in->each * plan->dimensions + i, blockIdx.x)] = sum;
    }
    for (unsigned int c = warp; c < plan->clusters; c += WARPS) {
        const unsigned int *const column = own->counts - threadIdx.x + c * THREADS_PER_BLOCK;
        unsigned int count = 0;
        for (unsigned int thread = lane; thread < THREADS_PER_BLOCK; thread += LANES)
            count += column[thread];
        count = add_lanes(count) / in->group; // each lane of a group has counted the point
        if (lane == 0 && count > 0)
            atomicAdd(&counts[c], count); // protects a count from other blocks
    }
}

/* Adds what the lanes of a warp have changed to the number of the step. */
__device__ static void add_changed(const struct work *work, unsigned int changed, unsigned int step)
{
    changed = add_lanes(changed);
    if (threadIdx.x % LANES == 0 && changed > 0)
        atomicAdd(&work->changed[step % 2],
                  (unsigned long long)changed); // protects the number from other warps
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK, MOST_BLOCKS)
    assign_and_add(struct plan plan, struct work work, const float *points, const float *centroids,
                   unsigned int step)
{
    extern __shared__ float4 shared[];
    if (work.stopped[step % 2])
        return;
    const struct own own = own_memory(&plan, shared);
    begin_part(&plan, &own, centroids);
    const unsigned int changed = take_part(plan, &work, &own, points, step);
    store_part(&plan, &work, &own, work.counts + (size_t)(step % 2) * plan.clusters);
    add_changed(&work, changed, step);
}

/* Of what the lanes with the same points have found, the nearest: of equal ones the smaller number. All lanes of a
 * warp call it together. */
__device__ static struct nearest nearest_of_lanes(struct nearest mine)
{
    for (unsigned int away = 1; away < LANES_OF_EIGHT; away *= 2) {
        const float least = __shfl_xor_sync(ALL_LANES, mine.least, (int)away);
        const unsigned int label = __shfl_xor_sync(ALL_LANES, mine.label, (int)away);
        if (least < mine.least || (least == mine.least && label < mine.label)) {
            mine.least = least;
            mine.label = label;
        }
    }
    return mine;
}

/* Labels the points of a tile. All threads of the block call it together. */
__device__ static void label_tile(const struct plan *plan, const struct tile *tile,
                                  const float *centroids, unsigned int *labels)
{
    struct nearest nearest[EIGHT];
#pragma unroll
    for (unsigned int k = 0; k < EIGHT; k++)
        nearest[k] = none_so_far();
    for (unsigned int first = 0; first < plan->clusters; first += TILE_CENTROIDS) {
        float sums[EIGHT][EIGHT];
        sum_eight_by_eight(tile, centroids, plan->clusters, first, sums);
#pragma unroll
        for (unsigned int k = 0; k < EIGHT; k++)
#pragma unroll
            for (unsigned int n = 0; n < EIGHT; n++)
                look_at(&nearest[k], sums[k][n], first + centroid_of_eight(n));
    }
#pragma unroll
    for (unsigned int k = 0; k < EIGHT; k++) {
        nearest[k] = nearest_of_lanes(nearest[k]);
        if (threadIdx.x % LANES_OF_EIGHT == 0)
            labels[point_of_eight(k)] = nearest[k].label;
    }
}

/* Adds the points of a tile to the sums in the L2 cache, a warp for each point. */
__device__ static void add_in_cache(const struct plan *plan, const struct work *work,
                                    const struct tile *tile, const unsigned int *labels,
                                    unsigned int count, unsigned int *counts)
{
    const double units = units_of_one(*work->largest, plan->length);
    for (unsigned int p = threadIdx.x / LANES; p < count; p += TILE_THREADS / LANES) {
        const unsigned int cluster = labels[p];
        if (cluster == NO_CLUSTER)
            continue;
        for (unsigned int i = threadIdx.x % LANES; i < plan->dimensions; i += LANES)
            // Protects a sum from other threads, which add to it in any order: whole numbers do not round.
            atomicAdd(&work->sums[(size_t)cluster * plan->dimensions + i],
                      in_units(*component(tile, p, i), units));
        if (threadIdx.x % LANES == 0)
            atomicAdd(&counts[cluster], 1); // protects a count from other threads
    }
}

/* The same where the sums are many: a block has one tile. */
__global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS)
    assign_and_add_many(struct plan plan, struct work work, const float *points,
                        const float *centroids, unsigned int step)
{
    extern __shared__ float4 shared[];
    __shared__ unsigned int labels[TILE_POINTS];
    if (work.stopped[step % 2])
        return;
    const struct tile tile = tile_in(shared, plan.dimensions);
    const unsigned int most = tile_points(plan.dimensions);
    const size_t first = (size_t)blockIdx.x * most, left = plan.length - first;
    const unsigned int count = left < most ? (unsigned int)left : most;
    unsigned int changed = 0;
    load_tile(&tile, points + first * plan.dimensions, count);
    __syncthreads(); // no thread may read a coordinate that another has yet to load
    label_tile(&plan, &tile, centroids, labels);
    __syncthreads(); // no thread may read a label that another has yet to find
    if (threadIdx.x < count) {
        unsigned int *const to = work.labels ? work.labels + first : NULL;
        changed = store_label(to, threadIdx.x, labels[threadIdx.x],
                              step > 0 ? to[threadIdx.x] : NO_CLUSTER, step);
    }
    add_in_cache(&plan, &work, &tile, labels, count,
                 work.counts + (size_t)(step % 2) * plan.clusters);
    add_changed(&work, changed, step);
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
    work->stopped[next] = work->changed[now] <= asked->may_change;
    work->changed[next] = 0;
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
    const unsigned int lane = threadIdx.x % LANES;
    const unsigned int s = (unsigned int)(thread / LANES);
    if (is_stopped(&work, thread, step))
        return;
    if (s < plan.sums) {
        const unsigned int count =
            work.counts[step % 2 * (size_t)plan.clusters + s / plan.dimensions];
        double sum = 0;
        // TODO(70.4): Lane l adds the sums of parts l, l + LANES and so on, which lie at place_of(); a tree of shuffles
        //             adds the lanes. Lane 0 stores the mean in centroids[s], unless the cluster has no point.
        for (size_t part = lane; part < plan.parts; part += LANES)
            sum += work.part_sums[place_of(&plan, s, part)];
        for (unsigned int away = LANES / 2; away > 0; away /= 2)
            sum += __shfl_down_sync(ALL_LANES, sum, away);
        if (lane == 0 && count > 0)
            centroids[s] = (float)(sum / count);
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
        const double sum =
            (double)(long long)work.sums[s] / units_of_one(*work.largest, plan.length);
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

static size_t divided_up(size_t all, size_t by)
{
    return (all + by - 1) / by;
}

/* As many as an H200 works on at the same time, but so few that the sums of a part are few beside its points, and
 * so many that these are no more than MOST_POINTS. */
static size_t parts_of_columns(const struct plan *plan)
{
    const size_t tiles =
        divided_up(plan->length, plan->in.rows * THREADS_PER_BLOCK / plan->in.group);
    const size_t room = MULTIPROCESSOR_BYTES / (shared_bytes(plan) + SYSTEM_BYTES);
    const size_t blocks = MULTIPROCESSORS * (room < MOST_BLOCKS ? room : MOST_BLOCKS);
    const size_t few = plan->length / (POINTS_PER_CLUSTER * (size_t)plan->clusters + 1);
    const size_t least = divided_up(plan->length, MOST_POINTS);
    const size_t parts = few < blocks ? few : blocks, some = parts > least ? parts : least;
    return some < tiles ? some : tiles;
}

/* Whether there is room for the columns of a block. */
static bool columns_fit(const struct plan *plan)
{
    bool fit = false;
    // TODO(70.5): There is, if the columns of all its threads take COLUMN_BYTES at most; one takes column_bytes().
    fit = THREADS_PER_BLOCK * column_bytes(plan) <= COLUMN_BYTES;
    // end of TODO(70.5)
    return fit;
}

/* How lanes share points. A lane has four components of four points, or what is better for colors and for long rows; a
 * group is one lane, or at least four. */
static struct in_lanes lanes_for(unsigned int dimensions)
{
    struct in_lanes in = {dimensions, 1, FOUR, FOUR};
    if (dimensions == COLORS) {
        in.rows = MOST_ROWS;
        in.each = COLORS;
    } else if (dimensions == LONG_ROW)
        in.each = LONG_ROW / LANES;
    else if (dimensions > FOUR * LANES)
        in.each = MOST_FLOATS / FOUR;
    if (dimensions > in.each) // of 16, all lanes are a group for take_part(), too
        in.group = in.each == MOST_FLOATS / FOUR ? LANES : FOUR;
    while (in.group * in.each < dimensions)
        in.group *= 2;
    return in;
}

/* A lane for each component: its column is the shortest. */
static struct in_lanes a_lane_for_each(unsigned int dimensions)
{
    struct in_lanes in = {dimensions, FOUR, FOUR, 1};
    while (in.group < dimensions)
        in.group *= 2;
    return in;
}

static struct plan plan_for(size_t length, unsigned int dimensions, unsigned int clusters)
{
    struct plan plan = {};
    plan.length = length;
    plan.dimensions = dimensions;
    plan.clusters = clusters;
    plan.sums = (size_t)clusters * dimensions;
    plan.in = lanes_for(dimensions);
    if (!columns_fit(&plan) && dimensions <= LANES)
        plan.in = a_lane_for_each(dimensions);
    plan.has_columns = columns_fit(&plan);
    plan.parts =
        plan.has_columns ? parts_of_columns(&plan) : divided_up(length, tile_points(dimensions));
    plan.parts += plan.parts == 0; // without points, counts and steps are set all the same
    return plan;
}

/* The arrays of `work` in one allocation, which begins at *room. What a step begins with is zeros: the numbers, the
 * counts, and sums in the L2 cache. */
static struct work allocate(const struct plan *plan, unsigned int *d_labels, unsigned int steps,
                            void **room)
{
    const bool own_labels = !d_labels && steps > 1;
    const size_t counts = 2 * (size_t)plan->clusters;
    const size_t sums =
        plan->has_columns ? place_of(plan, plan->sums + FOUR - 1, plan->parts) : plan->sums;
    const size_t zeros = 4 * sizeof(double) + counts * sizeof(unsigned int) +
                         (plan->has_columns ? 0 : sums * sizeof(double));
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
    const unsigned int parts = (unsigned int)plan->parts;
    if (plan->has_columns)
        assign_and_add<<<parts, THREADS_PER_BLOCK, shared_bytes(plan)>>>(*plan, *work, d_points,
                                                                         d_centroids, step);
    else
        assign_and_add_many<<<parts, TILE_THREADS, tile_bytes(plan->dimensions)>>>(
            *plan, *work, d_points, d_centroids, step);
    CHECK(cudaGetLastError());
    if (plan->has_columns)
        fold_columns<<<blocks_for(plan->sums * LANES), THREADS_PER_BLOCK>>>(*plan, *work, *asked,
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
    if (plan.has_columns)
        fits((const void *)assign_and_add, shared_bytes(&plan));
    else
        fits((const void *)assign_and_add_many, tile_bytes(dimensions));
    if (steps == 0) {
        take_no_step<<<some_blocks_for(length), THREADS_PER_BLOCK>>>(asked, d_labels, length,
                                                                     clusters);
        CHECK(cudaGetLastError());
        return;
    }
    const struct work work = allocate(&plan, d_labels, steps, &room);
    if (!plan.has_columns)
        find_largest<<<some_blocks_for(length * dimensions), THREADS_PER_BLOCK>>>(
            d_points, length * dimensions, work.largest);
    CHECK(cudaGetLastError());
    for (unsigned int step = 0; step < steps; step++)
        launch_step(&plan, &work, &asked, d_points, d_centroids, step);
    CHECK(cudaFreeAsync(room, 0));
}
