/* keyed.cu - makes elements with keys on the GPU. */
#include "keyed.h"

#include <cuda_runtime.h>

#include "errors.h"

enum { MOST_BLOCKS = 1024, THREADS = 256 };

static unsigned int blocks_for(size_t count)
{
    const size_t blocks = (count + THREADS - 1) / THREADS;
    return (unsigned int)(blocks < 1 ? 1 : blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS);
}

const char *const crowd_names[CROWDS] = {"uniform",  "zipf",   "single",
                                         "stride63", "ninety", "sorted"};

/* Every number of 0 to 2^32 - 1 comes from just one other. */
__device__ static inline unsigned int mixed(unsigned int x)
{
    x = (x ^ x >> 16) * 0x7feb352dU;
    x = (x ^ x >> 15) * 0x846ca68bU;
    return x ^ x >> 16;
}

/* A number below `limit`, from 32 random bits. */
__device__ static inline unsigned int scaled(unsigned int random, size_t limit)
{
    return (unsigned int)((unsigned long long)random * limit >> 32);
}

__device__ static unsigned int key_of(unsigned int i, size_t length, size_t num_bins,
                                      enum crowd crowd)
{
    const unsigned int random = mixed(2 * i + 1), second = mixed(random ^ 0x9e3779b9U);
    const unsigned int middle = (unsigned int)(num_bins / 2);
    switch (crowd) {
    case CROWD_SINGLE:
        return middle;
    case CROWD_STRIDE_63:
        return 63 * scaled(random, (num_bins + 62) / 63);
    case CROWD_NINETY:
        return second % 10 != 0 ? middle : scaled(random, num_bins);
    case CROWD_ZIPF: {
        const double share = (random + 0.5) / 4294967296.0;
        const size_t rank = (size_t)(exp(share * log((double)num_bins + 1)) - 1);
        const unsigned long long prime = 2654435761ULL; // so ranks and bins are one to one
        return (unsigned int)((rank < num_bins ? rank : num_bins - 1) * prime % num_bins);
    }
    case CROWD_SORTED:
        return (unsigned int)(i * num_bins / length);
    default:
        return scaled(random, num_bins);
    }
}

__device__ static element_t element(unsigned int i, unsigned int key)
{
    const unsigned int random = mixed(~i);
#if OPERATION_IS(count) || OPERATION_IS(saturate)
    (void)random;
    return key;
#elif OPERATION_IS(argmax)
    return (element_t)key | (element_t)(random >> (32 - ELEMENT_VALUE_BITS)) << ELEMENT_KEY_BITS |
           (element_t)i << (ELEMENT_KEY_BITS + ELEMENT_VALUE_BITS);
#else
    element_t x;
    x.key = key;
#if OPERATION_IS(wide_sum)
    x.value = random;
#else
    x.value = ((int)(random % 65) - 32) / 32.0f;
#endif
    return x;
#endif
}

__global__ void fill_kernel(element_t *elements, size_t length, size_t num_bins, enum crowd crowd)
{
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < length;
         i += (size_t)gridDim.x * THREADS)
        elements[i] = element((unsigned int)i, key_of((unsigned int)i, length, num_bins, crowd));
}

void keyed_fill(element_t *d_elements, size_t length, size_t num_bins, enum crowd crowd)
{
    fill_kernel<<<blocks_for(length), THREADS>>>(d_elements, length, num_bins, crowd);
    must(cudaGetLastError(), "fill_kernel");
}

__global__ void clear_kernel(bin_t *bins, size_t num_bins)
{
    for (size_t j = blockIdx.x * (size_t)THREADS + threadIdx.x; j < num_bins;
         j += (size_t)gridDim.x * THREADS)
        bins[j] = neutral();
}

void keyed_clear(bin_t *d_bins, size_t num_bins)
{
    clear_kernel<<<blocks_for(num_bins), THREADS>>>(d_bins, num_bins);
    must(cudaGetLastError(), "clear_kernel");
}
