/* aggregates.cu - what is counted of a structure that is loaded, stored or copied, and of accesses that are
 * no plain ones: hints, constants, local arrays, asynchronous copies, votes, the barrier of a grid.
 *
 * The same program runs under Nsight Compute on a GPU and, with SIM_PROFILE, on the simulated one. */
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCKS = 64, THREADS = 256, COUNT = BLOCKS * THREADS, BYTES = COUNT * 64, ROUNDS = 4 };

#define CHECK(call)                                                                                \
    do {                                                                                           \
        const cudaError_t error = (call);                                                          \
        if (error != cudaSuccess) {                                                                \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                          \
                    cudaGetErrorString(error));                                                    \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

__device__ static unsigned int me(void)
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/* --- Structures: so many bytes, and at which multiples they begin --- */

struct __align__(8) two_8
{
    unsigned int a, b;
};
struct two_4 {
    unsigned int a, b;
};
struct three_4 {
    unsigned int a, b, c;
};
struct __align__(16) four_16
{
    unsigned int a, b, c, d;
};
struct __align__(8) four_8
{
    unsigned int a, b, c, d;
};
struct four_4 {
    unsigned int a, b, c, d;
};
struct __align__(16) eight_16
{
    unsigned int a, b, c, d, e, f, g, h;
};
struct eight_4 {
    unsigned int a, b, c, d, e, f, g, h;
};
struct wide_8 {
    unsigned long long a;
    unsigned int b, c;
};
struct __align__(16) wide_16
{
    unsigned long long a;
    unsigned int b, c;
};
struct __align__(4) bytes_4
{
    unsigned char a, b, c, d;
};
struct bytes_1 {
    unsigned char a, b, c, d;
};
struct __align__(4) mixed_4
{
    unsigned short a;
    unsigned char b, c;
};
struct __align__(8) nested_8
{
    struct {
        unsigned short a, b;
    } head;
    unsigned int c;
};

__device__ static unsigned int sum(const two_8 &x)
{
    return x.a + 3 * x.b;
}
__device__ static unsigned int sum(const two_4 &x)
{
    return x.a + 3 * x.b;
}
__device__ static unsigned int sum(const three_4 &x)
{
    return x.a + 3 * x.b + 5 * x.c;
}
__device__ static unsigned int sum(const four_16 &x)
{
    return x.a + 3 * x.b + 5 * x.c + 7 * x.d;
}
__device__ static unsigned int sum(const four_8 &x)
{
    return x.a + 3 * x.b + 5 * x.c + 7 * x.d;
}
__device__ static unsigned int sum(const four_4 &x)
{
    return x.a + 3 * x.b + 5 * x.c + 7 * x.d;
}
__device__ static unsigned int sum(const eight_16 &x)
{
    return x.a + 3 * x.b + 5 * x.c + 7 * x.d + 9 * x.e + 11 * x.f + 13 * x.g + 15 * x.h;
}
__device__ static unsigned int sum(const eight_4 &x)
{
    return x.a + 3 * x.b + 5 * x.c + 7 * x.d + 9 * x.e + 11 * x.f + 13 * x.g + 15 * x.h;
}
__device__ static unsigned int sum(const wide_8 &x)
{
    return (unsigned int)x.a + x.b + 3 * x.c;
}
__device__ static unsigned int sum(const wide_16 &x)
{
    return (unsigned int)x.a + x.b + 3 * x.c;
}
__device__ static unsigned int sum(const bytes_4 &x)
{
    return x.a + 3 * x.b + 5 * x.c + 7 * x.d;
}
__device__ static unsigned int sum(const bytes_1 &x)
{
    return x.a + 3 * x.b + 5 * x.c + 7 * x.d;
}
__device__ static unsigned int sum(const mixed_4 &x)
{
    return x.a + 3 * x.b + 5 * x.c;
}
__device__ static unsigned int sum(const nested_8 &x)
{
    return x.head.a + 3 * x.head.b + 5 * x.c;
}

/* Reads all: a copy, member by member, through a pointer. Copies, stores, in both memories. */
#define STRUCTURE(type)                                                                            \
    __global__ void load_##type(const type *in, unsigned int *out)                                 \
    {                                                                                              \
        const type x = in[me()];                                                                   \
        if (sum(x) == 77777)                                                                       \
            out[0] = 1;                                                                            \
    }                                                                                              \
    __global__ void members_##type(const type *in, unsigned int *out)                              \
    {                                                                                              \
        if (sum(in[me()]) == 77777)                                                                \
            out[0] = 1;                                                                            \
    }                                                                                              \
    __global__ void first_##type(const type *in, unsigned int *out)                                \
    {                                                                                              \
        const type x = in[me()];                                                                   \
        if (*(const unsigned char *)&x == 77)                                                      \
            out[0] = 1;                                                                            \
    }                                                                                              \
    __global__ void copy_##type(const type *in, type *out)                                         \
    {                                                                                              \
        out[me()] = in[me()];                                                                      \
    }                                                                                              \
    __global__ void store_##type(type *out, type x)                                                \
    {                                                                                              \
        out[me()] = x;                                                                             \
    }                                                                                              \
    __global__ void shared_##type(const type *in, unsigned int *out)                               \
    {                                                                                              \
        __shared__ type s[THREADS];                                                                \
        s[threadIdx.x] = in[me()];                                                                 \
        __syncthreads();                                                                           \
        const type x = s[THREADS - 1 - threadIdx.x];                                               \
        if (sum(x) == 77777)                                                                       \
            out[0] = 1;                                                                            \
    }
#define RUN_STRUCTURE(type)                                                                        \
    load_##type<<<BLOCKS, THREADS>>>((const type *)in, out);                                       \
    members_##type<<<BLOCKS, THREADS>>>((const type *)in, out);                                    \
    first_##type<<<BLOCKS, THREADS>>>((const type *)in, out);                                      \
    copy_##type<<<BLOCKS, THREADS>>>((const type *)in, (type *)out);                               \
    store_##type<<<BLOCKS, THREADS>>>((type *)out, type());                                        \
    shared_##type<<<BLOCKS, THREADS>>>((const type *)in, out)
#define STRUCTURES(DO)                                                                             \
    DO(two_8);                                                                                     \
    DO(two_4);                                                                                     \
    DO(three_4);                                                                                   \
    DO(four_16);                                                                                   \
    DO(four_8);                                                                                    \
    DO(four_4);                                                                                    \
    DO(eight_16);                                                                                  \
    DO(eight_4);                                                                                   \
    DO(wide_8);                                                                                    \
    DO(wide_16);                                                                                   \
    DO(bytes_4);                                                                                   \
    DO(bytes_1);                                                                                   \
    DO(mixed_4);                                                                                   \
    DO(nested_8)
STRUCTURES(STRUCTURE)

/* --- Some members --- */

#define READS(name, type, words)                                                                   \
    __global__ void name(type *in, unsigned int *out)                                              \
    {                                                                                              \
        const unsigned int i = me();                                                               \
        if (words)                                                                                 \
            out[0] = i;                                                                            \
    }
READS(second_of_two, const two_8, in[i].b == 77777)
READS(two_of_four, const four_16, in[i].a + 3 * in[i].c == 77777)
READS(neighbors_of_four, const four_16, in[i].a + 3 * in[i].b == 77777)
READS(last_two_of_four, const four_16, in[i].c + 3 * in[i].d == 77777)
READS(three_of_four, const four_16, in[i].a + 3 * in[i].b + 5 * in[i].d == 77777)
READS(three_of_four_loose, const four_4, in[i].a + 3 * in[i].b + 5 * in[i].d == 77777)
READS(one_then_other, const two_8, in[i].a == 77777 && in[i].b == 77777)
READS(one_or_other, const two_8, (i & 1 ? in[i].a : in[i].b) == 77777)
READS(vector_x, const uint4, in[i].x == 77777)
READS(vector_xy, const uint4, in[i].x + 3 * in[i].y == 77777)
READS(vector_all, const uint4, in[i].x + 3 * in[i].y + 5 * in[i].z + 7 * in[i].w == 77777)
READS(volatile_members, volatile two_8, in[i].a + 3 * in[i].b == 77777)
READS(volatile_vector, volatile uint4, in[i].x + 3 * in[i].y + 5 * in[i].z + in[i].w == 77777)
READS(volatile_word, volatile unsigned int, in[i] == 77777)
READS(volatile_long, volatile unsigned long long, in[i] == 77777)
READS(three_floats, const float3, in[i].x + in[i].y + in[i].z == 77777)
READS(twice, const two_8, in[i].a == 77777 && in[i].a + in[i].b == 77778)

__global__ void set_members(two_8 *out, unsigned int x)
{
    out[me()].a = x;
    out[me()].b = x + 1;
}

__global__ void set_one_member(four_16 *out, unsigned int x)
{
    out[me()].c = x;
}

__global__ void set_made(two_8 *out, unsigned int x)
{
    const two_8 made = {x, x + me()};
    out[me()] = made;
}

__global__ void set_vector(uint4 *out, unsigned int x)
{
    out[me()] = make_uint4(x, x + 1, me(), x + 3);
}

__global__ void add_to_members(two_8 *out, unsigned int x)
{
    two_8 mine = out[me()];
    mine.a += x;
    mine.b ^= x;
    out[me()] = mine;
}

__global__ void add_to_one(two_8 *out, unsigned int x)
{
    out[me()].b += x;
}

__global__ void swap_neighbors(four_16 *inout)
{
    const four_16 mine = inout[me() ^ 1];
    __syncthreads();
    inout[me()] = mine;
}

__device__ static two_8 larger(two_8 a, two_8 b)
{
    return a.a > b.a || (a.a == b.a && a.b < b.b) ? a : b;
}

__global__ void largest(const two_8 *in, two_8 *out)
{
    two_8 best = {0, 0};
    for (unsigned int i = 0; i < ROUNDS; i++)
        best = larger(best, in[me() + i * THREADS]);
    out[me()] = best;
}

__global__ void choose_whole(const two_8 *in, two_8 *out, unsigned int x)
{
    out[me()] = (me() & 1) ? in[me()] : in[me() + x];
}

__global__ void tree(const two_8 *in, two_8 *out)
{
    __shared__ two_8 s[THREADS];
    s[threadIdx.x] = in[me()];
    for (unsigned int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            s[threadIdx.x] = larger(s[threadIdx.x], s[threadIdx.x + half]);
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = s[0];
}

/* --- Loads and stores with a hint, and constants --- */

#define HINT(hint)                                                                                 \
    __global__ void hint##_words(const unsigned int *in, unsigned int *out)                        \
    {                                                                                              \
        if (hint(&in[me()]) == 77777)                                                              \
            out[0] = 1;                                                                            \
    }                                                                                              \
    __global__ void hint##_vectors(const uint4 *in, unsigned int *out)                             \
    {                                                                                              \
        const uint4 x = hint(&in[me()]);                                                           \
        if (x.x + 3 * x.y + 5 * x.z + 7 * x.w == 77777)                                            \
            out[0] = 1;                                                                            \
    }
HINT(__ldg)
HINT(__ldcs)
HINT(__ldcg)
HINT(__ldca)

__global__ void stcs_words(unsigned int *out)
{
    __stcs(&out[me()], me());
}

__global__ void restricted(const two_8 *__restrict__ in, unsigned int *__restrict__ out)
{
    if (sum(in[me()]) == 77777)
        out[0] = 1;
}

__constant__ unsigned int table[THREADS];

__global__ void constant_one(unsigned int *out)
{
    out[me()] = table[blockIdx.x];
}

__global__ void constant_each(unsigned int *out)
{
    out[me()] = table[threadIdx.x];
}

struct parameters {
    unsigned int word[16];
};

__global__ void parameter_each(unsigned int *out, parameters p)
{
    out[me()] = p.word[threadIdx.x % 16];
}

__global__ void local_array(const unsigned int *in, unsigned int *out)
{
    unsigned int mine[64];
    for (unsigned int i = 0; i < 64; i++)
        mine[i] = i * me();
    for (unsigned int i = 0; i < ROUNDS; i++)
        mine[in[me() + i] % 64]++;
    out[me()] = mine[in[me()] % 61];
}

/* --- Asynchronous copies, votes --- */

#define ASYNCHRONOUS(name, type)                                                                   \
    __global__ void name(const type *in, type *out)                                                \
    {                                                                                              \
        __shared__ type s[THREADS];                                                                \
        __pipeline_memcpy_async(&s[threadIdx.x], &in[me()], sizeof(type));                         \
        __pipeline_commit();                                                                       \
        __pipeline_wait_prior(0);                                                                  \
        __syncthreads();                                                                           \
        out[me()] = s[THREADS - 1 - threadIdx.x];                                                  \
    }
ASYNCHRONOUS(copied_4_bytes, unsigned int)
ASYNCHRONOUS(copied_8_bytes, uint2)
ASYNCHRONOUS(copied_16_bytes, uint4)

__global__ void votes(const unsigned int *in, unsigned int *out)
{
    const unsigned int x = in[me()];
    unsigned int y = __ballot_sync(~0u, x & 1) + __reduce_add_sync(~0u, x);
    y += __reduce_max_sync(~0u, x) + __match_any_sync(~0u, x % 5) + __shfl_xor_sync(~0u, x, 3);
    out[me()] = y;
}

/* --- The barrier of a grid --- */

__global__ void grid_barrier(unsigned int *out, unsigned int rounds)
{
    for (unsigned int i = 0; i < rounds; i++)
        cooperative_groups::this_grid().sync();
    out[me()] = rounds;
}

static void meet(unsigned int *out, unsigned int blocks, unsigned int threads, unsigned int rounds)
{
    void *arguments[] = {&out, &rounds};
    CHECK(cudaLaunchCooperativeKernel((void *)grid_barrier, dim3(blocks), dim3(threads), arguments,
                                      0, 0));
}

static void fill(unsigned char *in)
{
    unsigned char *values = (unsigned char *)malloc(BYTES);
    unsigned int state = 1;
    for (size_t i = 0; i < BYTES; i++) {
        state = state * 1664525u + 1013904223u;
        values[i] = (unsigned char)(state >> 24);
    }
    CHECK(cudaMemcpy(in, values, BYTES, cudaMemcpyHostToDevice));
    free(values);
}

#define RUN(name, ...) name<<<BLOCKS, THREADS>>>(__VA_ARGS__)
#define RUN_READS(name, type) RUN(name, (type *)in, out)

static void some_members(unsigned char *in, unsigned int *out)
{
    RUN_READS(second_of_two, const two_8);
    RUN_READS(two_of_four, const four_16);
    RUN_READS(neighbors_of_four, const four_16);
    RUN_READS(last_two_of_four, const four_16);
    RUN_READS(three_of_four, const four_16);
    RUN_READS(three_of_four_loose, const four_4);
    RUN_READS(one_then_other, const two_8);
    RUN_READS(one_or_other, const two_8);
    RUN_READS(vector_x, const uint4);
    RUN_READS(vector_xy, const uint4);
    RUN_READS(vector_all, const uint4);
    RUN_READS(volatile_members, volatile two_8);
    RUN_READS(volatile_vector, volatile uint4);
    RUN_READS(volatile_word, volatile unsigned int);
    RUN_READS(volatile_long, volatile unsigned long long);
    RUN_READS(three_floats, const float3);
    RUN_READS(twice, const two_8);
    RUN(set_members, (two_8 *)out, 3u);
    RUN(set_one_member, (four_16 *)out, 3u);
    RUN(set_made, (two_8 *)out, 3u);
    RUN(set_vector, (uint4 *)out, 3u);
    RUN(add_to_members, (two_8 *)out, 3u);
    RUN(add_to_one, (two_8 *)out, 3u);
    RUN(swap_neighbors, (four_16 *)out);
    RUN(largest, (const two_8 *)in, (two_8 *)out);
    RUN(choose_whole, (const two_8 *)in, (two_8 *)out, 5u);
    RUN(tree, (const two_8 *)in, (two_8 *)out);
}

static void others(unsigned char *in, unsigned int *out)
{
    const unsigned int *words = (const unsigned int *)in;
    const uint4 *vectors = (const uint4 *)in;
    RUN(__ldg_words, words, out);
    RUN(__ldg_vectors, vectors, out);
    RUN(__ldcs_words, words, out);
    RUN(__ldcs_vectors, vectors, out);
    RUN(__ldcg_words, words, out);
    RUN(__ldcg_vectors, vectors, out);
    RUN(__ldca_words, words, out);
    RUN(__ldca_vectors, vectors, out);
    RUN(stcs_words, out);
    RUN(restricted, (const two_8 *)in, out);
    RUN(constant_one, out);
    RUN(constant_each, out);
    RUN(parameter_each, out, parameters());
    RUN(local_array, words, out);
    RUN(copied_4_bytes, words, out);
    RUN(copied_8_bytes, (const uint2 *)in, (uint2 *)out);
    RUN(copied_16_bytes, vectors, (uint4 *)out);
    RUN(votes, words, out);
}

int main(void)
{
    static const unsigned int zeros[THREADS] = {0};
    unsigned char *in;
    unsigned int *out;
    CHECK(cudaMalloc(&in, BYTES));
    CHECK(cudaMalloc(&out, BYTES));
    CHECK(cudaMemset(out, 0, BYTES));
    CHECK(cudaMemcpyToSymbol(table, zeros, sizeof zeros));
    fill(in);
    STRUCTURES(RUN_STRUCTURE);
    CHECK(cudaDeviceSynchronize());
    some_members(in, out);
    CHECK(cudaDeviceSynchronize());
    others(in, out);
    CHECK(cudaDeviceSynchronize());
    meet(out, 1, 32, 1);
    meet(out, 2, 256, 1);
    meet(out, 132, 256, 1);
    meet(out, 132, 256, 3);
    meet(out, 264, 512, 2);
    meet(out, 64, 64, 5);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
