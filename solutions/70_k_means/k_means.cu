/* 70. k-means: bins that are vectors, and whose keys are computed.
 *
 * One kernel assigns and updates, so that a step reads each point once. A group of lanes has four points in registers,
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
#include "given/rows_by_fours.h" // sum_eight_by_eight(): squares as in a product of matrices
#include "k_means.h"

#if !OPERATION_IS(float_sum)
#error "chapter 70 takes float_sum"
#endif

enum { WARP = 32, THREADS_PER_BLOCK = 128, WARPS = THREADS_PER_BLOCK / WARP };
enum { FOUR = 4, MOST_EACH = 16, COLUMN_BYTES = 65536 };
enum { POINTS_PER_CLUSTER = 16, MOST_BLOCKS = 3, MOST_POINTS = 1 << 20 };
// Of an H200: parts are as many as it works on at the same time, also where there is another device.
enum { MULTIPROCESSORS = 132, MULTIPROCESSOR_BYTES = 228 * 1024, SYSTEM_BYTES = 1024 };
#define ALL_LANES 0xffffffffu

/* How the work is shared. All of it follows from the sizes of the input, so that no bit depends on the device. */
struct plan {
    size_t length, sums; // points; clusters x dimensions sums
    size_t parts;        // blocks, each of which has a part of the points
    unsigned int dimensions, clusters;
    unsigned int group; // lanes that have four points together: a power of two
    unsigned int each;  // components of a point that a lane has: 1 to 4, 8 or 16
    bool has_columns;   // false: the sums are in the L2 cache
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

/* Shared memory of a block with columns. Words of a column lie THREADS_PER_BLOCK apart: a lane always has the same bank. */
struct own {
    float4
        *centroids; // of each `group` lanes, one after the other: four components that a lane has
    double *sums;   // of this lane: `each` of cluster 0, `each` of cluster 1, ...
    unsigned int *counts; // of this lane: one for each cluster
    float *staged;        // of this warp: points on their way to the lanes
};

/* In so many float4 a lane's components of a centroid are. */
__host__ __device__ static unsigned int fours(unsigned int each)
{
    return (each + FOUR - 1) / FOUR;
}

/* Whether what a lane loads is what it needs: a row is `each` times as long as a warp. */
__host__ __device__ static bool needs_no_exchange(const struct plan *plan)
{
    return plan->group == WARP && plan->dimensions == plan->each * WARP;
}

static size_t column_bytes(const struct plan *plan)
{
    return plan->clusters * (plan->each * sizeof(double) + sizeof(unsigned int));
}

static size_t shared_bytes(const struct plan *plan)
{
    const size_t staged = needs_no_exchange(plan) ? 0 : FOUR * plan->each * sizeof(float);
    const size_t of_lane = column_bytes(plan) + staged;
    return (size_t)plan->clusters * fours(plan->each) * plan->group * sizeof(float4) +
           THREADS_PER_BLOCK * of_lane;
}

__device__ static struct own own_memory(const struct plan *plan, float4 *shared)
{
    struct own own;
    double *const sums = (double *)(shared + plan->clusters * fours(plan->each) * plan->group);
    unsigned int *const counts =
        (unsigned int *)(sums + plan->clusters * plan->each * THREADS_PER_BLOCK);
    own.centroids = shared;
    own.sums = sums + threadIdx.x;
    own.counts = counts + threadIdx.x;
    own.staged = (float *)(counts + plan->clusters * THREADS_PER_BLOCK) +
                 threadIdx.x / WARP * (WARP * FOUR * plan->each);
    return own;
}

/* Brings the centroids to shared memory, and clears the columns. */
__device__ static void begin_part(const struct plan *plan, const struct own *own,
                                  const float *centroids)
{
    const unsigned int group = plan->group, all = plan->clusters * fours(plan->each) * group;
    const unsigned int pitch = fours(plan->each) * group; // float4 of a centroid
    for (unsigned int n = threadIdx.x; n < all; n += THREADS_PER_BLOCK) {
        const float *centroid = centroids + (size_t)(n / pitch) * plan->dimensions;
        float x[FOUR];
        for (unsigned int j = 0; j < FOUR; j++) {
            const unsigned int i = (n % pitch / group * FOUR + j) * group + n % group;
            x[j] = i < plan->dimensions ? centroid[i] : 0;
        }
        own->centroids[n] = make_float4(x[0], x[1], x[2], x[3]);
    }
    for (unsigned int s = 0; s < plan->clusters * plan->each; s++)
        own->sums[s * THREADS_PER_BLOCK] = 0;
    for (unsigned int c = 0; c < plan->clusters; c++)
        own->counts[c * THREADS_PER_BLOCK] = 0;
    __syncthreads(); // no thread may read a centroid that another has yet to copy
}

/* Floats of four points of each group of a warp, of which a lane has this many. */
struct lane_floats {
    float x[FOUR * MOST_EACH];
};

/* A warp loads the `count` points at `from`, side by side: float number n of a lane is n x WARP behind its first one.
 * Zeros stand for more points. */
__device__ __forceinline__ static struct lane_floats
load_points(const struct plan *plan, const float *from, unsigned int count)
{
    const unsigned int lane = threadIdx.x % WARP, floats = count * plan->dimensions;
    struct lane_floats loads;
    if (floats == FOUR * plan->each * WARP) {
#pragma unroll
        for (unsigned int n = 0; n < FOUR * plan->each; n++)
            loads.x[n] = from[n * WARP + lane];
        return loads;
    }
#pragma unroll
    for (unsigned int n = 0; n < FOUR * plan->each; n++)
        loads.x[n] = n * WARP + lane < floats ? from[n * WARP + lane] : 0;
    return loads;
}

/* Through shared memory each lane gets what it needs from those that have loaded it: of point p of its group, number
 * p x each + j is component member + j x group. */
__device__ __forceinline__ static struct lane_floats
hand_out(const struct plan *plan, float *staged, const struct lane_floats *loads)
{
    const unsigned int lane = threadIdx.x % WARP, member = lane % plan->group;
    struct lane_floats held;
    if (needs_no_exchange(plan))
        return *loads;
#pragma unroll
    for (unsigned int n = 0; n < FOUR * plan->each; n++)
        staged[n * WARP + lane] = loads->x[n];
    __syncwarp(); // no lane may read a coordinate that another has yet to store
#pragma unroll
    for (unsigned int n = 0; n < FOUR * plan->each; n++) {
        const unsigned int row = (n / plan->each * WARP + lane) / plan->group;
        const unsigned int i = member + n % plan->each * plan->group;
        held.x[n] = i < plan->dimensions ? staged[row * plan->dimensions + i] : 0;
    }
    __syncwarp(); // no lane may store a coordinate of the next points while another still reads
    return held;
}

/* The sums of squares between the four points of a group and a centroid: each lane adds its components, and all get
 * the sums. */
__device__ __forceinline__ static void sum_squares(const struct plan *plan,
                                                   const struct lane_floats *held,
                                                   const float4 *centroid, float sums[FOUR])
{
#pragma unroll
    for (unsigned int p = 0; p < FOUR; p++)
        sums[p] = 0;
#pragma unroll
    for (unsigned int j = 0; j < plan->each; j += FOUR) {
        const float4 four = centroid[j / FOUR * plan->group];
        const float x[FOUR] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (unsigned int k = 0; k < FOUR && j + k < plan->each; k++)
#pragma unroll
            for (unsigned int p = 0; p < FOUR; p++) {
                const float apart =
                    held->x[p * plan->each + j + k] - x[k]; // exact where the two are near
                sums[p] += apart * apart;
            }
    }
    for (unsigned int away = 1; away < plan->group; away *= 2)
#pragma unroll
        for (unsigned int p = 0; p < FOUR; p++)
            sums[p] += __shfl_xor_sync(ALL_LANES, sums[p], (int)away);
}

/* Adds this lane's components of a point to its column. */
__device__ __forceinline__ static void add_to_column(const struct plan *plan, const struct own *own,
                                                     unsigned int cluster, const float *point)
{
    // TODO(70.2): Component j of this lane is point[j]. The words of the cluster begin with number cluster * each of
    //             the column; word w is own->sums[w * THREADS_PER_BLOCK]. Each lane counts the point, too, in
    //             own->counts[cluster * THREADS_PER_BLOCK].
#pragma unroll
    for (unsigned int j = 0; j < plan->each; j++)
        own->sums[(cluster * plan->each + j) * THREADS_PER_BLOCK] += (double)point[j];
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

/* Finds the labels of `count` points, of which this lane holds some components, and adds them up. Returns how many labels
 * this lane has changed. All lanes of the warp call it together. */
__device__ __forceinline__ static unsigned int
take_points(const struct plan *plan, const struct own *own, const struct lane_floats *held,
            unsigned int *labels, unsigned int count, unsigned int step)
{
    const unsigned int member = threadIdx.x % plan->group;
    struct nearest nearest[FOUR] = {none_so_far(), none_so_far(), none_so_far(), none_so_far()};
    unsigned int before[FOUR], changed = 0;
#pragma unroll
    for (unsigned int p = 0; p < FOUR; p++) { // early, for it takes long
        const unsigned int row = (p * WARP + threadIdx.x % WARP) / plan->group;
        before[p] = step > 0 && member == 0 && row < count ? labels[row] : NO_CLUSTER;
    }
#pragma unroll 4
    for (unsigned int c = 0; c < plan->clusters; c++) {
        float sums[FOUR];
        sum_squares(plan, held, own->centroids + c * fours(plan->each) * plan->group + member,
                    sums);
#pragma unroll
        for (unsigned int p = 0; p < FOUR; p++)
            look_at(&nearest[p], sums[p], c);
    }
#pragma unroll
    for (unsigned int p = 0; p < FOUR; p++) {
        const unsigned int row = (p * WARP + threadIdx.x % WARP) / plan->group;
        if (member == 0 && row < count)
            changed += store_label(labels, row, nearest[p].label, before[p], step);
        if (nearest[p].label != NO_CLUSTER && row < count)
            add_to_column(plan, own, nearest[p].label, held->x + p * plan->each);
    }
    return changed;
}

/* Takes the tiles of this warp, one after the other. Returns how many labels this lane has changed. */
__device__ __forceinline__ static unsigned int take_tiles(const struct plan *plan,
                                                          const struct work *work,
                                                          const struct own *own,
                                                          const float *points, unsigned int step)
{
    const unsigned int tile = FOUR * (WARP / plan->group);
    const size_t stride = plan->parts * WARPS * tile;
    size_t first = (blockIdx.x * (size_t)WARPS + threadIdx.x / WARP) * tile;
    size_t left = first < plan->length ? plan->length - first : 0;
    unsigned int count = left < tile ? (unsigned int)left : tile, changed = 0;
    struct lane_floats loads = load_points(plan, points + first * plan->dimensions, count);
    while (count > 0) {
        const struct lane_floats held = hand_out(plan, own->staged, &loads);
        unsigned int *const labels = work->labels ? work->labels + first : NULL;
        const unsigned int now = count;
        first += stride;
        left = first < plan->length ? plan->length - first : 0;
        count = left < tile ? (unsigned int)left : tile;
        loads = load_points(plan, points + first * plan->dimensions,
                            count); // long before they are needed
        changed += take_points(plan, own, &held, labels, now, step);
    }
    return changed;
}

/* Takes the tiles of this part. A number that the compiler knows has loops without a test, and arrays in registers. */
__device__ static unsigned int take_part(const struct plan *any, const struct work *work,
                                         const struct own *own, const float *points,
                                         unsigned int step)
{
    struct plan plan = *any;
    if (plan.dimensions == 3) { // colors
        plan.dimensions = 3;
        plan.each = 3;
        plan.group = 1;
        return take_tiles(&plan, work, own, points, step);
    }
    if (plan.dimensions == 256) {
        plan.dimensions = 256;
        plan.each = 8;
        plan.group = WARP;
        return take_tiles(&plan, work, own, points, step);
    }
    if (plan.each == FOUR) {
        plan.each = FOUR;
        return take_tiles(&plan, work, own, points, step);
    }
    plan.each = MOST_EACH;
    plan.group = WARP;
    return take_tiles(&plan, work, own, points, step);
}

/* Adds up the columns of the block, and stores the sums of its part. A sum begins at a column of its own, so that
 * neighbors read other banks; the order is the same in each step. All threads of the block call it together. */
__device__ static void store_part(const struct plan *plan, const struct work *work,
                                  const struct own *own, unsigned int *counts)
{
    const unsigned int group = plan->group, groups = THREADS_PER_BLOCK / group;
    const double *const sums = own->sums - threadIdx.x;
    __syncthreads(); // no thread may read a column to which another still adds
    for (unsigned int s = threadIdx.x; s < plan->sums; s += THREADS_PER_BLOCK) {
        const unsigned int i = s % plan->dimensions;
        const unsigned int word = s / plan->dimensions * plan->each + i / group;
        double sum = 0;
        for (unsigned int g = s; g < s + groups; g++)
            sum += sums[word * THREADS_PER_BLOCK + g % groups * group + i % group];
        work->part_sums[s * plan->parts + blockIdx.x] = sum;
    }
    for (unsigned int c = threadIdx.x; c < plan->clusters; c += THREADS_PER_BLOCK) {
        const unsigned int *const column = own->counts - threadIdx.x + c * THREADS_PER_BLOCK;
        unsigned int count = 0;
        for (unsigned int g = c; g < c + groups; g++)
            count += column[g % groups * group];
        if (count > 0)
            atomicAdd(&counts[c], count); // protects a count from other blocks
    }
}

/* Adds what the lanes of a warp have changed to the number of the step. */
__device__ static void add_changed(const struct work *work, unsigned int changed, unsigned int step)
{
    for (unsigned int away = WARP / 2; away > 0; away /= 2)
        changed += __shfl_down_sync(ALL_LANES, changed, away);
    if (threadIdx.x % WARP == 0 && changed > 0)
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
    const unsigned int changed = take_part(&plan, &work, &own, points, step);
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

/* How many units of fixed point are 1: a power of two, so that no sum of `length` coordinates needs more than
 * 62 bits and a sign. */
__device__ static double units_of_one(const struct plan *plan, const struct work *work)
{
    const int exponent = (int)(*work->largest >> 23) - 126; // each magnitude is below 2^exponent
    return ldexp(1.0, 62 - exponent - (64 - __clzll((long long)plan->length)));
}

/* Adds the points of a tile to the sums in the L2 cache, a warp for each point. */
__device__ static void add_in_cache(const struct plan *plan, const struct work *work,
                                    const struct tile *tile, const unsigned int *labels,
                                    unsigned int count, unsigned int *counts)
{
    const double units = units_of_one(plan, work);
    for (unsigned int p = threadIdx.x / WARP; p < count; p += TILE_THREADS / WARP) {
        const unsigned int cluster = labels[p];
        if (cluster == NO_CLUSTER)
            continue;
        for (unsigned int i = threadIdx.x % WARP; i < plan->dimensions; i += WARP) {
            const double of_point = *component(tile, p, i);
            // Protects a sum from other threads, which add to it in any order: whole numbers do not round.
            atomicAdd(&work->sums[(size_t)cluster * plan->dimensions + i],
                      (unsigned long long)__double2ll_rn(of_point * units));
        }
        if (threadIdx.x % WARP == 0)
            atomicAdd(&counts[cluster], 1); // protects a count from other threads
    }
}

/* The same where the sums are many: a block has one tile. */
__global__ void __launch_bounds__(TILE_THREADS, MOST_BLOCKS)
    assign_and_add_many(struct plan plan, struct work work, const float *points,
                        const float *centroids, unsigned int step)
{
    extern __shared__ float4 shared[];
    __shared__ unsigned int labels[TILE_POINTS];
    if (work.stopped[step % 2])
        return;
    const struct tile tile = tile_in(shared, plan.dimensions);
    const size_t first = (size_t)blockIdx.x * TILE_POINTS, left = plan.length - first;
    const unsigned int count = (unsigned int)(left < TILE_POINTS ? left : TILE_POINTS);
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
        for (size_t part = lane; part < plan.parts; part += WARP)
            sum += parts[part];
        for (unsigned int away = WARP / 2; away > 0; away /= 2)
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

/* As many as an H200 works on at the same time, but so few that the sums of a part are few beside its points, and
 * so many that these are no more than MOST_POINTS. */
static size_t parts_of_columns(const struct plan *plan)
{
    const size_t tiles = divided_up(plan->length, FOUR * THREADS_PER_BLOCK / plan->group);
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

/* The smallest group whose lanes have at most four components and room for their columns; a warp, if there is none. */
static void choose_group(struct plan *plan)
{
    plan->each = plan->dimensions == 3             ? 3
                 : plan->dimensions <= FOUR * WARP ? FOUR
                 : plan->dimensions == 256         ? 8
                                                   : MOST_EACH;
    plan->group = power_of_two(divided_up(plan->dimensions, plan->each), WARP);
    plan->has_columns = columns_fit(plan);
}

static struct plan plan_for(size_t length, unsigned int dimensions, unsigned int clusters)
{
    struct plan plan = {};
    plan.length = length;
    plan.dimensions = dimensions;
    plan.clusters = clusters;
    plan.sums = (size_t)clusters * dimensions;
    choose_group(&plan);
    plan.parts = plan.has_columns ? parts_of_columns(&plan) : divided_up(length, TILE_POINTS);
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
    const size_t sums = plan->sums * (plan->has_columns ? plan->parts : 1);
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
