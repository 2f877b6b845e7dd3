/* float_sums.cu - how far off sums of floats are, by method, against the exact sum and a bound that is
 * derived: docs/results/sim/float-sums.csv, which lesson 47 quotes.
 *
 * Catches a kernel of chapter 47 whose order is not what its lesson says, and a table that is not true any
 * more. All floats are multiples of 2^-40 and below 2^25, so that 128 bits hold their exact sum. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "sim.h"

#define OPERATION float_sum
#include "../../solutions/47_reproducible/reduce.cu"

enum { LENGTH = 1 << 18, TABLE = 4096 };

struct sums {
    const char *name;
    float *values; // of the device, which host code may read
    double exact, magnitude, largest;
    FILE *table;
};

/* A number from 0 to 2^32 - 1. */
static unsigned int drawn(unsigned int *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state ^ *state >> 15;
}

static float one_of_ones(unsigned int *state, int i)
{
    (void)state;
    return i == 0 ? 16777216.0f : 1.0f;
}

static float from_0_to_1(unsigned int *state, int i)
{
    (void)i;
    return (float)(drawn(state) >> 8) / 16777216.0f;
}

/* From 2^-16 to 2^16, of both signs. */
static float of_any_size(unsigned int *state, int i)
{
    (void)i;
    const float size = 1 + (float)(drawn(state) >> 8) / 16777216.0f;
    const unsigned int more = drawn(state);
    return ldexpf(more >> 31 ? -size : size, (int)(more >> 8 & 31) - 16);
}

static struct sums sums_of(const char *name, float (*value)(unsigned int *state, int i))
{
    struct sums sums = {name, NULL, 0, 0, 0, NULL};
    unsigned int state = 47;
    __int128 exact = 0, magnitude = 0;
    cr_assert_eq(cudaMallocManaged((void **)&sums.values, LENGTH * sizeof(float)), cudaSuccess);
    for (int i = 0; i < LENGTH; i++) {
        const float x = value(&state, i);
        sums.values[i] = x;
        exact += (__int128)ldexp((double)x, 40);
        magnitude += (__int128)ldexp(fabs((double)x), 40);
        sums.largest = fmax(sums.largest, fabs((double)x));
    }
    sums.exact = ldexp((double)exact, -40);
    sums.magnitude = ldexp((double)magnitude, -40);
    return sums;
}

/* One row of the table. Of a kernel also how many different results it had. */
static void tell(const struct sums *sums, const char *method, float sum, double bound, int results)
{
    const double error = fabs((double)sum - sums->exact);
    cr_expect(error <= bound, "%s, %s: off by %g, more than the bound %g", sums->name, method,
              error, bound);
    fprintf(sums->table, "%s,%s,%.4f,%.4f,", sums->name, method, error, bound);
    if (results > 0)
        fprintf(sums->table, "%d", results);
    fprintf(sums->table, "\n");
}

/* h roundings, one after the other: h u / (1 - h u) of each value. */
static double gamma_of(double h)
{
    const double u = ldexp(1, -24);
    return h * u / (1 - h * u);
}

static float one_after_the_other(const float *values, int count)
{
    float sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

static float pairwise(const float *values, int count)
{
    return count == 1
               ? values[0]
               : pairwise(values, count / 2) + pairwise(values + count / 2, count - count / 2);
}

/* Of those from `first` on, `step` apart. */
__host__ __device__ static float kahan(const float *values, int first, int count, int step)
{
    volatile float sum = 0, lost = 0; // volatile: no compiler may find that lost is 0
    for (int i = first; i < count; i += step) {
        const float next = values[i] - lost, total = sum + next;
        lost = total - sum;
        lost = lost - next;
        sum = total;
    }
    return sum;
}

/* Multiples of 2^-30 of the power of two that is not above the largest value, cut off. */
static float fixed_point(const float *values, int count, double largest)
{
    const int unit = ilogb(largest) - 30;
    long long sum = 0;
    for (int i = 0; i < count; i++)
        sum += (long long)ldexp((double)values[i], -unit);
    return (float)ldexp((double)sum, unit);
}

/* Each warp adds what its lanes have as soon as it is there. */
__global__ static void add_as_they_come(const float *values, int count, float *sum)
{
    float mine = 0;
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < (unsigned int)count;
         i += gridDim.x * blockDim.x)
        mine += values[i];
    mine = sum_warp(mine);
    if (threadIdx.x % WARP == 0)
        atomicAdd(sum, mine);
}

static void sum_as_they_come(const float *values, size_t length, float *result)
{
    int multiprocessors;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaMemset(result, 0, sizeof *result));
    add_as_they_come<<<(unsigned int)multiprocessors * 4, 256>>>(values, (int)length, result);
}

/* Each thread corrects its own sum. */
__global__ static void correct_in_each_thread(const float *values, int count, float *sums)
{
    const int thread = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    sums[thread] = kahan(values, thread, count, (int)(gridDim.x * blockDim.x));
}

/* As many threads as the grid has, and at the end all their sums in order, corrected as well. */
static void sum_by_kahan_on_the_grid(const float *values, size_t length, float *result)
{
    enum { THREADS = 256 };
    int multiprocessors;
    float *sums;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    const int threads = multiprocessors * THREADS;
    CHECK(cudaMallocManaged((void **)&sums, (size_t)threads * sizeof *sums));
    correct_in_each_thread<<<(unsigned int)multiprocessors, THREADS>>>(values, (int)length, sums);
    CHECK(cudaDeviceSynchronize());
    *result = kahan(sums, 0, threads, 1);
    CHECK(cudaFree(sums));
}

/* On four grids and three schedules: the worst sum, and how many different ones there are. */
static void tell_kernel(const struct sums *sums, const char *method, double bound,
                        void (*sum)(const float *values, size_t length, float *result))
{
    const unsigned int grids[] = {1, 3, 8, 132};
    float found[12], *result, worst = 0;
    int results = 0;
    cr_assert_eq(cudaMallocManaged((void **)&result, sizeof *result), cudaSuccess);
    for (int run = 0; run < 12; run++) {
        sim_set_multiprocessors(grids[run % 4]);
        sim_set_seed((unsigned int)run / 4 + 1);
        sum(sums->values, LENGTH, result);
        cr_assert_eq(cudaDeviceSynchronize(), cudaSuccess);
        if (results == 0 || fabs((double)*result - sums->exact) > fabs((double)worst - sums->exact))
            worst = *result;
        int seen = 0;
        while (seen < results && found[seen] != *result)
            seen++;
        found[seen] = *result;
        if (seen == results)
            results++;
    }
    cudaFree(result);
    tell(sums, method, worst, bound, results);
}

static void tell_all(FILE *table, struct sums sums)
{
    const double n = LENGTH, u = ldexp(1, -24), m = sums.magnitude;
    sums.table = table;
    tell(&sums, "one after the other", one_after_the_other(sums.values, LENGTH),
         gamma_of(n - 1) * m, 0);
    tell(&sums, "Kahan", kahan(sums.values, 0, LENGTH, 1), (2 * u + 2 * n * u * u) * m, 0);
    tell(&sums, "pairwise", pairwise(sums.values, LENGTH), gamma_of(18) * m, 0);
    tell(&sums, "fixed point", fixed_point(sums.values, LENGTH, sums.largest),
         n * ldexp(1, ilogb(sums.largest) - 30) + u * fabs(sums.exact), 0);
    // Of the smallest grid a thread adds 256 values, a warp 5 times, and 32 warps come one by one.
    tell_kernel(&sums, "as they come", gamma_of(256 + 5 + 32) * m, sum_as_they_come);
    // Twice Kahan: of a thread at most 1,024 values, and of at most 33,792 threads.
    tell_kernel(&sums, "Kahan on the grid", 2 * (2 * u + 2 * n * u * u) * m,
                sum_by_kahan_on_the_grid);
    // One word a thread: 2 within, 1 to the sum of words, 5 and 5 of a block, 5 and 5 of the last one.
    tell_kernel(&sums, "fixed order", gamma_of(2 + 1 + 5 + 5 + 5 + 5) * m, reduce);
    cudaFree(sums.values);
}

Test(float_sums, are_as_the_table_says)
{
    const char *folder = getenv("BUILD");
    char path[512], made[TABLE] = "", kept[TABLE] = "";
    snprintf(path, sizeof path, "%s/float-sums.csv", folder ? folder : "build");
    FILE *table = fopen(path, "w+");
    cr_assert(table != NULL, "%s cannot be written", path);
    fprintf(table, "input,method,error,bound,results\n");
    tell_all(table, sums_of("2^24 and ones", one_of_ones));
    tell_all(table, sums_of("from 0 to 1", from_0_to_1));
    tell_all(table, sums_of("any size", of_any_size));
    rewind(table);
    made[fread(made, 1, sizeof made - 1, table)] = '\0';
    fclose(table);
    table = fopen("docs/results/sim/float-sums.csv", "r");
    cr_assert(table != NULL, "docs/results/sim/float-sums.csv is not here: copy %s", path);
    kept[fread(kept, 1, sizeof kept - 1, table)] = '\0';
    fclose(table);
    cr_expect_str_eq(made, kept, "docs/results/sim/float-sums.csv is another table than %s", path);
}
