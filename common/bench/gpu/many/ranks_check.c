/* ranks_check.c - whether histogram_file() counts right on all ranks of this program.
 *
 *     mpirun -n RANKS ranks_check NAME FOLDER LENGTH...
 *
 * NAME is the chapter's. For each length rank 0 writes a text to a file in FOLDER, and takes it away again. It
 * is counted twice, so that the second call meets what the first has left; from 2^28 bytes on once, and then
 * it is one letter over and over, so that a bin holds more than 32 bits can. Then come a file that is not
 * there, and a folder. Rank 0 prints a line for each; status 1 when any result is wrong. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "binning.h"
#include "grouped.h"
#include "host_text.h"
#include "last_words.h"
#include "many.h"
#include "ranks.h"
#include "room.h"

enum { PATIENCE_S = 120, UNTOUCHED = 12345 };
static const size_t long_text = (size_t)1 << 28;
static const double most_seconds = 60;

/* Whether the bins are those of `truth`, which only rank 0 has: elsewhere nobody may touch them. Says what is
 * not so. */
static bool are_right(const struct ranks *ranks, const char *what, const unsigned long long *bins,
                      const unsigned long long *truth)
{
    for (int bin = 0; bin < NUM_BINS; bin++) {
        const unsigned long long wanted = truth && ranks->rank == 0 ? truth[bin] : UNTOUCHED;
        if (bins[bin] != wanted) {
            printf("%s, %d ranks: rank %d: bin %d has %s in place of %s%s\n", what, ranks->size,
                   ranks->rank, bin, grouped(bins[bin]), grouped(wanted),
                   wanted == UNTOUCHED ? ": nobody may touch it" : "");
            fflush(stdout);
            return false;
        }
    }
    return true;
}

/* Calls it on a file that can be read, with `truth`, or on one that cannot. */
static bool call(const struct ranks *ranks, const char *what, const char *file,
                 const unsigned long long *truth)
{
    const int wanted = truth ? 0 : 1;
    unsigned long long bins[NUM_BINS];
    for (int bin = 0; bin < NUM_BINS; bin++)
        bins[bin] = UNTOUCHED;
    being_at(PATIENCE_S, "%s, rank %d of %d", what, ranks->rank, ranks->size);
    MPI_Barrier(MPI_COMM_WORLD);
    const int result = histogram_file(file, bins);
    being_done();
    if (result != wanted) {
        printf("%s, %d ranks: rank %d: returned %d in place of %d\n", what, ranks->size,
               ranks->rank, result, wanted);
        fflush(stdout);
    }
    return ranks_agree(result == wanted && are_right(ranks, what, bins, truth));
}

static void report(const struct ranks *ranks, const char *what, bool right)
{
    if (ranks->rank == 0)
        printf("%s, %d rank%s: %s\n", what, ranks->size, ranks->size == 1 ? "" : "s",
               right ? "right" : "WRONG");
    fflush(stdout);
}

static bool check_length(const struct ranks *ranks, const char *name, const char *folder,
                         size_t length)
{
    const bool is_long = length >= long_text;
    char file[4096], what[256];
    unsigned long long truth[NUM_BINS] = {0};
    snprintf(file, sizeof file, "%s/ranks_check", folder);
    snprintf(what, sizeof what, "%s, %d bins, %s bytes", name, (int)NUM_BINS, grouped(length));
    if (ranks_write(ranks, file, length, is_long ? ONE_LETTER : MIXED, most_seconds, truth) <
        length) {
        if (ranks->rank == 0)
            printf("%s: left out: there is no room for the file, or it takes too long\n", what);
        unlink(file);
        return true;
    }
    bool right = call(ranks, what, file, truth);
    right = right && (is_long || call(ranks, what, file, truth));
    if (ranks->rank == 0)
        unlink(file);
    report(ranks, what, right);
    return right;
}

static bool check_bad(const struct ranks *ranks, const char *name, const char *bad,
                      const char *file)
{
    char what[256];
    snprintf(what, sizeof what, "%s, %s", name, bad);
    const bool right = call(ranks, what, file, NULL);
    report(ranks, what, right);
    return right;
}

int main(int count, char **arguments)
{
    bool right = true;
    char absent[4096];
    const struct ranks ranks = ranks_begin(&count, &arguments);
    for (int i = 3; i < count; i++)
        right = right && (size_typed(arguments[i]) > 0 || strcmp(arguments[i], "0") == 0);
    if (count < 4 || !right) {
        fprintf(stderr, "usage: %s NAME FOLDER LENGTH...\n", arguments[0]);
        ranks_end();
        return 2;
    }
    snprintf(absent, sizeof absent, "%s/no such file", arguments[2]);
    for (int i = 3; i < count; i++)
        right = check_length(&ranks, arguments[1], arguments[2], size_typed(arguments[i])) && right;
    right = check_bad(&ranks, arguments[1], "a file that is not there", absent) && right;
    right = check_bad(&ranks, arguments[1], "a folder in place of a file", arguments[2]) && right;
    ranks_end();
    return right ? 0 : 1;
}
