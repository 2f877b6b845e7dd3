/* What ranks tell of a case, as the judge reads it; and whether they wait for what does not come. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi_job.h"

const char many_function[] = "histogram_file()"; /* which nobody calls here */

/* What a rank tells; another one for each. */
static struct rank_told told[2];

static bool add(struct many_seen *all, unsigned int rank, struct many_seen own)
{
    told[rank].seen = own;
    return control_add(&told[rank], rank, all);
}

static void put_reads(unsigned int rank, const struct many_read *reads, size_t count)
{
    memcpy(told[rank].reads, reads, count * sizeof *reads);
}

Test(answers, of_two_ranks_are_one)
{
    struct many_seen all = {0};
    put_reads(0, (struct many_read[]){{7, 100, 200}}, 1);
    put_reads(1, (struct many_read[]){{7, 0, 100}, {7, 200, 201}}, 2);
    told[1].unit = (struct many_unit){1, 2, 3, 4, 5, 6, 7, 8, 9, 10, {{11}}, {{12}}};
    cr_assert(add(&all, 0,
                  (struct many_seen){.bins = {5, 6, 7},
                                     .reports = 1,
                                     .loaded = 100,
                                     .read_count = 1,
                                     .collective = {{"MPI_Reduce", 2, 5, 40}},
                                     .collectives = 1}));
    cr_assert(
        add(&all, 1,
            (struct many_seen){.bins = {9}, .reports = 2, .device_after = 1, .read_count = 2}));
    cr_expect(!all.results_differ && !all.others_touched && !all.message[0]);
    cr_expect(all.bins[0] == 5 && all.bins[2] == 7 && all.reports == 3 && all.loaded == 100);
    cr_assert(all.read_count == 3 && all.collectives == 1 && all.device_after == 0);
    cr_expect(all.reads[0].begin == 0 && all.reads[0].unit == 1);
    cr_expect(all.reads[1].begin == 100 && all.reads[1].unit == 0);
    cr_expect(all.collective[0].members == 2 && all.collective[0].bytes == 40);
    cr_expect_eq(memcmp(&all.unit[1], &told[1].unit, sizeof told[1].unit), 0);
    many_seen_free(&all);
}

Test(answers, that_differ_are_seen)
{
    struct many_seen all = {0};
    cr_assert(add(&all, 0, (struct many_seen){.result = 1}));
    cr_assert(add(&all, 1, (struct many_seen){.others_touched = true, .error = "out of memory"}));
    cr_expect(all.results_differ && all.others_touched && all.result == 1);
    cr_expect_str_eq(all.error, "rank 1: out of memory");
    many_seen_free(&all);
}

Test(answers, may_name_more_collectives_than_have_a_place)
{
    struct many_seen own = {.collectives = 20}, all = {0};
    for (int i = 0; i < 16; i++)
        own.collective[i] = (struct many_collective){"ncclReduce", 4, 256, 2048};
    memset(own.collective[3].name, 'x', sizeof own.collective[3].name);
    cr_assert(add(&all, 0, own));
    cr_assert(add(&all, 1, own));
    cr_expect(all.collectives == 40 && all.collective[15].elements == 256);
    cr_expect_eq(strlen(all.collective[3].name), sizeof own.collective[3].name - 1);
    many_seen_free(&all);
}

Test(answers, that_make_no_sense_are_refused)
{
    struct many_seen all = {0};
    put_reads(0, (struct many_read[]){{0, 7, 8}, {0, 8, 8}}, 2);
    cr_expect(add(&all, 0, (struct many_seen){.read_count = 1}));
    cr_expect_not(add(&all, 0, (struct many_seen){.read_count = 2}));
    cr_expect_not(add(&all, 1, (struct many_seen){.read_count = MOST_READS + 1}));
    cr_expect_not(control_add(&told[0], MOST_UNITS, &all));
    many_seen_free(&all);
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
    cr_expect_null(stuck_look(&stuck, &control, 100));
    return stuck_look(&stuck, &control, 100 + seconds);
}

Test(stuck, ranks_wait_for_one_that_has_returned)
{
    control.ranks = 4;
    for (unsigned int rank = 0; rank < 4; rank++)
        put(rank, RANK_CALLS, "MPI_Allreduce");
    put(1, RANK_RETURNED, NULL);
    control.rank[1].result = 1;
    cr_expect_null(after(1));
    const char *message = after(2);
    cr_assert(message);
    cr_expect(strstr(message,
                     "did not return on all ranks: ranks 0, 2 and 3 wait in MPI_Allreduce "
                     "(many.cu:13), rank 1 has returned 1; all ranks have to make the same"),
              "%s", message);
}

Test(stuck, ranks_wait_in_two_places)
{
    control.ranks = 2;
    put(0, RANK_CALLS, "MPI_Reduce");
    put(1, RANK_CALLS, "MPI_Barrier");
    const char *message = after(2);
    cr_expect(message && strstr(message, "rank 0 waits in MPI_Reduce (many.cu:10), rank 1 waits in "
                                         "MPI_Barrier (many.cu:11)"),
              "%s", message);
}

/* On a machine that has much to do, eight ranks take turns on two cores. */
Test(stuck, ranks_in_the_same_call_may_still_go_on)
{
    control.ranks = 2;
    put(0, RANK_CALLS, "MPI_Reduce");
    put(1, RANK_CALLS, "MPI_Reduce");
    cr_expect_null(after(10));
    const char *message = after(20);
    cr_expect(message && strstr(message, "ranks 0 and 1 wait in MPI_Reduce"), "%s", message);
}

Test(stuck, nobody_is_who_works)
{
    control.ranks = 2;
    put(0, RANK_CALLS, "MPI_Reduce");
    put(1, RANK_CALLS, NULL);
    cr_expect_null(after(20));
    const char *message = after(40);
    cr_expect(message &&
                  strstr(message, "rank 1 is at work; nothing has happened for half a minute"),
              "%s", message);
    control.rank[1].answered = 1;
    control.rank[0].answered = 1;
    cr_expect_null(after(40), "they are done");
}

Test(stuck, nobody_is_as_long_as_something_happens)
{
    struct stuck stuck = {0};
    control.asked = 1;
    control.ranks = 2;
    put(0, RANK_CALLS, "MPI_Reduce");
    put(1, RANK_CALLS, "MPI_Reduce");
    for (int second = 1; second < 60; second++) {
        control.rank[1].steps++;
        cr_expect_null(stuck_look(&stuck, &control, second));
    }
}
