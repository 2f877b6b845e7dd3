/* made_text.cu - makes a text on a card, and counts it slowly and simply. */
#include "made_text.h"

#include <cuda_runtime.h>

#include "binning.h"
#include "errors.h"

enum { THREADS = 256, MOST_BLOCKS = 4096, BYTE_VALUES = 256, LETTERS = 26, PIECE = 1 << 28 };

const char *const made_text_names[MADE_TEXTS] = {"mixed", "one letter", "bytes above 127"};

static unsigned int blocks_for(size_t count)
{
    const size_t blocks = (count + THREADS - 1) / THREADS, most = MOST_BLOCKS;
    return (unsigned int)(blocks < 1 ? 1 : blocks < most ? blocks : most);
}

/* Every number of 64 bits comes from just one other. */
__device__ static unsigned long long mixed(unsigned long long x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
    return x ^ x >> 31;
}

__device__ static unsigned char character_of(unsigned int byte, enum made_text kind)
{
    if (kind == ONE_LETTER)
        return 'e';
    if (kind == HARDLY_COUNTED)
        return (unsigned char)(byte | 0x80);
    return (unsigned char)(BINS > LETTERS ? byte : 'a' + byte * LETTERS / BYTE_VALUES);
}

__global__ void fill_text_kernel(unsigned char *text, size_t length, size_t first,
                                 enum made_text kind)
{
    const size_t eights = (length + 7) / 8;
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < eights;
         i += (size_t)gridDim.x * THREADS) {
        unsigned long long random = mixed(first / 8 + i), eight = 0;
        for (int k = 0; k < 8; k++, random >>= 8)
            eight |= (unsigned long long)character_of(random & 0xff, kind) << 8 * k;
        if (8 * i + 8 <= length)
            ((unsigned long long *)text)[i] = eight;
        else
            for (size_t k = 8 * i; k < length; k++, eight >>= 8)
                text[k] = (unsigned char)eight;
    }
}

void made_text_fill(unsigned char *d_text, size_t length, size_t first, enum made_text kind)
{
    if (length == 0)
        return;
    fill_text_kernel<<<blocks_for(length / 8 + 1), THREADS>>>(d_text, length, first, kind);
    must(cudaGetLastError(), "fill_text_kernel");
}

/* A block's counters have 32 bits: of the 2^36 bytes of one call a block has 2^24. */
__global__ void count_values_kernel(const unsigned char *text, size_t length,
                                    unsigned long long *values)
{
    __shared__ unsigned int counters[BYTE_VALUES];
    counters[threadIdx.x] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < length;
         i += (size_t)gridDim.x * THREADS)
        atomicAdd(&counters[text[i]], 1u);
    __syncthreads();
    atomicAdd(&values[threadIdx.x], (unsigned long long)counters[threadIdx.x]);
}

void made_text_count(const unsigned char *d_text, size_t length, unsigned long long *bins)
{
    unsigned long long values[BYTE_VALUES], *d_values;
    must(cudaMalloc(&d_values, sizeof values), "cudaMalloc");
    must(cudaMemset(d_values, 0, sizeof values), "cudaMemset");
    count_values_kernel<<<blocks_for(length), THREADS>>>(d_text, length, d_values);
    must(cudaGetLastError(), "count_values_kernel");
    must(cudaMemcpy(values, d_values, sizeof values, cudaMemcpyDeviceToHost), "counting a text");
    must(cudaFree(d_values), "cudaFree");
    for (int value = 0; value < BYTE_VALUES; value++)
        if (bin_of((unsigned char)value) >= 0)
            bins[bin_of((unsigned char)value)] += values[value];
}

void made_text_to_host(unsigned char *text, size_t length, size_t first, enum made_text kind,
                       unsigned long long *bins)
{
    unsigned char *d_piece;
    must(cudaMalloc(&d_piece, length < PIECE ? length + 1 : PIECE),
         "cudaMalloc of a piece of text");
    for (size_t at = 0, now; at < length; at += now) {
        now = length - at < PIECE ? length - at : PIECE;
        made_text_fill(d_piece, now, first + at, kind);
        made_text_count(d_piece, now, bins);
        must(cudaMemcpy(text + at, d_piece, now, cudaMemcpyDeviceToHost), "cudaMemcpy of a text");
    }
    must(cudaFree(d_piece), "cudaFree");
}
