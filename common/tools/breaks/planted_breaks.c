/* planted_breaks.c - reads the heads of patches, and applies them: see planted_breaks.h. */
#define _GNU_SOURCE
#include "planted_breaks.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"

/* What stands behind a name at the begin of a line, or NULL. */
static const char *field(const char *line, const char *name)
{
    size_t length = strlen(name);
    return strncmp(line, name, length) == 0 ? line + length : NULL;
}

/* "Caught by: bins" and "BINS=256", but no second line of a reason. */
static bool is_field(const char *line)
{
    size_t name = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz ");
    return *line >= 'A' && *line <= 'Z' && (line[name] == ':' || line[name] == '=');
}

static void add_words(char words[BREAKS_WORDS], const char *more)
{
    size_t length = strlen(words);
    snprintf(words + length, BREAKS_WORDS - length, "%s%s", length > 0 ? " " : "", more);
}

/* Notes a line of a head. A reason may have several; `in_reason` tells. */
static void note_line(struct planted_break *planted, const char *line, bool *in_reason)
{
    const char *words;
    bool continues = *in_reason;
    *in_reason = false;
    if ((words = field(line, "Break: ")))
        planted->number = (unsigned int)strtoul(words, NULL, 10);
    else if ((words = field(line, "Hides: ")))
        snprintf(planted->hides, BREAKS_WORDS, "%s", words);
    else if ((words = field(line, "Exposed by: ")))
        snprintf(planted->exposed_by, BREAKS_WORDS, "%s", words);
    else if ((words = field(line, "Reason: ")) || (continues && !is_field(line))) {
        add_words(planted->reason, words ? words : line);
        *in_reason = true;
    }
}

static struct planted_break read_head(const char *patch)
{
    struct planted_break planted = {.hides = "text = \"abc\""};
    char *line = NULL;
    size_t room = 0;
    bool in_reason = false;
    FILE *file = fopen(patch, "r");
    while (file && getline(&line, &room, file) > 0 && strncmp(line, "--- ", 4) != 0) {
        line[strcspn(line, "\n")] = '\0';
        note_line(&planted, line, &in_reason);
    }
    snprintf(planted.patch, sizeof planted.patch, "%s", patch);
    free(line);
    if (file)
        fclose(file);
    return planted;
}

static int by_number(const void *one, const void *other)
{
    const struct planted_break *first = one, *second = other;
    return (first->number > second->number) - (first->number < second->number);
}

size_t planted_breaks(const char *stem, struct planted_break breaks[MOST_BREAKS])
{
    char pattern[BREAKS_PATH];
    glob_t found;
    size_t count = 0;
    snprintf(pattern, sizeof pattern, "tests/mutants/%s/*.patch", stem);
    if (glob(pattern, 0, NULL, &found) != 0)
        return 0;
    for (size_t i = 0; i < found.gl_pathc && count < MOST_BREAKS; i++) {
        breaks[count] = read_head(found.gl_pathv[i]);
        count += breaks[count].number > 0;
    }
    globfree(&found);
    qsort(breaks, count, sizeof *breaks, by_number);
    return count;
}

bool planted_break_make(const struct planted_break *planted, const char *solution, const char *file)
{
    char log[BREAKS_PATH + 8], output[BREAKS_PATH + 16];
    snprintf(log, sizeof log, "%s.log", file);
    snprintf(output, sizeof output, "--output=%s", file);
    unlink(file); /* or patch asks about one that cannot be written */
    char *arguments[] = {
        "/usr/bin/env",         "patch", "--silent", "--fuzz=0", output, (char *)solution,
        (char *)planted->patch, NULL};
    pid_t pid = child_start(arguments, log, CHILD_EVERYTHING);
    return child_wait(&pid) == 0;
}
