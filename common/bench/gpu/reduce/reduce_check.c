/* reduce_check.c - whether chapters reduce right on a GPU, up to arrays that no simulator holds.
 *
 *     reduce_check LENGTH,... LIBRARY.so...
 *
 * A LENGTH is a number of values. Of each length there are two arrays, one that begins at a multiple
 * of 256 bytes and one that begins a value later. Values are such that no order of adding them rounds
 * (values.h, SPARSE): each result must be just what an independent pass over them found. Every chapter
 * is called twice, so that the second call meets what the first has left. Prints a line for each
 * length; status 1 when any result is wrong. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contest.h"
#include "errors.h"
#include "grouped.h"
#include "results.h"
#include "supervised.h"
#include "values.h"

enum { MOST_LENGTHS = 64, PATIENCE_S = 20, CALLS = 2 };

struct task {
    struct contest contest;
    size_t lengths[MOST_LENGTHS], num_lengths;
    char **libraries;
    int num_libraries;
};

/* An array on the device: `length` values from `shift` on. */
struct field {
    value_t *room;
    size_t length, shift;
    struct truth truth;
    struct results results;
};

/* The arrays are numbered: two of the first length, two of the second, and so on. */
static struct field field_numbered(const struct task *task, size_t turn)
{
    return (struct field){.length = task->lengths[turn / 2], .shift = turn % 2};
}

static const char *where_it_begins(const struct field *field)
{
    return field->shift > 0 ? " that begin one value later" : "";
}

/* Returns false when the device has not that much memory. */
static bool field_fill(struct field *field)
{
    const cudaError_t error =
        cudaMalloc((void **)&field->room, (field->length + 1) * sizeof(value_t));
    if (error == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError(); // it is told, and no news for the next call
        return false;
    }
    must(error, "cudaMalloc of the values");
    values_fill(field->room + field->shift, field->length, SPARSE);
    field->truth = truth_of(field->room + field->shift, field->length);
    field->results = results_room();
    return true;
}

static void field_free(struct field *field)
{
    results_free(&field->results);
    must(cudaFree(field->room), "cudaFree");
}

/* Returns whether all calls were right, or says which were not. */
static bool check_one(const struct contestant *who, const struct field *field)
{
    results_spoil(&field->results);
    for (size_t call = 0; call < CALLS; call++)
        who->run(field->room + field->shift, field->length, result_of_run(&field->results, call));
    must(cudaDeviceSynchronize(), who->name);
    const struct verdict verdict = results_verdict(&field->results, CALLS, &field->truth);
    if (verdict.wrong > 0)
        printf("%s, %s, %s values%s: wrong in %zu of %d calls: %s\n", who->name, OPERATION_NAME,
               grouped(field->length), where_it_begins(field), verdict.wrong, (int)CALLS,
               what_is_wrong(&field->truth, verdict.first_wrong));
    return verdict.wrong == 0;
}

/* One array; of the steps those from `first` on. */
static void check_array(struct progress *progress, const struct task *task, size_t turn,
                        size_t first)
{
    const size_t count = task->contest.count;
    struct field field = field_numbered(task, turn);
    size_t right = 0, judged = 0;
    if (turn * count >= first)
        begin_step(progress, turn * count, "");
    if (!field_fill(&field)) {
        printf("%s, %s values: left out, the GPU has not that much memory free\n", OPERATION_NAME,
               grouped(field.length));
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (turn * count + i < first)
            continue;
        begin_step(progress, turn * count + i, task->contest.who[i].name);
        right += check_one(&task->contest.who[i], &field);
        judged++;
    }
    progress->anything_wrong = progress->anything_wrong || right < judged;
    printf("%s, %s values%s: %zu of %zu right\n", OPERATION_NAME, grouped(field.length),
           where_it_begins(&field), right, judged);
    fflush(stdout);
    field_free(&field);
}

/* In the child: the steps are a chapter with an array, and those before progress->next are done. */
static void check_all(struct progress *progress, void *what)
{
    struct task *task = what;
    const size_t first = progress->next;
    contest_add_libraries(&task->contest, task->libraries, task->num_libraries);
    progress->in_row = task->contest.count;
    for (size_t turn = 0; turn < 2 * task->num_lengths; turn++)
        if ((turn + 1) * task->contest.count > first)
            check_array(progress, task, turn, first);
}

/* In the parent, which has no GPU, and no libraries. */
static void lost(const struct progress *progress, const char *why, void *what)
{
    const struct field field = field_numbered(what, progress->next / progress->in_row);
    printf("%s, %s, %s values%s: %s\n", progress->name, OPERATION_NAME, grouped(field.length),
           where_it_begins(&field), why);
}

static size_t lengths_named(char *list, size_t *lengths)
{
    size_t count = 0;
    for (char *name; (name = strsep(&list, ","));) {
        char *end;
        const size_t length = strtoul(name, &end, 10);
        if (end == name || *end != '\0' || length >= (size_t)1 << 32 || count == MOST_LENGTHS)
            return 0;
        lengths[count++] = length;
    }
    return count;
}

int main(int count, char **arguments)
{
    static struct task task;
    if (count < 2 || (task.num_lengths = lengths_named(arguments[1], task.lengths)) == 0) {
        fprintf(stderr, "usage: %s LENGTH,... LIBRARY.so...\n", arguments[0]);
        return 2;
    }
    task.libraries = arguments + 2;
    task.num_libraries = count - 2;
    return supervised(check_all, lost, &task, PATIENCE_S) ? 0 : 1;
}
