/* key_kinds.c - names of the kinds of keys, and the file that says which: see key_kinds.h. */
#include "key_kinds.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

const char *keys_description(enum keys keys)
{
    return descriptions[keys];
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
