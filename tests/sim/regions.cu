/* regions.cu - keys, values, bins and locks by name: elements of 4 to 32 bytes, whichever part of one
 * an access touches, in shared and in global memory. */
#include <cuda_runtime.h>
#include <criterion/criterion.h>

#include "capture.h"
#include "sim.h"

struct best {
    int value, index;
};
struct __align__(16) extremes
{
    long long least, most;
};
struct vector {
    float sum[8];
};

enum { BIN_COUNT = 40 };

/* Touches the last 4 bytes of an element of each array, with an atomic, a load or a store. */
template <typename BIN>
__global__ static void touch(const unsigned int *keys, const int *values, BIN *bins, BIN *copies,
                             int *locks, int i)
{
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ BIN own[BIN_COUNT];
    __shared__ int own_locks[BIN_COUNT];
    const int last = sizeof(BIN) / 4 - 1;
    int sum = (int)keys[i] + values[i + 1];
    ((int *)&own[i + 2])[last] = sum;
    ((int *)&bins[i + 3])[last] = sum;
    ((int *)&copies[i + 4])[last] = sum;
    atomicExch(&own_locks[i + 5], 0);
    atomicExch(&locks[i + 6], 0);
    atomicExch((unsigned long long *)&bins[i + 8], 0ull);
    ((int *)memory)[i + 8] = sum;
}

struct names {
    int count;
    char name[16][80];
    size_t element[16];
};

static void note_name(const struct sim_event *event, void *context)
{
    struct names *names = (struct names *)context;
    struct sim_array_name array;
    unsigned int lane = (unsigned int)__builtin_ctz(event->active);
    if (names->count == 16)
        return;
    cr_expect_neq(sim_name_array(event, lane, &array), 0);
    snprintf(names->name[names->count], sizeof names->name[0], "%s[%zu]", array.name,
             (event->address[lane] - array.base) / array.element);
    names->element[names->count++] = array.element;
}

template <typename BIN> static void expect_regions()
{
    static const char *const expected[] = {"keys[0]",  "values[1]", "own[2]",
                                           "bins[3]",  "copies[4]", "own_locks[5]",
                                           "locks[6]", "bins[8]",   "memory[32]"};
    const size_t size[] = {4, 4, sizeof(BIN), sizeof(BIN), sizeof(BIN), 4, 4, sizeof(BIN), 1};
    struct names names = {0};
    unsigned int *keys;
    int *values, *locks;
    BIN *bins;
    cudaMalloc(&keys, BIN_COUNT * sizeof *keys);
    cudaMalloc(&values, BIN_COUNT * sizeof *values);
    cudaMalloc(&locks, BIN_COUNT * sizeof *locks);
    cudaMalloc(&bins, 2 * BIN_COUNT * sizeof *bins);
    cudaMemset(keys, 0, BIN_COUNT * sizeof *keys);
    cudaMemset(values, 0, BIN_COUNT * sizeof *values);
    sim_observe(note_name, &names);
    touch<<<1, 1, 400>>>(keys, values, bins, bins + BIN_COUNT, locks, 0);
    sim_observe(NULL, NULL);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
    cr_assert_eq(names.count, 9, "%d accesses", names.count);
    for (int i = 0; i < names.count; i++) {
        cr_expect_str_eq(names.name[i], expected[i]);
        cr_expect_eq(names.element[i], size[i]);
    }
    cudaDeviceReset();
}

Test(regions, have_the_kernel_s_own_names)
{
    expect_regions<int>();
    expect_regions<struct best>();
    expect_regions<struct extremes>();
    expect_regions<struct vector>();
}

/* The report of a race, and of an index that is too large. */
template <typename BIN> static const char *report(int i)
{
    static struct capture capture;
    unsigned int *keys;
    int *values, *locks;
    BIN *bins, *copies;
    cudaMalloc(&keys, 2 * BIN_COUNT * sizeof *keys);
    cudaMalloc(&values, 2 * BIN_COUNT * sizeof *values);
    cudaMalloc(&locks, 2 * BIN_COUNT * sizeof *locks);
    cudaMalloc(&bins, BIN_COUNT * sizeof *bins);
    cudaMalloc(&copies, BIN_COUNT * sizeof *copies);
    cudaMemset(keys, 0, 2 * BIN_COUNT * sizeof *keys);
    cudaMemset(values, 0, 2 * BIN_COUNT * sizeof *values);
    sim_reset_errors();
    capture_start(&capture);
    touch<<<2, 1, 400>>>(keys, values, bins, copies, locks, i);
    cudaDeviceSynchronize();
    cudaDeviceReset();
    return capture_end(&capture);
}

Test(regions, are_named_in_reports)
{
    EXPECT_PRINTED(report<struct best>(0), "bins[3], both in line");
    EXPECT_PRINTED(report<struct extremes>(0), "copies[4], both in line");
    EXPECT_PRINTED(report<struct vector>(0), "bins[3], both in line");
    EXPECT_PRINTED(report<struct best>(BIN_COUNT - 2), "own[40], and own has 40 elements");
    EXPECT_PRINTED(report<struct extremes>(BIN_COUNT - 3), "bins[40], and bins has 40 elements");
    EXPECT_PRINTED(report<struct vector>(BIN_COUNT - 4), "copies[40], and copies has 40 elements");
}

/* A compare-and-swap of 16 bytes, and of 8 of them. */
__global__ static void swap_extremes(struct extremes *bins, int i)
{
    atomicCAS(&bins[i], extremes{0, 0}, extremes{1, 2});
}

__global__ static void swap_best(struct best *bins, int i)
{
    atomicCAS((unsigned long long *)&bins[i], 0ull, 1ull);
}

Test(regions, of_8_and_16_bytes_are_told_of_an_atomic)
{
    static struct capture capture;
    struct extremes *bins;
    cudaMalloc(&bins, BIN_COUNT * sizeof *bins);
    capture_start(&capture);
    swap_extremes<<<1, 1>>>(bins, BIN_COUNT + 1);
    cudaDeviceSynchronize();
    const char *text = capture_end(&capture);
    EXPECT_PRINTED(text, "Invalid __global__ atomic of size 16 bytes: bins[41], and bins has 40");
    cudaDeviceReset();
    cudaMalloc(&bins, BIN_COUNT * sizeof(struct best));
    capture_start(&capture);
    swap_best<<<1, 1>>>((struct best *)bins, BIN_COUNT);
    cudaDeviceSynchronize();
    text = capture_end(&capture);
    EXPECT_PRINTED(text, "Invalid __global__ atomic of size 8 bytes: bins[40], and bins has 40");
    cudaDeviceReset();
}
