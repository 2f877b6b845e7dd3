/* kernels.cu - small kernels, one for each rule of the hardware's counters.
 *
 * The same program runs under Nsight Compute on a GPU and, with SIM_PROFILE, on
 * the simulated one; compare.sh lays the two side by side. Every kernel has a
 * name of its own, and all are launched once, in the order of main. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCKS = 64, THREADS = 256, COUNT = BLOCKS * THREADS, ROUNDS = 4, BYTES = COUNT * 64 };

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

/* --- Loads and stores of each width, side by side --- */

#define WIDTH(name, type, value)                                                                   \
    __global__ void load_##name(const type *in, unsigned int *out)                                 \
    {                                                                                              \
        type x = in[me()];                                                                         \
        if (value == 77)                                                                           \
            out[0] = 1;                                                                            \
    }                                                                                              \
    __global__ void store_##name(type *out, type x)                                                \
    {                                                                                              \
        out[me()] = x;                                                                             \
    }
WIDTH(1_byte, unsigned char, x)
WIDTH(2_bytes, unsigned short, x)
WIDTH(4_bytes, unsigned int, x)
WIDTH(8_bytes, uint2, x.x + x.y)
WIDTH(16_bytes, uint4, x.x + x.y + x.z + x.w)

/* --- Loads of 4 bytes in other patterns --- */

#define LOAD(name, index)                                                                          \
    __global__ void load_##name(const unsigned int *in, unsigned int *out)                         \
    {                                                                                              \
        unsigned int i = me();                                                                     \
        if (in[index] == 77777)                                                                    \
            out[0] = i;                                                                            \
    }
LOAD(stride_2, i * 2)
LOAD(stride_3, i * 3)
LOAD(stride_8, i * 8)
LOAD(offset_1, i + 1)
LOAD(offset_5, i + 5)
LOAD(backwards, COUNT - 1 - i)
LOAD(one_word_a_warp, i / 32)
LOAD(shuffled, (i * 2654435761u) % COUNT)

__global__ void load_byte_offset_5(const unsigned char *in, unsigned int *out)
{
    unsigned int i = me();
    if (in[i + 5] == 77)
        out[0] = i;
}

__global__ void load_guarded(const unsigned int *in, unsigned int *out, unsigned int length)
{
    unsigned int i = me();
    if (i < length && in[i] == 77777)
        out[0] = i;
}

__global__ void load_odd_lanes(const unsigned int *in, unsigned int *out)
{
    unsigned int i = me();
    if (i % 2 && in[i] == 77777)
        out[0] = i;
}

__global__ void load_as_often_as_the_lane(const unsigned int *in, unsigned int *out)
{
    unsigned int i = me(), sum = 0;
#pragma unroll 1
    for (unsigned int round = 0; round <= threadIdx.x % 32; round++)
        sum += in[(i + round * 32) % COUNT];
    if (sum == 77777)
        out[0] = i;
}

__global__ void store_stride_3(unsigned int *out)
{
    out[me() * 3] = me();
}

__global__ void store_same_word(unsigned int *out)
{
    out[me() / 32] = 7;
}

/* --- Shared memory --- */

#define SHARED(name, type, zero, index, used)                                                      \
    __global__ void shared_##name(unsigned int *out, unsigned int salt)                            \
    {                                                                                              \
        __shared__ type s[2048];                                                                   \
        unsigned int t = threadIdx.x;                                                              \
        for (unsigned int k = t; k < 2048; k += THREADS)                                           \
            s[k] = zero;                                                                           \
        __syncthreads();                                                                           \
        type x = s[(index) % 2048];                                                                \
        if ((used) == salt * 1000003u)                                                             \
            out[0] = salt;                                                                         \
    }
SHARED(stride_1, unsigned int, k, t, x)
SHARED(stride_2, unsigned int, k, t * 2, x)
SHARED(stride_4, unsigned int, k, t * 4, x)
SHARED(stride_33, unsigned int, k, t * 33, x)
SHARED(stride_32, unsigned int, k, t * 32, x)
SHARED(broadcast, unsigned int, k, salt, x)
SHARED(random, unsigned int, k, t * 2654435761u >> 7, x)
SHARED(bytes, unsigned char, (unsigned char)k, t, x)
SHARED(bytes_stride_4, unsigned char, (unsigned char)k, t * 4 + 1, x)
SHARED(8_bytes, uint2, make_uint2(k, k), t, x.x ^ x.y)
SHARED(8_bytes_stride_2, uint2, make_uint2(k, k), t * 2, x.x ^ x.y)
SHARED(16_bytes, uint4, make_uint4(k, k, k, k), t, x.x ^ x.y ^ x.z ^ x.w)
SHARED(16_bytes_stride_2, uint4, make_uint4(k, k, k, k), t * 2, x.x ^ x.y ^ x.z ^ x.w)

/* --- Atomics. `bin` holds COUNT * ROUNDS bins below 256, of a distribution. --- */

#define GLOBAL_ATOMIC(name, type, statement)                                                       \
    __global__ void name(const unsigned char *bin, type *bins)                                     \
    {                                                                                              \
        for (unsigned int i = me(); i < COUNT * ROUNDS; i += COUNT) {                              \
            unsigned int b = bin[i];                                                               \
            statement;                                                                             \
        }                                                                                          \
    }
GLOBAL_ATOMIC(red_uniform, unsigned int, atomicAdd(&bins[b], 1))
GLOBAL_ATOMIC(red_letters, unsigned int, atomicAdd(&bins[b % 26], 1))
GLOBAL_ATOMIC(red_five, unsigned int, atomicAdd(&bins[b % 5], 1))
GLOBAL_ATOMIC(red_spread, unsigned int, atomicAdd(&bins[b * 8], 1))
GLOBAL_ATOMIC(red_own_word, unsigned int, atomicAdd(&bins[i % COUNT], b))
GLOBAL_ATOMIC(red_value, unsigned int, atomicAdd(&bins[b], i))
GLOBAL_ATOMIC(red_max, unsigned int, atomicMax(&bins[b], i))
GLOBAL_ATOMIC(red_64_bits, unsigned long long, atomicAdd(&bins[b], 1ull))
GLOBAL_ATOMIC(red_float, float, atomicAdd(&bins[b], 1.0f))
GLOBAL_ATOMIC(red_odd_lanes, unsigned int, if (i % 2) atomicAdd(&bins[b], 1))
GLOBAL_ATOMIC(atom_uniform, unsigned int, if (atomicAdd(&bins[b], 1) == 0xffffffff) bins[0] = 0)
GLOBAL_ATOMIC(atom_exchange, unsigned int, if (atomicExch(&bins[b], i) == 0xffffffff) bins[0] = 0)
GLOBAL_ATOMIC(atom_compare, unsigned int,
              if (atomicCAS(&bins[b], i, i + 1) == 0xffffffff) bins[0] = 0)
GLOBAL_ATOMIC(red_one_counter, unsigned int, if (b < 256) atomicAdd(bins, 1))
GLOBAL_ATOMIC(red_one_counter_value, unsigned int, atomicAdd(bins, b))
GLOBAL_ATOMIC(red_block_counter, unsigned int, atomicAdd(&bins[blockIdx.x], b))

#define SHARED_ATOMIC(name, type, statement)                                                       \
    __global__ void name(const unsigned char *bin, type *bins)                                     \
    {                                                                                              \
        __shared__ type s[256];                                                                    \
        s[threadIdx.x] = 0;                                                                        \
        __syncthreads();                                                                           \
        for (unsigned int i = me(); i < COUNT * ROUNDS; i += COUNT) {                              \
            unsigned int b = bin[i];                                                               \
            statement;                                                                             \
        }                                                                                          \
        __syncthreads();                                                                           \
        if (s[threadIdx.x] == (type)77777)                                                         \
            bins[0] = 1;                                                                           \
    }
SHARED_ATOMIC(shared_increment, unsigned int, atomicAdd(&s[b], 1))
SHARED_ATOMIC(shared_increment_five, unsigned int, atomicAdd(&s[b % 5], 1))
SHARED_ATOMIC(shared_increment_used, unsigned int, if (atomicAdd(&s[b], 1) == 77777) bins[0] = 1)
SHARED_ATOMIC(shared_add, unsigned int, atomicAdd(&s[b], i))
SHARED_ATOMIC(shared_add_five, unsigned int, atomicAdd(&s[b % 5], i))
SHARED_ATOMIC(shared_add_two, unsigned int, atomicAdd(&s[b], 2))
SHARED_ATOMIC(shared_max, unsigned int, atomicMax(&s[b], i))
SHARED_ATOMIC(shared_exchange, unsigned int, if (atomicExch(&s[b], i) == 77777) bins[0] = 1)
SHARED_ATOMIC(shared_compare, unsigned int, if (atomicCAS(&s[b], i, 2) == 77777) bins[0] = 1)
SHARED_ATOMIC(shared_own_word, unsigned int, atomicAdd(&s[threadIdx.x], b))
SHARED_ATOMIC(shared_one_counter, unsigned int, atomicAdd(&s[3], b))

/* --- The distributions --- */

static unsigned int state = 12345;

static unsigned int draw(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static unsigned char from_distribution(const char *name, int i)
{
    static unsigned char run;
    if (name[0] == 'u') /* uniform */
        return (unsigned char)draw();
    if (name[0] == 's') /* single */
        return 7;
    if (name[0] == 'r') { /* runs of 16 */
        if (i % 16 == 0)
            run = (unsigned char)draw();
        return run;
    }
    return (unsigned char)(draw() % 256 * (draw() % 256) * (draw() % 256) >> 16); /* skewed */
}

static unsigned char *bins_of(const char *name)
{
    unsigned char *host = (unsigned char *)malloc(COUNT * ROUNDS), *device;
    for (int i = 0; i < COUNT * ROUNDS; i++)
        host[i] = from_distribution(name, i);
    CHECK(cudaMalloc(&device, COUNT * ROUNDS));
    CHECK(cudaMemcpy(device, host, COUNT * ROUNDS, cudaMemcpyHostToDevice));
    free(host);
    return device;
}

/* The kernels whose cost depends on the data run four times, once for each
 * distribution, in this order. */
template <typename T> static void atomics(void (*kernel)(const unsigned char *, T *), T *bins)
{
    static unsigned char *data[4];
    static const char *const names[4] = {"uniform", "skewed", "runs", "single"};
    for (int d = 0; d < 4; d++) {
        if (!data[d])
            data[d] = bins_of(names[d]);
        kernel<<<BLOCKS, THREADS>>>(data[d], bins);
        CHECK(cudaGetLastError());
    }
}

int main(void)
{
    unsigned char *in;
    unsigned int *out;
    CHECK(cudaMalloc(&in, BYTES));
    CHECK(cudaMalloc(&out, BYTES));
    CHECK(cudaMemset(in, 1, BYTES));
    CHECK(cudaMemset(out, 0, BYTES));
    const unsigned int *words = (const unsigned int *)in;
#define RUN(kernel, ...) kernel<<<BLOCKS, THREADS>>>(__VA_ARGS__)
    RUN(load_1_byte, in, out);
    RUN(load_2_bytes, (unsigned short *)in, out);
    RUN(load_4_bytes, words, out);
    RUN(load_8_bytes, (uint2 *)in, out);
    RUN(load_16_bytes, (uint4 *)in, out);
    RUN(store_1_byte, (unsigned char *)out, 1);
    RUN(store_2_bytes, (unsigned short *)out, 1);
    RUN(store_4_bytes, out, 1u);
    RUN(store_8_bytes, (uint2 *)out, make_uint2(1, 2));
    RUN(store_16_bytes, (uint4 *)out, make_uint4(1, 2, 3, 4));
    RUN(load_stride_2, words, out);
    RUN(load_stride_3, words, out);
    RUN(load_stride_8, words, out);
    RUN(load_offset_1, words, out);
    RUN(load_offset_5, words, out);
    RUN(load_backwards, words, out);
    RUN(load_one_word_a_warp, words, out);
    RUN(load_shuffled, words, out);
    RUN(load_byte_offset_5, in, out);
    RUN(load_guarded, words, out, 12345u);
    RUN(load_odd_lanes, words, out);
    RUN(load_as_often_as_the_lane, words, out);
    load_4_bytes<<<100, 40>>>(words, out); /* partial warps */
    RUN(store_stride_3, out);
    RUN(store_same_word, out);
    RUN(shared_stride_1, out, 3u);
    RUN(shared_stride_2, out, 3u);
    RUN(shared_stride_4, out, 3u);
    RUN(shared_stride_33, out, 3u);
    RUN(shared_stride_32, out, 3u);
    RUN(shared_broadcast, out, 3u);
    RUN(shared_random, out, 3u);
    RUN(shared_bytes, out, 3u);
    RUN(shared_bytes_stride_4, out, 3u);
    RUN(shared_8_bytes, out, 3u);
    RUN(shared_8_bytes_stride_2, out, 3u);
    RUN(shared_16_bytes, out, 3u);
    RUN(shared_16_bytes_stride_2, out, 3u);
    CHECK(cudaDeviceSynchronize());
    atomics(red_uniform, out);
    atomics(red_letters, out);
    atomics(red_five, out);
    atomics(red_spread, out);
    atomics(red_own_word, out);
    atomics(red_value, out);
    atomics(red_max, out);
    atomics(red_64_bits, (unsigned long long *)out);
    atomics(red_float, (float *)out);
    atomics(red_odd_lanes, out);
    atomics(atom_uniform, out);
    atomics(atom_exchange, out);
    atomics(atom_compare, out);
    atomics(red_one_counter, out);
    atomics(red_one_counter_value, out);
    atomics(red_block_counter, out);
    atomics(shared_increment, out);
    atomics(shared_increment_five, out);
    atomics(shared_increment_used, out);
    atomics(shared_add, out);
    atomics(shared_add_five, out);
    atomics(shared_add_two, out);
    atomics(shared_max, out);
    atomics(shared_exchange, out);
    atomics(shared_compare, out);
    atomics(shared_own_word, out);
    atomics(shared_one_counter, out);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
