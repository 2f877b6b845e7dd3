/* chosen.c - finds the chapters that a command names: see chosen.h. */
#define _GNU_SOURCE
#include "chosen.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "settings.h"
#include "typed_words.h"

/* Where a chapter may be; the first is that of the student. */
static const char *folder_of(size_t i)
{
    static const char *const folders[] = {"chapters", "solutions", "tests/stubs"};
    return i == 0 && *setting("CHAPTERS") ? setting("CHAPTERS") : folders[i];
}
enum { FOLDERS = 3, PATH = 4096 };

static char *joined(const char *list, const char *word)
{
    char *longer;
    if (asprintf(&longer, "%s%s%s", list, *list ? " " : "", word) < 0)
        refuse("no memory for the command line");
    return longer;
}

static void add(char **list, const char *word)
{
    if (!is_in(word, *list))
        *list = joined(*list, word);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The folders of all chapters, and of what is named like one, each once, in their order. */
static char *all_stems(void)
{
    char *stems[1024], *list = strdup("");
    size_t count = 0;
    for (size_t i = 0; i < FOLDERS; i++) {
        char pattern[PATH];
        glob_t found;
        snprintf(pattern, sizeof pattern, "%s/[0-9]*_*", folder_of(i));
        if (glob(pattern, 0, NULL, &found) == 0)
            for (size_t k = 0; k < found.gl_pathc && count < sizeof stems / sizeof *stems; k++)
                stems[count++] = strdup(strrchr(found.gl_pathv[k], '/') + 1);
    }
    qsort(stems, count, sizeof *stems, by_name);
    for (size_t i = 0; i < count; i++)
        add(&list, stems[i]);
    return list;
}

static bool has_suite(const char *stem)
{
    char path[PATH];
    snprintf(path, sizeof path, "tests/%s.c", stem);
    return access(path, F_OK) == 0;
}

/* Whether a contract's header says that it has an operation. */
static bool has_operation(const char *header)
{
    char line[256];
    bool has = false;
    FILE *file = fopen(header, "r");
    while (file && !has && fgets(line, sizeof line, file))
        has = strncmp(line, "#include \"operation.h\"", 22) == 0;
    if (file)
        fclose(file);
    return has;
}

/* Whether one of a chapter's kernels is of a contract with an operation. */
static bool is_keyed(const char *stem)
{
    glob_t headers;
    bool keyed = false;
    if (glob("common/contract/*.h", 0, NULL, &headers) != 0)
        return false;
    for (size_t i = 0; i < headers.gl_pathc; i++) {
        const char *name = strrchr(headers.gl_pathv[i], '/') + 1;
        for (size_t f = 0; f < FOLDERS && has_operation(headers.gl_pathv[i]); f++) {
            char path[PATH];
            snprintf(path, sizeof path, "%s/%s/%.*s.cu", folder_of(f), stem,
                     (int)strcspn(name, "."), name);
            keyed |= access(path, F_OK) == 0;
        }
    }
    globfree(&headers);
    return keyed;
}

/* Puts the folders of one number to what is chosen. */
static void choose(struct chosen *chosen, long number, const char *const *all)
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
    char *stems = all_stems(), *suited = strdup("");
    const char **all = words_of(strdup(stems));
    struct chosen chosen = {strdup(""), strdup(""), strdup(""), strdup("")};
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
    char *list = strdup("");
    for (const char **stem = words_of(strdup(stems)); *stem; stem++) {
        list = joined(list, *stem);
        list = realloc(list, strlen(list) + sizeof "/further");
        strcat(list, "/further");
    }
    return list;
}
