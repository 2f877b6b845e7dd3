/* chosen.c - finds the chapters that a command names: see driver.h. */
#define _GNU_SOURCE

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

/* Puts a word to a list, once. */
static void add(char **list, const char *word)
{
    if (!is_in(word, *list))
        *list = format("%s%s%s", *list, **list ? " " : "", word);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The folders of all chapters, and of what is named like one, each once, in their order. */
static const char **all_stems(void)
{
    const char **stems = NULL;
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < FOLDERS; i++)
        for (char **found = matches(format("%s/[0-9]*_*", folder_of(i))); *found; found++) {
            stems = grow(stems, count, 1, sizeof *stems);
            stems[count++] = base_name(*found);
        }
    stems = grow(stems, count, 1, sizeof *stems);
    qsort(stems, count, sizeof *stems, by_name);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || strcmp(stems[i], stems[kept - 1]) != 0)
            stems[kept++] = stems[i];
    stems[kept] = NULL;
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
        keyed |= chapter_of(folder_of(i), stem).contract.by_operation;
    return keyed;
}

/* Puts the folders of one number to what is chosen. */
static void choose(struct chosen *chosen, long number, const char **all)
{
    const char *stem = NULL;
    for (; *all; all++) {
        char *end;
        if (strtol(*all, &end, 10) != number || *end != '_')
            continue;
        if (stem || !has_suite(*all))
            add(&chosen->copies, *all);
        else
            stem = *all;
    }
    if (!stem)
        return;
    add(&chosen->stems, stem);
    add(is_keyed(stem) ? &chosen->keyed : &chosen->texts, stem);
}

struct chosen chosen_by(const struct command *command)
{
    const char **all = all_stems();
    struct chosen chosen = {"", "", "", ""};
    char *suited = "";
    for (const char **one = all; *one; one++)
        if (has_suite(*one))
            add(&suited, *one);
    for (const char **word = command->words; *word; word++) {
        const char *before = chosen.stems;
        if (!is_chapter(*word))
            continue;
        choose(&chosen, atol(*word + strlen("chapter")), all);
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
