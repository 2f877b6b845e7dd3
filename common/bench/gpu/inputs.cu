/* inputs.cu - elements and values, made on the GPU, and what must come of them. */
#include "inputs.h"

#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "errors.h"

enum { MOST_BLOCKS = 1024, THREADS = 256 };

static unsigned int blocks_for(size_t count)
{
    const size_t blocks = (count + THREADS - 1) / THREADS, most = MOST_BLOCKS;
    return (unsigned int)(blocks < 1 ? 1 : blocks < most ? blocks : most);
}

/* Every number of 0 to 2^32 - 1 comes from just one other. */
__device__ static inline unsigned int mixed(unsigned int x)
{
    x = (x ^ x >> 16) * 0x7feb352dU;
    x = (x ^ x >> 15) * 0x846ca68bU;
    return x ^ x >> 16;
}

#if IS_OF_FLOATS || OPERATION_IS(minmax)
/* A multiple of 1/32 between -1 and 1. */
__device__ static inline float drawn(unsigned int random)
{
    return ((int)(random % 65) - 32) / 32.0f;
}
#endif

/* -- what one result must be -- */

#if IS_OF_FLOATS
/* The k-th float of a value, or of a result. */
__host__ __device__ static inline double number_of(value_t value, int k)
{
    (void)k;
#if OPERATION_IS(dot)
    return (double)value.x * (double)value.y;
#elif OPERATION_IS(vector_sum)
    return (double)value.sum[k];
#else
    return (double)value;
#endif
}

/* Whether the k-th float of a result is right, on whose way any value is rounded so often. Values are
 * multiples of 2^-5, if they are not whole; their squares and the powers beyond are finer. */
__host__ __device__ static bool sum_is_right(const struct truth *truth, int k, value_t got,
                                             double roundings)
{
    const double unit = 1.0 / (1 << 24), off = roundings * unit;
    const bool exact = k < 2 && (truth->has_fractions ? 32 : 1) * truth->magnitude[k] <= 1 << 24;
    const double bound = exact ? 0 : off / (off < 0.5 ? 1 - off : 0.5) * truth->magnitude[k];
    return fabs(number_of(got, k) - truth->sum[k]) <= bound;
}
#elif OPERATION_IS(minmax)
/* Bits of a float that compare as unsigned numbers do; 0 is below all. */
__host__ __device__ static inline unsigned int sortable(double value)
{
    union {
        float value;
        unsigned int bits;
    } both;
    both.value = (float)value;
    return both.bits >> 31 ? ~both.bits : both.bits | 0x80000000U;
}
#elif OPERATION_IS(argmax)
/* The largest of them is the largest value with the smallest index; 0 is the neutral one. */
__host__ __device__ static inline unsigned long long word_of(value_t value)
{
    return (unsigned long long)value.value << 32 | ~value.index;
}
#else
__host__ __device__ static inline unsigned long long word_of(value_t value)
{
    return value;
}
#endif

/* One value more, in what nobody else uses now. */
__device__ static inline void add_value(struct truth *part, value_t value)
{
    part->units++;
#if IS_OF_FLOATS
    for (int k = 0; k < FLOATS_OF_RESULT; k++) {
        const double number = number_of(value, k);
        part->sum[k] += number;
        part->magnitude[k] += fabs(number);
        part->has_fractions |= number != rint(number);
    }
#elif OPERATION_IS(minmax)
    const unsigned int smallest = ~sortable(value.smallest), largest = sortable(value.largest);
    part->opposite = smallest > part->opposite ? smallest : part->opposite;
    part->largest = largest > part->largest ? largest : part->largest;
#elif OPERATION_IS(argmax) || OPERATION_IS(max)
    part->whole = word_of(value) > part->whole ? word_of(value) : part->whole;
#else
    part->whole += word_of(value);
#endif
}

/* A part comes to a whole to which others come, too. */
__device__ static inline void add_part(struct truth *truth, const struct truth *part)
{
    atomicAdd(&truth->units, part->units);
#if IS_OF_FLOATS
    for (int k = 0; k < FLOATS_OF_RESULT; k++) {
        atomicAdd(&truth->sum[k], part->sum[k]);
        atomicAdd(&truth->magnitude[k], part->magnitude[k]);
    }
    if (part->has_fractions)
        atomicMax(&truth->has_fractions, part->has_fractions);
#elif OPERATION_IS(minmax)
    atomicMax(&truth->opposite, part->opposite);
    atomicMax(&truth->largest, part->largest);
#elif OPERATION_IS(argmax) || OPERATION_IS(max)
    atomicMax(&truth->whole, part->whole);
#else
    atomicAdd(&truth->whole, part->whole);
#endif
}

/* Floats may be off by so many roundings. */
__host__ __device__ static bool is_right(const struct truth *truth, value_t got, double roundings)
{
    (void)roundings;
#if IS_OF_FLOATS
    for (int k = 0; k < FLOATS_OF_RESULT; k++)
        if (!sum_is_right(truth, k, got, roundings))
            return false;
    return true;
#elif OPERATION_IS(minmax)
    if (truth->units == 0)
        return got.smallest == neutral().smallest && got.largest == neutral().largest;
    return (double)(float)got.smallest == got.smallest &&
           (double)(float)got.largest == got.largest &&
           (unsigned int)~sortable(got.smallest) == truth->opposite &&
           sortable(got.largest) == truth->largest;
#elif OPERATION_IS(argmax)
    return word_of(got) == truth->whole;
#elif OPERATION_IS(saturate)
    return got == (truth->units < SATURATE_AT ? truth->units : SATURATE_AT);
#else
    return got == (value_t)truth->whole; // a sum is one modulo 2^32, or 2^64
#endif
}

#if IS_OF_ELEMENTS

/* -- elements, and bins -- */

/* A number below `limit`, from 32 random bits. */
__device__ static inline unsigned int scaled(unsigned int random, size_t limit)
{
    return (unsigned int)((unsigned long long)random * limit >> 32);
}

/* So many keys an element can have. */
#if OPERATION_IS(argmax)
static const size_t KEYS = (size_t)1 << ELEMENT_KEY_BITS;
#else
static const size_t KEYS = (size_t)1 << 32;
#endif
static const unsigned long long PRIME = 2654435761ULL; // above all numbers of bins: one to one

/* Of the ranks from 1 on one whose share is rank^-exponent, before it is cut to a whole number. */
__device__ static double zipf_rank(unsigned int random, size_t ranks, double exponent)
{
    const double share = (random + 0.5) / 4294967296.0, end = (double)ranks + 1;
    if (exponent == 1)
        return exp(share * log(end));
    return pow(1 + share * (pow(end, 1 - exponent) - 1), 1 / (1 - exponent));
}

__device__ static unsigned int key_of(unsigned int i, size_t length, size_t num_bins,
                                      struct crowd crowd)
{
    const size_t range = num_bins < KEYS ? num_bins : KEYS;
    const unsigned int random = mixed(2 * i + 1), second = mixed(random ^ 0x9e3779b9U);
    const unsigned int place = (unsigned int)(crowd.number * (double)range); // of a position
    const unsigned int whole = (unsigned int)crowd.number;
    switch (crowd.kind) {
    case CROWD_SINGLE:
        return place;
    case CROWD_STRIDE:
        return whole * scaled(random, (range + whole - 1) / whole);
    case CROWD_NINETY:
        return second % 10 != 0 ? place : scaled(random, range);
    case CROWD_ZIPF: {
        const size_t rank = (size_t)(zipf_rank(random, range, crowd.number) - 1);
        return (unsigned int)((rank < range ? rank : range - 1) * PRIME % range);
    }
    case CROWD_SORTED:
        return (unsigned int)(i * range / length);
    default:
        return scaled(random, range);
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
    x.value = drawn(random);
#endif
    return x;
#endif
}

__global__ void elements_kernel(element_t *elements, size_t length, size_t num_bins,
                                struct crowd crowd)
{
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < length;
         i += (size_t)gridDim.x * THREADS)
        elements[i] = element((unsigned int)i, key_of((unsigned int)i, length, num_bins, crowd));
}

void elements_fill(element_t *d_elements, size_t length, size_t num_bins, struct crowd crowd)
{
    elements_kernel<<<blocks_for(length), THREADS>>>(d_elements, length, num_bins, crowd);
    must(cudaGetLastError(), "elements_kernel");
}

__global__ void clear_kernel(bin_t *bins, size_t num_bins)
{
    for (size_t j = blockIdx.x * (size_t)THREADS + threadIdx.x; j < num_bins;
         j += (size_t)gridDim.x * THREADS)
        bins[j] = neutral();
}

void bins_clear(bin_t *d_bins, size_t num_bins)
{
    clear_kernel<<<blocks_for(num_bins), THREADS>>>(d_bins, num_bins);
    must(cudaGetLastError(), "clear_kernel");
}

/* Of every `row` elements the bins are num_bins further on. A thread takes 16 neighbors at a time. It holds the
 * parts of a few bins back until another bin needs the slot: where keys crowd, atomics at one address would take
 * seconds. */
__global__ void truths_kernel(const element_t *elements, size_t length, size_t row, size_t num_bins,
                              struct truth *truths)
{
    enum { NEIGHBORS = 16, SLOTS = 4 };
    struct truth part[SLOTS];
    size_t bin_of[SLOTS];
    for (int slot = 0; slot < SLOTS; slot++)
        part[slot].units = 0;
    const size_t thread = blockIdx.x * (size_t)THREADS + threadIdx.x;
    const size_t stride = (size_t)gridDim.x * THREADS * NEIGHBORS;
    for (size_t first = thread * NEIGHBORS; first < length; first += stride)
        for (size_t i = first; i < first + NEIGHBORS && i < length; i++) {
            const size_t j = index_of(elements[i], num_bins), bin = i / row * num_bins + j;
            struct truth *mine = &part[mixed((unsigned int)bin) % SLOTS];
            if (j >= num_bins)
                continue;
            if (mine->units > 0 && bin_of[mine - part] != bin) {
                add_part(&truths[bin_of[mine - part]], mine);
                mine->units = 0;
            }
            if (mine->units == 0)
                *mine = truth{};
            bin_of[mine - part] = bin;
            add_value(mine, value_of(elements[i]));
        }
    for (int slot = 0; slot < SLOTS; slot++)
        if (part[slot].units > 0)
            add_part(&truths[bin_of[slot]], &part[slot]);
}

struct truth *truths_of_elements(const element_t *d_elements, size_t length, size_t num_bins,
                                 size_t batch)
{
    struct truth *d_truths;
    must(cudaMalloc(&d_truths, batch * num_bins * sizeof *d_truths), "cudaMalloc of the truth");
    must(cudaMemset(d_truths, 0, batch * num_bins * sizeof *d_truths), "cudaMemset");
    truths_kernel<<<blocks_for(length), THREADS>>>(d_elements, length, length / batch, num_bins,
                                                   d_truths);
    must(cudaGetLastError(), "truths_kernel");
    must(cudaDeviceSynchronize(), "truths_kernel");
    return d_truths;
}

/* How far a bin is off, over the sum of magnitudes. */
__device__ static double error_in(const struct truth *truth, bin_t got)
{
    double most = 0;
    (void)truth, (void)got;
#if IS_OF_FLOATS
    for (int k = 0; k < FLOATS_OF_RESULT; k++)
        if (truth->magnitude[k] > 0)
            most = fmax(most, fabs(number_of(got, k) - truth->sum[k]) / truth->magnitude[k]);
#endif
    return most;
}

/* found[0]: how many bins are wrong; found[1]: ~ of the first of them, as atomicMax finds it; found[2]: the bits
 * of the largest error, which compare as numbers do */
__global__ void check_kernel(const struct truth *truths, const bin_t *bins, size_t num_bins,
                             unsigned long long *found)
{
    for (size_t j = blockIdx.x * (size_t)THREADS + threadIdx.x; j < num_bins;
         j += (size_t)gridDim.x * THREADS) {
        if (!is_right(&truths[j], bins[j], (double)truths[j].units)) {
            atomicAdd(&found[0], 1ULL);
            atomicMax(&found[1], ~(unsigned long long)j);
        }
        const double error = error_in(&truths[j], bins[j]);
        if (error > 0)
            atomicMax(&found[2], (unsigned long long)__double_as_longlong(error));
    }
}

size_t wrong_bins(const struct truth *d_truths, const bin_t *d_bins, size_t num_bins, size_t *first,
                  double *error)
{
    unsigned long long found[3], *d_found;
    must(cudaMalloc(&d_found, sizeof found), "cudaMalloc");
    must(cudaMemset(d_found, 0, sizeof found), "cudaMemset");
    check_kernel<<<blocks_for(num_bins), THREADS>>>(d_truths, d_bins, num_bins, d_found);
    must(cudaGetLastError(), "check_kernel");
    must(cudaMemcpy(found, d_found, sizeof found, cudaMemcpyDeviceToHost), "check_kernel");
    must(cudaFree(d_found), "cudaFree");
    *first = found[0] > 0 ? (size_t)~found[1] : 0;
    memcpy(error, &found[2], sizeof *error);
    return (size_t)found[0];
}
#endif

#if IS_OF_VALUES

/* -- values, and one result -- */

/* Sums of whole floats are exact up to 2^24: of so many sparse values one is 1. A power of two. */
static unsigned int rarity(size_t length)
{
    unsigned int one_of = 1;
    while (length / one_of > 1u << 22)
        one_of *= 2;
    return one_of;
}

/* one_of: 0 for dense values */
__device__ static value_t value_at(unsigned int i, bool is_last, unsigned int one_of)
{
    const unsigned int random = mixed(i);
    (void)is_last, (void)one_of;
#if OPERATION_IS(sum)
    return random;
#elif OPERATION_IS(max)
    return is_last ? 0xfffffff1u : random >> 1;
#else
    const float sparse = is_last || random % (one_of ? one_of : 1) == 0 ? 1.0f : 0.0f;
    const float x = one_of ? sparse : drawn(random);
#if OPERATION_IS(dot)
    const float half = (float)(1 << (random >> 16) % 3); // 1, 2 or 4
    value_t pair;
    pair.x = x * half;
    pair.y = 1 / half;
    return pair;
#else
    return x;
#endif
#endif
}

__global__ void values_kernel(value_t *values, size_t length, unsigned int one_of)
{
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < length;
         i += (size_t)gridDim.x * THREADS)
        values[i] = value_at((unsigned int)i, i == length - 1, one_of);
}

void values_fill(value_t *d_values, size_t length, enum density density)
{
    if (length == 0)
        return;
    values_kernel<<<blocks_for(length), THREADS>>>(d_values, length,
                                                   density == SPARSE ? rarity(length) : 0);
    must(cudaGetLastError(), "values_kernel");
}

__global__ void truth_kernel(const value_t *values, size_t length, struct truth *truth)
{
    struct truth part = {};
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < length;
         i += (size_t)gridDim.x * THREADS)
        add_value(&part, values[i]);
    add_part(truth, &part);
}

struct truth truth_of_values(const value_t *d_values, size_t length)
{
    struct truth truth, *d_truth;
    must(cudaMalloc((void **)&d_truth, sizeof *d_truth), "cudaMalloc");
    must(cudaMemset(d_truth, 0, sizeof *d_truth), "cudaMemset");
    truth_kernel<<<blocks_for(length), THREADS>>>(d_values, length, d_truth);
    must(cudaGetLastError(), "truth_kernel");
    must(cudaMemcpy(&truth, d_truth, sizeof truth, cudaMemcpyDeviceToHost), "truth_kernel");
    must(cudaFree(d_truth), "cudaFree");
    return truth;
}

/* A thread of a small grid adds length / 2^15 values, and then there are the threads and the blocks. */
bool is_right_result(const struct truth *truth, value_t result)
{
    return is_right(truth, result, (double)truth->units / (1 << 15) + 4096);
}

double error_of(const struct truth *truth, value_t result)
{
#if IS_OF_FLOATS
    const double off = fabs(number_of(result, 0) - truth->sum[0]);
    return truth->magnitude[0] > 0 ? off / truth->magnitude[0] : 0;
#else
    (void)truth, (void)result;
    return 0;
#endif
}

const char *what_is_wrong(const struct truth *truth, value_t result)
{
    static char text[96];
#if IS_OF_FLOATS
    snprintf(text, sizeof text, "%.9g in place of %.9g", number_of(result, 0), truth->sum[0]);
#else
    snprintf(text, sizeof text, "%u in place of %u", result, (unsigned int)truth->whole);
#endif
    return text;
}
#endif
