/* copies.h - what host code copies while a contract's function runs: the work is the kernel's. */
#ifndef COPIES_H
#define COPIES_H

#include <stddef.h>
#include <stdint.h>

struct host_copies {
    uint64_t from_input; /* bytes of the text or the elements, to host memory */
    uint64_t to_host;    /* bytes from anywhere to host memory */
    uint64_t
        to_device; /* copies and fills of memory that host code cannot read: each takes its time */
    uint64_t into_bins; /* bytes into the final bins, from anywhere, or by cudaMemset */
};

/* From here on the copies of one call are added up in `copies`, until copies_end. */
void copies_begin(struct host_copies *copies, uintptr_t input, size_t input_bytes, uintptr_t bins,
                  size_t bins_bytes);
void copies_end(void);

#endif
