/* tally.c - reads the counters that are compared, and keeps the best: see tally.h. */
#define _GNU_SOURCE
#include "tally.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "expression.h"

#define GLOBAL(what, op) "l1tex__t_" what "_pipe_lsu_mem_global_op_" op ".sum"
#define SHARED(what) SHARED_OF(what, "ld") " + " SHARED_OF(what, "st") " + " SHARED_OF(what, "atom")
#define SHARED_OF(what, op) "l1tex__data_" what "_mem_shared_op_" op ".sum"

enum { USUAL_NUMBERS = 6 }; /* of bins, for which a best is kept; then for keys, and of values */
static const unsigned int numbers_of_bins[USUAL_NUMBERS] = {5, 26, 64, 256, 12281, 1 << 20};

const char *const tally_labels[TALLY_LINES] = {"load requests",
                                               "load sectors",
                                               "other sectors",
                                               "global atomics",
                                               "on the final bins",
                                               "shared atomics",
                                               "shared wavefronts",
                                               "bank conflicts",
                                               "attempts",
                                               "locks",
                                               "passes",
                                               "copies",
                                               "on the result",
                                               "launches",
                                               "barriers a block",
                                               "shared words",
                                               "shuffles",
                                               "waits of the grid",
                                               "bytes copied",
                                               "to one device",
                                               "collectives",
                                               "bytes of each"};

/* Sums of columns of a row. */
static const char *const sums[TALLY_LINES] = {
    GLOBAL("requests", "ld"),
    GLOBAL("sectors", "ld"),
    GLOBAL("sectors", "st") " + " GLOBAL("sectors", "red") " + " GLOBAL("sectors", "atom"),
    "global_atomics",
    "atomics_on_bins",
    "shared_atomics",
    SHARED("pipe_lsu_wavefronts"),
    SHARED("bank_conflicts_pipe_lsu"),
    "attempts",
    "locks",
    "passes",
    "copies",
    "atomics_on_result",
    "launches",
    "barriers_a_block",
    "shared_words",
    "shuffles",
    "grid_barriers",
    "copied_bytes",
    "most_copied_bytes",
    "collectives",
    "collective_bytes"};

struct tally tally_of_nothing(void)
{
    struct tally tally;
    for (size_t i = 0; i < TALLY_LINES; i++)
        tally.value[i] = NAN;
    return tally;
}

static bool find_column(const void *context, const char *name, double *value)
{
    const char *text = csv_find(context, name);
    char *end = NULL;
    if (!text)
        return false;
    *value = strtod(text, &end);
    return end != text && !*end;
}

/* The row at hand. */
static struct tally tally_of(const struct csv *row)
{
    struct tally tally = tally_of_nothing();
    for (size_t i = 0; i < TALLY_LINES; i++)
        if (!expression_value(sums[i], find_column, row, &tally.value[i]))
            tally.value[i] = NAN;
    return tally;
}

bool tally_read(const char *file, unsigned int chapter, struct tally *tally)
{
    static struct csv rows;
    bool found = false;
    if (!csv_open(&rows, file))
        return false;
    while (!found && csv_next(&rows)) {
        const char *number = csv_find(&rows, "chapter");
        found = number && strtoul(number, NULL, 10) == chapter;
    }
    if (found)
        *tally = tally_of(&rows);
    csv_close(&rows);
    return found;
}

bool tally_count(const struct kernel *kernel, const struct counted_on *on, struct tally *tally,
                 const char **why)
{
    const char *row = counted_row(kernel, on, why);
    return row && tally_read(row, (unsigned int)strtoul(kernel->stem, NULL, 10), tally);
}

static char *file_beside(const char *kernel_file, const char *name)
{
    const char *slash = strrchr(kernel_file, '/');
    char *file = NULL;
    if (asprintf(&file, "%.*s%s", slash ? (int)(slash - kernel_file + 1) : 0, kernel_file, name) <
        0)
        return NULL;
    return file;
}

/* best.csv has rows "5,load requests,32768". */
struct tally tally_best(const char *kernel_file, unsigned int bins)
{
    static struct csv kept;
    struct tally best = tally_of_nothing();
    char *file = file_beside(kernel_file, "best.csv");
    if (!file || !csv_open(&kept, file)) {
        free(file);
        return best;
    }
    while (csv_next(&kept)) {
        const char *number = csv_find(&kept, "bins"), *counter = csv_find(&kept, "counter");
        double value;
        for (size_t i = 0; number && counter && i < TALLY_LINES; i++)
            if (strtoul(number, NULL, 10) == bins && strcmp(counter, tally_labels[i]) == 0 &&
                find_column(&kept, "best", &value))
                best.value[i] = value;
    }
    csv_close(&kept);
    free(file);
    return best;
}

static void write_best(FILE *to, unsigned int bins, const struct tally *best)
{
    for (size_t i = 0; i < TALLY_LINES; i++)
        if (!isnan(best->value[i]))
            fprintf(to, "%u,%s,%.10g\n", bins, tally_labels[i], best->value[i]);
}

bool tally_keep(const char *kernel_file, unsigned int bins, const struct tally *tally)
{
    char *file = file_beside(kernel_file, "best.csv"),
         *new = file_beside(kernel_file, "best.csv.new");
    FILE *to = file && new ? fopen(new, "w") : NULL;
    if (to)
        fprintf(to, "bins,counter,best\n");
    for (size_t i = 0; to && i < USUAL_NUMBERS; i++) {
        struct tally best = tally_best(kernel_file, numbers_of_bins[i]);
        for (size_t j = 0; numbers_of_bins[i] == bins && j < TALLY_LINES; j++)
            best.value[j] = fmin(best.value[j], tally->value[j]); /* of NAN the other */
        write_best(to, numbers_of_bins[i], &best);
    }
    bool fine = to && !ferror(to);
    fine = to && fclose(to) == 0 && fine && rename(new, file) == 0;
    int error = errno;
    if (to && !fine)
        unlink(new);
    free(file);
    free(new);
    errno = error;
    return fine;
}
