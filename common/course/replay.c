/* replay.c - shows a race happen: in a student's kernel, or, as long as that is empty, in one with a planted
 * mistake. */
#define _GNU_SOURCE
#include <string.h>

#include "commands.h"
#include "built_program.h"
#include "planted.h"
#include "process.h"
#include "util.h"

/* Whether racecheck catches it, with so many bins or this operation, on any input. */
static bool is_racy(const struct planted *planted, const char *variant)
{
    const bool of_operation = !*planted->operations ||
                              strstr(format("%s ", planted->operations), format(" %s ", variant));
    return planted->races && !planted->needs && of_operation &&
           (planted->bins == 0 || planted->bins == number_of(variant));
}

/* How soon a mistake is understood: a lost update before a missing barrier before the rest. */
static int rank(const struct planted *planted)
{
    return begins_with(planted->name, "non_atomic")   ? 0
           : begins_with(planted->name, "no_barrier") ? 1
                                                      : 2;
}

/* The one with the race that is shown. Where the chapter has none the program ends with one line. */
static const struct planted *choose(const struct chapter *chapter, const char *variant)
{
    struct planted *planted;
    const struct planted *chosen = NULL;
    const size_t count = planted_in(chapter->stem, &planted);
    for (const struct planted *one = planted; one < planted + count; one++)
        if (is_racy(one, variant) &&
            (!chosen || rank(one) < rank(chosen) ||
             (rank(one) == rank(chosen) && strcmp(one->patch, chosen->patch) < 0)))
            chosen = one;
    if (!chosen)
        fail(1,
             exists("tests/mutants")
                 ? "%s: its gaps are empty, and this chapter has no race to show"
                 : "%s: its gaps are empty, and there are no planted mistakes in this copy of "
                   "the course: fill one in, without an atomic for instance",
             chapter->file);
    return chosen;
}

/* BUILD PLACE VARIANT INPUT: runs the kernel in PLACE, compiled for so many bins or an operation, on INPUT, and shows
 * what two threads do to one element. */
int replay_command(int count, char **arguments)
{
    (void)count;
    const char *variant = arguments[3];
    struct chapter chapter = chapter_at(arguments[2]);
    if (chapter.contract.on_devices)
        fail(1,
             "chapter %u: a replay shows a race of two threads, and these are between copies, "
             "kernels and collectives: make chapter%u test names both lines",
             chapter.number, chapter.number);
    const struct gaps gaps = gaps_in(chapter.file, number_of(variant));
    if (gaps_untouched(&gaps)) {
        const struct planted *planted = choose(&chapter, variant);
        fprintf(stderr, "%s: its gaps are empty, so this is a race that was planted: %s\n",
                chapter.file, planted->patch);
        chapter = planted_make(planted, &chapter, format("build/races/%s", planted->name));
    }
    const char *program = built_program(arguments[1], &chapter, variant, "replay");
    if (!program) {
        process_repeat(lines_of("build/built.log"), stderr);
        return 1;
    }
    return process_run((char *[]){(char *)program, arguments[4], NULL}, NULL);
}
