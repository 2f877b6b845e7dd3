/* names.cu - what reports call the elements that a kernel reaches through its parameters. */
#include <cuda_runtime.h>
#include <criterion/criterion.h>

#include "capture.h"
#include "sim.h"

static __device__ int sink;

__global__ static void read_text(const unsigned char *text, size_t length, long i)
{
    sink = text[i] + (int)length;
}

/* The same memory three times: as it is, from element 4 on, and as rows of 8. */
__global__ static void read_ints(int *all, int *later, int (*rows)[8], int which, long i)
{
    if (which == 0)
        sink = all[i];
    if (which == 1)
        sink = later[i];
    if (which == 2)
        sink = rows[i][3];
}

template <typename... T> __global__ void read_pack(int, T *...rest)
{
    int *all[] = {(int *)rest...};
    sink = all[1][5];
}

struct pair {
    int *first;
    long count;
};

__global__ static void read_struct(struct pair pair, long i)
{
    sink = pair.first[i];
}

__global__ static void read_wide(const void *bytes)
{
    int4 all = ((const int4 *)bytes)[1];
    sink = all.x + all.w;
}

__global__ static void read_unsigned(const int *bins, unsigned int i)
{
    __shared__ int counts[5];
    sink = bins ? bins[i] : counts[i];
}

__global__ static void read_row(unsigned int row)
{
    __shared__ int table[32][33];
    __shared__ int sums[5];
    sums[0] = 0;
    int *column = &table[0][1]; /* its name is not the array's */
    sink = column[row * 33];
}

/* Stores by a pointer of another name, at an index that is an element of another array. */
__global__ static void store_in_order(int i)
{
    __shared__ int place[4];
    __shared__ int4 tile[4];
    int *const ordered = (int *)tile;
    place[threadIdx.x] = i;
    __syncthreads();
    ordered[place[threadIdx.x]] = 1;
    sink = tile[0].x;
}

/* Reads beside what it stores to, which is named as well. */
__global__ static void copy_too_much(int *from, int *to, int i)
{
    to[threadIdx.x] = from[i];
}

__global__ static void read_dynamic(int i)
{
    extern __shared__ int values[];
    sink = values[i];
}

__global__ static void read_of_another(int **shelf)
{
    int mine = (int)threadIdx.x;
    if (threadIdx.x == 0)
        *shelf = &mine;
    __syncthreads();
    sink = **shelf;
    __syncthreads();
}

/* Runs LAUNCH, a kernel that may not do what it does, and expects TEXT in the report. */
#define EXPECT_NAMED(LAUNCH, TEXT)                                                                 \
    do {                                                                                           \
        struct capture capture;                                                                    \
        capture_start(&capture);                                                                   \
        LAUNCH;                                                                                    \
        cudaDeviceSynchronize();                                                                   \
        EXPECT_PRINTED(capture_end(&capture), TEXT);                                               \
        cudaDeviceReset();                                                                         \
        sim_reset_errors();                                                                        \
    } while (0)

static void *device(size_t bytes)
{
    void *memory = NULL;
    cudaMalloc(&memory, bytes);
    cudaMemset(memory, 0, bytes);
    return memory;
}

Test(names, are_those_of_the_parameters)
{
    unsigned char *text = (unsigned char *)device(100);
    EXPECT_NAMED((read_text<<<1, 1>>>(text, 7, 100)),
                 ": text[100], and text has 100 elements, allocated at tests/sim/names.cu:");
    text = (unsigned char *)device(100);
    EXPECT_NAMED((read_text<<<1, 1>>>(text + 3, 7, 97)),
                 ": text[97], and text has 97 elements, allocated at tests/sim/names.cu:");
    text = (unsigned char *)device(100);
    EXPECT_NAMED((read_text<<<1, 1>>>(text + 3, 7, -4)),
                 ": text[-4], and text has 97 elements, allocated at tests/sim/names.cu:");
}

Test(names, of_several_into_one_allocation_the_nearest_counts)
{
    int *ints = (int *)device(64 * sizeof(int));
    EXPECT_NAMED((read_ints<<<1, 1>>>(ints, ints + 4, NULL, 1, 60)),
                 ": later[60], and later has 60 elements, allocated at tests/sim/names.cu:");
    ints = (int *)device(64 * sizeof(int));
    EXPECT_NAMED((read_ints<<<1, 1>>>(ints, NULL, NULL, 0, -1)),
                 ": all[-1], and all has 64 elements, allocated at tests/sim/names.cu:");
    ints = (int *)device(64 * sizeof(int));
    EXPECT_NAMED((read_ints<<<1, 1>>>(NULL, NULL, (int(*)[8])ints, 2, 9)),
                 ": rows[9][3], and rows is [8][8], allocated at tests/sim/names.cu:");
}

Test(names, come_with_a_launch_by_address_too)
{
    const unsigned char *text = (unsigned char *)device(100);
    size_t length = 1;
    long i = 101;
    void *arguments[] = {&text, &length, &i};
    EXPECT_NAMED(cudaLaunchKernel((const void *)read_text, dim3(1), dim3(1), arguments, 0, 0),
                 ": text[101], and text has 100 elements, allocated at tests/sim/names.cu:");
}

Test(names, of_a_pack_are_the_pack)
{
    int *one = (int *)device(4), *other = (int *)device(20);
    EXPECT_NAMED((read_pack<<<1, 1>>>(1, one, other)),
                 ": rest[5], and rest has 5 elements, allocated at tests/sim/names.cu:");
}

Test(names, that_nobody_gave_are_the_allocation)
{
    int *ints = (int *)device(20);
    EXPECT_NAMED((read_struct<<<1, 1>>>({ints, 5}, 5)),
                 "0 bytes after the end of the 20-byte allocation made at tests/sim/names.cu:");
}

Test(names, of_void_count_bytes)
{
    void *bytes = device(20);
    EXPECT_NAMED((read_wide<<<1, 1>>>(bytes)),
                 "from bytes[16] on, and bytes has 20 elements, allocated at");
}

Test(names, tell_an_unsigned_index_below_zero)
{
    int *bins = (int *)device(20);
    EXPECT_NAMED((read_unsigned<<<1, 1>>>(bins, -1u)), ": bins[4294967295]: an unsigned -1\n");
    EXPECT_NAMED((read_unsigned<<<1, 1>>>(NULL, -2u)), ": counts[4294967294]: an unsigned -2\n");
}

Test(names, have_the_array_s_own_dimensions)
{
    EXPECT_NAMED((read_row<<<1, 1>>>(40)), ": table[40][1], and table is [32][33]\n");
}

/* Catches an index's own array taken for the one that is missed, and one that is stored to for one that is read. */
Test(names, are_of_what_the_access_is_to)
{
    EXPECT_NAMED((store_in_order<<<1, 1>>>(17)),
                 " write of size 4 bytes: tile[4], and tile has 4 elements\n");
    int *from = (int *)device(20), *to = (int *)device(4000);
    EXPECT_NAMED((copy_too_much<<<1, 1>>>(from, to, 2000)),
                 ": from[2000], and from has 5 elements, allocated at tests/sim/names.cu:");
}

Test(names, of_dynamic_shared_memory_ask_for_the_launch_s_argument)
{
    EXPECT_NAMED((read_dynamic<<<1, 1>>>(2)),
                 ": values[2], and values has no elements: the third launch argument is missing\n");
    EXPECT_NAMED((read_dynamic<<<1, 1, 8>>>(2)),
                 ": values[2], and values has 2 elements: the third launch argument is 8 bytes\n");
}

Test(names, what_belongs_to_one_thread_is_said_to)
{
    int **shelf = (int **)device(sizeof *shelf);
    EXPECT_NAMED((read_of_another<<<1, 2>>>(shelf)),
                 "or the address of a local variable came from another thread\n");
}

__global__ static void store_block(int *cell)
{
    *cell = (int)blockIdx.x;
}

/* The harness lends its memory: where it was made says nothing to a student. */
Test(names, of_memory_that_is_lent_stand_alone)
{
    for (int lent = 0; lent < 2; lent++) {
        struct capture capture;
        int *cell = (int *)device(sizeof *cell);
        if (lent)
            sim_lend(cell);
        capture_start(&capture);
        store_block<<<2, 1>>>(cell);
        cudaDeviceSynchronize();
        const char *text = capture_end(&capture);
        EXPECT_PRINTED(text, "two threads write cell[0], both in line ");
        cr_expect_eq(!strstr(text, "cell was allocated at tests/sim/names.cu:"), lent, "%s", text);
        sim_reset_errors();
    }
}

__global__ static void store_in_two(void)
{
    __shared__ int table[4][32];
    __shared__ int sums[5];
    table[3][threadIdx.x] = 1;
    if (threadIdx.x == 2)
        sums[threadIdx.x] = 1;
}

static const char *watched[2];

static void watch_stores(const struct sim_event *event, void *count)
{
    int *stores = (int *)count;
    if (event->access == SIM_STORE && *stores < 2)
        watched[(*stores)++] = event->shared;
}

/* Who draws the accesses of a warp says by name where they go. */
Test(names, tell_an_observer_the_shared_variable)
{
    int stores = 0;
    sim_observe(watch_stores, &stores);
    store_in_two<<<1, 32>>>();
    cr_assert_eq(cudaDeviceSynchronize(), cudaSuccess);
    sim_observe(NULL, NULL);
    cr_assert_eq(stores, 2);
    cr_expect_str_eq(watched[0], "table");
    cr_expect_str_eq(watched[1], "sums");
}
