/* text_reading.h - how the threads of a grid read a text: what the contract histogram watches beyond
 * measure.h. */
#ifndef TEXT_READING_H
#define TEXT_READING_H

#include <stdint.h>

/* How the threads of the grid read the text, each thread for itself. */
struct reading {
    uint64_t threads;        /* that read anything of the text */
    uint64_t contiguous;     /* of these, those that read one section, from either end, no gap */
    uint64_t longest;        /* most bytes that one thread read */
    uint64_t shortest;       /* fewest bytes that a thread read which read anything */
    uint64_t bytes;          /* read by all threads; more than the length when read twice */
    uint64_t runs;           /* runs of one bin, in the order in which a thread read: what
                            is left when a thread adds up equal neighbors */
    uint64_t touched;        /* bins that a thread met, summed over the threads */
    uint64_t in_a_row;       /* most loads that one thread made with no atomic between: what
                                it can have in flight before it counts */
    uint64_t in_a_round;     /* loads of a thread in a round of its loop, counted one by one
                                or not, where some threads have more rounds than others */
    uint64_t caught_up;      /* loads that a thread made when it had done a shared atomic for
                                each character that it had read before */
    uint64_t apart;          /* lanes' loads that did not go on where the thread's last one ended */
    uint64_t jump;           /* characters from there to the first of these */
    uint64_t global_atomics; /* lanes' atomics in the main loop: made by a thread
                                that went on to read more of the text */
    uint64_t shared_atomics;
    uint64_t shared_loads;     /* wavefronts of shared loads there */
    uint64_t shared_conflicts; /* wavefronts of shared loads and stores there, beyond those that are
                                  needed when no lanes meet in a bank */
};

#endif
