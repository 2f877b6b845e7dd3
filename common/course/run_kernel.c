/* run_kernel.c - runs one chapter on a text and keeps its row of the ladder. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chapter.h"
#include "commands.h"
#include "csv.h"
#include "process.h"
#include "util.h"

/* ROW SOURCE TEXT CHAPTER NAME BINS OUT.csv: ROW is the program, linked with what SOURCE was
 * compiled to. The counters of each launch go to OUT.profile. When the result is wrong, standard
 * error gets the gaps of SOURCE that are still empty, and unless all of them are, what the program
 * said. The status is 0 then, too: the row says that it is wrong. */
int run_command(int count, char **arguments)
{
    (void)count;
    static struct csv row;
    char *out = arguments[7];
    const char *log = format("%s.said", out),
               *profile =
                   format("%.*s.profile", (int)strlen(out) - (ends_with(out, ".csv") ? 4 : 0), out);
    unlink(out);
    unlink(profile);
    setenv("SIM_PROFILE", profile, 1);
    setenv("NUM_BINS", arguments[6], 1);
    pid_t pid =
        process_start((char *[]){arguments[1], arguments[3], arguments[4], arguments[5], out, NULL},
                      log, STDOUT_FILENO);
    const bool finished = process_wait(&pid) == 0, any = csv_first(&row, out);
    if (finished && any && csv_is_correct(&row))
        return 0;
    if (!any) {
        process_repeat(log, stderr);
        return 1;
    }
    const struct gaps gaps = gaps_in(arguments[2], number_of(arguments[6]));
    if (gaps_print(&gaps, stderr) != 2)
        process_repeat(log, stderr);
    return 0;
}
