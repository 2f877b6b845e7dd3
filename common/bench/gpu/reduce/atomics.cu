/* atomics.cu - what it costs that blocks, warps or threads add to one result with an atomic function.
 *
 *     atomics OUT.csv
 *
 * The operation is the one that the program was compiled for, a sum. The same grids once read
 * 50,000,000 bytes of values, and once nothing, so that only the atomics are left. `ns_an_atomic` is
 * what they take more than the grid in which nobody adds, and each block stores its sum, over their
 * number: nanoseconds that one more of them costs. Timed as in queue.h, each run on another copy of the
 * values; results are compared with an independent one. Appends rows to OUT.csv, and prints them. */
#include <cuda_runtime.h>
#include <stdbool.h>
#include <stdio.h>

#include "errors.h"
#include "queue.h"
#include "rotation.h"
#include "row_file.h"
#include "values.h"

enum { WARP = 32, THREADS = 256, WARPS = THREADS / WARP, MOST_BLOCKS = 65536, REPETITIONS = 9 };
static const size_t most_bytes = 50000000;

enum who { NOBODY, BLOCK, ONE_OF_WARP, EVERY_THREAD };
static const char *const names[] = {"nobody", "block", "warp", "thread"};
enum { ALL_WHO = sizeof names / sizeof *names };

static const char columns[] = "operation,who_adds,bytes,blocks,threads_per_block,atomics,median_ms,"
                              "min_ms,max_ms,runs,queued,correct,ns_an_atomic";

/* One grid, and its memory. */
struct launch {
    enum who who;
    unsigned int blocks;
    size_t length;
    struct rotation *rotation;
    value_t *d_result, *d_sums; /* d_sums: one for each block */
};

/* Lane 0 gets the sum of its warp. */
__device__ static inline value_t sum_of_warp(value_t sum)
{
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        sum = combine(sum, __shfl_down_sync(0xffffffffu, sum, distance));
    return sum;
}

/* Thread 0 gets the sum of its block. */
__device__ static inline value_t sum_of_block(value_t sum)
{
    __shared__ value_t sums[WARPS];
    sum = sum_of_warp(sum);
    if (threadIdx.x % WARP == 0)
        sums[threadIdx.x / WARP] = sum;
    __syncthreads();
    sum = threadIdx.x < WARPS ? sums[threadIdx.x] : neutral();
    return threadIdx.x < WARP ? sum_of_warp(sum) : sum;
}

template <enum who WHO>
__global__ void add_kernel(const value_t *values, size_t length, value_t *result, value_t *sums)
{
    value_t sum = neutral();
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < length;
         i += (size_t)gridDim.x * THREADS)
        sum = combine(sum, values[i]);
    if (WHO == ONE_OF_WARP)
        sum = sum_of_warp(sum);
    else if (WHO != EVERY_THREAD)
        sum = sum_of_block(sum);
    const unsigned int one_of = WHO == EVERY_THREAD ? 1 : WHO == ONE_OF_WARP ? WARP : THREADS;
    if (threadIdx.x % one_of == 0) {
        if (WHO == NOBODY)
            sums[blockIdx.x] = sum;
        else
            atomic_combine(result, sum);
    }
}

/* A gpu_run of a launch. */
static void run_launch(void *what)
{
    const struct launch *l = (const struct launch *)what;
    const value_t *values = (const value_t *)(const void *)rotation_next(l->rotation);
    switch (l->who) {
    case NOBODY:
        add_kernel<NOBODY><<<l->blocks, THREADS>>>(values, l->length, l->d_result, l->d_sums);
        break;
    case BLOCK:
        add_kernel<BLOCK><<<l->blocks, THREADS>>>(values, l->length, l->d_result, l->d_sums);
        break;
    case ONE_OF_WARP:
        add_kernel<ONE_OF_WARP><<<l->blocks, THREADS>>>(values, l->length, l->d_result, l->d_sums);
        break;
    case EVERY_THREAD:
        add_kernel<EVERY_THREAD><<<l->blocks, THREADS>>>(values, l->length, l->d_result, l->d_sums);
        break;
    }
    must(cudaGetLastError(), "add_kernel");
}

static size_t atomics_of(const struct launch *l)
{
    const size_t a_block = l->who == NOBODY        ? 0
                           : l->who == BLOCK       ? 1
                           : l->who == ONE_OF_WARP ? WARPS
                                                   : THREADS;
    return a_block * l->blocks;
}

static bool is_right_once(struct launch *l, const struct truth *truth)
{
    value_t result = neutral();
    must(cudaMemcpy(l->d_result, &result, sizeof result, cudaMemcpyHostToDevice), "cudaMemcpy");
    run_launch(l);
    must(cudaMemcpy(&result, l->d_result, sizeof result, cudaMemcpyDeviceToHost), "add_kernel");
    return is_right_result(truth, result);
}

static void nothing_afresh(void *what, int runs)
{
    (void)what, (void)runs;
}

/* Returns the median; `alone` is that of the grid in which nobody adds. */
static double measure(FILE *csv, struct launch *l, const struct truth *truth, double alone)
{
    const bool right = l->who == NOBODY || is_right_once(l, truth);
    const double ms = queue_warm_up(run_launch, l);
    const struct gpu_times times =
        queue_time_afresh(run_launch, nothing_afresh, l, ms, REPETITIONS);
    const size_t atomics = atomics_of(l);
    const double more = atomics > 0 ? (times.run.median - alone) * 1e6 / (double)atomics : 0;
    fprintf(csv, "%s,%s,%zu,%u,%d,%zu,%.5f,%.5f,%.5f,%d,%d,%s,%.3f\n", OPERATION_NAME,
            names[l->who], l->length * sizeof(value_t), l->blocks, (int)THREADS, atomics,
            times.run.median, times.run.low, times.run.high, times.repetitions, times.queued,
            l->who == NOBODY ? "-"
            : right          ? "yes"
                             : "NO",
            more);
    printf("%s, %8zu bytes, %5u blocks, %-6s adds: %9zu atomics %9.5f ms %8.3f ns an atomic%s\n",
           OPERATION_NAME, l->length * sizeof(value_t), l->blocks, names[l->who], atomics,
           times.run.median, more, right ? "" : " WRONG");
    fflush(stdout);
    return right ? times.run.median : -1;
}

/* All who may add, on one grid. Returns false when a result was wrong. */
static bool measure_grid(FILE *csv, struct launch *l, const struct truth *truth)
{
    double alone = 0;
    bool right = true;
    for (int who = NOBODY; who < ALL_WHO; who++) {
        l->who = (enum who)who;
        const double ms = measure(csv, l, truth, alone);
        alone = who == NOBODY ? ms : alone;
        right = right && ms >= 0;
    }
    return right;
}

int main(int count, char **arguments)
{
    int device, multiprocessors;
    bool right = true;
    if (count != 2) {
        fprintf(stderr, "usage: %s OUT.csv\n", arguments[0]);
        return 2;
    }
    FILE *csv = report_open(arguments[1], columns);
    must(cudaGetDevice(&device), "cudaGetDevice");
    must(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
         "cudaDeviceGetAttribute");
    struct rotation rotation = rotation_room(most_bytes);
    if (!rotation.first)
        must(cudaErrorMemoryAllocation, "cudaMalloc of the values");
    struct launch launch = {};
    launch.rotation = &rotation;
    must(cudaMalloc((void **)&launch.d_result, sizeof(value_t)), "cudaMalloc");
    must(cudaMalloc((void **)&launch.d_sums, MOST_BLOCKS * sizeof(value_t)), "cudaMalloc");
    values_fill((value_t *)(void *)rotation.first, most_bytes / sizeof(value_t), DENSE);
    rotation_repeat(&rotation);
    const unsigned int grids[] = {2u * (unsigned int)multiprocessors,
                                  8u * (unsigned int)multiprocessors, 16384, MOST_BLOCKS};
    for (size_t bytes = 0; bytes <= most_bytes; bytes += most_bytes) {
        launch.length = bytes / sizeof(value_t);
        const struct truth truth =
            truth_of((const value_t *)(const void *)rotation.first, launch.length);
        for (unsigned int blocks : grids) {
            launch.blocks = blocks;
            right = measure_grid(csv, &launch, &truth) && right;
        }
    }
    fclose(csv);
    return right ? 0 : 1;
}
