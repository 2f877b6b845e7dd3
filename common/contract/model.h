/* model.h - what the models of chapters 29 and 31 decide, in functions that their suites ask, too: for sizes
 * and cards on which nobody runs them. A kernel of another form need not have them. */
#ifndef MODEL_H
#define MODEL_H

#include <stddef.h>

#ifdef __CUDACC__
#define MODEL_FUNCTION __host__ __device__
#else
#define MODEL_FUNCTION
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Chapter 29. Of `sample` keys, which is more than 0, `different` were different ones, 1 to as many. Returns
 * the race factor of num_bins keys like these: bins for each different key, 1 or more. */
MODEL_FUNCTION float race_factor(float sample, float different, float num_bins);

/* Chapter 29. Returns how many copies of the bins there shall be in the cache, 1 to most_copies, for keys of
 * this race factor. */
MODEL_FUNCTION unsigned int copies_in_cache(float factor, unsigned int most_copies);

/* Chapter 29. What is chosen for `length` elements and num_bins bins, more than 0, on a card with so many bytes
 * of shared memory for a block, and of L2 cache. */
struct model_card {
    size_t shared_bytes, cache_bytes;
    unsigned int multiprocessors;
};
struct model_choice {
    unsigned int in_shared, copies,
        passes; /* 1: in shared memory, in copies of a block's bins; and passes */
};
void model_choose(const struct model_card *card, size_t length, size_t num_bins,
                  struct model_choice *choice);

/* Chapter 31. Returns in how many parts each of `batch` histograms, more than 0, of `length` elements is cut,
 * 1 or more, where the device has blocks_at_once blocks. */
size_t parts_for(size_t length, size_t batch, size_t num_bins, size_t blocks_at_once);

#ifdef __cplusplus
}
#endif

#endif
