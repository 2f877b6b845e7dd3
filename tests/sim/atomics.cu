/* atomics.cu - every atomic of every type: the sum or the last value that is left,
 * and what each lane gets back. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "sim.h"

enum { THREADS = 96, BLOCKS = 3, LANES = THREADS * BLOCKS };

template <typename T> static T *device_value(T value)
{
    T *memory;
    cr_assert_eq(cudaMalloc(&memory, sizeof value), cudaSuccess);
    cudaMemcpy(memory, &value, sizeof value, cudaMemcpyHostToDevice);
    return memory;
}

template <typename T> static T fetch(const T *memory)
{
    T value;
    cr_assert_eq(cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
    return value;
}

__device__ static int lane_number()
{
    return (int)(blockIdx.x * blockDim.x + threadIdx.x);
}

/* One kernel for an atomic NAME and type T: lane i gives VALUE, an expression in i. */
#define ATOMIC_KERNEL(KERNEL, NAME, T, VALUE)                                                      \
    __global__ static void KERNEL(T *target)                                                       \
    {                                                                                              \
        const int i = lane_number();                                                               \
        NAME(target, (T)(VALUE));                                                                  \
    }
#define EXPECT_LEFT(KERNEL, T, START, END) EXPECT_LEFT_BY(BLOCKS, KERNEL, T, START, END)
/* With the scope of a block, one block only. */
#define EXPECT_LEFT_BY(GRID, KERNEL, T, START, END)                                                \
    do {                                                                                           \
        T *memory = device_value((T)(START));                                                      \
        KERNEL<<<GRID, THREADS>>>(memory);                                                         \
        cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);                                        \
        cr_expect_eq(fetch(memory), (T)(END), #KERNEL);                                            \
    } while (0)

static const int SUM = LANES * (LANES - 1) / 2;

ATOMIC_KERNEL(add_int, atomicAdd, int, -i)
ATOMIC_KERNEL(add_uint, atomicAdd, unsigned int, i)
ATOMIC_KERNEL(add_one, atomicAdd, unsigned int, 1 + 0 * i)
ATOMIC_KERNEL(add_ull, atomicAdd, unsigned long long, (unsigned long long)i << 32)
ATOMIC_KERNEL(add_float, atomicAdd, float, i * 0.5)
ATOMIC_KERNEL(add_double, atomicAdd, double, i * 0.25)
ATOMIC_KERNEL(add_block, atomicAdd_block, int, 2 + 0 * i)
ATOMIC_KERNEL(add_system, atomicAdd_system, unsigned long long, 3 + 0 * i)
ATOMIC_KERNEL(sub_int, atomicSub, int, i)
ATOMIC_KERNEL(sub_uint, atomicSub, unsigned int, i)

Test(atomics, add_and_subtract)
{
    EXPECT_LEFT(add_int, int, 5, 5 - SUM);
    EXPECT_LEFT(add_uint, unsigned int, 4000000000u, 4000000000u + SUM);
    EXPECT_LEFT(add_one, unsigned int, 0, LANES);
    EXPECT_LEFT(add_ull, unsigned long long, 7, ((unsigned long long)SUM << 32) + 7);
    EXPECT_LEFT(add_float, float, 1.0f, 1.0f + SUM * 0.5f);
    EXPECT_LEFT(add_double, double, -1.0, -1.0 + SUM * 0.25);
    EXPECT_LEFT_BY(1, add_block, int, 0, 2 * THREADS);
    EXPECT_LEFT(add_system, unsigned long long, 0, 3 * LANES);
    EXPECT_LEFT(sub_int, int, 0, -SUM);
    EXPECT_LEFT(sub_uint, unsigned int, 0, 0u - SUM);
}

ATOMIC_KERNEL(min_int, atomicMin, int, 100 - i)
ATOMIC_KERNEL(min_uint, atomicMin, unsigned int, 100 - i)
ATOMIC_KERNEL(min_ll, atomicMin, long long, 100 - i)
ATOMIC_KERNEL(min_ull, atomicMin, unsigned long long, 1ull << 40 | (unsigned)i)
ATOMIC_KERNEL(max_int, atomicMax, int, i - 100)
ATOMIC_KERNEL(max_uint, atomicMax, unsigned int, i - 100)
ATOMIC_KERNEL(max_ll, atomicMax, long long, i - 100000)
ATOMIC_KERNEL(max_ull, atomicMax_system, unsigned long long, i)

Test(atomics, keep_the_smallest_and_the_largest)
{
    EXPECT_LEFT(min_int, int, 50, 100 - (LANES - 1));
    EXPECT_LEFT(min_uint, unsigned int, 50, 0); /* 100 - 101 is large */
    EXPECT_LEFT(min_ll, long long, 50, 100 - (LANES - 1));
    EXPECT_LEFT(min_ull, unsigned long long, ~0ull, 1ull << 40);
    EXPECT_LEFT(max_int, int, -5, LANES - 1 - 100);
    EXPECT_LEFT(max_uint, unsigned int, 5, 0xffffffffu);
    EXPECT_LEFT(max_ll, long long, -1000000, LANES - 1 - 100000);
    EXPECT_LEFT(max_ull, unsigned long long, 5, LANES - 1);
}

ATOMIC_KERNEL(and_int, atomicAnd, int, ~(1 << i % 20))
ATOMIC_KERNEL(and_ull, atomicAnd, unsigned long long, ~(1ull << (32 + i % 20)))
ATOMIC_KERNEL(or_uint, atomicOr, unsigned int, 1u << i % 20)
ATOMIC_KERNEL(or_ull, atomicOr_block, unsigned long long, 1ull << (i % 20 + 40))
ATOMIC_KERNEL(xor_int, atomicXor, int, i)
ATOMIC_KERNEL(xor_ull, atomicXor, unsigned long long, (unsigned long long)i << 33)

static int xor_of_lanes()
{
    int result = 0;
    for (int i = 0; i < LANES; i++)
        result ^= i;
    return result;
}

Test(atomics, combine_bits)
{
    EXPECT_LEFT(and_int, int, -1, 0xfff00000);
    EXPECT_LEFT(and_ull, unsigned long long, ~0ull, 0xfff00000ffffffffull);
    EXPECT_LEFT(or_uint, unsigned int, 1u << 30, 0x400fffffu);
    EXPECT_LEFT_BY(1, or_ull, unsigned long long, 1, 0x0fffff0000000001ull);
    EXPECT_LEFT(xor_int, int, 0, xor_of_lanes());
    EXPECT_LEFT(xor_ull, unsigned long long, 0, (unsigned long long)xor_of_lanes() << 33);
}

ATOMIC_KERNEL(inc_up_to_9, atomicInc, unsigned int, 9 + 0 * i)
ATOMIC_KERNEL(dec_from_9, atomicDec, unsigned int, 9 + 0 * i)

Test(atomics, wrap_around_when_they_count)
{
    EXPECT_LEFT(inc_up_to_9, unsigned int, 0, LANES % 10);
    EXPECT_LEFT(dec_from_9, unsigned int, 0, (10 - LANES % 10) % 10);
    EXPECT_LEFT(dec_from_9, unsigned int, 77, (10 - (LANES - 1) % 10 + 9) % 10);
}

/* Every lane passes on what it got: all values meet exactly once. */
template <typename T> __global__ static void exchange(T *target, T *got)
{
    got[lane_number()] = atomicExch(target, (T)(lane_number() + 1));
}

template <typename T> static void expect_a_chain()
{
    T *target = device_value((T)0), *got, host[LANES + 1];
    cudaMalloc(&got, LANES * sizeof(T));
    exchange<<<BLOCKS, THREADS>>>(target, got);
    cudaMemcpy(host, got, LANES * sizeof(T), cudaMemcpyDeviceToHost);
    host[LANES] = fetch(target);
    int seen[LANES + 1] = {0};
    for (int i = 0; i <= LANES; i++)
        seen[(int)host[i]]++;
    for (int i = 0; i <= LANES; i++)
        cr_assert_eq(seen[i], 1);
}

Test(atomics, exchange_without_losing_a_value)
{
    expect_a_chain<int>();
    expect_a_chain<unsigned int>();
    expect_a_chain<unsigned long long>();
    expect_a_chain<float>();
}

/* Adds by compare and swap. */
template <typename T> __global__ static void add_by_cas(T *target)
{
    T seen = atomicCAS(target, (T)0, (T)0), expected;
    do {
        expected = seen;
        seen = atomicCAS(target, expected, (T)(expected + 1));
    } while (seen != expected);
}

Test(atomics, compare_and_swap)
{
    EXPECT_LEFT(add_by_cas, int, -5, LANES - 5);
    EXPECT_LEFT(add_by_cas, unsigned int, 0xffffffffu, LANES - 1);
    EXPECT_LEFT(add_by_cas, unsigned long long, 0xffffffffull, 0xffffffffull + LANES);
    EXPECT_LEFT(add_by_cas, unsigned short, 65530, LANES - 6);
}

__global__ static void swap_half(unsigned short *pair)
{
    atomicCAS(&pair[1], (unsigned short)7, (unsigned short)0xabcd);
}

Test(atomics, leave_the_neighbor_of_a_halfword_alone)
{
    unsigned short host[4] = {1, 7, 2, 7}, *pair;
    cudaMalloc(&pair, sizeof host);
    cudaMemcpy(pair, host, sizeof host, cudaMemcpyHostToDevice);
    swap_half<<<1, 1>>>(pair);
    cudaMemcpy(host, pair, sizeof host, cudaMemcpyDeviceToHost);
    cr_expect_eq(host[0], 1);
    cr_expect_eq(host[1], 0xabcd);
    cr_expect_eq(host[2], 2);
}

/* Shared memory, for every type that has an addition. */
template <typename T> __global__ static void add_in_shared(T *result)
{
    __shared__ T total;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    atomicAdd(&total, (T)threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(result, total);
}

Test(atomics, work_in_shared_memory)
{
    const int sum = BLOCKS * THREADS * (THREADS - 1) / 2;
    EXPECT_LEFT(add_in_shared, int, 0, sum);
    EXPECT_LEFT(add_in_shared, unsigned int, 0, sum);
    EXPECT_LEFT(add_in_shared, unsigned long long, 0, sum);
    EXPECT_LEFT(add_in_shared, float, 0, sum);
    EXPECT_LEFT(add_in_shared, double, 0, sum);
}

template <typename T> __global__ static void exchange_in_shared(T *result)
{
    __shared__ T word[4];
    if (threadIdx.x < 4)
        word[threadIdx.x] = 0;
    __syncthreads();
    T old = atomicExch(&word[threadIdx.x % 4], (T)threadIdx.x);
    if (old == (T)77)
        *result = old;
}

__global__ static void compare_in_shared(unsigned long long *result)
{
    __shared__ unsigned long long word[4];
    if (threadIdx.x < 4)
        word[threadIdx.x] = 0;
    __syncthreads();
    if (atomicCAS(&word[threadIdx.x % 4], 77ull, 78ull) == 79)
        *result = 1;
}

/* Four words, eight lanes each: eight rounds of a loop, if the type has no instruction. */
template <typename T> __global__ static void loop_in_shared(T *result)
{
    __shared__ T word[4];
    if (threadIdx.x < 4)
        word[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&word[threadIdx.x % 4], (T)threadIdx.x);
    if (result[0] == (T)77)
        result[0] = word[0];
}

/* What one warp of a kernel adds to the counters. */
template <typename T> static struct sim_counters counted(void (*kernel)(T *))
{
    T *result;
    cr_assert(cudaMalloc(&result, sizeof(T)) == cudaSuccess);
    cr_assert(cudaMemset(result, 0, sizeof(T)) == cudaSuccess);
    sim_reset_counters();
    kernel<<<1, 32>>>(result);
    cr_assert(cudaDeviceSynchronize() == cudaSuccess);
    cudaFree(result);
    return sim_counters();
}

/* ATOMS.EXCH and ATOMS.CAS are there for 64 bits and float, too: nvcc 13, sm_90. */
Test(atomics, that_shared_memory_has_are_one_request)
{
    cr_expect_eq(counted(exchange_in_shared<float>).shared[SIM_ATOM].requests, 1);
    cr_expect_eq(counted(exchange_in_shared<unsigned long long>).shared[SIM_ATOM].requests, 1);
    cr_expect_eq(counted(compare_in_shared).shared[SIM_ATOM].requests, 1);
    cr_expect_eq(counted(loop_in_shared<int>).shared[SIM_ATOM].requests, 1);
}

/* The others are a loop around compare-and-swap, which takes two passes for its operands; with 8
 * bytes the second half of the warp tries, too, as long as the first has lanes left. */
template <typename T> static void expect_a_loop(void)
{
    struct sim_counters loop = counted(loop_in_shared<T>);
    cr_expect_eq(loop.shared[SIM_ATOM].requests, 8);
    cr_expect_eq(loop.shared[SIM_LOAD].requests, 8);
    cr_expect_eq(loop.shared[SIM_ATOM].wavefronts, 2 * (sizeof(T) == 8 ? 4 * 2 + 4 : 8));
    cr_expect_eq(loop.shared[SIM_LOAD].wavefronts, loop.shared[SIM_LOAD].least);
}

Test(atomics, that_shared_memory_has_not_are_loops)
{
    expect_a_loop<float>();
    expect_a_loop<double>();
    expect_a_loop<unsigned long long>();
}

__global__ static void drop_result(unsigned int *target)
{
    atomicAdd(&target[threadIdx.x], 1);
}

__global__ static void use_result(unsigned int *target, unsigned int *got)
{
    got[threadIdx.x] = atomicAdd(&target[threadIdx.x], 1);
}

/* ncu calls the first a reduction (red) and the second an atomic (atom). */
Test(atomics, are_counted_by_whether_the_result_is_used)
{
    unsigned int *memory;
    cudaMalloc(&memory, 256);
    cudaMemset(memory, 0, 256);
    sim_reset_counters();
    drop_result<<<1, 32>>>(memory);
    cr_expect_eq(sim_counters().global[SIM_RED].requests, 1);
    cr_expect_eq(sim_counters().global[SIM_ATOM].requests, 0);
    sim_reset_counters();
    use_result<<<1, 32>>>(memory, memory + 32);
    cr_expect_eq(sim_counters().global[SIM_RED].requests, 0);
    cr_expect_eq(sim_counters().global[SIM_ATOM].requests, 1);
}

/* What has to be done at the end of its scope. */
struct witness {
    unsigned int *word;
    __device__ ~witness()
    {
        *word = 7;
    }
};

__global__ static void count_beside_a_witness(unsigned int *word)
{
    __shared__ unsigned int count;
    const witness seen = {word};
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    atomicAdd(&count, 1);
    __syncthreads();
}

/* Lanes that add 1 to one word, and do not look at what was there, are one pass. A call that might throw would be kept
 * where something is to be destroyed, and then the simulator takes the result for used. */
Test(atomics, know_who_does_not_look_where_something_is_destroyed)
{
    unsigned int *word = device_value(0u);
    const struct sim_counters before = sim_counters();
    count_beside_a_witness<<<1, 64>>>(word);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
    const struct sim_counters after = sim_counters();
    cr_expect_eq(after.shared[SIM_ATOM].requests - before.shared[SIM_ATOM].requests, 2);
    cr_expect_eq(after.shared[SIM_ATOM].wavefronts - before.shared[SIM_ATOM].wavefronts, 2);
    cr_expect_eq(fetch(word), 7);
}
