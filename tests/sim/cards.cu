/* cards.cu - the simulated GPU as another card: SIM_CARD gives it that card's limits, and what the card
 * does not have is refused by its name. Each test is a process, which reads the environment once. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "sim.h"

static int attribute(enum cudaDeviceAttr attribute)
{
    int value = -1;
    cr_expect_eq(cudaDeviceGetAttribute(&value, attribute, 0), cudaSuccess);
    return value;
}

struct limits {
    const char *card, *device;
    int major, minor, multiprocessors, threads, blocks, shared, optin, l2;
};

/* Attributes and properties say the same. */
static void expect_limits(struct limits want)
{
    setenv("SIM_CARD", want.card, 1);
    cudaDeviceProp p;
    cr_assert_eq(cudaGetDeviceProperties(&p, 0), cudaSuccess);
    cr_expect_str_eq(p.name, want.device);
    const int seen[][3] = {
        {p.major, attribute(cudaDevAttrComputeCapabilityMajor), want.major},
        {p.minor, attribute(cudaDevAttrComputeCapabilityMinor), want.minor},
        {p.multiProcessorCount, attribute(cudaDevAttrMultiProcessorCount), want.multiprocessors},
        {p.maxThreadsPerMultiProcessor, attribute(cudaDevAttrMaxThreadsPerMultiProcessor),
         want.threads},
        {p.maxBlocksPerMultiProcessor, attribute(cudaDevAttrMaxBlocksPerMultiprocessor),
         want.blocks},
        {(int)p.sharedMemPerMultiprocessor, attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor),
         want.shared},
        {(int)p.sharedMemPerBlockOptin, attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin),
         want.optin},
        {p.l2CacheSize, attribute(cudaDevAttrL2CacheSize), want.l2},
        {p.clockRate, attribute(cudaDevAttrClockRate), p.clockRate},
        {p.memoryBusWidth, attribute(cudaDevAttrGlobalMemoryBusWidth), p.memoryBusWidth},
    };
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
        cr_expect(seen[i][0] == seen[i][2] && seen[i][1] == seen[i][2], "%zu: %d, %d, and not %d",
                  i, seen[i][0], seen[i][1], seen[i][2]);
}

enum { KIB = 1024, MIB = 1024 * 1024 };

Test(cards, the_default_is_an_h200)
{
    unsetenv("SIM_CARD");
    cr_expect_eq(attribute(cudaDevAttrMaxThreadsPerMultiProcessor), 2048);
    expect_limits(
        {"", "Simulated GPU (H200 rules)", 9, 0, 132, 2048, 32, 228 * KIB, 227 * KIB, 60 * MIB});
}

Test(cards, an_h200)
{
    expect_limits({"H200", "Simulated GPU (H200 rules)", 9, 0, 132, 2048, 32, 228 * KIB, 227 * KIB,
                   60 * MIB});
}

Test(cards, an_a100)
{
    expect_limits({"A100", "Simulated GPU (H200 rules, limits of an A100)", 8, 0, 108, 2048, 32,
                   164 * KIB, 163 * KIB, 40 * MIB});
}

Test(cards, an_rtx_4090)
{
    expect_limits({"RTX4090", "Simulated GPU (H200 rules, limits of an RTX4090)", 8, 9, 128, 1536,
                   24, 100 * KIB, 99 * KIB, 72 * MIB});
}

Test(cards, an_rtx_3060_of_a_laptop)
{
    expect_limits({"RTX3060_LAPTOP", "Simulated GPU (H200 rules, limits of an RTX3060_LAPTOP)", 8,
                   6, 30, 1536, 16, 100 * KIB, 99 * KIB, 3 * MIB});
}

/* Must end the program with status 2. */
Test(cards, refuses_a_card_that_it_does_not_know, .exit_code = 2)
{
    setenv("SIM_CARD", "V100", 1);
    sim_seed();
    cr_assert_fail("SIM_CARD=V100 was not refused");
}

Test(cards, names_are_whole_words, .exit_code = 2)
{
    setenv("SIM_CARD", "A10", 1);
    sim_seed();
    cr_assert_fail("SIM_CARD=A10 was not refused");
}

Test(cards, may_have_fewer_multiprocessors)
{
    setenv("SIM_CARD", "A100", 1);
    setenv("SIM_MULTIPROCESSORS", "7", 1);
    cr_expect_eq(attribute(cudaDevAttrMultiProcessorCount), 7);
}

__global__ static void do_nothing(int)
{
}

/* Blocks of so many threads, with so much shared memory, that a multiprocessor holds. */
static int resident(int threads, size_t bytes)
{
    int blocks = -1;
    cr_expect_eq(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, do_nothing, threads, bytes),
                 cudaSuccess);
    return blocks;
}

Test(cards, hold_as_many_blocks_as_their_threads)
{
    setenv("SIM_CARD", "RTX4090", 1);
    cr_expect_eq(resident(1024, 0), 1);
    cr_expect_eq(resident(768, 0), 2);
    cr_expect_eq(resident(512, 0), 3);
    cr_expect_eq(resident(32, 0), 24);
    cr_expect_eq(resident(256, 33 * KIB), 2);
    cr_expect_eq(resident(256, 99 * KIB), 1);
}

Test(cards, hold_fewer_small_blocks)
{
    setenv("SIM_CARD", "RTX3060_LAPTOP", 1);
    cr_expect_eq(resident(32, 0), 16);
}

Test(cards, give_a_block_their_own_shared_memory)
{
    setenv("SIM_CARD", "RTX4090", 1);
    struct capture capture;
    cr_expect_eq(
        cudaFuncSetAttribute(do_nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 99 * KIB),
        cudaSuccess);
    capture_start(&capture);
    cr_expect_eq(
        cudaFuncSetAttribute(do_nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 99 * KIB + 1),
        cudaErrorInvalidValue);
    EXPECT_PRINTED(capture_end(&capture), "a block has at most 101376");
    size_t bytes = 0;
    cr_expect_eq(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, do_nothing, 1, 256),
                 cudaSuccess);
    cr_expect_eq(bytes, 99 * KIB);
    cr_expect_eq(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, do_nothing, 2, 256),
                 cudaSuccess);
    cr_expect_eq(bytes, 49 * KIB);
}

static cudaError_t launch_together(unsigned int blocks)
{
    int nothing = 0;
    void *arguments[] = {&nothing};
    struct capture capture;
    capture_start(&capture);
    cudaError_t error =
        cudaLaunchCooperativeKernel((const void *)do_nothing, blocks, 1024, arguments, 0, 0);
    capture_end(&capture);
    cudaGetLastError();
    return error;
}

Test(cards, let_as_many_blocks_wait_for_each_other_as_they_hold)
{
    setenv("SIM_CARD", "RTX3060_LAPTOP", 1);
    cr_expect_eq(launch_together(30), cudaSuccess);
    cr_expect_eq(launch_together(31), cudaErrorCooperativeLaunchTooLarge);
}

/* What sm_90 alone has */

__global__ static void add_four(float4 *sums)
{
    atomicAdd(sums, make_float4(1, 2, 3, 4)); // add_four's line
}

__global__ static void add_two(float2 *sums)
{
    atomicAdd(sums, make_float2(1, 2));
}

struct __align__(16) pair
{
    unsigned long long first, second;
};

__global__ static void exchange(struct pair *pair)
{
    atomicExch(pair, {1, 2});
}

__global__ static void compare(struct pair *pair)
{
    atomicCAS(pair, {0, 0}, {1, 2});
}

template <typename T>
static void expect_refused(const char *card, void (*kernel)(T *), const char *what)
{
    setenv("SIM_CARD", card, 1);
    T *memory;
    cr_assert_eq(cudaMalloc(&memory, sizeof *memory), cudaSuccess);
    cudaMemset(memory, 0, sizeof *memory);
    struct capture capture;
    capture_start(&capture);
    kernel<<<1, 32>>>(memory);
    cr_expect_eq(cudaDeviceSynchronize(), cudaErrorNoKernelImageForDevice);
    const char *expected = capture_end(&capture);
    EXPECT_PRINTED(expected, what);
    EXPECT_PRINTED(expected, "cards.cu:");
    sim_reset_errors();
}

Test(cards, refuse_atomics_of_float4)
{
    expect_refused("A100", add_four,
                   "atomicAdd of float4 is not on this card: A100 has compute capability 8.0");
}

Test(cards, refuse_atomics_of_float2)
{
    expect_refused("RTX4090", add_two,
                   "atomicAdd of float2 is not on this card: RTX4090 has compute capability 8.9");
}

Test(cards, refuse_to_exchange_16_bytes)
{
    expect_refused("RTX3060_LAPTOP", exchange, "atomicExch of 16 bytes is not on this card");
}

Test(cards, refuse_to_compare_16_bytes)
{
    expect_refused("A100", compare, "atomicCAS of 16 bytes is not on this card");
}

Test(cards, an_h200_adds_four_floats)
{
    setenv("SIM_CARD", "H200", 1);
    float4 *sums, result;
    cr_assert_eq(cudaMalloc(&sums, sizeof *sums), cudaSuccess);
    cudaMemset(sums, 0, sizeof *sums);
    add_four<<<1, 32>>>(sums);
    cr_expect_eq(cudaMemcpy(&result, sums, sizeof result, cudaMemcpyDeviceToHost), cudaSuccess);
    cr_expect_eq(result.w, 128);
}
