/* two_phase_asked.h - what the judge asks the kernel's process of count_keys() (chapter 80), and what it saw. */
#ifndef TWO_PHASE_ASKED_H
#define TWO_PHASE_ASKED_H

#include <stddef.h>
#include <stdint.h>

enum two_phase {
    TWO_ASK, /* the function is asked for the size, twice */
    TWO_RUN, /* two calls are made in memory full of rubbish with canaries around it, while no other memory is left */
    TWO_BAD, /* a call is made in which thing number `bad` is wrong */
    TWO_GRAPH, /* a call is captured, and launched three times */
    TWO_STREAMS, /* a call is made in each of two streams that wait for nothing, into bins of its own */
    TWO_THREADS /* each of two threads makes three calls, into bins of its own */
};
enum bad_thing {
    BAD_BINS_NULL,
    BAD_KEYS_NULL,
    BAD_BYTES_NULL,
    BAD_TEMPORARY_ADDRESS,
    BAD_KEYS_ADDRESS,
    BAD_BINS_ADDRESS,
    BAD_TOO_FEW,
    BAD_BINS_ARE_KEYS,
    BAD_BINS_ARE_TEMPORARY,
    BAD_KEYS_ARE_TEMPORARY,
    BAD_THINGS
};

/* Behind it come the keys. */
struct two_phase_asked {
    uint32_t what, bad;
    uint64_t length, num_bins;
};

/* Behind it come num_bins bins, and as many again for two streams or threads. */
struct two_phase_seen {
    uint32_t is_there; /* the kernel has the function */
    int32_t status;    /* the last status that was not COUNT_OK, or COUNT_OK */
    uint64_t bytes[2]; /* what was asked for */
    uint64_t launches; /* by the calls */
    uint64_t
        touched; /* bytes that were changed beside bins and temporary memory, and in these, too, if nothing may be written */
    uint64_t reports; /* of the simulator's checks */
    char error[128];  /* CUDA's words, of what failed around the calls; "" for nothing */
};

/* The kernel's half of it: kernel_half.answer (measure.h). */
struct job;
const void *two_phase_answer(const struct job *job, const unsigned char *bytes, size_t *size);

#endif
