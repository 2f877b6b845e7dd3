/* job_output.c - what ranks print, passed on in measure. */
#define _GNU_SOURCE
#include "job.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "control.h"

void job_output_begin(struct job_output *printed, const char *folder, unsigned int ranks)
{
    *printed = (struct job_output){.folder = folder, .ranks = ranks};
}

static FILE *file_of(const struct job_output *printed, unsigned int rank, bool is_error)
{
    char path[PATH_ROOM + 32];
    snprintf(path, sizeof path, "%s/%s.%u", printed->folder, is_error ? SAID_FILE : PRINTED_FILE,
             rank);
    return fopen(path, "r");
}

/* Whether another rank has said the same in this round; keeps it otherwise. */
static bool is_repeated(struct job_output *printed, unsigned int rank, const char *line)
{
    for (unsigned int i = 0; i < printed->said_count; i++)
        if (printed->line_of[i] != rank && strcmp(printed->line[i], line) == 0)
            return true;
    if (printed->said_count < PRINTED_LINES) {
        snprintf(printed->line[printed->said_count], sizeof *printed->line, "%s", line);
        printed->line_of[printed->said_count++] = rank;
    }
    return false;
}

/* Passes on a rank's new lines; of reports only when `reports`. Returns whether it had some. */
static bool show(struct job_output *printed, unsigned int rank, bool is_error, bool reports)
{
    off_t *so_far = is_error ? &printed->said[rank] : &printed->printed[rank];
    FILE *file = file_of(printed, rank, is_error);
    char line[512];
    bool had_some = false;
    if (!file)
        return false;
    fseeko(file, *so_far, SEEK_SET);
    while (fgets(line, sizeof line, file)) {
        const bool is_report = strncmp(line, "=========", 9) == 0;
        had_some |= is_report;
        if (is_report ? !reports : is_repeated(printed, rank, line))
            continue;
        if (is_report || printed->lines++ < PRINTED_LINES)
            fprintf(stderr, "%s%s", line, strchr(line, '\n') ? "" : "\n");
    }
    *so_far = ftello(file);
    fclose(file);
    return had_some;
}

void job_output_show(struct job_output *printed)
{
    bool had_some = false;
    printed->said_count = 0;
    for (unsigned int rank = 0; rank < printed->ranks; rank++) {
        show(printed, rank, false, false);
        had_some |= show(printed, rank, true, !had_some);
    }
}

static void skip(struct job_output *printed, unsigned int rank, bool is_error, off_t *so_far)
{
    FILE *file = file_of(printed, rank, is_error);
    if (!file)
        return;
    fseeko(file, 0, SEEK_END);
    *so_far = ftello(file);
    fclose(file);
}

void job_output_skip(struct job_output *printed)
{
    for (unsigned int rank = 0; rank < printed->ranks; rank++) {
        skip(printed, rank, false, &printed->printed[rank]);
        skip(printed, rank, true, &printed->said[rank]);
    }
}
