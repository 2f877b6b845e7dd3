/* What ranks tell of a case, as the judge reads it; and whether they wait for what does not come. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "rank_facts.h"

static char wrong[256], caught[256];

static void note(const char *line)
{
    snprintf(caught + strlen(caught), sizeof caught - strlen(caught), "%s;", line);
}

/* What a rank tells in these words. */
static bool add(struct many_seen *seen, unsigned int rank, const char *text)
{
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    cr_assert(file);
    const bool understood = rank_facts_add(file, rank, note, seen, wrong, sizeof wrong);
    fclose(file);
    return understood;
}

Test(answers, of_two_ranks_are_one)
{
    struct many_seen seen;
    rank_facts_begin(&seen);
    cr_assert(add(&seen, 0,
                  "result 0\nbins 5 6 7\nsaid 0 \nreports 1\ncaught racecheck many.cu:7\n"
                  "collective MPI_Reduce 2 5 40\ncollectives 1\nread 100 200\nend\n"));
    cr_assert(add(&seen, 1,
                  "result 0\nbins 0 0 0\nsaid 0 \nreports 2\ndevice 1\nread 0 100\nread 200 201\n"
                  "unit device=1 launches=2 copied=3 from_pageable=4 overlapped=5 streams=6 "
                  "most_on_device=7 left_on_device=8 narrow_sums=9\nend\n"));
    rank_facts_end(&seen);
    cr_expect(seen.returned && !seen.results_differ && !seen.others_touched && !seen.said[0]);
    cr_expect(seen.bins[0] == 5 && seen.bins[2] == 7 && seen.reports == 3);
    cr_expect_str_eq(caught, "racecheck many.cu:7;");
    cr_assert(seen.read_count == 3 && seen.collectives == 1);
    cr_expect(seen.reads[0].begin == 0 && seen.reads[0].unit == 1);
    cr_expect(seen.reads[1].begin == 100 && seen.reads[1].unit == 0);
    cr_expect(seen.collective[0].members == 2 && seen.collective[0].bytes == 40);
    const struct many_unit *unit = &seen.unit[1];
    cr_expect(unit->device == 1 && unit->streams == 6 && unit->narrow_sums == 9);
    free(seen.reads);
}

Test(answers, that_differ_are_seen)
{
    struct many_seen seen;
    rank_facts_begin(&seen);
    cr_assert(add(&seen, 0, "result 1\nsaid 1 text.1: Is a directory\nend\n"));
    cr_assert(add(&seen, 1, "result 0\ntouched\nsaid 2 me, too\nerror out of memory\nend\n"));
    cr_expect(seen.results_differ && seen.others_touched && seen.result == 1);
    cr_expect_str_eq(seen.said, "text.1: Is a directory");
    cr_expect_eq(seen.said_lines, 3u);
    cr_expect_str_eq(seen.error, "rank 1: out of memory");
}

Test(answers, come_back_as_they_were_written)
{
    struct many_read reads[] = {{0, 7, 8}, {0, 1ull << 33, 1ull << 34}};
    struct many_unit unit = {.launches = 1ull << 40, .streams = 2};
    struct many_seen before = {.result = 1, .reads = reads, .read_count = 2, .reports = 4}, after;
    char *text = NULL;
    size_t size = 0;
    before.bins[255] = UINT64_MAX;
    before.collectives = 20; /* more than have a place */
    for (int i = 0; i < 16; i++)
        before.collective[i] = (struct many_collective){"ncclReduce", 4, 256, 2048};
    FILE *file = open_memstream(&text, &size);
    rank_facts_write(file, &(struct answer){&before, 256, &unit, "caught memcheck a b.cu:1\n"});
    fclose(file);
    rank_facts_begin(&after);
    cr_assert(add(&after, 0, text), "%s", wrong);
    cr_expect(after.result == 1 && after.bins[255] == UINT64_MAX && after.reports == 4);
    cr_expect(after.collectives == 20 && after.collective[15].elements == 256);
    cr_expect(after.unit[0].launches == 1ull << 40 && after.unit[0].streams == 2);
    cr_expect(after.read_count == 2 && after.reads[1].end == 1ull << 34);
    cr_expect_str_eq(caught, "memcheck a b.cu:1;");
    free(after.reads);
    free(text);
}

Test(answers, that_nobody_understands_are_refused)
{
    static const char *const texts[] = {"result 0\n",           "result\nend\n",
                                        "bins 1 two\nend\n",    "read 8 8\nend\n",
                                        "read 1\nend\n",        "collective ncclReduce 2\nend\n",
                                        "unit copied=1\nend\n", "weather fine\nend\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct many_seen seen;
        rank_facts_begin(&seen);
        wrong[0] = '\0';
        cr_expect_not(add(&seen, 0, texts[i]), "%s", texts[i]);
        cr_expect(wrong[0], "%s", texts[i]);
        free(seen.reads);
    }
}

static struct control control;

/* Of a case, the first. A rank that is in MPI says so. */
static void put(unsigned int rank, enum rank_phase phase, const char *function)
{
    struct rank_position *now = &control.rank[rank];
    now->phase = phase;
    now->in_mpi = function != NULL;
    snprintf(now->function, sizeof now->function, "%s", function ? function : "");
    snprintf(now->place, sizeof now->place, "many.cu:%d", function ? (int)strlen(function) : 0);
}

/* What is told of them, after so many seconds in which nothing happens. */
static const char *after(double seconds)
{
    struct stuck stuck = {0};
    control.asked = 1;
    cr_expect_null(stuck_look(&stuck, &control, 0, 100));
    return stuck_look(&stuck, &control, 0, 100 + seconds);
}

Test(stuck, ranks_wait_for_one_that_has_returned)
{
    control.ranks = 4;
    for (unsigned int rank = 0; rank < 4; rank++)
        put(rank, RANK_CALLS, "MPI_Allreduce");
    put(1, RANK_RETURNED, NULL);
    control.rank[1].result = 1;
    cr_expect_null(after(1));
    const char *said = after(2);
    cr_assert(said);
    cr_expect(strstr(said, "did not return on all ranks: ranks 0, 2 and 3 wait in MPI_Allreduce "
                           "(many.cu:13), rank 1 has returned 1; all ranks have to make the same"),
              "%s", said);
}

Test(stuck, ranks_wait_in_two_places)
{
    control.ranks = 2;
    put(0, RANK_CALLS, "MPI_Reduce");
    put(1, RANK_CALLS, "MPI_Barrier");
    const char *said = after(2);
    cr_expect(said && strstr(said, "rank 0 waits in MPI_Reduce (many.cu:10), rank 1 waits in "
                                   "MPI_Barrier (many.cu:11)"),
              "%s", said);
}

/* On a machine that has much to do, eight ranks take turns on two cores. */
Test(stuck, ranks_in_the_same_call_may_still_go_on)
{
    control.ranks = 2;
    put(0, RANK_CALLS, "MPI_Reduce");
    put(1, RANK_CALLS, "MPI_Reduce");
    cr_expect_null(after(10));
    const char *said = after(20);
    cr_expect(said && strstr(said, "ranks 0 and 1 wait in MPI_Reduce"), "%s", said);
}

Test(stuck, nobody_is_who_works)
{
    control.ranks = 2;
    put(0, RANK_CALLS, "MPI_Reduce");
    put(1, RANK_CALLS, NULL);
    cr_expect_null(after(20));
    const char *said = after(40);
    cr_expect(said && strstr(said, "rank 1 is at work; nothing has happened for half a minute"),
              "%s", said);
    control.rank[1].answered = 1;
    control.rank[0].answered = 1;
    cr_expect_null(after(40), "they are done");
}

Test(stuck, nobody_is_as_long_as_something_happens)
{
    struct stuck stuck = {0};
    control.ranks = 2;
    put(0, RANK_CALLS, "MPI_Reduce");
    put(1, RANK_CALLS, "MPI_Reduce");
    for (int second = 1; second < 60; second++) {
        control.rank[1].steps++;
        cr_expect_null(stuck_look(&stuck, &control, 0, second));
    }
}
