/* latencies.cu - how many cycles of a multiprocessor single operations take on this GPU: make gpu micro.
 *
 * An operation is done over and over, each behind the last: what one has returned says where the next
 * one goes. One warp is at work, or as many as the row says, and the cycles are those that it counts
 * itself. Where many blocks meet at one address they are those of the whole kernel. Prints CSV: what,
 * its parameter, the median of RUNS runs, the lowest and the highest, and the unit. */
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include "constants.h"
#include "errors.h"

enum { RUNS = 9, WARP = 32, LINE = 32 /* words */, SHARED_LINES = 128, MOST_BLOCKS = 264 };
static const unsigned int full = 0xffffffffu;
static const size_t room = (size_t)1 << 32; /* bytes of words */

/* What a kernel gets. `zero` is 0, which the compiler does not know. */
struct bench {
    unsigned int *words; /* in `lines`, whose first words are a chain: each names the next line */
    unsigned int lines, zero, begin;
    int rounds, lanes;
    long long *cycles;
};

/* A sequence through all lines, whose number is a power of two, that looks random. */
__host__ __device__ static inline unsigned int next_line(unsigned int line, unsigned int lines)
{
    return (line * 1664525u + 1013904223u) & (lines - 1);
}

/* Whole lines are written: the L2 cache would load the rest of one that is written in part. */
__global__ void make_chain(unsigned int *words, unsigned int lines)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < (size_t)lines * LINE;
         i += (size_t)gridDim.x * blockDim.x)
        words[i] = next_line((unsigned int)(i / LINE), lines);
}

/* Steps along a chain: each takes the line that it is at, and returns the next. */
#define ALONG_A_CHAIN(name, word_to_next)                                                          \
    struct name {                                                                                  \
        __device__ static unsigned int step(const struct bench &bench, unsigned int *words,        \
                                            unsigned int at)                                       \
        {                                                                                          \
            unsigned int *word = &words[(size_t)at * LINE];                                        \
            const unsigned int zero = bench.zero;                                                  \
            (void)zero;                                                                            \
            return word_to_next;                                                                   \
        }                                                                                          \
    };

ALONG_A_CHAIN(load, *word)
ALONG_A_CHAIN(load_from_l2, __ldcg(word))
ALONG_A_CHAIN(add, atomicAdd(word, zero))
ALONG_A_CHAIN(maximum, atomicMax(word, zero))
ALONG_A_CHAIN(exchange, atomicExch(word, next_line(at, bench.lines)))
ALONG_A_CHAIN(compare_and_swap, atomicCAS(word, ~zero, at))
ALONG_A_CHAIN(compare_and_swap_64,
              (unsigned int)atomicCAS((unsigned long long *)word, ~(unsigned long long)zero, 1ull))
ALONG_A_CHAIN(float_add, __float_as_uint(atomicAdd((float *)word, __uint_as_float(zero))))

/* Follows a chain with the first `lanes` lanes of a warp, all of them at one line. */
template <typename operation>
__device__ static void follow(const struct bench &bench, unsigned int *words)
{
    unsigned int at = bench.begin;
    if ((int)threadIdx.x >= bench.lanes)
        return;
    for (unsigned int i = 0; i < 2 * SHARED_LINES; i++) // what fits into L1 is there then
        at = operation::step(bench, words, at);
    const long long begin = clock64();
#pragma unroll 8
    for (int i = 0; i < bench.rounds; i++)
        at = operation::step(bench, words, at);
    bench.cycles[0] = clock64() - begin + (at == full);
}

template <typename operation> __global__ void in_global(struct bench bench)
{
    follow<operation>(bench, bench.words);
}

template <typename operation> __global__ void in_shared(struct bench bench)
{
    __shared__ unsigned int words[SHARED_LINES * LINE];
    for (unsigned int i = threadIdx.x; i < SHARED_LINES * LINE; i += blockDim.x)
        words[i] = bench.lines == 1 ? 0 : next_line(i / LINE, SHARED_LINES);
    __syncthreads();
    follow<operation>(bench, words);
}

__device__ static void store(const struct bench &bench, unsigned int value)
{
    bench.words[LINE + value % WARP] = 1; // all lanes in one line
}

/* Steps of a warp, each of which needs what the last has returned, or comes behind it. */
#define BEHIND_ANOTHER(name, before, value_to_next)                                                \
    struct name {                                                                                  \
        __device__ static unsigned int step(const struct bench &bench, unsigned int value)         \
        {                                                                                          \
            (void)bench;                                                                           \
            before;                                                                                \
            return value_to_next;                                                                  \
        }                                                                                          \
    };

BEHIND_ANOTHER(multiply_add, (void)0,
               __float_as_uint(fmaf(__uint_as_float(value), __uint_as_float(bench.zero),
                                    1.0f + bench.lanes)))
BEHIND_ANOTHER(integer_multiply_add, (void)0, value *bench.begin + threadIdx.x)
BEHIND_ANOTHER(shuffle, (void)0, __shfl_xor_sync(full, value, 1))
BEHIND_ANOTHER(vote, (void)0, __ballot_sync(full, value == threadIdx.x))
BEHIND_ANOTHER(match_any, (void)0, __match_any_sync(full, value))
BEHIND_ANOTHER(reduce_add, (void)0, __reduce_add_sync(full, value))
BEHIND_ANOTHER(warp_barrier, __syncwarp(), value)
BEHIND_ANOTHER(barrier, __syncthreads(), value)
BEHIND_ANOTHER(fence_of_block, __threadfence_block(), value)
BEHIND_ANOTHER(fence, __threadfence(), value)
BEHIND_ANOTHER(fence_of_system, __threadfence_system(), value)
BEHIND_ANOTHER(store_and_fence_of_block, store(bench, value); __threadfence_block(), value + 1)
BEHIND_ANOTHER(store_and_fence, store(bench, value); __threadfence(), value + 1)

template <typename operation> __global__ void in_registers(struct bench bench)
{
    unsigned int value = threadIdx.x;
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 64 // the loop itself takes a few cycles
    for (int i = 0; i < bench.rounds; i++)
        value = operation::step(bench, value);
    const long long end = clock64();
    if (threadIdx.x == 0)
        bench.cycles[0] = end - begin;
    if (value == 0x12345678u)
        bench.words[1] = value;
}

/* Eight chains a lane that do not wait for each other: how fast instructions can be issued. */
template <typename operation> __global__ void independent(struct bench bench)
{
    unsigned int value[8];
#pragma unroll
    for (int k = 0; k < 8; k++)
        value[k] = threadIdx.x + k;
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 4
    for (int i = 0; i < bench.rounds / 8; i++)
#pragma unroll
        for (int k = 0; k < 8; k++)
            value[k] = operation::step(bench, value[k]);
    __syncthreads();
    const long long end = clock64();
    if (threadIdx.x == 0)
        bench.cycles[0] = end - begin;
    unsigned int sum = 0;
#pragma unroll
    for (int k = 0; k < 8; k++)
        sum += value[k];
    if (sum == 0x12345678u)
        bench.words[1] = 1;
}

/* Two blocks hand a flag to and fro: the cycles of both ways. */
__global__ void to_and_fro(struct bench bench)
{
    volatile unsigned int *flag = &bench.words[1];
    const long long begin = clock64();
    for (unsigned int i = 0; i < (unsigned int)bench.rounds; i++) {
        while (*flag != 2 * i + blockIdx.x) {
        }
        *flag = 2 * i + blockIdx.x + 1;
    }
    if (blockIdx.x == 0)
        bench.cycles[0] = clock64() - begin;
}

__global__ void grid_barrier(struct bench bench)
{
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    grid.sync();
    const long long begin = clock64();
    for (int i = 0; i < bench.rounds; i++)
        grid.sync();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        bench.cycles[0] = clock64() - begin;
}

/* All blocks at one word, one lane each: a step behind the last, or without waiting for it. */
template <typename operation> __global__ void crowd(struct bench bench)
{
    unsigned int at = 0;
    const long long begin = clock64();
    for (int i = 0; i < bench.rounds; i++)
        at = operation::step(bench, bench.words, at);
    bench.cycles[blockIdx.x] = clock64() - begin + (at == full);
}

/* Atomics whose result nobody wants. */
struct adds {
    __device__ static void to(unsigned int *word)
    {
        atomicAdd(word, 1u);
    }
};

struct adds_float {
    __device__ static void to(unsigned int *word)
    {
        atomicAdd((float *)word, 1.0f);
    }
};

struct adds_float2 {
    __device__ static void to(unsigned int *word)
    {
        atomicAdd((float2 *)word, make_float2(1.0f, 1.0f));
    }
};

struct adds_float4 {
    __device__ static void to(unsigned int *word)
    {
        atomicAdd((float4 *)word, make_float4(1.0f, 1.0f, 1.0f, 1.0f));
    }
};

struct takes_larger_64 {
    __device__ static void to(unsigned int *word)
    {
        atomicMax((unsigned long long *)word, 1ull << 40);
    }
};

template <typename operation> __global__ void crowd_without_result(struct bench bench)
{
    for (int i = 0; i < bench.rounds; i++)
        operation::to(&bench.words[bench.zero]);
}

/* One lane in chapter 21's loop, whose tries all fail: the word is never what it expects. */
__global__ void failing_tries(struct bench bench)
{
    __shared__ unsigned int word;
    word = 1;
    __syncthreads(); // the word is there before it is tried
    const long long begin = clock64();
    if (threadIdx.x != 0)
        return;
    unsigned int held = 7, expected;
    int tries = 0;
    do {
        expected = held;
        held = atomicCAS(&word, expected + 9, expected < 1u << 24 ? expected + 1 : expected) +
               (unsigned int)++tries;
    } while (held != expected && tries < bench.rounds);
    bench.cycles[0] = clock64() - begin;
}

__global__ void tick(long long *ticks)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    const long long cycles = clock64();
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - begin < 5000000);
    ticks[0] = clock64() - cycles;
    ticks[1] = (long long)(now - begin);
}

/* One measurement: a kernel, how many blocks and threads, and what its rounds are divided by. */
typedef void latency_kernel(struct bench bench);
struct shape {
    unsigned int blocks, threads;
    bool cooperative;
};

static void launch(latency_kernel *kernel, struct shape shape, struct bench bench)
{
    if (!shape.cooperative) {
        kernel<<<shape.blocks, shape.threads>>>(bench);
        return;
    }
    void *arguments[] = {&bench};
    must(cudaLaunchCooperativeKernel((const void *)kernel, shape.blocks, shape.threads, arguments,
                                     0, 0),
         "cudaLaunchCooperativeKernel");
}

/* Cycles of a round, as thread 0 of block 0 counts them. The first run warms up. */
static void measure(const char *what, long parameter, latency_kernel *kernel, struct shape shape,
                    struct bench bench)
{
    double cycles[RUNS];
    for (int run = -1; run < RUNS; run++) {
        long long spent;
        must(cudaMemset(&bench.words[1], 0, sizeof *bench.words), "cudaMemset");
        bench.begin = bench.lines > 1 ? (unsigned int)(run + 1) * 4096 % bench.lines : 0;
        launch(kernel, shape, bench);
        must(cudaGetLastError(), what);
        must(cudaMemcpy(&spent, bench.cycles, sizeof spent, cudaMemcpyDeviceToHost), what);
        cycles[run < 0 ? 0 : run] = (double)spent / bench.rounds;
    }
    print_row_of(what, parameter, cycles, RUNS, "cycles");
}

/* Nanoseconds for each of all the atomics that all blocks make: all rounds less half of them. */
static void measure_crowd(const char *what, unsigned int blocks, unsigned int threads,
                          latency_kernel *kernel, struct bench bench)
{
    double ns[RUNS];
    const int rounds = bench.rounds;
    for (int run = -1; run < RUNS; run++) {
        double ms[2];
        for (int half = 0; half < 2; half++) {
            bench.rounds = rounds >> half;
            ms[half] = milliseconds_of([&] { kernel<<<blocks, threads>>>(bench); });
        }
        ns[run < 0 ? 0 : run] = (ms[0] - ms[1]) * 2e6 / rounds / blocks;
    }
    print_row_of(what, (long)blocks, ns, RUNS, "ns/request");
}

/* The chain goes through so many bytes. */
static struct bench chain_of(struct bench bench, size_t bytes)
{
    bench.lines = (unsigned int)(bytes / LINE / sizeof *bench.words);
    make_chain<<<1024, 256>>>(bench.words, bench.lines);
    must(cudaDeviceSynchronize(), "make_chain");
    return bench;
}

static void measure_loads(struct bench bench)
{
    const struct shape one = {1, WARP, false};
    measure("load from shared memory", 16 << 10, in_shared<load>, one, chain_of(bench, 16 << 10));
    measure("load from L1", 16 << 10, in_global<load>, one, chain_of(bench, 16 << 10));
    for (size_t bytes = 64 << 10; bytes <= 32 << 20; bytes *= 8)
        measure("load from L2", (long)bytes, in_global<load_from_l2>, one, chain_of(bench, bytes));
    for (size_t bytes = (size_t)1 << 28; bytes <= room; bytes *= 4) {
        const struct bench chain = chain_of(bench, bytes);
        if (bytes < room) // what the chain has left in the L2 cache goes
            must(cudaMemset((char *)bench.words + bytes, 0, (size_t)1 << 28), "cudaMemset");
        measure("load from memory", (long)bytes, in_global<load>, one, chain);
    }
}

/* All lanes of a warp that take part are at one address. */
static void measure_atomics(struct bench bench)
{
    const struct shape one = {1, WARP, false};
    const struct bench spread = chain_of(bench, 4 << 20);
    measure("atomicAdd in L2", 4 << 20, in_global<add>, one, spread);
    measure("atomicMax in L2", 4 << 20, in_global<maximum>, one, spread);
    measure("atomicExch in L2", 4 << 20, in_global<exchange>, one, spread);
    measure("atomicCAS in L2", 4 << 20, in_global<compare_and_swap>, one, spread);
    measure("atomicAdd in memory", 1 << 30, in_global<add>, one, chain_of(bench, 1 << 30));
    bench.lines = 1;
    must(cudaMemset(bench.words, 0, 2 * sizeof *bench.words), "cudaMemset");
    for (bench.lanes = 1; bench.lanes <= WARP; bench.lanes *= 2) {
        measure("atomicAdd in L2 by lanes", bench.lanes, in_global<add>, one, bench);
        measure("atomicExch in L2 by lanes", bench.lanes, in_global<exchange>, one, bench);
        measure("atomicCAS in L2 by lanes", bench.lanes, in_global<compare_and_swap>, one, bench);
        measure("float atomicAdd in L2 by lanes", bench.lanes, in_global<float_add>, one, bench);
        measure("shared atomicAdd by lanes", bench.lanes, in_shared<add>, one, bench);
        measure("shared atomicMax by lanes", bench.lanes, in_shared<maximum>, one, bench);
        measure("shared atomicExch by lanes", bench.lanes, in_shared<exchange>, one, bench);
        measure("shared atomicCAS by lanes", bench.lanes, in_shared<compare_and_swap>, one, bench);
        measure("shared 64-bit atomicCAS by lanes", bench.lanes, in_shared<compare_and_swap_64>,
                one, bench);
        measure("shared float atomicAdd by lanes", bench.lanes, in_shared<float_add>, one, bench);
    }
}

static void measure_tries(struct bench bench)
{
    const struct shape one = {1, WARP, false};
    measure("try of a shared atomicCAS in a loop", 1, failing_tries, one, bench);
}

static void measure_crowds(struct bench bench)
{
    bench.lines = 1;
    bench.lanes = 1;
    must(cudaMemset(bench.words, 0, 2 * sizeof *bench.words), "cudaMemset");
    const unsigned int blocks[] = {1, 2, 4, 16, 66, 132, MOST_BLOCKS};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        measure_crowd("atomicAdd at one address by blocks", blocks[i], 1, crowd<add>, bench);
        measure_crowd("atomicExch at one address by blocks", blocks[i], 1, crowd<exchange>, bench);
        measure_crowd("atomicCAS at one address by blocks", blocks[i], 1, crowd<compare_and_swap>,
                      bench);
        measure_crowd("float atomicAdd at one address by blocks", blocks[i], 1, crowd<float_add>,
                      bench);
    }
    bench.rounds *= 256; // nobody waits for the memory, so that one takes next to no time
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        must(cudaMemset(bench.words, 0, 2 * sizeof *bench.words), "cudaMemset");
        measure_crowd("atomicAdd without result at one address by blocks", blocks[i], 1,
                      crowd_without_result<adds>, bench);
        measure_crowd("atomicAdd without result at one address by warps of blocks", blocks[i], WARP,
                      crowd_without_result<adds>, bench);
    }
    measure_crowd("float atomicAdd without result at one address by blocks", MOST_BLOCKS, 1,
                  crowd_without_result<adds_float>, bench);
    measure_crowd("float2 atomicAdd without result at one address by blocks", MOST_BLOCKS, 1,
                  crowd_without_result<adds_float2>, bench);
    measure_crowd("float4 atomicAdd without result at one address by blocks", MOST_BLOCKS, 1,
                  crowd_without_result<adds_float4>, bench);
    measure_crowd("64-bit atomicMax without result at one address by blocks", MOST_BLOCKS, 1,
                  crowd_without_result<takes_larger_64>, bench);
}

static void measure_instructions(struct bench bench)
{
    const struct shape one = {1, WARP, false};
    bench.lines = 1;
    measure("float multiply-add behind another", WARP, in_registers<multiply_add>, one, bench);
    measure("integer multiply-add behind another", WARP, in_registers<integer_multiply_add>, one,
            bench);
    for (unsigned int warps = 1; warps <= 32; warps *= 2) {
        const struct shape many = {1, warps * WARP, false};
        measure("independent multiply-add by warps", (long)warps, independent<multiply_add>, many,
                bench);
        measure("independent shuffle by warps", (long)warps, independent<shuffle>, many, bench);
    }
    measure("shuffle", WARP, in_registers<shuffle>, one, bench);
    measure("ballot with its comparison", WARP, in_registers<vote>, one, bench);
    measure("match_any of one value", WARP, in_registers<match_any>, one, bench);
    measure("reduce_add", WARP, in_registers<reduce_add>, one, bench);
    measure("syncwarp", WARP, in_registers<warp_barrier>, one, bench);
    for (unsigned int threads = WARP; threads <= 1024; threads *= 2) {
        const struct shape block = {1, threads, false};
        measure("barrier by threads", (long)threads, in_registers<barrier>, block, bench);
    }
    measure("fence of the block", 0, in_registers<fence_of_block>, one, bench);
    measure("fence of the device", 0, in_registers<fence>, one, bench);
    measure("fence of the system", 0, in_registers<fence_of_system>, one, bench);
    measure("store and fence of the block", 0, in_registers<store_and_fence_of_block>, one, bench);
    measure("store and fence of the device", 0, in_registers<store_and_fence>, one, bench);
}

static void measure_blocks(struct bench bench)
{
    const struct shape two = {2, 1, false};
    bench.lines = 1;
    bench.rounds = 256;
    measure("flag to another block and back", 2, to_and_fro, two, bench);
    for (unsigned int blocks = 2; blocks <= 132; blocks = blocks < 66 ? 66 : blocks * 2) {
        const struct shape all = {blocks, 256, true};
        measure("grid barrier by blocks", (long)blocks, grid_barrier, all, bench);
    }
}

static void measure_clock(struct bench bench)
{
    double mhz[RUNS];
    for (int run = -1; run < RUNS; run++) {
        long long ticks[2];
        tick<<<1, 1>>>(bench.cycles);
        must(cudaMemcpy(ticks, bench.cycles, sizeof ticks, cudaMemcpyDeviceToHost), "the clock");
        mhz[run < 0 ? 0 : run] = 1e3 * (double)ticks[0] / (double)ticks[1];
    }
    print_row_of("clock", 0, mhz, RUNS, "MHz");
}

/* What the driver says of the device, once. */
static void print_size(const char *what, enum cudaDeviceAttr attribute)
{
    const int bytes = device_has(attribute);
    printf("%s,0,%d,%d,%d,bytes\n", what, bytes, bytes, bytes);
}

int main(void)
{
    struct bench bench = {NULL, 1, 0, 0, 1024, 1, NULL};
    must(cudaMalloc(&bench.words, room), "cudaMalloc");
    must(cudaMemset(bench.words, 0, room), "cudaMemset");
    must(cudaMalloc(&bench.cycles, MOST_BLOCKS * sizeof *bench.cycles), "cudaMalloc");
    print_heading();
    print_size("size of the L2 cache", cudaDevAttrL2CacheSize);
    print_size("size of shared memory of a multiprocessor",
               cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    measure_clock(bench);
    measure_loads(bench);
    measure_atomics(bench);
    measure_tries(bench);
    measure_crowds(bench);
    measure_instructions(bench);
    measure_blocks(bench);
    return 0;
}
