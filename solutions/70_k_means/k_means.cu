/* 70. k-means: bins that are vectors, and whose keys are computed.
 *
 * One kernel assigns and updates, so that a step reads each point once. A warp takes a part of the points, a
 * tile at a time. In shared memory it has sums of its own, in columns: a lane adds one component of a point
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

enum { WARP = 32, THREADS_PER_BLOCK = 256, MOST_WARPS = THREADS_PER_BLOCK / WARP };
enum { TILE_FLOATS = 2048, COLUMN_BYTES = 32768, NEAR_BYTES = 32768 };
enum { MANY_PARTS = 2112, LONGEST_PART = 8192, POINTS_PER_CLUSTER = 16 };
#define ALL_LANES 0xffffffffu

/* How the work is shared. But for `warps`, which is no more than a number of warps in a block, all of it
 * follows from the sizes of the input, so that no bit depends on the device. */
struct plan {
    size_t length, parts, sums; // points, their parts, and clusters x dimensions sums
    unsigned int dimensions, clusters;
    unsigned int tile;  // points that a warp has in shared memory at a time: a power of two
    unsigned int pitch; // floats from row to row there: odd, so that 32 rows begin in 32 banks
    unsigned int group; // lanes that add a point: a power of two
    unsigned int
        columns;       // copies of the sums that a warp has, one for each group; 0: in the L2 cache
    unsigned int part; // points of a warp
    unsigned int near_pitch; // the same of centroids in shared memory; 0: they are too many for it
    unsigned int warps;      // of a block
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

/* Shared memory of a warp: its columns, their counts, and its tile. */
struct own {
    double *sums;
    unsigned int *counts;
    float *tile;
};

__host__ __device__ static size_t bytes_of_columns(const struct plan *plan, unsigned int columns)
{
    return (size_t)columns * plan->clusters *
           (plan->dimensions * sizeof(double) + sizeof(unsigned int));
}

__host__ __device__ static size_t bytes_of_warp(const struct plan *plan)
{
    const size_t bytes =
        bytes_of_columns(plan, plan->columns) + (size_t)plan->tile * plan->pitch * sizeof(float);
    return (bytes + sizeof(double) - 1) / sizeof(double) * sizeof(double);
}

/* The shared memory of this warp, behind that of those before it. */
__device__ static struct own own_memory(const struct plan *plan, unsigned char *shared)
{
    unsigned char *begin = shared + threadIdx.x / WARP * bytes_of_warp(plan);
    struct own own;
    own.sums = (double *)begin;
    own.counts = (unsigned int *)(own.sums + (size_t)plan->columns * plan->sums);
    own.tile = (float *)(own.counts + (size_t)plan->columns * plan->clusters);
    return own;
}

/* Copies the centroids to shared memory, where all threads of the block read them, if they fit. All threads
 * call it together. */
__device__ static const float *centroids_near(const struct plan *plan, const float *centroids,
                                              float *near)
{
    if (plan->near_pitch == 0)
        return centroids;
    for (unsigned int s = threadIdx.x; s < plan->sums; s += blockDim.x)
        near[s / plan->dimensions * plan->near_pitch + s % plan->dimensions] = centroids[s];
    __syncthreads(); // no thread may read a centroid that another has yet to copy
    return near;
}

/* Copies `count` points, which lie one behind the other, to rows of the tile: lanes side by side. */
__device__ static void load_tile(const struct plan *plan, const float *points, unsigned int count,
                                 float *tile)
{
    const unsigned int dimensions = plan->dimensions, floats = count * dimensions;
    const unsigned int rows = WARP / dimensions, rest = WARP % dimensions;
    const unsigned int lane = threadIdx.x % WARP;
    unsigned int row = lane / dimensions, column = lane % dimensions;
    for (unsigned int i = lane; i < floats; i += WARP) {
        tile[row * plan->pitch + column] = points[i];
        row += rows;
        column += rest;
        if (column >= dimensions) {
            column -= dimensions;
            row++;
        }
    }
}

/* The sum of the squares of the differences. */
__device__ static float squares(const float *point, const float *centroid, unsigned int dimensions)
{
    float sum = 0;
    for (unsigned int i = 0; i < dimensions; i++) {
        const float apart = point[i] - centroid[i]; // exact where the two are near
        sum += apart * apart;
    }
    return sum;
}

/* The label of a point of the tile, that of this lane and of those `tile` lanes away, which look at other
 * centroids; they have to call it together. NO_CLUSTER where there is no point. */
__device__ static unsigned int nearest(const struct plan *plan, const float *point,
                                       const float *centroids, bool exists)
{
    const unsigned int pitch = plan->near_pitch > 0 ? plan->near_pitch : plan->dimensions;
    const unsigned int clusters = exists ? plan->clusters : 0;
    const unsigned int first = threadIdx.x % WARP / plan->tile, lanes = WARP / plan->tile;
    float least = INFINITY;
    unsigned int label = NO_CLUSTER;
    // TODO(70.1): Look at the centroids first, first + lanes and so on: number c begins at centroids + c *
    //             pitch. Keep the least sum of squares and its label; of equal ones the smaller label.
    for (unsigned int c = first; c < clusters; c += lanes) {
        const float sum = squares(point, centroids + (size_t)c * pitch, plan->dimensions);
        if (sum < least) { // a NaN is not
            least = sum;
            label = c;
        }
    }
    // end of TODO(70.1)
    for (unsigned int away = plan->tile; away < WARP; away *= 2) {
        const float sum = __shfl_xor_sync(ALL_LANES, least, (int)away);
        const unsigned int other = __shfl_xor_sync(ALL_LANES, label, (int)away);
        if (sum < least || (sum == least && other < label)) {
            least = sum;
            label = other;
        }
    }
    return label;
}

/* Stores the label of a point; whether it is another one than before. */
__device__ static unsigned int is_new_label(const struct work *work, size_t point,
                                            unsigned int label, unsigned int step)
{
    const unsigned int before = step > 0 ? work->labels[point] : NO_CLUSTER;
    if (work->labels)
        work->labels[point] = label;
    return label != before;
}

/* Adds the points of the tile to the columns of this warp. `label` is that of point number `lane`, in the
 * lanes below `tile`. All lanes call it together. */
__device__ static void add_to_columns(const struct plan *plan, const struct own *own,
                                      unsigned int label)
{
    const unsigned int lane = threadIdx.x % WARP;
    const unsigned int column = lane / plan->group, member = lane % plan->group;
    for (unsigned int p = column; p < plan->tile; p += plan->columns) {
        const unsigned int cluster = __shfl_sync(ALL_LANES, label, (int)p);
        const float *point = own->tile + p * plan->pitch;
        if (cluster == NO_CLUSTER)
            continue;
        double *sums = own->sums + (size_t)cluster * plan->dimensions * plan->columns + column;
        // TODO(70.2): This lane adds components number member, member + group, ... of the point to the
        //             words of its column: that of component i is sums[i * plan->columns]. One lane of the
        //             group counts the point in own->counts[cluster * plan->columns + column].
        for (unsigned int i = member; i < plan->dimensions; i += plan->group)
            sums[i * plan->columns] += point[i];
        if (member == 0)
            own->counts[cluster * plan->columns + column]++;
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
                                    const struct own *own, unsigned int label, unsigned int *counts)
{
    const unsigned int lane = threadIdx.x % WARP;
    const unsigned int group = lane / plan->group, member = lane % plan->group;
    const double units = units_of_one(plan, work);
    for (unsigned int p = group; p < plan->tile; p += WARP / plan->group) {
        const unsigned int cluster = __shfl_sync(ALL_LANES, label, (int)p);
        if (cluster == NO_CLUSTER)
            continue;
        for (unsigned int i = member; i < plan->dimensions; i += plan->group) {
            const double component = own->tile[p * plan->pitch + i];
            // Protects a sum from other warps, which add to it in any order: whole numbers do not round.
            atomicAdd(&work->sums[(size_t)cluster * plan->dimensions + i],
                      (unsigned long long)__double2ll_rn(component * units));
        }
        if (member == 0)
            atomicAdd(&counts[cluster], 1); // protects a count from other warps
    }
}

__device__ static void clear_columns(const struct plan *plan, const struct own *own)
{
    const unsigned int lane = threadIdx.x % WARP;
    for (unsigned int s = lane; s < plan->sums * plan->columns; s += WARP)
        own->sums[s] = 0;
    for (unsigned int c = lane; c < plan->clusters * plan->columns; c += WARP)
        own->counts[c] = 0;
    __syncwarp(); // no lane may add to a word that another has yet to clear
}

/* Adds up the columns of this warp, from the first to the last, and stores the sums of its part. */
__device__ static void store_part(const struct plan *plan, const struct work *work,
                                  const struct own *own, size_t part, unsigned int *counts)
{
    const unsigned int lane = threadIdx.x % WARP;
    __syncwarp(); // no lane may read a word to which another still adds
    for (unsigned int s = lane; s < plan->sums; s += WARP) {
        double sum = 0;
        for (unsigned int column = 0; column < plan->columns; column++)
            sum += own->sums[s * plan->columns + column];
        work->part_sums[s * plan->parts + part] = sum;
    }
    for (unsigned int c = lane; c < plan->clusters; c += WARP) {
        unsigned int count = 0;
        for (unsigned int column = 0; column < plan->columns; column++)
            count += own->counts[c * plan->columns + column];
        if (count > 0)
            atomicAdd(&counts[c], count); // protects a count from other warps
    }
}

/* Labels the points of a part and adds them up, tile by tile. Returns how many labels of this lane's points
 * have changed. */
__device__ static unsigned int take_part(const struct plan *plan, const struct work *work,
                                         const struct own *own, const float *points,
                                         const float *centroids, size_t part, unsigned int step)
{
    unsigned int *counts = work->counts + (size_t)(step % 2) * plan->clusters;
    const unsigned int lane = threadIdx.x % WARP, in_tile = lane % plan->tile;
    const size_t begin = part * plan->part;
    const size_t end = begin + plan->part < plan->length ? begin + plan->part : plan->length;
    unsigned int changed = 0;
    for (size_t first = begin; first < end; first += plan->tile) {
        const unsigned int count =
            (unsigned int)(end - first < plan->tile ? end - first : plan->tile);
        load_tile(plan, points + first * plan->dimensions, count, own->tile);
        __syncwarp(); // no lane may read a coordinate that another has yet to load
        const unsigned int label =
            nearest(plan, own->tile + in_tile * plan->pitch, centroids, in_tile < count);
        if (lane < count)
            changed += is_new_label(work, first + lane, label, step);
        if (plan->columns > 0)
            add_to_columns(plan, own, label);
        else
            add_in_cache(plan, work, own, label, counts);
        __syncwarp(); // no lane may load the next tile while another still reads this one
    }
    return changed;
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    assign_and_add(struct plan plan, struct work work, const float *points, const float *centroids,
                   unsigned int step)
{
    extern __shared__ double shared[];
    if (work.stopped[step % 2])
        return;
    unsigned char *begin = (unsigned char *)shared;
    centroids =
        centroids_near(&plan, centroids, (float *)(begin + plan.warps * bytes_of_warp(&plan)));
    const size_t part = (size_t)blockIdx.x * plan.warps + threadIdx.x / WARP;
    if (part >= plan.parts)
        return;
    const struct own own = own_memory(&plan, begin);
    clear_columns(&plan, &own);
    unsigned int changed = take_part(&plan, &work, &own, points, centroids, part, step);
    if (plan.columns > 0)
        store_part(&plan, &work, &own, part, work.counts + (size_t)(step % 2) * plan.clusters);
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

/* Points of a warp: so many that there are thousands of parts, and that its sums are few beside them. */
static unsigned int points_of_part(size_t length, unsigned int clusters)
{
    const size_t least = POINTS_PER_CLUSTER * (size_t)(clusters > 0 ? clusters : 1);
    size_t points = divided_up(length, MANY_PARTS);
    points = points > LONGEST_PART ? LONGEST_PART : points;
    points = points < least ? least : points;
    points = points > LONGEST_PART * (size_t)WARP ? LONGEST_PART * (size_t)WARP : points;
    return (unsigned int)(divided_up(points, WARP) * WARP);
}

/* Columns of a warp, one for each group of lanes; or 0, when they take too much shared memory. */
static unsigned int columns_for(const struct plan *plan)
{
    const unsigned int groups = WARP / plan->group;
    unsigned int columns = 0;
    // TODO(70.5): One for each group, if so many take COLUMN_BYTES at most.
    if (bytes_of_columns(plan, groups) <= COLUMN_BYTES)
        columns = groups;
    // end of TODO(70.5)
    return columns;
}

static struct plan plan_for(size_t length, unsigned int dimensions, unsigned int clusters)
{
    struct plan plan = {};
    plan.length = length;
    plan.dimensions = dimensions;
    plan.clusters = clusters;
    plan.tile = power_of_two(TILE_FLOATS / dimensions / 2 + 1, WARP);
    plan.pitch = dimensions | 1;
    plan.group = power_of_two(dimensions, WARP);
    plan.part = points_of_part(length, clusters);
    plan.parts = length > 0 ? divided_up(length, plan.part) : 1;
    plan.columns = columns_for(&plan);
    plan.sums = (size_t)clusters * dimensions;
    if ((size_t)clusters * plan.pitch * sizeof(float) <= NEAR_BYTES)
        plan.near_pitch = plan.pitch;
    return plan;
}

static size_t shared_bytes(const struct plan *plan, unsigned int warps)
{
    return warps * bytes_of_warp(plan) + plan->clusters * (size_t)plan->near_pitch * sizeof(float);
}

/* As many warps as have room in a block, up to MOST_WARPS; one always has. Their number changes no bit. */
static void choose_warps(struct plan *plan)
{
    plan->warps = MOST_WARPS;
    while (plan->warps > 1 && !fits((const void *)assign_and_add, shared_bytes(plan, plan->warps)))
        plan->warps /= 2;
    if (plan->warps == 1)
        fits((const void *)assign_and_add, shared_bytes(plan, 1));
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
    assign_and_add<<<(unsigned int)divided_up(plan->parts, plan->warps), plan->warps * WARP,
                     shared_bytes(plan, plan->warps)>>>(*plan, *work, d_points, d_centroids, step);
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
    struct plan plan = plan_for(length, dimensions, clusters);
    choose_warps(&plan);
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
