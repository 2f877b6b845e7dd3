/* planted.c - reads the heads of planted mistakes, and makes kernels of them: see planted.h. */
#define _GNU_SOURCE
#include "planted.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process.h"
#include "util.h"

/* What stands behind a name at the begin of a line, or NULL. */
static const char *field(const char *line, const char *name)
{
    return begins_with(line, name) ? format("%s", line + strlen(name)) : NULL;
}

/* "Caught by: bins" and "BINS=256", but no second line of a reason. */
static bool is_field(const char *line)
{
    size_t name = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz ");
    return *line >= 'A' && *line <= 'Z' && (line[name] == ':' || line[name] == '=');
}

/* Notes a line of a head that begins a field. */
static void note_field(struct planted *planted, const char *line)
{
    const char *words;
    if ((words = field(line, "Break: ")))
        planted->number = number_of(words);
    else if ((words = field(line, "BINS=")))
        planted->bins = number_of(words);
    else if ((words = field(line, "Hides: ")))
        planted->hides = words;
    else if ((words = field(line, "Operations:")))
        planted->operations = words;
    else if ((words = field(line, "Reason: ")))
        planted->reason = words;
    planted->races |= begins_with(line, "Caught by: racecheck");
    planted->needs |= begins_with(line, "Needs:");
}

static struct planted read_head(const char *patch)
{
    const char *file = base_name(patch);
    struct planted planted = {.patch = patch,
                              .name = format("%.*s", (int)strcspn(file, "."), file),
                              .operations = "",
                              .reason = "",
                              .hides = "text = \"abc\""};
    bool in_reason = false;
    struct lines in = lines_of(patch);
    while (next_line(&in) && !begins_with(in.line, "--- ")) {
        if (is_field(in.line)) {
            note_field(&planted, in.line);
            in_reason = begins_with(in.line, "Reason: ");
        } else if (in_reason) {
            planted.reason = format("%s %s", planted.reason, in.line);
        }
    }
    end_lines(&in);
    return planted;
}

static int by_number(const void *one, const void *other)
{
    const struct planted *first = one, *second = other;
    return first->number == second->number  ? strcmp(first->patch, second->patch)
           : first->number > second->number ? 1
                                            : -1;
}

size_t planted_in(const char *stem, struct planted **planted)
{
    size_t count = 0;
    *planted = NULL;
    for (char **patch = matches(format("tests/mutants/%s/*.patch", stem)); *patch; patch++) {
        *planted = grow(*planted, count, 1, sizeof **planted);
        (*planted)[count++] = read_head(*patch);
    }
    if (count > 0)
        qsort(*planted, count, sizeof **planted, by_number);
    return count;
}

struct chapter planted_make(const struct planted *planted, const struct chapter *chapter,
                            const char *above)
{
    char *file = format("%s/%s/%s", above, chapter->stem, base_name(chapter->solution));
    make_folders(file);
    unlink(file); /* or patch asks about one that cannot be written */
    char *arguments[] = {"/usr/bin/env",
                         "patch",
                         "--silent",
                         "--fuzz=0",
                         format("--output=%s", file),
                         (char *)chapter->solution,
                         (char *)planted->patch,
                         NULL};
    if (process_run(arguments, format("%s.log", file)) != 0)
        fail(1, "%s: it does not fit to %s", planted->patch, chapter->solution);
    return chapter_at(file);
}
