/* wide_atomics.cu - what sm_90 has beyond 8 bytes: atomicCAS and atomicExch of 16 bytes, atomicAdd of
 * float2 and float4; and atomics of 8 bytes in both memories. */
#include <criterion/criterion.h>
#include <string.h>

#include "capture.h"
#include "sim.h"

enum { THREADS = 96, BLOCKS = 3, LANES = THREADS * BLOCKS };

struct __align__(16) pair
{
    unsigned long long sum, count;
};

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

/* Both halves change together. */
template <typename T> __device__ static void add_pair(T *target, unsigned int value)
{
    T old = *target;
    for (bool same = false; !same;) {
        T assumed = old, wanted = old;
        ((unsigned long long *)&wanted)[0] += value;
        ((unsigned long long *)&wanted)[1] += 1;
        old = atomicCAS(target, assumed, wanted);
        same = ((unsigned long long *)&old)[0] == ((unsigned long long *)&assumed)[0] &&
               ((unsigned long long *)&old)[1] == ((unsigned long long *)&assumed)[1];
    }
}

template <typename T> __global__ static void sum_pairs(T *target)
{
    add_pair(target, blockIdx.x * blockDim.x + threadIdx.x);
}

__global__ static void sum_pairs_in_shared(struct pair *target)
{
    __shared__ struct pair own;
    if (threadIdx.x == 0)
        own = pair{0, 0};
    __syncthreads();
    add_pair(&own, threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0)
        target[blockIdx.x] = own;
}

Test(wide_atomics, compare_and_swap_16_bytes)
{
    struct pair *target = device_value(pair{5, 0});
    sum_pairs<<<BLOCKS, THREADS>>>(target);
    cr_expect_eq(fetch(target).sum, 5 + LANES * (LANES - 1) / 2);
    cr_expect_eq(fetch(target).count, LANES);
    uint4 *words = device_value(make_uint4(0, 0, 0, 0));
    sum_pairs<<<BLOCKS, THREADS>>>(words);
    cr_expect_eq(fetch(words).x, LANES * (LANES - 1) / 2);
    cr_expect_eq(fetch(words).z, LANES);
    sum_pairs_in_shared<<<1, THREADS>>>(target);
    cr_expect_eq(fetch(target).sum, THREADS * (THREADS - 1) / 2);
    cr_expect_eq(fetch(target).count, THREADS);
    cr_expect_eq(sim_error_count(), 0);
}

/* What one puts there, exactly one gets. */
__global__ static void pass_on(struct pair *slot, unsigned long long *sums)
{
    struct pair got = atomicExch(slot, pair{threadIdx.x, ~(unsigned long long)threadIdx.x});
    atomicAdd(&sums[0], got.sum);
    atomicAdd(&sums[1], got.sum ^ got.count);
}

Test(wide_atomics, exchange_16_bytes)
{
    struct pair *sums = device_value(pair{0, 0});
    struct pair *slot = device_value(pair{1000, ~1000ull});
    pass_on<<<1, THREADS>>>(slot, (unsigned long long *)sums);
    unsigned long long last = fetch(slot).sum;
    cr_expect_eq(fetch(sums).sum + last, 1000 + THREADS * (THREADS - 1) / 2);
    cr_expect_eq(fetch(sums).count, 0 - (unsigned long long)THREADS, "no half of another's");
}

template <typename T> __global__ static void add_floats(T *target, T value, T *got)
{
    T old = atomicAdd(target, value);
    if (threadIdx.x == blockDim.x - 1)
        *got = old;
}

Test(wide_atomics, add_two_and_four_floats)
{
    float2 *two = device_value(make_float2(1, -1)), *got2 = device_value(make_float2(0, 0));
    add_floats<<<1, 1>>>(two, make_float2(0.5f, 2), got2);
    cr_expect_eq(fetch(got2).x, 1.0f);
    cr_expect_eq(fetch(got2).y, -1.0f);
    add_floats<<<BLOCKS, THREADS>>>(two, make_float2(1, 0.25f), got2);
    cr_expect_eq(fetch(two).x, 1.5f + LANES);
    cr_expect_eq(fetch(two).y, 1.0f + LANES / 4);
    float4 *four = device_value(make_float4(1, 2, 3, 4));
    float4 *got4 = device_value(make_float4(0, 0, 0, 0));
    add_floats<<<1, 1>>>(four, make_float4(0, 1, 0, 1), got4);
    cr_expect_eq(fetch(got4).w, 4.0f);
    add_floats<<<BLOCKS, THREADS>>>(four, make_float4(1, 2, 3, 4), got4);
    cr_expect_eq(fetch(four).x, 1.0f + LANES);
    cr_expect_eq(fetch(four).y, 3.0f + 2 * LANES);
    cr_expect_eq(fetch(four).z, 3.0f + 3 * LANES);
    cr_expect_eq(fetch(four).w, 5.0f + 4 * LANES);
}

template <typename T> __global__ static void add_to_shared(T value)
{
    __shared__ T own[4];
    own[threadIdx.x % 4] = value;
    __syncthreads();
    atomicAdd(&own[2], value);
}

Test(wide_atomics, add_no_vectors_in_shared_memory)
{
    static struct capture capture;
    capture_start(&capture);
    add_to_shared<<<1, 4>>>(make_float2(1, 1));
    cr_expect_eq(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
    cudaDeviceReset();
    add_to_shared<<<1, 4>>>(make_float4(1, 1, 1, 1));
    const char *text = capture_end(&capture);
    EXPECT_PRINTED(text, "no atomicAdd of float2 on shared memory, where own[2] is");
    EXPECT_PRINTED(text, "no atomicAdd of float4 on shared memory, where own[2] is");
    EXPECT_PRINTED(text, "add the floats one by one");
}

__global__ static void at_8_bytes(struct pair *pairs)
{
    atomicExch((struct pair *)((char *)pairs + 8), pair{1, 2});
}

Test(wide_atomics, have_to_be_aligned)
{
    static struct capture capture;
    struct pair *pairs;
    cudaMalloc(&pairs, 2 * sizeof *pairs);
    capture_start(&capture);
    at_8_bytes<<<1, 1>>>(pairs);
    cr_expect_eq(cudaDeviceSynchronize(), cudaErrorMisalignedAddress);
    EXPECT_PRINTED(capture_end(&capture), "is misaligned");
}

/* 8 bytes, in both memories. */

__device__ static void use_all(unsigned long long *most, long long *least, unsigned long long *sum,
                               unsigned long long *last)
{
    unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMax(most, i << 40);
    atomicMin(least, -(long long)(i << 40));
    unsigned long long old = *(volatile unsigned long long *)sum, assumed;
    do {
        assumed = old;
        old = atomicCAS(sum, assumed, assumed + (i << 32));
    } while (old != assumed);
    atomicExch(last, i << 32 | 7);
}

struct words {
    unsigned long long most, sum, last;
    long long least;
};

__global__ static void in_global(struct words *w)
{
    use_all(&w->most, &w->least, &w->sum, &w->last);
}

__global__ static void in_shared(struct words *w)
{
    __shared__ struct words own;
    if (threadIdx.x == 0)
        own = words{0, 0, 0, 0};
    __syncthreads();
    use_all(&own.most, &own.least, &own.sum, &own.last);
    __syncthreads();
    if (threadIdx.x == 0)
        *w = own;
}

Test(wide_atomics, of_8_bytes_in_both_memories)
{
    for (int shared = 0; shared < 2; shared++) {
        struct words *w = device_value(words{0, 0, 0, 0});
        if (shared)
            in_shared<<<1, THREADS>>>(w);
        else
            in_global<<<1, THREADS>>>(w);
        struct words left = fetch(w);
        cr_expect_eq(left.most, (THREADS - 1ull) << 40);
        cr_expect_eq(left.least, -(long long)((THREADS - 1ull) << 40));
        cr_expect_eq(left.sum, (unsigned long long)(THREADS * (THREADS - 1) / 2) << 32);
        cr_expect_eq(left.last & 0xffffffff, 7);
    }
    cr_expect_eq(sim_error_count(), 0);
}

/* An exchange or a compare-and-swap whose result is dropped is ATOM all the same. */
__global__ static void drop_results(int *word)
{
    atomicAdd(word, 2);
    atomicExch(word, 3);
    atomicCAS(word, 3, 4);
}

Test(wide_atomics, are_atom_when_there_is_no_red)
{
    int *word = device_value(0);
    sim_reset_counters();
    drop_results<<<1, 32>>>(word);
    struct sim_counters counters = sim_counters();
    cr_expect_eq(counters.global[SIM_RED].requests, 1);
    cr_expect_eq(counters.global[SIM_ATOM].requests, 2);
}
