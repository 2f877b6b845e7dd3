/* drawn_input.h - the input that all chapters of a contract are run on, where a seed and a length draw it, and
 * nothing else is asked for: drawn_input.c then has the input_write and input_read of run.h.
 *
 * Each such contract defines one, where it draws its inputs. */
#ifndef DRAWN_INPUT_H
#define DRAWN_INPUT_H

#include "call_arrays.h"

struct drawn_input {
    const char *kind, *units; /* a word of the contract; and what SIZE counts: "atoms" */
    const char *does,
        *instead; /* in place of counting a text; and what there is to choose (refuse_texts) */
    size_t usual; /* units, where SIZE is not set */
    size_t most;  /* of them; 0: any number */
    const char *why_no_more; /* a sentence's end */
    size_t most_simulated;   /* more would take the simulated GPU hours; 0: any number does not */
    struct input (*make)(uint64_t seed, size_t length); /* of so many units; to be freed */
    /* What a table calls it: "words", of a seed; and what there is to say of it besides; NULL: nothing. */
    const char *called;
    void (*tell)(const struct input *input, char *text, size_t size);
};
extern const struct drawn_input drawn_input;

#endif
