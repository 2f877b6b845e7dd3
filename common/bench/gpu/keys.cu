/* keys.cu - elements with keys, made on the GPU, what their bins must hold, and the kernel that one would
 * write first. */
#include <cuda_runtime.h>
#include <stdlib.h>

#include "errors.h"
#include "keys.h"

enum { MOST_BLOCKS = 1024, THREADS = 256 };

static unsigned int blocks_for(size_t count)
{
    const size_t blocks = (count + THREADS - 1) / THREADS;
    return (unsigned int)(blocks < 1 ? 1 : blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS);
}

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

/* -- what the bins must hold: each element once more, by atomics on words that are wide enough -- */

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

/* Of every `row` elements the bins are num_bins further on. */
__global__ void truth_kernel(const element_t *elements, size_t length, size_t row, size_t num_bins,
                             struct wide_bin *truth)
{
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < length;
         i += (size_t)gridDim.x * THREADS) {
        const element_t x = elements[i];
        struct wide_bin *bin = &truth[i / row * num_bins + index_of(x, 0)];
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

struct keyed_truth *keyed_truth_of(const element_t *d_elements, size_t length, size_t num_bins,
                                   size_t batch)
{
    struct keyed_truth *truth = (struct keyed_truth *)malloc(sizeof *truth);
    if (!truth) {
        fprintf(stderr, "gpu: out of memory\n");
        exit(1);
    }
    const size_t all_bins = batch * num_bins;
    truth->num_bins = all_bins;
    must(cudaMalloc(&truth->d_bins, all_bins * sizeof *truth->d_bins), "cudaMalloc of the truth");
    must(cudaMalloc(&truth->d_found, 2 * sizeof *truth->d_found), "cudaMalloc");
    must(cudaMemset(truth->d_bins, 0, all_bins * sizeof *truth->d_bins), "cudaMemset");
    no_elements_kernel<<<blocks_for(all_bins), THREADS>>>(truth->d_bins, all_bins);
    truth_kernel<<<blocks_for(length), THREADS>>>(d_elements, length, length / batch, num_bins,
                                                  truth->d_bins);
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

/* -- every element updates its bin in global memory -- */

enum { BLOCKS_PER_MULTIPROCESSOR = 2, PLAIN_THREADS = 1024 };

#if OPERATION_HAS_ATOMIC
__device__ static inline void update(bin_t *bin, bin_t value, unsigned int *lock)
{
    (void)lock;
    atomic_combine(bin, value);
}
#elif OPERATION_WORD_BITS
union word_of_bin {
    word_t word;
    bin_t bin;
    __device__ word_of_bin(word_t w) : word(w)
    {
    }
    __device__ word_of_bin(bin_t b, int) : bin(b)
    {
    }
};

__device__ static inline void update(bin_t *bin, bin_t value, unsigned int *lock)
{
    (void)lock;
    word_t *place = (word_t *)bin, seen = *(volatile word_t *)place, before;
    do {
        before = seen;
        const word_of_bin next(combine(word_of_bin(before).bin, value), 0);
        seen = atomicCAS(place, before, next.word);
    } while (seen != before);
}
#else
/* A bin of 16 bytes, read and written past the cache of the multiprocessor. */
__device__ static inline void update(bin_t *bin, bin_t value, unsigned int *lock)
{
    static_assert(sizeof *bin == sizeof(double2), "one load and one store for a bin");
    for (bool done = false; !done;) {
        if (atomicExch(lock, 1) != 0)
            continue;
        __threadfence();
        double2 pair = __ldcg((const double2 *)bin);
        bin_t sum;
        sum.smallest = pair.x;
        sum.largest = pair.y;
        sum = combine(sum, value);
        pair.x = sum.smallest;
        pair.y = sum.largest;
        __stcg((double2 *)bin, pair);
        __threadfence();
        atomicExch(lock, 0);
        done = true;
    }
}
#endif

__global__ void plain_kernel(const element_t *elements, size_t length, bin_t *bins, size_t num_bins,
                             unsigned int *locks)
{
    const size_t stride = (size_t)gridDim.x * PLAIN_THREADS;
    for (size_t i = (size_t)blockIdx.x * PLAIN_THREADS + threadIdx.x; i < length; i += stride) {
        const element_t x = elements[i];
        const size_t j = index_of(x, num_bins);
        if (j < num_bins)
            update(&bins[j], value_of(x), locks ? &locks[j] : NULL);
    }
}

void plain_reduce(const struct peer *, const void *elements, size_t length, void *bins,
                  size_t num_bins)
{
    static unsigned int *locks;
    static size_t num_locks;
    int device, multiprocessors;
    must(cudaGetDevice(&device), "cudaGetDevice");
    must(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
         "cudaDeviceGetAttribute");
    if (!OPERATION_HAS_ATOMIC && !OPERATION_WORD_BITS && num_locks < num_bins) {
        must(cudaFree(locks), "cudaFree");
        must(cudaMalloc(&locks, num_bins * sizeof *locks), "cudaMalloc of the locks");
        must(cudaMemset(locks, 0, num_bins * sizeof *locks), "cudaMemset");
        num_locks = num_bins;
    }
    plain_kernel<<<(unsigned int)(multiprocessors * BLOCKS_PER_MULTIPROCESSOR), PLAIN_THREADS>>>(
        (const element_t *)elements, length, (bin_t *)bins, num_bins, locks);
    must(cudaGetLastError(), "plain_kernel");
}
