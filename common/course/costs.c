/* costs.c - has a kernel's program built, and runs it on a text: see costs.h. */
#define _GNU_SOURCE
#include "costs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csv.h"
#include "grouped.h"
#include "predictions.h"
#include "process.h"
#include "util.h"

/* The files of one count. */
struct paths {
    const char *row, *input; /* programs */
    const char *text, *csv, *log;
};

static bool is_batched(const struct chapter *chapter)
{
    return strcmp(chapter->contract.name, chapter->contract.tools) != 0;
}

struct workload workload_of(const struct chapter *chapter)
{
    if (!chapter->contract.has_operations)
        return (struct workload){.text = "english", .bins = 5, .operation = ""};
    const bool array = chapter->contract.of_array;
    return (struct workload){.text = array ? chapter->contract.units : "uniform",
                             .bins = array                 ? chapter->contract.usual
                                     : is_batched(chapter) ? 31
                                                           : 12281,
                             .operation = first_operation(chapter->operations)};
}

const char *workload_words(const struct chapter *chapter, const struct workload *on)
{
    const char *number = grouped(on->bins);
    if (chapter->contract.of_array)
        return format("%s %s", number, chapter->contract.units);
    if (is_batched(chapter))
        return format("256 x 256 %s keys in 256 x %s bins", on->text, number);
    if (chapter->contract.has_operations)
        return format("65,536 %s keys in %s bins", on->text, number);
    return format("1,048,576 characters of English text in %s bins", number);
}

static struct paths paths_of(const struct kernel *kernel, const struct workload *on)
{
    const struct contract *contract = &kernel->chapter->contract;
    const bool keyed = contract->has_operations;
    /* common/make/build.mk says where programs are: a folder for whose kernel, and there one for what it is compiled for. */
    char *whose = format("%s", kernel->solution ? "solutions" : kernel->folder);
    for (char *at = whose; *at; at++)
        *at = *at == '/' ? '-' : *at;
    const char *variant = keyed ? "keys" : format("%u", on->bins),
               *folder = format("%s/%s/%s/%s", kernel->build, whose, kernel->chapter->stem,
                                keyed ? on->operation : variant),
               *number = keyed ? format("-%u", on->bins) : "";
    return (struct paths){
        .row = format("%s/row", folder),
        .input = format("%s/programs/%s/input", kernel->build, contract->tools),
        .text = format("build/counts/%s-%s", on->text, contract->of_array ? number + 1 : variant),
        .csv = format("%s/counted-%s%s.csv", folder, on->text, number),
        .log = format("%s/counted-%s.log", folder, on->text)};
}

static bool build(const struct kernel *kernel, const struct workload *on, const struct paths *paths)
{
    const char *words[8] = {format("chapter%u", kernel->chapter->number)};
    size_t count = 1;
    if (!kernel->chapter->contract.of_array)
        words[count++] = format("BINS=%u", on->bins);
    words[count++] = format("CHAPTERS=%s", kernel->folder);
    words[count++] = paths->row;
    words[count++] = paths->input;
    if (kernel->solution)
        words[count++] = "solution";
    if (kernel->chapter->contract.has_operations)
        words[count++] = format("OPERATION=%s", on->operation);
    return process_make(words, "build/counts/built.out") == 0;
}

/* Whether a kernel is for ranks of MPI, which this machine has not. */
static bool lacks_mpi(const struct kernel *kernel)
{
    const struct chapter *chapter = kernel->chapter;
    return is_for_ranks(kernel->solution ? chapter->solution : chapter->file) &&
           system("command -v mpicc >/dev/null && command -v mpirun >/dev/null") != 0;
}

/* Makes the text, or the keys, unless they are there. */
static bool make_text(const struct kernel *kernel, const struct workload *on,
                      const struct paths *paths)
{
    const struct contract *contract = &kernel->chapter->contract;
    if (exists(paths->text))
        return true;
    make_folders(paths->text);
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
    return process_run((char *[]){(char *)paths->input, (char *)paths->text, "README.md", NULL},
                       format("%s.log", paths->text)) == 0;
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
static void run_row(const struct kernel *kernel, const struct workload *on,
                    const struct paths *paths)
{
    const struct chapter *chapter = kernel->chapter;
    unlink(paths->csv);
    unsetenv("SIM_PROFILE");
    unsetenv("SIM_DEVICES");
    setenv("SIM_SEED", "1", 1);
    setenv("KEY_BINS", format("%u", on->bins), 1);
    setenv("NUM_BINS", format("%u", on->bins), 1);
    setenv("OPERATIONS", on->operation, 1);
    process_run((char *[]){(char *)paths->row, (char *)paths->text, format("%u", chapter->number),
                           (char *)chapter->name, (char *)paths->csv, NULL},
                paths->log);
}

const char *count_row(const struct kernel *kernel, const struct workload *on, const char **why)
{
    static struct csv row;
    const struct paths paths = paths_of(kernel, on);
    const bool keyed = kernel->chapter->contract.has_operations;
    *why = "kernels of its contract are judged, and not counted";
    if (keyed && !exists(format("common/contracts/%s/contract.c", kernel->chapter->contract.tools)))
        return NULL;
    *why = "it needs Open MPI: libopenmpi-dev, openmpi-bin";
    if (lacks_mpi(kernel))
        return NULL;
    *why = keyed ? "it does not compile, or not for this operation"
                 : "it does not compile, or not with so many bins";
    if (!build(kernel, on, &paths))
        return NULL;
    *why = "the text cannot be made: is the disk full?";
    if (!make_text(kernel, on, &paths))
        return NULL;
    if (!is_newer(paths.csv, paths.row))
        run_row(kernel, on, &paths);
    *why = "it does not count right";
    return csv_first(&row, paths.csv) && csv_is_correct(&row) ? paths.csv : NULL;
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
