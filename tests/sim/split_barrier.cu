/* split_barrier.cu - cuda::barrier and cuda::pipeline: what they order, and what they do not. */
#include <cooperative_groups.h>
#include <criterion/criterion.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#include "capture.h"
#include "sim.h"

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

enum { BLOCKS = 3, THREADS = 96, ROUNDS = 20 };

/* Where the planted mistake is; NONE is right. */
enum mistake { NONE, NO_WAIT, NO_SYNC_AFTER_INIT, NO_INIT, ONE_TOO_MANY, NO_SECOND_WAIT };

/* Each thread hands its number to its neighbor, round after round. */
__global__ static void pass_on(int *results, mistake m)
{
    __shared__ block_barrier barrier;
    __shared__ int numbers[THREADS];
    int me = (int)threadIdx.x, next = (me + 33) % THREADS, sum = 0;
    if (me == 0 && m != NO_INIT)
        init(&barrier, m == ONE_TOO_MANY ? THREADS + 1 : THREADS);
    if (m != NO_SYNC_AFTER_INIT)
        __syncthreads();
    for (int round = 0; round < ROUNDS; round++) {
        numbers[me] = me + round;
        block_barrier::arrival_token token = barrier.arrive();
        if (m != NO_WAIT)
            barrier.wait(std::move(token));
        sum += numbers[next];
        if (m != NO_SECOND_WAIT)
            barrier.arrive_and_wait();
    }
    results[blockIdx.x * THREADS + threadIdx.x] = sum;
}

static const char *run_pass_on(struct capture *capture, mistake m, int *host)
{
    int *results;
    sim_reset_errors();
    cr_assert_eq(cudaMalloc(&results, BLOCKS * THREADS * sizeof *results), cudaSuccess);
    capture_start(capture);
    pass_on<<<BLOCKS, THREADS>>>(results, m);
    if (cudaDeviceSynchronize() == cudaSuccess)
        cudaMemcpy(host, results, BLOCKS * THREADS * sizeof *host, cudaMemcpyDeviceToHost);
    return capture_end(capture);
}

Test(split_barrier, orders_what_was_before_the_arrival)
{
    struct capture capture;
    int host[BLOCKS * THREADS];
    for (unsigned int seed = 1; seed < 6; seed++) {
        sim_set_seed(seed);
        const char *text = run_pass_on(&capture, NONE, host);
        cr_expect_eq(sim_error_count(), 0, "%s", text);
        for (int i = 0; i < BLOCKS * THREADS; i++)
            cr_assert_eq(host[i],
                         ROUNDS * ((i % THREADS + 33) % THREADS) + ROUNDS * (ROUNDS - 1) / 2);
    }
}

/* The mistake is reported with these words. */
static void expect_report(mistake m, const char *words)
{
    struct capture capture;
    int host[BLOCKS * THREADS];
    const char *text = run_pass_on(&capture, m, host);
    EXPECT_PRINTED(text, words);
    EXPECT_PRINTED(text, "split_barrier.cu:");
    cudaDeviceReset();
    sim_reset_errors();
}

Test(split_barrier, finds_the_read_that_did_not_wait)
{
    expect_report(NO_WAIT, "(RAW hazard in shared memory)");
}

Test(split_barrier, finds_the_store_that_did_not_wait)
{
    expect_report(NO_SECOND_WAIT, "Race reported: ");
}

Test(split_barrier, finds_that_nobody_waits_for_init)
{
    expect_report(NO_SYNC_AFTER_INIT, "reads barrier in line");
}

Test(split_barrier, finds_that_init_is_missing)
{
    expect_report(NO_INIT, "Uninitialized __shared__ memory");
}

Test(split_barrier, says_who_waits_for_an_arrival_that_does_not_come)
{
    expect_report(ONE_TOO_MANY, "Deadlock");
    expect_report(ONE_TOO_MANY, "at a cuda::barrier in");
}

__global__ static void arrive_for_two()
{
    __shared__ block_barrier barrier;
    init(&barrier, 1);
    (void)barrier.arrive(2);
}

Test(split_barrier, refuses_more_arrivals_than_it_expects)
{
    struct capture capture;
    capture_start(&capture);
    arrive_for_two<<<1, 1>>>();
    const char *text = capture_end(&capture);
    EXPECT_PRINTED(text, "more arrivals than the barrier expects");
    EXPECT_PRINTED(text, "2 arrive, and of the 1 that the barrier expects in a phase only 1");
    sim_reset_errors();
}

__global__ static void test_and_drop(int *result)
{
    __shared__ block_barrier barrier;
    if (threadIdx.x == 0)
        init(&barrier, blockDim.x);
    __syncthreads();
    if (threadIdx.x % 2) {
        barrier.arrive_and_drop();
        return;
    }
    for (int i = 0; i < 3; i++) {
        auto token = barrier.arrive();
        while (!barrier.try_wait(std::move(token)))
            ;
    }
    auto token = barrier.arrive(1);
    barrier.wait(std::move(token));
    barrier.wait_parity(1);
    atomicAdd(result, 1);
}

Test(split_barrier, is_asked_and_left)
{
    int *result, host = 0;
    cr_assert_eq(cudaMalloc(&result, sizeof *result), cudaSuccess);
    cudaMemset(result, 0, sizeof *result);
    test_and_drop<<<2, 64>>>(result);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
    cudaMemcpy(&host, result, sizeof host, cudaMemcpyDeviceToHost);
    cr_expect_eq(host, 64);
    cr_expect_eq(sim_error_count(), 0);
}

/* Copies of a tile, and a barrier that waits for them. */
__global__ static void reverse_tiles(const int *from, int *to, bool waits)
{
    __shared__ block_barrier barrier;
    __shared__ __align__(16) int tile[THREADS];
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0)
        init(&barrier, block.size());
    block.sync();
    size_t first = blockIdx.x * THREADS;
    cuda::memcpy_async(block, tile, from + first, cuda::aligned_size_t<16>(sizeof tile), barrier);
    auto token = barrier.arrive();
    if (waits)
        barrier.wait(std::move(token));
    to[first + threadIdx.x] = tile[THREADS - 1 - threadIdx.x];
}

static const int *numbers_in_order(int count)
{
    int *memory, *host = (int *)malloc((size_t)count * sizeof *host);
    for (int i = 0; i < count; i++)
        host[i] = i;
    cr_assert_eq(cudaMalloc(&memory, (size_t)count * sizeof *memory), cudaSuccess);
    cudaMemcpy(memory, host, (size_t)count * sizeof *memory, cudaMemcpyHostToDevice);
    free(host);
    return memory;
}

Test(split_barrier, waits_for_copies)
{
    const int *from = numbers_in_order(BLOCKS * THREADS);
    int *to, host[BLOCKS * THREADS];
    struct capture capture;
    cr_assert_eq(cudaMalloc(&to, sizeof host), cudaSuccess);
    reverse_tiles<<<BLOCKS, THREADS>>>(from, to, true);
    cudaMemcpy(host, to, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < BLOCKS * THREADS; i++)
        cr_assert_eq(host[i], i / THREADS * THREADS + THREADS - 1 - i % THREADS);
    cr_expect_eq(sim_error_count(), 0);
    capture_start(&capture);
    reverse_tiles<<<BLOCKS, THREADS>>>(from, to, false);
    EXPECT_PRINTED(capture_end(&capture), "(RAW hazard in shared memory)");
    sim_reset_errors();
}

/* A pipeline of stages; all threads produce and consume. */
template <unsigned int Stages>
__global__ void sum_tiles(const int *from, int tiles, int *sums, bool releases)
{
    __shared__ int tile[Stages][THREADS];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int used = 0, fetched = 0; used < tiles; used++) {
        for (; fetched < tiles && fetched < used + (int)Stages; fetched++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile[fetched % (int)Stages], from + fetched * THREADS,
                               sizeof tile[0], pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += tile[used % (int)Stages][THREADS - 1 - threadIdx.x];
        if (releases)
            pipe.consumer_release();
        else if (used + 1 < tiles)
            used = tiles; /* leaves the loop: else nobody could go on */
    }
    sums[threadIdx.x] = sum;
}

Test(split_barrier, moves_tiles_through_a_pipeline)
{
    enum { TILES = 9 };
    const int *from = numbers_in_order(TILES * THREADS);
    int *sums, host[THREADS];
    cr_assert_eq(cudaMalloc(&sums, sizeof host), cudaSuccess);
    for (int stages = 1; stages < 4; stages++) {
        if (stages == 1)
            sum_tiles<1><<<1, THREADS>>>(from, TILES, sums, true);
        else if (stages == 2)
            sum_tiles<2><<<1, THREADS>>>(from, TILES, sums, true);
        else
            sum_tiles<3><<<1, THREADS>>>(from, TILES, sums, true);
        cr_assert_eq(cudaDeviceSynchronize(), cudaSuccess);
        cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
        for (int i = 0; i < THREADS; i++)
            cr_assert_eq(host[i], TILES * (THREADS - 1 - i) + THREADS * TILES * (TILES - 1) / 2);
        cr_expect_eq(sim_error_count(), 0);
    }
}

/* The first warp produces for the others. */
__global__ static void specialize(const int *from, int tiles, int *sums)
{
    __shared__ int tile[2][32];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state, (size_t)32);
    if (threadIdx.x < 32) {
        for (int t = 0; t < tiles; t++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[t % 2][threadIdx.x], from + t * 32 + threadIdx.x, sizeof(int),
                               pipe);
            pipe.producer_commit();
        }
        return;
    }
    int sum = 0;
    for (int t = 0; t < tiles; t++) {
        pipe.consumer_wait();
        sum += tile[t % 2][31 - threadIdx.x % 32];
        pipe.consumer_release();
    }
    sums[threadIdx.x - 32] = sum;
}

Test(split_barrier, lets_one_warp_produce_for_the_others)
{
    enum { TILES = 7 };
    const int *from = numbers_in_order(TILES * 32);
    int *sums, host[64];
    cr_assert_eq(cudaMalloc(&sums, sizeof host), cudaSuccess);
    specialize<<<1, 96>>>(from, TILES, sums);
    cr_assert_eq(cudaDeviceSynchronize(), cudaSuccess);
    cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
        cr_assert_eq(host[i], TILES * (31 - i % 32) + 32 * TILES * (TILES - 1) / 2);
    cr_expect_eq(sim_error_count(), 0);
}
