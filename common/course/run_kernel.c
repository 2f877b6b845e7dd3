/* run_kernel.c - runs one chapter on a text and keeps its row of the ladder; and what gdb begins with: the
 * same program, and how its bins are shown. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chapter.h"
#include "commands.h"
#include "csv.h"
#include "process.h"
#include "results.h"
#include "util.h"

/* A cell of a row of CSV: a number where it is one. */
static void put_cell(struct json *json, const char *column, const char *value)
{
    char *end;
    const double number = strtod(value, &end);
    if (*value && !*end)
        json_number(json, column, number);
    else
        json_text(json, column, value);
}

static void put_row(struct json *json, const char *name, const struct csv *row)
{
    json_object(json, name);
    for (size_t i = 0; i < row->columns; i++)
        put_cell(json, row->column[i], row->value[i]);
    json_end(json);
}

/* The counters of each launch, of make profile. */
static void put_launches(struct json *json, const char *profile)
{
    static struct csv launches;
    json_array(json, "launches");
    if (csv_open(&launches, profile)) {
        while (csv_next(&launches))
            put_row(json, NULL, &launches);
        csv_close(&launches);
    }
    json_end(json);
}

/* The first line that a program printed. */
static const char *first_line(const char *log)
{
    char *text;
    FILE *words = open_text();
    process_repeat(log, words);
    text = close_text(words);
    text[strcspn(text, "\n")] = '\0';
    return *text ? text : NULL;
}

/* What other programs are told of a run, or a profile; `row` is NULL where there is none. */
static void write_result(const char *source, const struct csv *row, bool right,
                         const struct gaps *gaps, const char *log, const char *profile)
{
    if (results_shape() != RESULTS_JSON)
        return;
    const char *key = key_of(source), *message = first_line(log), *gap = gaps_words(gaps);
    const char *sentence = right     ? format("%s: the result is right", source)
                           : gap     ? gap
                           : message ? message
                                     : format("%s: the result is wrong", source);
    struct result result = result_begin(key);
    struct json *json = &result.json;
    result_chapter(json, key);
    json_text(json, "outcome",
              right                  ? "right"
              : gaps->error || !row  ? "failed"
              : gaps_untouched(gaps) ? "empty"
                                     : "wrong");
    json_text(json, "sentence", sentence);
    json_place(json, sentence, source);
    gaps_put(json, gaps);
    if (row)
        put_row(json, "row", row);
    else
        json_text(json, "row", NULL);
    if (strcmp(results_goal(), "profile") == 0)
        put_launches(json, profile);
    result_end(&result);
}

/* ROW SOURCE TEXT CHAPTER NAME BINS OUT.csv: ROW is the program, linked with what SOURCE was
 * compiled to. The counters of each launch go to OUT.profile. When the result is wrong, standard
 * error gets the gaps of SOURCE that are still empty, and unless all of them are, what the program
 * said. The status is 0 then, too: the row says that it is wrong. */
int run_command(int count, char **arguments)
{
    (void)count;
    static struct csv row;
    char *out = arguments[7];
    const char *log = format("%s.log", out),
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
    const struct gaps gaps = gaps_in(arguments[2], number_of(arguments[6]));
    const bool right = finished && any && csv_is_correct(&row);
    write_result(arguments[2], any ? &row : NULL, right, &gaps, log, profile);
    if (right)
        return 0;
    if (!any) {
        process_repeat(log, stderr);
        return 1;
    }
    if (gaps_print(&gaps, stderr) != 2)
        process_repeat(log, stderr);
    return 0;
}

/* Of an operation: the type of a bin, of the kernel's file where it is a structure, and its bytes. */
static const struct bin {
    const char *operation, *type;
    unsigned int bytes;
} bins[] = {
    {"float_sum", "float", 4}, {"wide_sum", "unsigned long long", 8},
    {"argmax", "value_t", 8},  {"vector_sum", "value_t", 32},
    {"minmax", "value_t", 16}, {"dot", "value_t", 8},
};

static struct bin bin_of(const struct contract *contract, const char *operation)
{
    for (size_t i = 0; contract->has_operations && i < LENGTH(bins); i++)
        if (strcmp(bins[i].operation, operation) == 0)
            return bins[i];
    return contract->on_devices ? (struct bin){"", "unsigned long long", 8}
                                : (struct bin){"", "unsigned int", 4};
}

/* How many there are, as a program `row` takes them. */
static const char *bins_in_all(const struct contract *contract, const char *typed)
{
    if (!contract->has_operations)
        return typed;
    return *chosen("KEY_BINS")                     ? chosen("KEY_BINS")
           : contract->of_array                    ? "1"
           : ends_with(contract->name, "_batched") ? "31"
                                                   : "12281";
}

/* ROW SOURCE TEXT CHAPTER NAME BINS [OPERATION]: prints commands of gdb that run what make run does, and
 * .gdbinit uses. Of the ranks of MPI it is one, a job by itself. */
int debug_command(int count, char **arguments)
{
    const char *row = arguments[1], *source = arguments[2];
    const char *operation = count == 8 ? arguments[7] : "";
    const struct contract contract = contract_of(source);
    const struct bin bin = bin_of(&contract, operation);
    printf("file %s\nset args %s %s %s build/debug.csv\n", row, arguments[3], arguments[4],
           arguments[5]);
    if (contract.has_operations)
        printf("set environment OPERATIONS %s\n", operation);
    else
        printf("set environment NUM_BINS %s\n", arguments[6]);
    if (is_for_ranks(source))
        printf("set environment OMPI_COMM_WORLD_RANK 0\n"
               "set environment OMPI_MCA_ess_singleton_isolated 1\n"
               "set environment OMPI_MCA_btl self\n");
    printf("set $bins_in_all = %s\nset $bin_bytes = %u\nsource .gdbinit\ndefine values_as_bins\n"
           "output *(%s *)$values@$shown\nend\n",
           bins_in_all(&contract, arguments[6]), bin.bytes, bin.type);
    return 0;
}
