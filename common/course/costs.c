/* costs.c - has a kernel's program built, and runs it on a text: see costs.h. */
#define _GNU_SOURCE
#include "costs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csv.h"
#include "grouped.h"
#include "built_program.h"
#include "predictions.h"
#include "process.h"
#include "util.h"

struct workload workload_of(const struct chapter *chapter)
{
    const struct contract *contract = &chapter->contract;
    if (!contract->has_operations)
        return (struct workload){.text = "english", .bins = contract->usual, .operation = ""};
    return (struct workload){.text = contract->of_array ? contract->units : "uniform",
                             .bins = contract->usual,
                             .operation = first_operation(chapter->operations)};
}

const char *workload_words(const struct chapter *chapter, const struct workload *on)
{
    const struct contract *contract = &chapter->contract;
    const char *number = grouped(on->bins);
    return contract->of_array  ? format("%s %s", number, contract->units)
           : contract->batched ? format("256 x 256 %s keys in 256 x %s bins", on->text, number)
           : contract->has_operations
               ? format("65,536 %s keys in %s bins", on->text, number)
               : format("1,048,576 characters of English text in %s bins", number);
}

/* Makes the text, or the keys, in a file, unless it is there. Returns whether it is. */
static bool make_text(const struct kernel *kernel, const struct workload *on, const char *text)
{
    const struct contract *contract = &kernel->chapter.contract;
    const char *input = format("%s/programs/%s/input", kernel->build, contract->tools),
               *goals[] = {format("chapter%u", kernel->chapter.number), input, NULL};
    if (exists(text))
        return true;
    if (process_make(goals, "build/built.log") != 0)
        return false;
    make_folders(text);
    unsetenv("INPUT");
    unsetenv("TEXT");
    setenv("NUM_BINS", format("%u", on->bins), 1);
    setenv("TEXT_SEED", "1", 1);
    setenv("SIZE",
           contract->of_array         ? format("%u", on->bins)
           : contract->has_operations ? "64K"
                                      : "1M",
           1);
    if (!contract->of_array)
        setenv(contract->has_operations ? "KEYS" : "TEXT", on->text, 1);
    return process_run((char *[]){(char *)input, (char *)text, "README.md", NULL},
                       format("%s.log", text)) == 0;
}

/* Whether one file is there and not older than the other. */
static bool is_newer(const char *one, const char *other)
{
    struct stat first, second;
    return stat(one, &first) == 0 && stat(other, &second) == 0 &&
           (first.st_mtim.tv_sec > second.st_mtim.tv_sec ||
            (first.st_mtim.tv_sec == second.st_mtim.tv_sec &&
             first.st_mtim.tv_nsec >= second.st_mtim.tv_nsec));
}

/* Runs the program that counts. */
static void run_row(const struct chapter *chapter, const struct workload *on, const char *row,
                    const char *text, const char *csv)
{
    unlink(csv);
    unsetenv("SIM_PROFILE");
    unsetenv("SIM_DEVICES");
    setenv("SIM_SEED", "1", 1);
    setenv("KEY_BINS", format("%u", on->bins), 1);
    setenv("NUM_BINS", format("%u", on->bins), 1);
    setenv("OPERATIONS", on->operation, 1);
    process_run((char *[]){(char *)row, (char *)text, format("%u", chapter->number),
                           (char *)chapter->name, (char *)csv, NULL},
                format("%s.log", csv));
}

const char *count_row(const struct kernel *kernel, const struct workload *on, const char **why)
{
    static struct csv row;
    const struct chapter *chapter = &kernel->chapter;
    const struct contract *contract = &chapter->contract;
    const char *what = format("%s-%u", on->text, on->bins),
               *text = format("build/counts/%s-%s", contract->tools, what);
    *why = "kernels of its contract are judged, and not counted";
    if (!exists(format("common/contracts/%s/contract.c", contract->tools)))
        return NULL;
    *why = "it needs Open MPI: libopenmpi-dev, openmpi-bin";
    if (is_for_ranks(chapter->file) &&
        system("command -v mpicc >/dev/null && command -v mpirun >/dev/null") != 0)
        return NULL;
    unsetenv("SIM_CARD");
    *why = contract->has_operations ? "it does not compile, or not for this operation"
                                    : "it does not compile, or not with so many bins";
    const char *variant = contract->has_operations ? on->operation : format("%u", on->bins),
               *program = built_program(kernel->build, chapter, variant, "row");
    if (!program)
        return NULL;
    *why = "the text cannot be made: is the disk full?";
    if (!make_text(kernel, on, text))
        return NULL;
    const char *csv = format("%s-%s.csv", program, what);
    if (!is_newer(csv, program))
        run_row(chapter, on, program, text, csv);
    *why = "it does not count right";
    return csv_first(&row, csv) && csv_is_correct(&row) ? csv : NULL;
}

static bool any_name(const void *context, const char *name, double *value)
{
    (void)name;
    *(bool *)context = true;
    *value = 1;
    return true;
}

bool is_of_kernel(const char *sum)
{
    bool named = false;
    double value;
    expression_value(sum, any_name, &named, &value);
    return named;
}

bool count_sum(const struct kernel *kernel, const char *sum, const struct workload *on,
               double *value, const char **why)
{
    static struct csv row;
    *why = "its sum cannot be read";
    if (!is_of_kernel(sum))
        return expression_value(sum, NULL, NULL, value);
    const char *csv = count_row(kernel, on, why);
    if (!csv)
        return false;
    *why = "no counter of that name, or nothing to divide by";
    return csv_first(&row, csv) && expression_value(sum, csv_value, &row, value);
}
