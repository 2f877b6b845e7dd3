/* 29. Choosing: a sample decides among the techniques of chapters 20 to 26.
 *
 * From the number of bins the host chooses their place: shared memory, in several passes if need be, or the L2 cache. A
 * sample of the keys tells two things that the host does not know: which key is so frequent that each thread keeps it in a
 * register, and how many copies of the bins are worth their room in the cache. The answer stays on the device. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"    // CHECK(call): a call that fails ends the program with one line
#include "given/choices.h" // the kernels of chapters 20 to 26 that are chosen among; struct findings
#include "given/device.h"  // device_has(), fits()
#include "model.h"         // the functions of the model, which the suite asks, too
#include "reduce_by_index.h"

enum { SAMPLE = 512, MOST_COPIES = 32 };
// Where lanes with one key wait for each other in shared memory: counts are merged by the hardware there (chapter 20), and a
// maximum is tried only if it can win (chapter 21).
static const bool WAITS_IN_SHARED = !OPERATION_IS(count) && !OPERATION_IS(argmax);
// Picoseconds that an element with an even key takes on an H200, by docs/results/h200/small-kernels.csv: in a pass in
// shared memory (count: chapter 24; others: float_sum in chapter 23), and with its bin in the cache (chapter 26).
static const double A_PASS = OPERATION_IS(count) ? 0.7 : 3, IN_CACHE = 10;

/* The race factor of keys of which a sample held so many different ones: bins for each different key that as many keys
 * as there are bins would hold. n keys that are spread evenly over k bins hold k (1 - e^(-n / k)) different ones. */
MODEL_FUNCTION float race_factor(float sample, float different, float num_bins)
{
    float least = different, most = num_bins; // k is between them
    for (int step = 0; step < 30; step++) {
        const float k = (least + most) / 2;
        // TODO(29.1): In which half is the k whose `sample` keys hold `different` ones? Move the other bound to k.
        if (k * -expm1f(-sample / k) < different)
            least = k;
        else
            most = k;
        // end of TODO(29.1)
    }
    return num_bins / (most * -expm1f(-num_bins / most));
}

/* How many copies of the bins there shall be in the cache. Keys that are spread evenly over all bins have a race factor of
 * 1 / (1 - 1/e) = 1.58, and need one. */
MODEL_FUNCTION unsigned int copies_in_cache(float factor, unsigned int most_copies)
{
    unsigned int copies = 1;
    // TODO(29.2): As many times more copies as the race factor is larger, rounded down; 1 to most_copies.
    if (factor > 1.58f)
        copies = (unsigned int)(factor / 1.58f);
    if (copies > most_copies)
        copies = most_copies;
    // end of TODO(29.2)
    return copies;
}

/* One block of SAMPLE threads takes a key each, evenly spread over the input. */
__global__ void __launch_bounds__(SAMPLE)
    inspect(const element_t *elements, size_t length, size_t num_bins, unsigned int most_copies,
            struct findings *found)
{
    __shared__ unsigned int keys[SAMPLE], hottest;
    const size_t bin = index_of(elements[threadIdx.x * (length / SAMPLE)], num_bins);
    const unsigned int mine = bin < num_bins ? (unsigned int)bin : NO_KEY;
    unsigned int times = 0, before = 0;
    keys[threadIdx.x] = mine;
    if (threadIdx.x == 0)
        hottest = 0;
    __syncthreads(); // no thread may read a key that another has yet to store
    for (unsigned int t = 0; t < SAMPLE; t++) {
        times += keys[t] == mine;
        before += keys[t] == mine && t < threadIdx.x;
    }
    const unsigned int sampled = (unsigned int)__syncthreads_count(mine != NO_KEY);
    const unsigned int kinds = (unsigned int)__syncthreads_count(mine != NO_KEY && before == 0);
    if (mine != NO_KEY)
        atomicMax(&hottest,
                  times * SAMPLE + threadIdx.x); // protects the maximum from other threads
    __syncthreads(); // no thread may read the maximum before all have tried
    if (threadIdx.x > 0)
        return;
    const unsigned int hot_times = hottest / SAMPLE;
    bool is_hot = false;
    // TODO(29.3): The most frequent key is hot if it is at least every 32nd key of the sample, and was met four times.
    is_hot = hot_times >= 4 && hot_times >= sampled / 32;
    // end of TODO(29.3)
    const float others = (float)(sampled - (is_hot ? hot_times : 0));
    const float different = (float)(kinds - (is_hot ? 1 : 0));
    found->hot_key = is_hot ? keys[hottest % SAMPLE] : NO_KEY;
    found->copies = different > 0 ? copies_in_cache(race_factor(others, different, (float)num_bins),
                                                    most_copies)
                                  : 1;
}

/* What is chosen for so many elements and bins on a card: shared memory or the cache, copies in shared memory, passes. */
void model_choose(const struct model_card *card, size_t length, size_t num_bins,
                  struct model_choice *choice)
{
    const size_t fit = card->shared_bytes / sizeof(bin_t); // bins that a block has room for
    const size_t passes = (num_bins + fit - 1) / fit;
    choice->in_shared = 0;
    choice->copies = choice->passes = 1;
    // TODO(29.4): Shared memory is chosen if one pass is enough, or if an element costs less in all passes, each of which
    //             takes A_PASS, than IN_CACHE. Then in_shared is 1, and the passes are those.
    if (passes == 1 || (double)passes * A_PASS < IN_CACHE) {
        choice->in_shared = 1;
        choice->passes = (unsigned int)passes;
    }
    // end of TODO(29.4)
    if (passes == 1 &&
        WAITS_IN_SHARED) { // what fits; what half of the elements pay for; a copy for each lane
        const size_t paid = length / (2 * num_bins * card->multiprocessors);
        const size_t copies = fit / num_bins < paid ? fit / num_bins : paid;
        choice->copies = (unsigned int)(copies < MOST_COPIES ? copies : (size_t)MOST_COPIES);
        choice->copies += choice->copies == 0;
    }
}

/* How many copies the cache has room for in two fifths of it, and half of the elements pay for: chapter 26. */
static unsigned int most_copies_in_cache(const struct model_card *card, size_t length,
                                         size_t num_bins)
{
    const size_t room = card->cache_bytes / 5 * 2 / (num_bins * sizeof(bin_t));
    const size_t paid = length / (2 * num_bins), copies = room < paid ? room : paid;
    return (unsigned int)(copies < 1 ? 1 : copies < MOST_COPIES ? copies : (size_t)MOST_COPIES);
}

/* In shared memory: a launch for each range of bins. */
static void reduce_in_passes(const element_t *d_elements, size_t length, bin_t *d_bins,
                             size_t num_bins, unsigned int multiprocessors,
                             const struct model_choice *choice, const struct findings *found)
{
    const unsigned int n = (unsigned int)num_bins,
                       range = (n + choice->passes - 1) / choice->passes;
    const size_t bytes = (size_t)range * choice->copies * sizeof(bin_t);
    fits((const void *)reduce_in_shared, bytes);
    for (unsigned int first = 0; first < n; first += range)
        reduce_in_shared<<<blocks_for(length, multiprocessors), THREADS, bytes>>>(
            d_elements, length, d_bins, first, n - first < range ? n - first : range,
            choice->copies, found);
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: %zu elements; at most 4294967295 can be reduced\n",
                length);
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    const struct model_card card = {device_has(cudaDevAttrMaxSharedMemoryPerBlockOptin),
                                    device_has(cudaDevAttrL2CacheSize),
                                    (unsigned int)device_has(cudaDevAttrMultiProcessorCount)};
    struct model_choice choice;
    struct findings *found = NULL; // NULL: no key is hot, and the cache has one copy
    model_choose(&card, length, num_bins, &choice);
    const unsigned int most = choice.in_shared ? 1 : most_copies_in_cache(&card, length, num_bins);
    if (length >= SAMPLE && (WAITS_IN_SHARED || !choice.in_shared)) {
        CHECK(cudaMallocAsync(&found, sizeof *found, 0));
        inspect<<<1, SAMPLE>>>(d_elements, length, num_bins, most, found);
    }
    if (choice.in_shared)
        reduce_in_passes(d_elements, length, d_bins, num_bins, card.multiprocessors, &choice,
                         found);
    else
        reduce_in_copies(d_elements, length, d_bins, num_bins, card.multiprocessors, most, found);
    CHECK(cudaGetLastError());
    if (found)
        CHECK(cudaFreeAsync(found, 0));
}
