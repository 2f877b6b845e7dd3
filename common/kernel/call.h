/* call.h - one call of a contract's function, as the kernel's process knows it. */
#ifndef CALL_H
#define CALL_H

#include <stdint.h>

enum { MORE_NUMBERS = 5 };

/* Of units and outputs the kernel's process needs to know no more than their size. */
struct call {
    uint64_t operation; /* enum operation */
    union {
        uint64_t elements, values; /* an address */
    };
    uint64_t length, unit_bytes;
    union {
        uint64_t bins, result; /* an address */
    };
    uint64_t num_bins, bin_bytes, batch;
    uint64_t
        more[MORE_NUMBERS]; /* what the function is given besides, in the contract's own order */
};

#endif
