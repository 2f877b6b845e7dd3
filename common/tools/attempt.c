/* attempt.c - runs one chapter on a text and keeps its row of the ladder.
 *
 *     attempt ROW SOURCE TEXT CHAPTER NAME BINS OUT.csv
 *
 * ROW is the program, linked with what SOURCE was compiled to. The counters of each launch go
 * to OUT.profile. When the result is wrong, standard error gets the gaps of SOURCE that are
 * still empty, and unless all of them are, what the program said. The status is 0 then, too:
 * the row says that it is wrong. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "csv.h"
#include "gap_search.h"

/* Whether there is a row, and what it says of the result. */
static bool read_row(const char *file, bool *correct)
{
    static struct csv row;
    if (!csv_open(&row, file))
        return false;
    bool any = csv_next(&row);
    *correct = any && strcmp(csv_text(&row, "correct"), "yes") == 0;
    csv_close(&row);
    return any;
}

int main(int count, char **arguments)
{
    if (count != 8) {
        fprintf(stderr, "usage: attempt ROW SOURCE TEXT CHAPTER NAME BINS OUT.csv\n");
        return 2;
    }
    char *row = arguments[1], *source = arguments[2], *out = arguments[7];
    char profile[4096], said[4096];
    size_t base = strlen(out) > 4 ? strlen(out) - 4 : 0;
    snprintf(profile, sizeof profile, "%.*s.profile", (int)base, out);
    snprintf(said, sizeof said, "%s.said", out);
    unlink(out);
    unlink(profile);
    setenv("SIM_PROFILE", profile, 1);
    pid_t pid = child_start((char *[]){row, arguments[3], arguments[4], arguments[5], out, NULL},
                            said, CHILD_ERRORS);
    bool correct = false, finished = child_wait(&pid) == 0, any = read_row(out, &correct);
    if (finished && any && correct)
        return 0;
    if (!any) {
        child_repeat(said, stderr);
        return 1;
    }
    struct gaps gaps = gaps_in(source, (unsigned int)strtoul(arguments[6], NULL, 10));
    if (gaps_print(&gaps, stderr) != 2)
        child_repeat(said, stderr);
    gaps_free(&gaps);
    return 0;
}
