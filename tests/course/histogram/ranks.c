/* What ranks tell of a case, as the judge reads it; and whether they wait for what does not come. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi_job.h"

const char many_function[] = "histogram_file()"; /* which nobody calls here */

/* What a rank tells, as the judge reads it: all of it but the last `cut` bytes. */
static bool add_cut(struct many_seen *all, unsigned int rank, const struct many_seen *own,
                    const struct many_unit *unit, size_t cut)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    cr_assert(rank_log_write(file, own, unit));
    fclose(file);
    file = fmemopen(text, size - cut, "r");
    cr_assert(file);
    const bool understood = rank_log_add(file, rank, all);
    fclose(file);
    free(text);
    return understood;
}

static bool add(struct many_seen *all, unsigned int rank, const struct many_seen *own)
{
    return add_cut(all, rank, own, &(struct many_unit){.device = rank}, 0);
}

Test(answers, of_two_ranks_are_one)
{
    struct many_seen all;
    struct many_read one[] = {{0, 100, 200}}, other[] = {{0, 0, 100}, {0, 200, 201}};
    const struct many_seen first = {.bins = {5, 6, 7},
                                    .reports = 1,
                                    .loaded = 100,
                                    .reads = one,
                                    .read_count = 1,
                                    .collective = {{"MPI_Reduce", 2, 5, 40}},
                                    .collectives = 1};
    const struct many_seen second = {
        .bins = {9}, .reports = 2, .device_after = 1, .reads = other, .read_count = 2};
    const struct many_unit unit = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, {{11}}, {{12}}};
    rank_log_begin(&all);
    cr_assert(add(&all, 0, &first));
    cr_assert(add_cut(&all, 1, &second, &unit, 0));
    rank_log_end(&all);
    cr_expect(all.returned && !all.results_differ && !all.others_touched && !all.message[0]);
    cr_expect(all.bins[0] == 5 && all.bins[2] == 7 && all.reports == 3 && all.loaded == 100);
    cr_assert(all.read_count == 3 && all.collectives == 1 && all.device_after == 0);
    cr_expect(all.reads[0].begin == 0 && all.reads[0].unit == 1);
    cr_expect(all.reads[1].begin == 100 && all.reads[1].unit == 0);
    cr_expect(all.collective[0].members == 2 && all.collective[0].bytes == 40);
    cr_expect_eq(memcmp(&all.unit[1], &unit, sizeof unit), 0);
    free(all.reads);
}

Test(answers, that_differ_are_seen)
{
    struct many_seen all;
    rank_log_begin(&all);
    cr_assert(add(
        &all, 0,
        &(struct many_seen){.result = 1, .message_lines = 1, .message = "text.1: Is a directory"}));
    cr_assert(add(&all, 1,
                  &(struct many_seen){.others_touched = true,
                                      .message_lines = 2,
                                      .message = "me, too",
                                      .error = "out of memory"}));
    cr_expect(all.results_differ && all.others_touched && all.result == 1);
    cr_expect_str_eq(all.message, "text.1: Is a directory");
    cr_expect_eq(all.message_lines, 3u);
    cr_expect_str_eq(all.error, "rank 1: out of memory");
    free(all.reads);
}

Test(answers, may_name_more_collectives_than_have_a_place)
{
    struct many_seen own = {.collectives = 20}, all;
    for (int i = 0; i < 16; i++)
        own.collective[i] = (struct many_collective){"ncclReduce", 4, 256, 2048};
    memset(own.collective[3].name, 'x', sizeof own.collective[3].name);
    rank_log_begin(&all);
    cr_assert(add(&all, 0, &own));
    cr_assert(add(&all, 1, &own));
    cr_expect(all.collectives == 40 && all.collective[15].elements == 256);
    cr_expect_eq(strlen(all.collective[3].name), sizeof own.collective[3].name - 1);
    free(all.reads);
}

Test(answers, that_nobody_understands_are_refused)
{
    struct many_read good[] = {{0, 7, 8}, {0, 8, 9}}, empty[] = {{0, 8, 8}};
    const struct many_unit unit = {.device = 0};
    const struct many_seen whole = {.reads = good, .read_count = 2},
                           wrong = {.reads = empty, .read_count = 1};
    const struct {
        const struct many_seen *seen;
        unsigned int rank;
        size_t cut;
    } refused[] = {{&whole, 0, 1}, {&whole, 0, 200}, {&whole, MOST_UNITS, 0}, {&wrong, 0, 0}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct many_seen all;
        rank_log_begin(&all);
        cr_expect_not(add_cut(&all, refused[i].rank, refused[i].seen, &unit, refused[i].cut), "%zu",
                      i);
        free(all.reads);
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
    control.ranks = 2;
    put(0, RANK_CALLS, "MPI_Reduce");
    put(1, RANK_CALLS, "MPI_Reduce");
    for (int second = 1; second < 60; second++) {
        control.rank[1].steps++;
        cr_expect_null(stuck_look(&stuck, &control, 0, second));
    }
}
