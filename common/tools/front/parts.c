/* parts.c - compares PART, OPERATION, KEYS and BINS with the chapters of a command: see parts.h. */
#define _POSIX_C_SOURCE 200809L
#include "parts.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "typed_words.h"

/* Numbers of a text's characters, elements by key, an array, a text on several devices: a part each. A
 * chapter is of the kind whose kernel's file it has; without one it counts a text, in Part I or
 * elsewhere. */
enum kind { TEXTS, KEYS, VALUES, MANY, KINDS };
static const struct {
    const char *part, *kernel, *operations, *does;
} kinds[KINDS] = {
    [TEXTS] = {"1", NULL, "", "counts a text"},
    [KEYS] = {"2", "reduce_by_index*.cu",
              "count saturate float_sum wide_sum argmax vector_sum minmax", "reduces by key"},
    [VALUES] = {"3", "reduce.cu", "sum max float_sum dot", "reduces an array"},
    [MANY] = {"4", "many.cu", "", "counts a text on several"},
};
static const char all_parts[] = "1 2 3 4", numbers_of_bins[] = "5 26 64 256",
                  kinds_of_keys[] = "uniform single stride63 zipf ninety sorted";

/* The path of a chapter's file, "/reduce.cu" in folder or ".c" beside it; NULL when there is none. To
 * be freed. */
static char *file_of(const char *folder, const char *chapter, const char *pattern)
{
    char path[128], *found = NULL;
    glob_t paths;
    snprintf(path, sizeof path, "%s/%02ld_*%s", folder, atol(chapter + 7), pattern);
    if (glob(path, 0, NULL, &paths) == 0)
        found = strdup(paths.gl_pathv[0]);
    globfree(&paths);
    return found;
}

static enum kind kind_of(const char *chapter)
{
    static const char *const folders[] = {"chapters", "solutions", "tests/stubs"};
    for (enum kind kind = KEYS; kind < KINDS; kind++)
        for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
            char pattern[64];
            snprintf(pattern, sizeof pattern, "/%s", kinds[kind].kernel);
            char *file = file_of(folders[i], chapter, pattern);
            free(file);
            if (file)
                return kind;
        }
    return TEXTS;
}

/* The first chapter of a kind in the command; without chapters "", when the part is of that kind;
 * else NULL. */
static const char *about(const struct settings *settings, enum kind kind)
{
    const char *part = *settings->part ? settings->part : kinds[TEXTS].part;
    if (!settings->chapter)
        return strcmp(part, kinds[kind].part) == 0 ? "" : NULL;
    for (const char *const *word = settings->words; *word; word++)
        if (is_chapter(*word) && kind_of(*word) == kind)
            return *word;
    return NULL;
}

/* The operations that the head of a chapter's suite names; "" where it names none. */
static const char *operations_of(const char *chapter)
{
    static char line[256];
    static const char words[] = "Operations: ";
    char *suite = file_of("tests", chapter, ".c"), *at = NULL;
    FILE *file = suite ? fopen(suite, "r") : NULL;
    while (file && !at && fgets(line, sizeof line, file))
        at = strstr(line, words);
    if (file)
        fclose(file);
    free(suite);
    if (!at)
        return "";
    at += strlen(words);
    at[strcspn(at, "\n.*")] = '\0';
    return at;
}

static void check_operation(const struct settings *settings)
{
    bool has_any = false;
    for (enum kind kind = KEYS; kind < KINDS; kind++) {
        const bool takes_any = *kinds[kind].operations && about(settings, kind);
        has_any |= takes_any;
        if (takes_any && !is_in(settings->operation, kinds[kind].operations))
            refuse("OPERATION=%s: choose %s", settings->operation,
                   choices_of(kinds[kind].operations));
    }
    if (!has_any)
        refuse("OPERATION: is for chapters that reduce by key or reduce an array, and for PART=2 "
               "and PART=3");
    for (const char *const *word = settings->words; *word; word++) {
        const char *taken = is_chapter(*word) ? operations_of(*word) : "";
        if (*taken && !is_in(settings->operation, taken))
            refuse("OPERATION=%s: %s takes %s", settings->operation, *word, choices_of(taken));
    }
}

static void check_bins(const struct settings *settings)
{
    const char *bins = settings->bins;
    enum { DIGITS = 10 };
    const bool has_texts = about(settings, TEXTS) || about(settings, MANY);
    if (has_texts && !is_in(bins, numbers_of_bins))
        refuse("BINS=%s: choose %s", bins, choices_of(numbers_of_bins));
    if (about(settings, KEYS) && (!is_number(bins) || strlen(bins) > DIGITS ||
                                  strtoul(bins, NULL, 10) < 1 || strtoul(bins, NULL, 10) > INT_MAX))
        refuse("BINS=%s: choose a whole number from 1 to 2147483647", bins);
    if (!has_texts && !about(settings, KEYS) && *settings->asked_bins)
        refuse("BINS: is for chapters that count into bins; %s reduces an array to one value",
               settings->chapter ? settings->chapter : "each chapter of PART=3");
}

/* A replay shows what two threads do to one element. */
static void check_replay(const struct settings *settings)
{
    if (!is_one_of("replay", settings->words))
        return;
    for (const char *const *word = settings->words; *word; word++)
        if (is_chapter(*word) && kind_of(*word) == MANY)
            refuse("replay: shows a race of two threads, and those of %s are between copies and "
                   "kernels: make %s test names both lines of such a race, trace shows each copy "
                   "and each device's blocks",
                   *word, *word);
}

void check_parts(const struct settings *settings)
{
    check_replay(settings);
    if (*settings->part && !is_in(settings->part, all_parts))
        refuse("PART=%s: choose %s", settings->part, choices_of(all_parts));
    if (settings->chapter && *settings->part)
        refuse("PART=%s: is for make and make gpu bench: leave it out with %s", settings->part,
               settings->chapter);
    if (*settings->operation)
        check_operation(settings);
    if (*settings->keys && !is_in(settings->keys, kinds_of_keys))
        refuse("KEYS=%s: choose %s", settings->keys, choices_of(kinds_of_keys));
    if (*settings->keys && !about(settings, KEYS))
        refuse("KEYS: is for chapters that reduce by key, and for PART=2");
    check_bins(settings);
}
