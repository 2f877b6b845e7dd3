/* traced.h - the inputs that are traced, whatever their contract: drawn, called and judged, as its to_run.c says.
 *
 * Nothing here outlives the process, and what has no memory left ends it with one line. */
#ifndef TRACED_H
#define TRACED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call_arrays.h"
#include "to_run.h"

struct oracle;

/* Where an input lies: of one for several devices on the host. */
struct traced_memory {
    void *units, *outputs;
    bool on_host;
};

/* The contract of the kernel that is traced, whether it counts the characters of a text, and what its pages call the
 * outputs. */
const struct contract *traced_contract(void);
bool traced_counts_text(void);
const char *traced_outputs(void);
/* Whether inputs are for several devices: copies and collectives are steps, too. */
bool traced_on_devices(void);

/* The i-th of the cases, and of the longer ones; false when there are no more. And the one that was asked for. */
bool traced_draw(size_t i, struct input *input);
bool traced_tale(size_t i, struct input *input);
struct input traced_read(const char *file);

/* How many outputs a kernel leaves; behind them may lie what it only reads. */
size_t traced_results(const struct input *input);
/* How elements of input and output are made up. */
void traced_shapes(struct shape *input, struct shape *output);
/* The settings of make without which a command is about another kernel: "OPERATION=max", or "". */
void traced_settings(char *text, size_t size);

/* Puts an input into memory as the judge places it, where outputs hold `before`, and calls the function on it. */
void traced_place(const struct input *input, struct traced_memory *memory);
void traced_call(const struct input *input, const struct traced_memory *memory);
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
