/* patterns.cu - one request of a warp at a time: what does the card count for these addresses?
 *
 *     patterns OUT.csv [contended]
 *
 * kernels.cu asks whether the simulator's rules hold; this program is for finding a rule. Most
 * launches are one warp that makes one atomic, each lane at the place that a pattern gives it.
 * The last ones are many warps that meet at few counters, where the card adds passes of its own:
 * with a second argument only these. OUT.csv gets a line for each launch, in their order: its
 * number, kernel, pattern, and the lanes' places, "-" for a lane that does nothing. Under Nsight
 * Compute the counters of the same launches lie beside it: common/reports/fidelity.py patterns. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, SHARED_PLACES = 1024, GLOBAL_PLACES = 1 << 16, NOWHERE = 1 << 20, ROUNDS = 64 };

#define CHECK(call)                                                                                \
    do {                                                                                           \
        const cudaError_t error = (call);                                                          \
        if (error != cudaSuccess) {                                                                \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                          \
                    cudaGetErrorString(error));                                                    \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

typedef unsigned int u32;
typedef unsigned long long u64;

/* --- The requests --- */

/* `p` is the lane's place; `old` is what only the kernels whose names end in _used look at. */
#define IN_SHARED(name, type, statement)                                                           \
    __global__ void name(const int *place, type *out)                                              \
    {                                                                                              \
        __shared__ type s[SHARED_PLACES];                                                          \
        for (int k = threadIdx.x; k < SHARED_PLACES; k += blockDim.x)                              \
            s[k] = 0;                                                                              \
        __syncthreads();                                                                           \
        const int p = place[threadIdx.x % LANES];                                                  \
        if (p < SHARED_PLACES) {                                                                   \
            statement;                                                                             \
        }                                                                                          \
        __syncthreads();                                                                           \
        if (s[threadIdx.x] == (type)77777)                                                         \
            out[0] = 1;                                                                            \
    }
IN_SHARED(shared_float_add, float, atomicAdd(&s[p], 1.0f))
IN_SHARED(shared_double_add, double, atomicAdd(&s[p], 1.0))
IN_SHARED(shared_u64_add, u64, atomicAdd(&s[p], 1ull))
IN_SHARED(shared_u64_max, u64, atomicMax(&s[p], (u64)(threadIdx.x + 1)))
IN_SHARED(shared_u64_exch_used, u64, if (atomicExch(&s[p], 5ull) == 77777) out[0] = 1)
IN_SHARED(shared_u64_cas_used, u64, if (atomicCAS(&s[p], 0ull, 5ull) == 77777) out[0] = 1)
IN_SHARED(shared_u32_cas_used, u32, if (atomicCAS(&s[p], 0u, 5u) == 77777) out[0] = 1)
IN_SHARED(shared_u32_exch_used, u32, if (atomicExch(&s[p], 5u) == 77777) out[0] = 1)
IN_SHARED(shared_u32_add, u32, atomicAdd(&s[p], threadIdx.x))
IN_SHARED(shared_u32_max, u32, atomicMax(&s[p], threadIdx.x))
IN_SHARED(shared_u32_increment, u32, atomicAdd(&s[p], 1u))

#define IN_GLOBAL(name, type, statement)                                                           \
    __global__ void name(const int *place, type *bins)                                             \
    {                                                                                              \
        const int p = place[threadIdx.x % LANES];                                                  \
        if (p < GLOBAL_PLACES) {                                                                   \
            statement;                                                                             \
        }                                                                                          \
    }
IN_GLOBAL(red_u32, u32, atomicAdd(&bins[p], 1u))
IN_GLOBAL(red_u64, u64, atomicAdd(&bins[p], 1ull))
IN_GLOBAL(atom_u32, u32, if (atomicAdd(&bins[p], 1u) == 0xffffffff) bins[0] = 0)
IN_GLOBAL(atom_cas_u32, u32, if (atomicCAS(&bins[p], 7u, 8u) == 0xffffffff) bins[0] = 0)

/* --- Many warps: one lane of each adds, or all lanes by a loop around compare-and-swap --- */

/* `place` has one number: how many counters there are. */
#define CONTENDED(name, type, condition, value)                                                    \
    __global__ void name(const int *place, type *out)                                              \
    {                                                                                              \
        __shared__ type s[SHARED_PLACES];                                                          \
        for (int k = threadIdx.x; k < SHARED_PLACES; k += blockDim.x)                              \
            s[k] = 0;                                                                              \
        __syncthreads();                                                                           \
        const int counters = place[0];                                                             \
        for (int round = 0, counter = 0; round < ROUNDS; round++) {                                \
            if (condition)                                                                         \
                atomicAdd(&s[counter], value);                                                     \
            counter = counter + 1 < counters ? counter + 1 : 0;                                    \
        }                                                                                          \
        __syncthreads();                                                                           \
        if (s[threadIdx.x] == (type)77777)                                                         \
            out[0] = 1;                                                                            \
    }
CONTENDED(single_lane_add, u32, threadIdx.x % LANES == 0, threadIdx.x + 2u)
CONTENDED(single_lane_increment, u32, threadIdx.x % LANES == 0, 1u)
CONTENDED(single_lane_float, float, threadIdx.x % LANES == 0, 1.0f)

/* --- The patterns --- */

static u32 state = 12345;

static int draw_below(int limit)
{
    state = state * 1664525u + 1013904223u;
    return (int)(((u64)state * (u32)limit) >> 32);
}

struct pattern {
    char name[32];
    int place[LANES];
};
enum { MOST_PATTERNS = 256 };
static struct pattern patterns[MOST_PATTERNS];
static int pattern_count;

static int *new_pattern(const char *name, int number)
{
    struct pattern *pattern = &patterns[pattern_count++];
    snprintf(pattern->name, sizeof pattern->name, "%s_%d", name, number);
    return pattern->place;
}

#define PATTERN(name, number, place_of_lane)                                                       \
    do {                                                                                           \
        int *place = new_pattern(name, number);                                                    \
        for (int lane = 0; lane < LANES; lane++)                                                   \
            place[lane] = place_of_lane;                                                           \
    } while (0)

/* Places are words of 32 banks, or of 64 bits. */
static void patterns_of_banks(void)
{
    static const int lengths[] = {2, 3, 4, 8, 16, 32};
    pattern_count = 0;
    PATTERN("own", 32, lane);
    PATTERN("reverse", 32, 31 - lane);
    PATTERN("first", 1, lane < 1 ? lane : NOWHERE);
    PATTERN("first", 16, lane < 16 ? lane : NOWHERE);
    PATTERN("last", 16, lane < 16 ? NOWHERE : lane);
    PATTERN("odd", 16, lane % 2 ? lane : NOWHERE);
    for (int n : lengths) {
        PATTERN("same", n, lane < n ? 0 : lane);         /* n lanes want one word */
        PATTERN("bank", n, lane < n ? 32 * lane : lane); /* n lanes want one bank */
    }
    for (int n = 2; n <= 8; n *= 2) {
        PATTERN("neighbors", n, lane / n);
        PATTERN("far", n, lane % (LANES / n));
        PATTERN("stride", n, lane * n);
    }
    PATTERN("same_and_bank", 8, lane < 4 ? 0 : lane < 8 ? 32 * lane : lane);
    PATTERN("two_words_of_a_bank", 16, lane < 16 ? lane / 8 * 32 : lane);
    for (int n = 0; n < 4; n++) {
        PATTERN("random_of_32", n, draw_below(32));
        PATTERN("random_of_256", n, draw_below(256));
        PATTERN("random_of_1024", n, draw_below(1024));
    }
}

/* Places are words of 4 bytes, 8 to a sector; or of 8 bytes, 4 to a sector. */
static void patterns_of_sectors(int least, int random)
{
    pattern_count = 0;
    for (int n = least; n <= 32; n++) {
        PATTERN("sectors", n, lane < n ? 8 * lane : 8 * (lane - n));   /* in n sectors in a row */
        PATTERN("words", n, lane < n ? 8 * lane : 8 * (lane - n) + 1); /* no two lanes alike */
        PATTERN("only", n, lane < n ? 8 * lane : NOWHERE);
    }
    for (int n = 16; n <= 1024; n *= 2)
        PATTERN("stride", n, lane * n);
    for (int n = 0; n < random; n++) {
        PATTERN("random_of_256", n, draw_below(256));
        PATTERN("random_of_2048", n, draw_below(2048));
        if (n % 2)
            PATTERN("random_of_65536", n, draw_below(GLOBAL_PLACES));
        else
            PATTERN("a_lane_a_sector", n, 8 * (lane * 13 % 32) + draw_below(8));
    }
}

/* --- The launches --- */

static FILE *list;
static int launches;
static int *device_place;
static void *device_out;

static void note(const char *kernel, const char *pattern, const int *place, int count)
{
    fprintf(list, "%d,%s,%s,", ++launches, kernel, pattern);
    for (int i = 0; i < count; i++)
        if (place[i] == NOWHERE)
            fprintf(list, "%s-", i > 0 ? " " : "");
        else
            fprintf(list, "%s%d", i > 0 ? " " : "", place[i]);
    fprintf(list, "\n");
}

template <typename T> static void one_request(const char *name, void (*kernel)(const int *, T *))
{
    for (int i = 0; i < pattern_count; i++) {
        CHECK(cudaMemcpy(device_place, patterns[i].place, sizeof patterns[i].place,
                         cudaMemcpyHostToDevice));
        kernel<<<1, LANES>>>(device_place, (T *)device_out);
        CHECK(cudaGetLastError());
        note(name, patterns[i].name, patterns[i].place, LANES);
    }
}
#define ONE(kernel) one_request(#kernel, kernel)

template <typename T> static void many_warps(const char *name, void (*kernel)(const int *, T *))
{
    static const int blocks[] = {1, 132}, warps[] = {1, 2, 4, 8, 32}, counters[] = {1, 5, 26};
    for (int b : blocks)
        for (int w : warps)
            for (int c : counters) {
                char pattern[64];
                CHECK(cudaMemcpy(device_place, &c, sizeof c, cudaMemcpyHostToDevice));
                kernel<<<b, w * LANES>>>(device_place, (T *)device_out);
                CHECK(cudaGetLastError());
                snprintf(pattern, sizeof pattern, "%d_blocks_%d_warps_%d_counters", b, w, c);
                note(name, pattern, &c, 1);
            }
}
#define MANY(kernel) many_warps(#kernel, kernel)

static void one_warp(void)
{
    patterns_of_banks();
    ONE(shared_float_add);
    ONE(shared_double_add);
    ONE(shared_u64_add);
    ONE(shared_u64_max);
    ONE(shared_u64_exch_used);
    ONE(shared_u64_cas_used);
    ONE(shared_u32_cas_used);
    ONE(shared_u32_exch_used);
    ONE(shared_u32_add);
    ONE(shared_u32_max);
    ONE(shared_u32_increment);
    patterns_of_sectors(12, 40);
    ONE(red_u32);
    patterns_of_sectors(31, 8);
    ONE(red_u64);
    ONE(atom_u32);
    ONE(atom_cas_u32);
}

int main(int count, char **arguments)
{
    list = fopen(count > 1 ? arguments[1] : "patterns.csv", "w");
    if (!list) {
        perror(count > 1 ? arguments[1] : "patterns.csv");
        return 1;
    }
    fprintf(list, "launch,kernel,pattern,places\n");
    CHECK(cudaMalloc((void **)&device_place, LANES * sizeof(int)));
    CHECK(cudaMalloc(&device_out, GLOBAL_PLACES * sizeof(u64)));
    CHECK(cudaMemset(device_out, 0, GLOBAL_PLACES * sizeof(u64)));
    if (count < 3)
        one_warp();
    MANY(single_lane_add);
    MANY(single_lane_increment);
    MANY(single_lane_float);
    CHECK(cudaDeviceSynchronize());
    return fclose(list) != 0;
}
