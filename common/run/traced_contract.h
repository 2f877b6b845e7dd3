/* traced_contract.h - what `make trace` asks of a contract: inputs that are drawn, taken apart, called
 * and judged.
 *
 * Each contract has one such struct, `traced`, in common/contracts/CONTRACT/traced.c; the
 * programs of common/trace know no contract. Nothing here outlives the process, and what has no memory left
 * ends it with one line. */
#ifndef TRACED_CONTRACT_H
#define TRACED_CONTRACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call_arrays.h"

struct oracle;

enum { MOST_TALES = 6 };

/* An input that a contract draws: of a kind that it knows, which has so many units; or rows of so many. */
struct traced_case {
    unsigned int kind;
    size_t batch, length, num_bins, misalignment;
    unsigned int calls, devices; /* 0: one call; as many devices as are usual */
};

/* Where it lies: of what is read on the host, `units` is what the function is given. */
struct traced_memory {
    void *units, *outputs;
    bool on_host;
};

/* Where a function is NULL there is nothing to say or do. */
struct traced_contract {
    const struct contract *contract;
    const char *outputs; /* "bins" */
    bool on_devices;     /* on several: copies and collectives are steps, too */
    /* "histogram()", as this program has it; NULL: as the judge says it. */
    const char *(*function)(void);
    /* What a page of it cannot show, a sentence; or "". */
    const char *(*limits)(void);
    /* What lies behind the results, where a kernel only reads it, as words of 4 bytes: how many outputs are
     * before it, and its name. NULL: all outputs are results. */
    size_t (*results)(const struct input *input);
    const char *behind;
    /* Settings of make without which the command is about another kernel: "OPERATION=max", or "". NULL: the
     * operation, where there are several. */
    void (*settings)(char *text, size_t size);
    /* The name of an output, "a-f"; without the function it is its number. */
    void (*name_output)(size_t output, char *name, size_t size);
    /* Inputs that break kernels, short ones first, and behind them one without a call; of a batch others. */
    const struct traced_case *cases, *batches;
    bool (*is_batched)(void);
    /* The kind on which a right kernel shows what it does, and longer and longer ones; then 0. Without any: half of
     * `usual`, that, and twice as many. */
    unsigned int tale;
    size_t tales[MOST_TALES];
    /* Draws a case; a tale, and what was asked for, have 0 bins. */
    struct input (*make)(const struct traced_case *drawn, uint64_t seed);
    /* Where SIZE and TEXT_SEED draw what is asked for, and a tale: units, where no SIZE was typed; as many as a
     * page of every step has room for. */
    size_t usual;
    /* Else, `usual` is 0: the input that was asked for, a file of the program input. */
    struct input (*read)(const char *file);
    /* How many devices there are, of several, where so many are asked for; NULL: one. */
    unsigned int (*devices)(unsigned int asked);
    /* Makes units [from, from + count) plainer, in the first or in another way, 0 or 1. NULL: there is no way. */
    void (*simplify)(struct input *input, size_t from, size_t count, unsigned int way);
    /* Puts it into the target's memory, before the first kernel; NULL: traced_place. */
    void (*place)(const struct input *input, struct traced_memory *memory);
    /* Calls the function once. NULL, or what it says is wrong; without one: traced_call. */
    const char *(*call)(const struct input *input, const struct traced_memory *memory);
    /* After the last call. */
    void (*end)(void);
    /* Whether outputs are set, and not combined with what they hold; NULL: as the judge knows it. */
    bool (*sets)(void);
};

extern const struct traced_contract traced;

/* `make` of a contract whose inputs are drawn (drawn_input.h): without bins what a run would draw. */
struct input traced_drawn(const struct traced_case *one, uint64_t seed);
/* `simplify` where units are floats: each is 0, or each is 1. */
void traced_simplify_floats(struct input *input, size_t from, size_t count, unsigned int way);

/* What most contracts have for `place` and `call`: the input lies as the judge places it, its outputs hold
 * `before`, and the contract's function is called on them. */
void traced_place(const struct input *input, struct traced_memory *memory);
const char *traced_call(const struct input *input, const struct traced_memory *memory);

/* The i-th of the cases, and of the longer ones; false when there are no more. And the one that was asked for. */
bool traced_draw(size_t i, struct input *input);
bool traced_tale(size_t i, struct input *input);
struct input traced_read(const char *file);

/* What `results` and `settings` say, or all do without them. */
size_t traced_results(const struct input *input);
/* How elements of input and output are made up. */
void traced_shapes(struct shape *input, struct shape *output);
void traced_settings(char *text, size_t size);

/* The function's name; and whether it is plain C, so that one lane of the simulated GPU calls it. */
const char *traced_function(void);
bool traced_in_plain_c(void);

/* What the outputs should hold, as the judge counts it; contract_forget frees it. */
struct oracle *traced_expect(const struct input *input);
/* How many outputs are wrong; marks each, and says in a line, or more, what and why. */
size_t traced_wrong(const struct oracle *expected, const struct input *input,
                    const unsigned char *held, bool *is_wrong, char *words, size_t size);
/* What an output should hold, in words; and what it does. */
void traced_say(const struct oracle *expected, size_t output, const unsigned char *held,
                char *should, char *holds, size_t size);

#endif
