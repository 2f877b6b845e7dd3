/* truth.cu - says what bins must hold: each element once more, by atomics on words that are wide enough. */
#include <cuda_runtime.h>

#include "errors.h"
#include "keyed.h"

enum { MOST_BLOCKS = 1024, THREADS = 256 };

static unsigned int blocks_for(size_t count)
{
    const size_t blocks = (count + THREADS - 1) / THREADS;
    return (unsigned int)(blocks < 1 ? 1 : blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS);
}

/* A bin with room for all that may come. */
#if OPERATION_IS(vector_sum)
enum { PARTS = BIN_FLOATS };
#else
enum { PARTS = 1 };
#endif
struct wide_bin {
    unsigned int elements;
    unsigned int smallest, largest; /* of minmax, as sortable() numbers */
    unsigned long long whole;       /* the sum of integers, or the word that wins: 0 is neutral */
    double sum[PARTS], magnitude[PARTS]; /* the sum of floats, and that without their signs */
};

#if OPERATION_IS(minmax)
/* Bits of a float that compare as unsigned numbers do; and back. */
__device__ static inline unsigned int sortable(float value)
{
    const unsigned int bits = __float_as_uint(value);
    return bits >> 31 ? ~bits : bits | 0x80000000U;
}

__device__ static inline double unsortable(unsigned int number)
{
    return (double)__uint_as_float(number >> 31 ? number & 0x7fffffffU : ~number);
}
#elif OPERATION_IS(argmax)
/* The largest of them is the largest value with the smallest index. */
__device__ static inline unsigned long long word_that_wins(bin_t value)
{
    return (unsigned long long)value.value << 32 | ~value.index;
}
#endif

__global__ void truth_kernel(const element_t *elements, size_t length, struct wide_bin *truth)
{
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < length;
         i += (size_t)gridDim.x * THREADS) {
        const element_t x = elements[i];
        struct wide_bin *bin = &truth[index_of(x, 0)];
        atomicAdd(&bin->elements, 1u);
#if OPERATION_IS(wide_sum)
        atomicAdd(&bin->whole, (unsigned long long)x.value);
#elif OPERATION_IS(argmax)
        atomicMax(&bin->whole, word_that_wins(value_of(x)));
#elif OPERATION_IS(minmax)
        atomicMin(&bin->smallest, sortable(x.value + 0.0f));
        atomicMax(&bin->largest, sortable(x.value + 0.0f));
#elif OPERATION_IS(float_sum)
        atomicAdd(&bin->sum[0], (double)x.value);
        atomicAdd(&bin->magnitude[0], fabs((double)x.value));
#elif OPERATION_IS(vector_sum)
        const bin_t powers = value_of(x);
        for (int k = 1; k < PARTS; k++) { // the first is the number of elements
            atomicAdd(&bin->sum[k], (double)powers.sum[k]);
            atomicAdd(&bin->magnitude[k], fabs((double)powers.sum[k]));
        }
#endif
    }
}

#if OPERATION_IS(float_sum) || OPERATION_IS(vector_sum)
/* The k-th float of a bin of sums. Floats are multiples of 2^-5, so their sums are exact as long as
 * 32 times their magnitudes is at most 2^24. */
__device__ static bool sum_is_right(const struct wide_bin *truth, int k, float got)
{
    const double unit = 1.0 / (1 << 24), n = truth->elements;
    const double sum = k == 0 && PARTS > 1 ? n : truth->sum[k];
    const double magnitude = k == 0 && PARTS > 1 ? n : truth->magnitude[k];
    const bool exact = k < 2 && 32 * magnitude <= 1 << 24;
    const double off = exact ? 0 : n * unit * magnitude / (n * unit < 0.5 ? 1 - n * unit : 0.5);
    return fabs(got - sum) <= off;
}
#endif

__device__ static bool is_right(const struct wide_bin *truth, bin_t got)
{
#if OPERATION_IS(count)
    return got == truth->elements;
#elif OPERATION_IS(saturate)
    const unsigned int most = (1u << 24) - 1;
    return got == (truth->elements < most ? truth->elements : most);
#elif OPERATION_IS(wide_sum)
    return got == truth->whole;
#elif OPERATION_IS(argmax)
    return word_that_wins(got) == truth->whole;
#elif OPERATION_IS(minmax)
    if (truth->elements == 0)
        return got.smallest == neutral().smallest && got.largest == neutral().largest;
    return got.smallest == unsortable(truth->smallest) && got.largest == unsortable(truth->largest);
#elif OPERATION_IS(float_sum)
    return sum_is_right(truth, 0, got);
#else
    for (int k = 0; k < PARTS; k++)
        if (!sum_is_right(truth, k, got.sum[k]))
            return false;
    return true;
#endif
}

/* found[0]: how many bins are wrong; found[1]: ~ of the first of them, as atomicMax finds it */
__global__ void check_kernel(const struct wide_bin *truth, const bin_t *bins, size_t num_bins,
                             unsigned long long *found)
{
    for (size_t j = blockIdx.x * (size_t)THREADS + threadIdx.x; j < num_bins;
         j += (size_t)gridDim.x * THREADS)
        if (!is_right(&truth[j], bins[j])) {
            atomicAdd(&found[0], 1ULL);
            atomicMax(&found[1], ~(unsigned long long)j);
        }
}

struct keyed_truth {
    struct wide_bin *d_bins;
    unsigned long long *d_found;
    size_t num_bins;
};

__global__ void no_elements_kernel(struct wide_bin *truth, size_t num_bins)
{
    for (size_t j = blockIdx.x * (size_t)THREADS + threadIdx.x; j < num_bins;
         j += (size_t)gridDim.x * THREADS)
        truth[j].smallest = ~0u;
}

struct keyed_truth *keyed_truth_of(const element_t *d_elements, size_t length, size_t num_bins)
{
    struct keyed_truth *truth = (struct keyed_truth *)malloc(sizeof *truth);
    if (!truth) {
        fprintf(stderr, "gpu: out of memory\n");
        exit(1);
    }
    truth->num_bins = num_bins;
    must(cudaMalloc(&truth->d_bins, num_bins * sizeof *truth->d_bins), "cudaMalloc of the truth");
    must(cudaMalloc(&truth->d_found, 2 * sizeof *truth->d_found), "cudaMalloc");
    must(cudaMemset(truth->d_bins, 0, num_bins * sizeof *truth->d_bins), "cudaMemset");
    no_elements_kernel<<<blocks_for(num_bins), THREADS>>>(truth->d_bins, num_bins);
    truth_kernel<<<blocks_for(length), THREADS>>>(d_elements, length, truth->d_bins);
    must(cudaGetLastError(), "truth_kernel");
    must(cudaDeviceSynchronize(), "truth_kernel");
    return truth;
}

void keyed_truth_free(struct keyed_truth *truth)
{
    must(cudaFree(truth->d_bins), "cudaFree");
    must(cudaFree(truth->d_found), "cudaFree");
    free(truth);
}

size_t keyed_wrong_bins(const struct keyed_truth *truth, const bin_t *d_bins, size_t *first)
{
    unsigned long long found[2];
    must(cudaMemset(truth->d_found, 0, sizeof found), "cudaMemset");
    check_kernel<<<blocks_for(truth->num_bins), THREADS>>>(truth->d_bins, d_bins, truth->num_bins,
                                                           truth->d_found);
    must(cudaGetLastError(), "check_kernel");
    must(cudaMemcpy(found, truth->d_found, sizeof found, cudaMemcpyDeviceToHost), "check_kernel");
    *first = found[0] > 0 ? (size_t)~found[1] : 0;
    return (size_t)found[0];
}
