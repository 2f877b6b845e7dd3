/* mutant.c - reads the heads of patches, and applies them: see mutant.h. */
#define _GNU_SOURCE
#include "mutant.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chapter.h"
#include "commands.h"
#include "process.h"
#include "util.h"

/* What stands behind a name at the begin of a line, or NULL. */
static char *field(const char *line, const char *name)
{
    return begins_with(line, name) ? format("%s", line + strlen(name)) : NULL;
}

/* "Caught by: bins" and "BINS=256", but no second line of a reason. */
static bool is_field(const char *line)
{
    size_t name = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz ");
    return *line >= 'A' && *line <= 'Z' && (line[name] == ':' || line[name] == '=');
}

/* Notes a line of a head. A reason may have several; `in_reason` tells. */
static void note_line(struct mutant *mutant, const char *line, bool *in_reason)
{
    const char *words;
    bool continues = *in_reason && !is_field(line);
    *in_reason = continues;
    if (continues)
        mutant->reason = format("%s%s%s", mutant->reason, *mutant->reason ? " " : "", line);
    else if ((words = field(line, "Break: ")))
        mutant->number = number_of(words);
    else if ((words = field(line, "BINS=")))
        mutant->bins = number_of(words);
    else if ((words = field(line, "Hides: ")))
        mutant->hides = words;
    else if ((words = field(line, "Exposed by: ")))
        mutant->exposed_by = words;
    else if ((words = field(line, "Operations:")))
        mutant->operations = words;
    else if ((words = field(line, "Reason: "))) {
        mutant->reason = words;
        *in_reason = true;
    }
    mutant->races |= begins_with(line, "Caught by: racecheck");
    mutant->needs |= begins_with(line, "Needs:");
}

static struct mutant read_head(const char *patch)
{
    const char *file = base_name(patch);
    struct mutant mutant = {.patch = patch,
                            .name = format("%.*s", (int)strcspn(file, "."), file),
                            .operations = "",
                            .reason = "",
                            .hides = "text = \"abc\"",
                            .exposed_by = ""};
    bool in_reason = false;
    struct lines in = lines_of(patch);
    while (next_line(&in) && !begins_with(in.line, "--- "))
        note_line(&mutant, in.line, &in_reason);
    end_lines(&in);
    return mutant;
}

static int by_number(const void *one, const void *other)
{
    const struct mutant *first = one, *second = other;
    return first->number == second->number  ? strcmp(first->patch, second->patch)
           : first->number > second->number ? 1
                                            : -1;
}

size_t mutants_of(const char *stem, struct mutant **mutants)
{
    size_t count = 0;
    *mutants = NULL;
    for (char **patch = matches(format("tests/mutants/%s/*.patch", stem)); *patch; patch++) {
        *mutants = grow(*mutants, count, 1, sizeof **mutants);
        (*mutants)[count++] = read_head(*patch);
    }
    if (count > 0)
        qsort(*mutants, count, sizeof **mutants, by_number);
    return count;
}

bool mutant_make(const struct mutant *mutant, const char *solution, const char *file)
{
    make_folders(file);
    unlink(file); /* or patch asks about one that cannot be written */
    char *arguments[] = {"/usr/bin/env",
                         "patch",
                         "--silent",
                         "--fuzz=0",
                         format("--output=%s", file),
                         (char *)solution,
                         (char *)mutant->patch,
                         NULL};
    return process_run(arguments, format("%s.log", file)) == 0;
}

/* Whether racecheck catches it, with so many bins and this operation, on any input. */
static bool is_racy(const struct mutant *mutant, unsigned int bins, const char *operation)
{
    const bool of_operation = !*mutant->operations ||
                              strstr(format("%s ", mutant->operations), format(" %s ", operation));
    return mutant->races && !mutant->needs && of_operation &&
           (mutant->bins == 0 || mutant->bins == bins);
}

/* How soon a mistake is understood: a lost update before a missing barrier before the rest. */
static int rank(const struct mutant *mutant)
{
    return begins_with(mutant->name, "non_atomic")   ? 0
           : begins_with(mutant->name, "no_barrier") ? 1
                                                     : 2;
}

/* The one with the race that is shown; NULL when the chapter has none. */
static const struct mutant *choose(const char *stem, unsigned int bins, const char *operation)
{
    struct mutant *mutants;
    const struct mutant *chosen = NULL;
    const size_t count = mutants_of(stem, &mutants);
    for (const struct mutant *one = mutants; one < mutants + count; one++)
        if (is_racy(one, bins, operation) &&
            (!chosen || rank(one) < rank(chosen) ||
             (rank(one) == rank(chosen) && strcmp(one->patch, chosen->patch) < 0)))
            chosen = one;
    return chosen;
}

/* SOURCE STEM FOLDER BINS [OPERATION]: a race to show where a student has written no kernel yet.
 * With a gap of SOURCE filled in, prints nothing: the student's own kernel is shown. With all gaps
 * empty, makes FOLDER/STEM/NAME/histogram.cu, or as SOURCE is called, by a planted mistake of the
 * chapter, prints STEM/NAME, and on standard error what is shown and why; status 1 when there is
 * nothing. */
int planted_command(int count, char **arguments)
{
    const char *source = arguments[1], *stem = arguments[2];
    const unsigned int bins = number_of(arguments[4]);
    const struct gaps gaps = gaps_in(source, bins);
    if (!gaps_untouched(&gaps))
        return 0;
    const struct mutant *mutant = choose(stem, bins, count > 5 ? arguments[5] : "");
    if (!mutant)
        fail(1,
             exists("tests/mutants")
                 ? "%s: its gaps are empty, and this chapter has no race to show"
                 : "%s: its gaps are empty, and there are no planted mistakes in this copy of "
                   "the course: fill one in, without an atomic for instance",
             source);
    const char *kernel = base_name(source);
    if (!mutant_make(mutant, format("solutions/%s/%s", stem, kernel),
                     format("%s/%s/%s/%s", arguments[3], stem, mutant->name, kernel)))
        fail(1, "%s: its gaps are empty, and %s does not apply to the solution", source,
             mutant->patch);
    fprintf(stderr, "%s: its gaps are empty, so this is a race that was planted: %s\n", source,
            mutant->patch);
    printf("%s/%s\n", stem, mutant->name);
    return 0;
}
