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

static size_t column_bytes(const struct plan *plan)
{
    return plan->clusters * (plan->each * sizeof(double) + sizeof(unsigned int));
}

static size_t shared_bytes(const struct plan *plan)
{
    const size_t of_lane = column_bytes(plan) + FOUR * plan->each * sizeof(float);
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

/* A warp loads its points side by side: float number n of a lane is n x WARP behind the first one. */
struct loads {
    float x[FOUR * MOST_EACH];
};

__device__ __forceinline__ static struct loads
load_points(const struct plan *plan, const float *points, size_t first, const unsigned int each)
{
    const size_t left = first < plan->length ? plan->length - first : 0;
    const unsigned int most = FOUR * (WARP / plan->group);
    const unsigned int floats = (unsigned int)(left < most ? left : most) * plan->dimensions;
    const float *const from = points + first * plan->dimensions + threadIdx.x % WARP;
    struct loads loads;
#pragma unroll
    for (unsigned int n = 0; n < FOUR * each; n++)
        loads.x[n] = n * WARP + threadIdx.x % WARP < floats ? from[n * WARP] : 0;
    return loads;
}

/* This lane's components of the four points of its group: number j is component member + j x group. */
struct held {
    float x[FOUR][MOST_EACH];
};

/* Through shared memory, each lane gets its components from those that have loaded them. */
__device__ __forceinline__ static struct held
hand_out(const struct plan *plan, float *staged, const struct loads *loads, const unsigned int each)
{
    const unsigned int lane = threadIdx.x % WARP, member = lane % plan->group;
    struct held held;
#pragma unroll
    for (unsigned int n = 0; n < FOUR * each; n++)
        staged[n * WARP + lane] = loads->x[n];
    __syncwarp(); // no lane may read a coordinate that another has yet to store
#pragma unroll
    for (unsigned int p = 0; p < FOUR; p++) {
        const unsigned int row = (p * WARP + lane) / plan->group;
#pragma unroll
        for (unsigned int j = 0; j < each; j++) {
            const unsigned int i = member + j * plan->group;
            held.x[p][j] = i < plan->dimensions ? staged[row * plan->dimensions + i] : 0;
        }
    }
    __syncwarp(); // no lane may store a coordinate of the next points while another still reads
    return held;
}

/* The sums of squares between the four points of a group and a centroid: each lane adds its components, and all get
 * the sums. */
__device__ __forceinline__ static void sum_squares(const struct plan *plan, const struct held *held,
                                                   const float4 *centroid, float sums[FOUR],
                                                   const unsigned int each)
{
#pragma unroll
    for (unsigned int j = 0; j < each; j += FOUR) {
        const float4 four = centroid[j / FOUR * plan->group];
        const float x[FOUR] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (unsigned int k = 0; k < FOUR && j + k < each; k++)
#pragma unroll
            for (unsigned int p = 0; p < FOUR; p++) {
                const float apart = held->x[p][j + k] - x[k]; // exact where the two are near
                sums[p] += apart * apart;
            }
    }
    for (unsigned int away = 1; away < plan->group; away *= 2)
#pragma unroll
        for (unsigned int p = 0; p < FOUR; p++)
            sums[p] += __shfl_xor_sync(ALL_LANES, sums[p], (int)away);
}

/* Adds this lane's components of a point to its column. */
__device__ __forceinline__ static void add_to_column(const struct own *own, unsigned int cluster,
                                                     const float *point, const unsigned int each)
{
    // TODO(70.2): Component j of this lane is point[j]. The words of the cluster begin with number cluster * each of
    //             the column; word w is own->sums[w * THREADS_PER_BLOCK]. Each lane counts the point, too, in
    //             own->counts[cluster * THREADS_PER_BLOCK].
#pragma unroll
    for (unsigned int j = 0; j < each; j++)
        own->sums[(cluster * each + j) * THREADS_PER_BLOCK] += (double)point[j];
    own->counts[cluster * THREADS_PER_BLOCK]++;
    // end of TODO(70.2)
}

/* The labels of four points before the step, for the first lane of their group, which stores the new ones. */
struct before {
    unsigned int label[FOUR];
};

/* Which point is number `p` of this lane's group; the tile of the warp begins at `first`. */
__device__ __forceinline__ static size_t point_number(const struct plan *plan, size_t first,
                                                      unsigned int p)
{
    return first + (p * WARP + threadIdx.x % WARP) / plan->group;
}

/* Loads them early, for it takes long. */
__device__ __forceinline__ static struct before
load_labels(const struct plan *plan, const struct work *work, size_t first, unsigned int step)
{
    struct before before;
#pragma unroll
    for (unsigned int p = 0; p < FOUR; p++) {
        const size_t point = point_number(plan, first, p);
        before.label[p] = NO_CLUSTER;
        if (step > 0 && threadIdx.x % plan->group == 0 && point < plan->length)
            before.label[p] = work->labels[point];
    }
    return before;
}

/* Stores a label if it is another one than before. In the first step nobody has stored any. Returns whether it is
 * another one. */
__device__ __forceinline__ static bool store_label(const struct work *work, size_t point,
                                                   unsigned int label, unsigned int before,
                                                   unsigned int step)
{
    if (work->labels && (step == 0 || label != before))
        work->labels[point] = label;
    return label != before;
}

/* Labels the points of this warp and adds them up, a tile after the other. Returns how many labels this lane has
 * changed. What is `each` at every call is a number: so all that is held is in registers. */
__device__ __forceinline__ static unsigned int
take_tiles(const struct plan *plan, const struct work *work, const struct own *own,
           const float *points, unsigned int step, const unsigned int each)
{
    const size_t tile = FOUR * (WARP / plan->group), stride = plan->parts * WARPS * tile;
    const float4 *const centroids = own->centroids + threadIdx.x % plan->group;
    size_t first = (blockIdx.x * (size_t)WARPS + threadIdx.x / WARP) * tile;
    unsigned int changed = 0;
    struct loads loads = load_points(plan, points, first, each);
    for (; first < plan->length; first += stride) {
        const struct held held = hand_out(plan, own->staged, &loads, each);
        const struct before before = load_labels(plan, work, first, step);
        struct nearest nearest[FOUR] = {none_so_far(), none_so_far(), none_so_far(), none_so_far()};
        loads = load_points(plan, points, first + stride, each); // long before they are needed
#pragma unroll 4
        for (unsigned int c = 0; c < plan->clusters; c++) {
            float sums[FOUR] = {0, 0, 0, 0};
            sum_squares(plan, &held, centroids + c * fours(each) * plan->group, sums, each);
#pragma unroll
            for (unsigned int p = 0; p < FOUR; p++)
                look_at(&nearest[p], sums[p], c);
        }
#pragma unroll
        for (unsigned int p = 0; p < FOUR; p++) {
            const size_t point = point_number(plan, first, p);
            const unsigned int label = nearest[p].label;
            if (threadIdx.x % plan->group == 0 && point < plan->length)
                changed += store_label(work, point, label, before.label[p], step);
            if (label != NO_CLUSTER && point < plan->length)
                add_to_column(own, label, held.x[p], each);
        }
    }
    return changed;
}

/* Numbers that the compiler knows. */
__device__ static unsigned int take_part(const struct plan *plan, const struct work *work,
                                         const struct own *own, const float *points,
                                         unsigned int step)
{
    switch (plan->each) {
    case 1:
        return take_tiles(plan, work, own, points, step, 1);
    case 2:
        return take_tiles(plan, work, own, points, step, 2);
    case 3:
        return take_tiles(plan, work, own, points, step, 3);
    case 4:
        return take_tiles(plan, work, own, points, step, 4);
    case 8:
        return take_tiles(plan, work, own, points, step, 8);
    default:
        return take_tiles(plan, work, own, points, step, MOST_EACH);
    }
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
        const size_t point = first + threadIdx.x;
        changed = store_label(&work, point, labels[threadIdx.x],
                              step > 0 ? work.labels[point] : NO_CLUSTER, step);
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
    plan->group = 1;
    do {
        const unsigned int each = (unsigned int)divided_up(plan->dimensions, plan->group);
        plan->each = each > FOUR ? power_of_two(each, MOST_EACH) : each;
        plan->has_columns = columns_fit(plan);
        if (plan->each <= FOUR && plan->has_columns)
            return;
        plan->group *= 2;
    } while (plan->group <= WARP);
    plan->group = WARP;
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
