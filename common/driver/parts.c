/* parts.c - compares PART, OPERATION and BINS with the chapters of a command: see driver.h. */

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "chapter.h"
#include "driver.h"
#include "util.h"

static const struct {
    const char *part, *operations, *does;
} kinds[KINDS] = {
    [TEXTS] = {"1", "", "counts a text"},
    [KEYS] = {"2", "count saturate float_sum wide_sum argmax vector_sum minmax", "reduces by key"},
    [VALUES] = {"3", "sum max float_sum dot", "reduces an array"},
    [MANY] = {"4", "", "counts a text on several devices"},
};
static const char numbers_of_bins[] = "5 26 64 256";

const char *does(enum kind kind)
{
    return kinds[kind].does;
}

/* "chapter5", in the first folder that has its kernel. */
static struct chapter chapter_named(const char *word)
{
    static const char *const folders[] = {"chapters", "solutions", "tests/stubs"};
    const long number = atol(word + strlen("chapter"));
    for (size_t i = 0; i < LENGTH(folders); i++)
        for (char **found = matches(format("%s/%02ld_*", folders[i], number)); *found; found++) {
            const struct chapter chapter = chapter_of(folders[i], base_name(*found));
            if (exists(chapter.file) && exists(chapter.suite))
                return chapter;
        }
    return chapter_of(folders[0], word);
}

enum kind kind_of(const char *chapter)
{
    const struct contract contract = chapter_named(chapter).contract;
    return contract.on_devices     ? MANY
           : contract.of_array     ? VALUES
           : contract.by_operation ? KEYS
                                   : TEXTS;
}

bool is_in_c(const char *chapter)
{
    return chapter_named(chapter).contract.in_c;
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

static void check_operation(const struct command *command, const char *operation)
{
    for (enum kind kind = KEYS; kind < KINDS; kind++)
        if (*kinds[kind].operations && about(command, kind) &&
            !is_in(operation, kinds[kind].operations))
            refuse("OPERATION=%s: choose %s", operation, choices_of(kinds[kind].operations));
    for (const char *const *word = command->words; *word; word++) {
        const char *taken = is_chapter(*word) ? chapter_named(*word).operations : "";
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
