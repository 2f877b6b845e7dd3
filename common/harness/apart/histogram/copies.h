/* copies.h - what host code copies while histogram() runs: counting is the kernel's work. */
#ifndef COPIES_H
#define COPIES_H

#include <stddef.h>
#include <stdint.h>

struct copies {
    uint64_t from_text; /* bytes of the text, to host memory */
    uint64_t to_host;   /* bytes from anywhere to host memory */
    uint64_t into_bins; /* bytes into the final bins, from anywhere, or by cudaMemset */
};

/* From here on the copies of one call are added up in `copies`, until copies_end. */
void copies_begin(struct copies *copies, uintptr_t text, size_t length, uintptr_t bins);
void copies_end(void);

#endif
