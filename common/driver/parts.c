/* parts.c - the chapters that a command names: finds them, and compares PART, OPERATION and BINS with what they
 * are: see driver.h. */
#define _GNU_SOURCE

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "chapter.h"
#include "driver.h"
#include "util.h"

/* Where a chapter may be; the first is that of the student. */
static const char *folder_of(size_t i)
{
    static const char *const folders[] = {"chapters", "solutions", "tests/stubs"};
    return i == 0 && *setting("CHAPTERS") ? setting("CHAPTERS") : folders[i];
}
enum { FOLDERS = 3 };

static const struct {
    const char *part, *operations, *does;
} inputs[INPUT_KINDS] = {
    [TEXTS] = {"1", "", "counts a text"},
    [KEYS] = {"2", "count saturate float_sum wide_sum argmax vector_sum minmax", "reduces by key"},
    [VALUES] = {"3", "sum max float_sum dot", "reduces an array"},
    [MANY] = {"4", "", "counts a text on several devices"},
    [POINTS] = {"5", "float_sum wide_sum half full",
                "groups points, counts pairs or adds up forces"},
};
static const char numbers_of_bins[] = "5 26 64 256";

const char *does(enum kind kind)
{
    return inputs[kind].does;
}

/* "chapter5", in the first folder that has its kernel. */
static struct chapter chapter_named(const char *word)
{
    const long number = atol(word + strlen("chapter"));
    for (size_t i = 0; i < FOLDERS; i++)
        for (char **found = matches(format("%s/%02ld_*", folder_of(i), number)); *found; found++) {
            const struct chapter chapter = chapter_of(folder_of(i), base_name(*found));
            if (exists(chapter.file) && exists(chapter.suite))
                return chapter;
        }
    return chapter_of(folder_of(0), word);
}

enum kind kind_of(const char *chapter)
{
    enum { PART_OF_POINTS = 5 };
    const struct chapter named = chapter_named(chapter);
    return named.contract.on_devices       ? MANY
           : named.contract.of_array       ? (named.part == PART_OF_POINTS ? POINTS : VALUES)
           : named.contract.has_operations ? KEYS
                                           : TEXTS;
}

bool is_in_c(const char *chapter)
{
    return chapter_named(chapter).contract.in_c;
}

const char *about(const struct command *command, enum kind kind)
{
    const char *part = *setting("PART") ? setting("PART") : inputs[TEXTS].part;
    if (!command->chapter)
        return strcmp(part, inputs[kind].part) == 0 ? "" : NULL;
    for (const char *const *word = command->words; *word; word++)
        if (is_chapter(*word) && kind_of(*word) == kind)
            return *word;
    return NULL;
}

static void check_operation(const struct command *command, const char *operation)
{
    for (enum kind kind = KEYS; kind < INPUT_KINDS; kind++)
        if (*inputs[kind].operations && about(command, kind) &&
            !is_in(operation, inputs[kind].operations))
            refuse("OPERATION=%s: choose %s", operation, choices_of(inputs[kind].operations));
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
static void check_replay(const char *chapter)
{
    if (kind_of(chapter) == MANY)
        refuse("replay: shows a race of two threads, and those of %s are between copies and "
               "kernels: make %s test names both lines of such a race, trace shows each copy "
               "and each device's blocks",
               chapter, chapter);
}

/* A sweep draws keys, among others. */
static void check_sweep(const char *chapter)
{
    if (kind_of(chapter) != KEYS)
        refuse("sweep: is for chapters whose kernel %s, and that of %s does not", does(KEYS),
               chapter);
}

static void check_chapters(const struct command *command)
{
    for (const char *const *word = command->words; *word; word++)
        for (const char *const *other = command->words; *other; other++) {
            if (is_chapter(*other) && strcmp(*word, "replay") == 0)
                check_replay(*other);
            if (is_chapter(*other) && strcmp(*word, "sweep") == 0)
                check_sweep(*other);
        }
}

void check_parts(const struct command *command)
{
    check_chapters(command);
    if (*setting("OPERATION"))
        check_operation(command, setting("OPERATION"));
    if (*setting("BINS"))
        check_bins(command, setting("BINS"));
}

/* Puts a word to a list, once. */
static void add(char **list, const char *word)
{
    if (!is_in(word, *list))
        *list = format("%s%s%s", *list, **list ? " " : "", word);
}

/* The folders of all chapters, and of what is named like one, each once, in their order. */
static struct list all_stems(void)
{
    struct list stems = {.count = 0};
    for (size_t i = 0; i < FOLDERS; i++)
        for (char **found = matches(format("%s/[0-9]*_*", folder_of(i))); *found; found++)
            list_add(&stems, base_name(*found));
    list_sort(&stems);
    return stems;
}

static bool has_suite(const char *stem)
{
    return exists(format("tests/%s.c", stem));
}

/* Whether one of a chapter's kernels is of a contract with an operation. */
static bool is_keyed(const char *stem)
{
    bool keyed = false;
    for (size_t i = 0; i < FOLDERS; i++)
        keyed |= chapter_of(folder_of(i), stem).contract.has_operations;
    return keyed;
}

/* Puts the folders of one number to what is chosen. */
static void choose(struct chosen *chosen, long number, const struct list *all)
{
    const char *stem = NULL;
    for (size_t i = 0; i < all->count; i++) {
        char *end;
        if (strtol(all->item[i], &end, 10) != number || *end != '_')
            continue;
        if (stem || !has_suite(all->item[i]))
            add(&chosen->copies, all->item[i]);
        else
            stem = all->item[i];
    }
    if (!stem)
        return;
    add(&chosen->stems, stem);
    add(is_keyed(stem) ? &chosen->keyed : &chosen->texts, stem);
}

struct chosen chosen_by(const struct command *command)
{
    const struct list all = all_stems();
    struct chosen chosen = {"", "", "", ""};
    char *suited = "";
    for (size_t i = 0; i < all.count; i++)
        if (has_suite(all.item[i]))
            add(&suited, all.item[i]);
    for (const char **word = command->words; *word; word++) {
        const char *before = chosen.stems;
        if (!is_chapter(*word))
            continue;
        choose(&chosen, atol(*word + strlen("chapter")), &all);
        if (chosen.stems == before)
            refuse("there is no %s; there are %s", *word, suited);
    }
    return chosen;
}

char *exercises_of(const char *stems)
{
    char *list = "";
    for (const char **stem = words_of(stems); *stem; stem++)
        add(&list, format("%s/further", *stem));
    return list;
}
