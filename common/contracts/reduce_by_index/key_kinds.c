/* key_kinds.c - the elements that all chapters reduce, and the file that says which: see
 * key_kinds.h. */
#include "key_kinds.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asked_input.h"
#include "run.h"
#include "util.h"

/* A program has one of the two functions: kernel.c calls it. */
void reduce_by_index_batched(void);
#pragma weak reduce_by_index_batched

static const char *const names[KEYS_KINDS] = {"uniform", "single", "stride63",
                                              "zipf",    "ninety", "sorted"};
/* As a table calls them. */
static const char *const descriptions[KEYS_KINDS] = {
    "uniform keys", "keys that are all one",     "keys that are multiples of 63",
    "zipf keys",    "keys of which 90% are one", "sorted keys"};

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

int key_kind_write(const struct key_kind *kind, const char *file)
{
    FILE *to = fopen(file, "w");
    if (!to)
        return -1;
    const int written =
        fprintf(to, "%s %" PRIu64 " %zu\n", names[kind->keys], kind->seed, kind->length);
    return fclose(to) == 0 && written > 0 ? 0 : -1;
}

struct key_kind key_kind_read(const char *file)
{
    char name[16] = "";
    struct key_kind kind = {.keys = KEYS_KINDS};
    FILE *from = fopen(file, "r");
    if (from && fscanf(from, "%15s %" SCNu64 " %zu", name, &kind.seed, &kind.length) == 3)
        kind.keys = keys_named(name);
    if (from)
        fclose(from);
    if (kind.keys == KEYS_KINDS) {
        fprintf(stderr, "%s: does not say which keys; it is written by the program input\n", file);
        exit(1);
    }
    return kind;
}

int input_write(const char *file, char *const *default_files, size_t count)
{
    enum { DEFAULT_LENGTH = 1 << 16 };
    const char *keys = chosen("KEYS");
    (void)default_files, (void)count;
    refuse_texts("reduces elements by key",
                 "choose KEYS=uniform, single, stride63, zipf, ninety or sorted");
    struct key_kind kind = {.keys = *keys ? keys_named(keys) : KEYS_UNIFORM,
                            .seed = asked_seed(),
                            .length = asked_length("elements", DEFAULT_LENGTH)};
    if (kind.keys == KEYS_KINDS)
        fail(1, "KEYS=%s is unknown: choose uniform, single, stride63, zipf, ninety or sorted",
             keys);
    return key_kind_write(&kind, file);
}

/* All elements have a bin; but in a batch, of short histograms with few bins. */
struct input input_read(const char *file, char *called, size_t size)
{
    enum { USUAL_BINS = 12281, A_ROW = 256, BINS_OF_A_ROW = 31 };
    const struct key_kind kind = key_kind_read(file);
    const size_t rows = (kind.length + A_ROW - 1) / A_ROW;
    snprintf(called, size, "%s", descriptions[kind.keys]);
    if (reduce_by_index_batched)
        return input_batched(kind.keys, kind.seed, rows, kind.length / rows,
                             bins_asked(BINS_OF_A_ROW));
    return input_within(kind.keys, kind.seed, kind.length, bins_asked(USUAL_BINS));
}
