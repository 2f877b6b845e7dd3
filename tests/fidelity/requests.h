/* requests.h - one request of a warp at a time, each lane at the place that a pattern gives it: what
 * patterns.cu and updates.cu share. */
#ifndef REQUESTS_H
#define REQUESTS_H

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

#define IN_GLOBAL(name, type, statement)                                                           \
    __global__ void name(const int *place, type *bins)                                             \
    {                                                                                              \
        const int p = place[threadIdx.x % LANES];                                                  \
        if (p < GLOBAL_PLACES) {                                                                   \
            statement;                                                                             \
        }                                                                                          \
    }

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

/* Opens the list, and makes room on the device. Returns 1 when that is not possible. */
static int begin(const char *path, const char *name)
{
    list = fopen(path ? path : name, "w");
    if (!list) {
        perror(path ? path : name);
        return 1;
    }
    fprintf(list, "launch,kernel,pattern,places\n");
    CHECK(cudaMalloc((void **)&device_place, LANES * sizeof(int)));
    CHECK(cudaMalloc(&device_out, GLOBAL_PLACES * 4 * sizeof(u32)));
    CHECK(cudaMemset(device_out, 0, GLOBAL_PLACES * 4 * sizeof(u32)));
    return 0;
}

#endif
