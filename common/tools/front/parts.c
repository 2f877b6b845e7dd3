/* parts.c - compares PART, OPERATION and BINS with the chapters of a command: see parts.h. */
#define _POSIX_C_SOURCE 200809L
#include "parts.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "settings.h"
#include "typed_words.h"

/* A chapter is of the kind whose kernel's file it has; without one it counts a text, in Part I or
 * elsewhere. */
static const struct {
    const char *part, *kernel, *operations, *does;
} kinds[KINDS] = {
    [TEXTS] = {"1", NULL, "", "counts a text"},
    [KEYS] = {"2", "reduce_by_index*.cu",
              "count saturate float_sum wide_sum argmax vector_sum minmax", "reduces by key"},
    [VALUES] = {"3", "reduce.cu", "sum max float_sum dot", "reduces an array"},
    [MANY] = {"4", "many.cu", "", "counts a text on several devices"},
};
static const char numbers_of_bins[] = "5 26 64 256";

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

const char *does(enum kind kind)
{
    return kinds[kind].does;
}

/* Whether a chapter has a file of this pattern. */
static bool has_file(const char *chapter, const char *kernel)
{
    static const char *const folders[] = {"chapters", "solutions", "tests/stubs"};
    bool found = false;
    for (size_t i = 0; !found && i < sizeof folders / sizeof *folders; i++) {
        char pattern[64];
        snprintf(pattern, sizeof pattern, "/%s", kernel);
        char *file = file_of(folders[i], chapter, pattern);
        found = file;
        free(file);
    }
    return found;
}

enum kind kind_of(const char *chapter)
{
    for (enum kind kind = KEYS; kind < KINDS; kind++)
        if (has_file(chapter, kinds[kind].kernel))
            return kind;
    return TEXTS;
}

bool is_in_c(const char *chapter)
{
    return has_file(chapter, "*.c");
}

const char *about(const struct command *command, enum kind kind)
{
    const char *part = *setting("PART") ? setting("PART") : kinds[TEXTS].part;
    if (!command->chapter)
        return strcmp(part, kinds[kind].part) == 0 ? "" : NULL;
    for (const char *const *word = command->words; *word; word++)
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

static void check_operation(const struct command *command, const char *operation)
{
    for (enum kind kind = KEYS; kind < KINDS; kind++)
        if (*kinds[kind].operations && about(command, kind) &&
            !is_in(operation, kinds[kind].operations))
            refuse("OPERATION=%s: choose %s", operation, choices_of(kinds[kind].operations));
    for (const char *const *word = command->words; *word; word++) {
        const char *taken = is_chapter(*word) ? operations_of(*word) : "";
        if (*taken && !is_in(operation, taken))
            refuse("OPERATION=%s: %s takes %s", operation, *word, choices_of(taken));
    }
}

static void check_bins(const struct command *command, const char *bins)
{
    uint64_t number;
    if ((about(command, TEXTS) || about(command, MANY)) && !is_in(bins, numbers_of_bins))
        refuse("BINS=%s: choose %s", bins, choices_of(numbers_of_bins));
    if (about(command, KEYS) && (!read_number(bins, &number) || number < 1 || number > INT_MAX))
        refuse("BINS=%s: choose a whole number from 1 to 2147483647", bins);
}

/* A replay shows what two threads do to one element. */
static void check_replay(const struct command *command)
{
    for (const char *const *word = command->words; *word; word++) {
        if (strcmp(*word, "replay") != 0)
            continue;
        for (const char *const *other = command->words; *other; other++)
            if (is_chapter(*other) && kind_of(*other) == MANY)
                refuse(
                    "replay: shows a race of two threads, and those of %s are between copies and "
                    "kernels: make %s test names both lines of such a race, trace shows each copy "
                    "and each device's blocks",
                    *other, *other);
    }
}

void check_parts(const struct command *command)
{
    check_replay(command);
    if (*setting("OPERATION"))
        check_operation(command, setting("OPERATION"));
    if (*setting("BINS"))
        check_bins(command, setting("BINS"));
}
