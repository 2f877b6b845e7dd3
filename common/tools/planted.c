/* planted.c - a race to show where a student has written no kernel yet: a planted mistake.
 *
 *     planted SOURCE STEM FOLDER BINS [OPERATION]
 *
 * SOURCE   the file in which the student works
 * STEM     of the chapter, 05_privatized_global: tests/mutants/STEM has its planted mistakes
 * FOLDER   where the file with the mistake is made, FOLDER/STEM/NAME/histogram.cu, or as SOURCE is
 *          called
 *
 * With a gap filled in, prints nothing: the student's own kernel is shown. With all gaps empty,
 * prints STEM/NAME, and on standard error what is shown and why; status 1 when there is nothing. */
#define _GNU_SOURCE
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "folders.h"
#include "gap_search.h"

enum { PATH = 1024 };

/* Whether a line "Operations: sum max" has this one. */
static bool is_of(char *line, const char *operation)
{
    const char *word = strtok(strchr(line, ':') + 1, " \n");
    while (word && strcmp(word, operation) != 0)
        word = strtok(NULL, " \n");
    return word;
}

/* Whether the head of a patch says that racecheck catches it, with so many bins and this operation, and
 * on any input: "Needs: values whose sum wraps" says on which alone. */
static bool is_racy(const char *patch, unsigned int bins, const char *operation)
{
    FILE *file = fopen(patch, "r");
    char *line = NULL;
    size_t room = 0;
    bool raced = false, of_others = false, needs = false;
    unsigned int built_with = 0;
    while (file && getline(&line, &room, file) > 0 && strncmp(line, "--- ", 4) != 0) {
        of_others |= strncmp(line, "Operations:", 11) == 0 && !is_of(line, operation);
        raced |= strncmp(line, "Caught by: racecheck", 20) == 0;
        needs |= strncmp(line, "Needs:", 6) == 0;
        sscanf(line, "BINS=%u", &built_with);
    }
    free(line);
    if (file)
        fclose(file);
    return raced && !of_others && !needs && (built_with == 0 || built_with == bins);
}

/* How soon a mistake is understood: a lost update before a missing barrier before the rest. */
static int rank(const char *patch)
{
    const char *name = strrchr(patch, '/') + 1;
    return strncmp(name, "non_atomic", 10) == 0 ? 0 : strncmp(name, "no_barrier", 10) == 0 ? 1 : 2;
}

/* The patch with the race that is shown; "" when the chapter has none. */
static void choose(const char *stem, unsigned int bins, const char *operation, char *chosen)
{
    char pattern[PATH];
    glob_t found;
    chosen[0] = '\0';
    snprintf(pattern, sizeof pattern, "tests/mutants/%s/*.patch", stem);
    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (is_racy(found.gl_pathv[i], bins, operation) &&
            (!chosen[0] || rank(found.gl_pathv[i]) < rank(chosen)))
            snprintf(chosen, PATH, "%s", found.gl_pathv[i]);
    globfree(&found);
}

/* Makes FOLDER/STEM/NAME and the file in it. Returns whether that worked. */
static bool apply(const char *patch, const char *stem, const char *folder, const char *name,
                  const char *kernel)
{
    char made[4 * PATH], log[4 * PATH], solution[2 * PATH];
    snprintf(made, sizeof made, "%s/%s/%s/%s", folder, stem, name, kernel);
    snprintf(log, sizeof log, "%s/%s/%s/patch.log", folder, stem, name);
    folders_make(made);
    snprintf(solution, sizeof solution, "solutions/%s/%s", stem, kernel);
    char output[5 * PATH];
    snprintf(output, sizeof output, "--output=%s", made);
    char *arguments[] = {"/usr/bin/env", "patch",  "--silent",    "--fuzz=0",
                         output,         solution, (char *)patch, NULL};
    pid_t pid = child_start(arguments, log, CHILD_EVERYTHING);
    return child_wait(&pid) == 0;
}

int main(int count, char **arguments)
{
    if (count < 5 || count > 6) {
        fprintf(stderr, "usage: planted SOURCE STEM FOLDER BINS [OPERATION]\n");
        return 2;
    }
    const char *source = arguments[1], *stem = arguments[2];
    unsigned int bins = (unsigned int)strtoul(arguments[4], NULL, 10);
    struct gaps gaps = gaps_in(source, bins);
    bool untouched = gaps.count > 0 && gaps.empty == gaps.count;
    gaps_free(&gaps);
    if (!untouched)
        return 0;
    char patch[PATH], name[PATH];
    choose(stem, bins, count > 5 ? arguments[5] : "", patch);
    if (!patch[0]) {
        fprintf(stderr,
                access("tests/mutants", F_OK) == 0
                    ? "%s: its gaps are empty, and this chapter has no race to show\n"
                    : "%s: its gaps are empty, and there are no planted mistakes in this copy of "
                      "the course: fill one in, without an atomic for instance\n",
                source);
        return 1;
    }
    snprintf(name, sizeof name, "%.*s", (int)(strlen(strrchr(patch, '/')) - strlen("/.patch")),
             strrchr(patch, '/') + 1);
    const char *slash = strrchr(source, '/');
    if (!apply(patch, stem, arguments[3], name, slash ? slash + 1 : source)) {
        fprintf(stderr, "%s: its gaps are empty, and %s does not apply to the solution\n", source,
                patch);
        return 1;
    }
    fprintf(stderr, "%s: its gaps are empty, so this is a race that was planted: %s\n", source,
            patch);
    printf("%s/%s\n", stem, name);
    return 0;
}
