/* drawn_keys.c - the elements that all chapters reduce, and the file that says which. */
#include <stdio.h>
#include <string.h>

#include "elements.h"
#include "run.h"
#include "util.h"
#include "wafer.h"

/* As a sentence lists them. */
#define DISTRIBUTIONS "uniform, single, stride63, zipf, ninety, sorted or wafer"

/* A program has one of the two functions: kernel.c calls it. */
void reduce_by_index_batched(void);
#pragma weak reduce_by_index_batched

static const char *const names[KEYS_KINDS] = {"uniform", "single", "stride63", "zipf",
                                              "ninety",  "sorted", "wafer"};
/* As a table calls them. */
static const char *const descriptions[KEYS_KINDS] = {
    "uniform keys", "keys that are all one",     "keys that are multiples of 63",
    "zipf keys",    "keys of which 90% are one", "sorted keys",
    "wafer keys"};

enum keys keys_named(const char *name)
{
    enum keys keys = 0;
    while (keys < KEYS_KINDS && strcmp(names[keys], name) != 0)
        keys++;
    return keys;
}

const char *keys_name(enum keys keys)
{
    return names[keys];
}

struct drawn drawn_keys(const char *file)
{
    const struct drawn drawn = drawn_read(file);
    if (keys_named(drawn.kind) == KEYS_KINDS)
        fail(1, "%s: does not say which keys; it is written by the program input", file);
    return drawn;
}

static int write_keys(const struct contract *unused, const char *file, char *const *default_files,
                      size_t count)
{
    enum { DEFAULT_LENGTH = 1 << 16 };
    const char *keys = chosen("KEYS");
    (void)unused, (void)default_files, (void)count;
    refuse_texts("reduces elements by key", "choose KEYS=" DISTRIBUTIONS);
    const enum keys kind = *keys ? keys_named(keys) : KEYS_UNIFORM;
    const size_t usual = kind == KEYS_WAFER ? WAFER_KEYS : DEFAULT_LENGTH;
    struct drawn drawn = {.seed = asked_seed(), .length = asked_length("elements", usual)};
    if (kind == KEYS_KINDS)
        fail(1, "KEYS=%s is unknown: choose " DISTRIBUTIONS, keys);
    snprintf(drawn.kind, sizeof drawn.kind, "%s", names[kind]);
    return drawn_write(&drawn, file);
}

/* All elements have a bin; but in a batch, of short histograms with few bins. */
static struct input read_elements(const struct contract *unused, const char *file, char *called,
                                  size_t size)
{
    (void)unused;
    enum { USUAL_BINS = 12281, A_ROW = 256, BINS_OF_A_ROW = 31 };
    const struct drawn drawn = drawn_keys(file);
    const enum keys kind = keys_named(drawn.kind);
    const size_t rows = (drawn.length + A_ROW - 1) / A_ROW;
    snprintf(called, size, "%s", descriptions[kind]);
    if (reduce_by_index_batched)
        return input_batched(kind, drawn.seed, rows, drawn.length / rows,
                             bins_asked(BINS_OF_A_ROW));
    return input_within(kind, drawn.seed, drawn.length,
                        bins_asked(kind == KEYS_WAFER ? WAFER_BINS : USUAL_BINS));
}

const struct drawn_input keys_inputs = {.write = write_keys, .read = read_elements};
