/* arrays.c - ladder_histogram() of texts and ladder_reduce(), beside sums of their own, at hostile lengths and
 * addresses. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ladder.h"
#include "sim.h"

enum { MOST = 300000, LATE = 16 };
static const size_t lengths[] = {0,    1,    3,    4,     15,    16,    17,    31,     33,
                                 4095, 4096, 4097, 16385, 65535, 65537, 98305, 100001, 270337};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

static void *temporary;
static size_t bytes = 1 << 16;
static char *device; /* where arrays begin, `late` bytes or values later */

static void set_up(void)
{
    cr_assert_eq(cudaMalloc(&temporary, bytes), cudaSuccess);
    cr_assert_eq(cudaMemset(temporary, 0xa5, bytes), cudaSuccess);
    cr_assert_eq(cudaMalloc((void **)&device, 4 * MOST + 1024), cudaSuccess);
}

TestSuite(arrays, .init = set_up);

static void count_text(const unsigned char *text, size_t length, size_t late, int bits,
                       const int16_t *table, size_t bins)
{
    uint64_t wanted[256] = {0}, wide[256] = {0};
    uint32_t narrow[256] = {0};
    void *counts;
    cr_assert_eq(cudaMalloc(&counts, sizeof wide), cudaSuccess);
    cr_assert_eq(cudaMemset(counts, 0, sizeof wide), cudaSuccess);
    cr_assert_eq(cudaMemcpy(device + late, text, length, cudaMemcpyHostToDevice), cudaSuccess);
    cr_expect_eq(ladder_histogram(temporary, &bytes, LADDER_U8, device + late, length, table,
                                  counts, bits, bins, 0),
                 LADDER_OK);
    cr_assert_eq(cudaMemcpy(bits == 64 ? (void *)wide : narrow, counts, bins * (size_t)bits / 8,
                            cudaMemcpyDeviceToHost),
                 cudaSuccess);
    for (size_t i = 0; i < length; i++) {
        const int bin = table ? table[text[i]] : text[i];
        if (bin >= 0 && bin < (int)bins)
            wanted[bin]++;
    }
    for (size_t bin = 0; bin < bins; bin++)
        cr_expect_eq(bits == 64 ? wide[bin] : narrow[bin], wanted[bin], "%zu bytes, bin %zu of %zu",
                     length, bin, bins);
    cr_expect_eq(sim_error_count(), 0, "the checks have reported something");
    cudaFree(counts);
}

Test(arrays, texts)
{
    unsigned char *const text = malloc(MOST);
    int16_t letters[256], pairs[256];
    uint32_t random = 1;
    for (int byte = 0; byte < 256; byte++) {
        const int letter = byte - 'a';
        letters[byte] = (int16_t)(letter >= 0 && letter < 26 ? letter / 6 : -1);
        pairs[byte] = (int16_t)(byte / 2);
    }
    for (size_t i = 0; i < MOST; i++) {
        random = random * 1664525 + 1013904223;
        text[i] = (unsigned char)(i % 3 ? random >> 24 : 'e');
    }
    for (size_t i = 0; i < LENGTHS; i++) {
        count_text(text, lengths[i], i % LATE, i % 2 ? 64 : 32, NULL, 256);
        count_text(text + 1, lengths[i], i * 5 % LATE, 32, letters, 5);
        count_text(text + 2, lengths[i], i * 3 % LATE, 64, pairs, 128);
        count_text(text + 2, lengths[i], 0, 32, NULL, 100);
    }
    free(text);
}

/* The result of a reduction whose arrays begin `late` values late. */
static void reduce_into(void *result, size_t result_bytes, ladder_reduction reduction,
                        const void *values, size_t length, size_t late)
{
    void *to;
    float *const from = (float *)(void *)device + late;
    cr_assert_eq(cudaMalloc(&to, 8), cudaSuccess);
    cr_assert_eq(cudaMemset(to, 0xa5, 8), cudaSuccess);
    cr_assert_eq(cudaMemcpy(from, values, length * 4, cudaMemcpyHostToDevice), cudaSuccess);
    const void *const others = reduction == LADDER_DOT ? from + (length > 0 ? 1 : 0) : NULL;
    const size_t number = reduction == LADDER_DOT && length > 0 ? length - 1 : length;
    cr_expect_eq(ladder_reduce(temporary, &bytes, reduction, from, others, number, to, 0),
                 LADDER_OK);
    cr_assert_eq(cudaMemcpy(result, to, result_bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    cr_expect_eq(sim_error_count(), 0, "the checks have reported something");
    cudaFree(to);
}

Test(arrays, sums_and_the_largest)
{
    uint32_t *const values = malloc(MOST * sizeof *values);
    for (uint32_t i = 0; i < MOST; i++)
        values[i] = i * 2654435761u;
    for (size_t i = 0; i < LENGTHS; i++) {
        uint64_t sum = 0, got_sum;
        uint32_t most = 0, got_most;
        for (size_t k = 0; k < lengths[i]; k++) {
            sum += values[k];
            most = values[k] > most ? values[k] : most;
        }
        reduce_into(&got_sum, 8, LADDER_SUM, values, lengths[i], i % 4);
        reduce_into(&got_most, 4, LADDER_MAX, values, lengths[i], i % 4);
        cr_expect_eq(got_sum, sum, "%zu values", lengths[i]);
        cr_expect_eq(got_most, most, "%zu values", lengths[i]);
    }
    free(values);
}

Test(arrays, sums_of_floats_and_products)
{
    float *const values = malloc(MOST * sizeof *values);
    for (int i = 0; i < MOST; i++)
        values[i] = (float)(i % 129 - 64) / 16;
    for (size_t i = 0; i < LENGTHS; i++) {
        const size_t length = lengths[i];
        double sum = 0, product = 0, magnitude = 0;
        float got_sum, got_product;
        for (size_t k = 0; k < length; k++)
            sum += (double)values[k];
        for (size_t k = 0; k + 1 < length; k++) {
            product += (double)values[k] * (double)values[k + 1];
            magnitude += fabs((double)values[k] * (double)values[k + 1]);
        }
        reduce_into(&got_sum, 4, LADDER_FLOAT_SUM, values, length, i % 4);
        reduce_into(&got_product, 4, LADDER_DOT, values, length, i % 4);
        cr_expect(fabs((double)got_sum - sum) <= 1e-6 * (double)length, "%zu values: %g, not %g",
                  length, (double)got_sum, sum);
        cr_expect(fabs((double)got_product - product) <= 1e-6 * magnitude, "%zu values", length);
    }
    free(values);
}

Test(arrays, a_reproducible_sum_has_the_same_bits_at_each_address)
{
    float *const values = malloc(MOST * sizeof *values);
    for (int i = 0; i < MOST; i++)
        values[i] = 1.0f / (float)(1 + i * 37 % 1009) * (i % 2 ? -1.0f : 1.0f);
    for (size_t i = 0; i < LENGTHS; i++) {
        uint32_t bits[4];
        for (size_t late = 0; late < 4; late++)
            reduce_into(&bits[late], 4, LADDER_REPRODUCIBLE, values, lengths[i], late);
        for (size_t late = 1; late < 4; late++)
            cr_expect_eq(bits[late], bits[0], "%zu values", lengths[i]);
    }
    free(values);
}

/* What each card must get: computed once, on the simulated H200. */
Test(arrays, a_reproducible_sum_has_the_same_bits_on_each_card)
{
    float *const values = malloc(MOST * sizeof *values), sum;
    for (int i = 0; i < MOST; i++)
        values[i] = 1.0f / (float)(1 + i % 1000);
    reduce_into(&sum, 4, LADDER_REPRODUCIBLE, values, 270337, 0);
    cr_expect_eq(sum, 0x1.fade76p+10f, "%a", (double)sum);
    free(values);
}
