/* counted.c - has a kernel's program built, and runs it on a text: see counted.h. */
#define _GNU_SOURCE
#include "counted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "by_operation.h"
#include "child.h"
#include "expression.h"
#include "folders.h"
#include "grouped.h"
#include "own_make.h"

static const char log_file[] = "build/counts/built.out";

/* The files of one count. */
struct paths {
    char row[COUNTED_PATH], input[COUNTED_PATH]; /* programs */
    char text[COUNTED_PATH], csv[COUNTED_PATH], said[COUNTED_PATH];
};

static bool is_keyed(const struct counted_on *on)
{
    return on->operation[0] != '\0';
}

/* The folder of common/tools with the programs of a kernel's contract: A_batched has those of A. Returns
 * how long its name is, which `name` begins with. */
static int tools_of(const struct kernel *kernel, const char **name)
{
    static const char batched[] = "_batched";
    const char *slash = strrchr(kernel->file, '/');
    *name = slash ? slash + 1 : kernel->file;
    const char *end = strstr(*name, batched);
    return end ? (int)(end - *name) : (int)strcspn(*name, ".");
}

static bool is_batched(const struct kernel *kernel)
{
    const char *name;
    const int length = tools_of(kernel, &name);
    return name[length] == '_';
}

struct counted_on counted_usually(const struct kernel *kernel)
{
    static char operation[32];
    if (!has_operation(kernel->file))
        return (struct counted_on){.text = "english", .bins = 5, .operation = ""};
    first_operation(kernel->stem, operation, sizeof operation);
    if (reduces_array(kernel->file))
        return (struct counted_on){
            .text = "values", .bins = 1 << 20, .operation = operation, .array = true};
    return (struct counted_on){.text = "uniform",
                               .bins = is_batched(kernel) ? 31 : 12281,
                               .operation = operation,
                               .batched = is_batched(kernel)};
}

const char *counted_words(const struct counted_on *on)
{
    static char words[128];
    const char *number = grouped(on->bins);
    if (on->array)
        snprintf(words, sizeof words, "%s values", number);
    else if (on->batched)
        snprintf(words, sizeof words, "256 x 256 %s keys in 256 x %s bins", on->text, number);
    else if (is_keyed(on))
        snprintf(words, sizeof words, "65,536 %s keys in %s bins", on->text, number);
    else
        snprintf(words, sizeof words, "1,048,576 characters of English text in %s bins", number);
    return words;
}

static void name_files(const struct kernel *kernel, const struct counted_on *on,
                       struct paths *paths)
{
    const char *name;
    int length = tools_of(kernel, &name);
    const char *kind = kernel->solution ? "solution" : "chapter";
    const bool keyed = is_keyed(on);
    char variant[32], folder[COUNTED_PATH / 2];
    snprintf(variant, sizeof variant, keyed ? "keys" : "%u", on->bins);
    snprintf(folder, sizeof folder, "%s/%s-%s/%s%s%s", kernel->build, kind, variant, kernel->stem,
             keyed ? "/" : "", on->operation);
    snprintf(paths->row, COUNTED_PATH, "%s/row", folder);
    snprintf(paths->csv, COUNTED_PATH, "%s/counted-%s.csv", folder, on->text);
    if (keyed)
        snprintf(paths->csv, COUNTED_PATH, "%s/counted-%s-%u.csv", folder, on->text, on->bins);
    snprintf(paths->said, COUNTED_PATH, "%s/counted-%s.said", folder, on->text);
    snprintf(paths->input, COUNTED_PATH, "common/contracts/%.*s/input.c", length, name);
    if (!keyed && access(paths->input, R_OK) != 0) { /* it counts a text as those of Part I do */
        name = "histogram";
        length = (int)strlen(name);
    }
    snprintf(paths->input, COUNTED_PATH, "%s/common-%s/program/%.*s/input", kernel->build, variant,
             length, name);
    snprintf(paths->text, COUNTED_PATH, "build/counts/%s-%s", on->text, variant);
    if (on->array)
        snprintf(paths->text, COUNTED_PATH, "build/counts/values-%u", on->bins);
}

static bool build(const struct kernel *kernel, const struct counted_on *on,
                  const struct paths *paths)
{
    char chapter[32], number[32], operation[64], folder[COUNTED_PATH];
    snprintf(chapter, sizeof chapter, "chapter%lu", strtoul(kernel->stem, NULL, 10));
    snprintf(number, sizeof number, "BINS=%u", on->bins);
    snprintf(operation, sizeof operation, "OPERATION=%s", on->operation);
    snprintf(folder, sizeof folder, "CHAPTERS=%s", kernel->folder);
    const char *words[8] = {chapter};
    size_t count = 1;
    if (!on->array)
        words[count++] = number;
    words[count++] = folder;
    words[count++] = paths->row;
    words[count++] = paths->input;
    if (kernel->solution)
        words[count++] = "solution";
    if (is_keyed(on))
        words[count++] = operation;
    return own_make(words, log_file) == 0;
}

/* Runs a program of ours, which ends with NULL. */
static bool run(char *const arguments[], const char *said)
{
    pid_t pid = child_start(arguments, said, CHILD_EVERYTHING);
    return child_wait(&pid) == 0;
}

/* Whether there is a program that counts what kernels of this contract do. */
static bool can_be_counted(const struct kernel *kernel)
{
    const char *name;
    char source[COUNTED_PATH];
    const int length = tools_of(kernel, &name);
    snprintf(source, sizeof source, "common/contracts/%.*s/row.c", length, name);
    return access(source, R_OK) == 0;
}

/* Whether a kernel is for ranks of MPI, which this machine has not. */
static bool lacks_mpi(const struct kernel *kernel)
{
    char line[512];
    bool of_mpi = false;
    FILE *source = fopen(kernel->file, "r");
    while (source && !of_mpi && fgets(line, sizeof line, source))
        of_mpi = strstr(line, "#include <mpi.h>") == line;
    if (source)
        fclose(source);
    return of_mpi && system("command -v mpicc >/dev/null && command -v mpirun >/dev/null") != 0;
}

/* Makes the text, or the keys, unless they are there. */
static bool make_text(const struct paths *paths, const struct counted_on *on)
{
    if (access(paths->text, R_OK) == 0)
        return true;
    char said[COUNTED_PATH + 8];
    snprintf(said, sizeof said, "%.*s.said", COUNTED_PATH - 8, paths->text);
    unsetenv("INPUT");
    unsetenv("TEXT");
    char length[24];
    snprintf(length, sizeof length, "%u", on->bins);
    setenv("TEXT_SEED", "1", 1);
    setenv("SIZE", on->array ? length : is_keyed(on) ? "64K" : "1M", 1);
    if (!on->array)
        setenv(is_keyed(on) ? "KEYS" : "TEXT", on->text, 1);
    return run((char *[]){(char *)paths->input, (char *)paths->text, "README.md", NULL}, said);
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

static bool is_correct(const char *csv)
{
    static struct csv row;
    if (!csv_open(&row, csv))
        return false;
    const char *correct = csv_next(&row) ? csv_find(&row, "correct") : NULL;
    bool right = correct && strcmp(correct, "yes") == 0;
    csv_close(&row);
    return right;
}

/* Runs the program that counts. */
static void run_row(const struct kernel *kernel, const struct counted_on *on,
                    const struct paths *paths)
{
    const char *name = strchr(kernel->stem, '_');
    char number[24], bins[24];
    snprintf(number, sizeof number, "%lu", strtoul(kernel->stem, NULL, 10));
    snprintf(bins, sizeof bins, "%u", on->bins);
    unlink(paths->csv);
    unsetenv("SIM_PROFILE");
    unsetenv("SIM_DEVICES");
    setenv("SIM_SEED", "1", 1);
    setenv("KEY_BINS", bins, 1);
    setenv("OPERATIONS", on->operation, 1);
    run((char *[]){(char *)paths->row, (char *)paths->text, number,
                   (char *)(name ? name + 1 : kernel->stem), (char *)paths->csv, NULL},
        paths->said);
}

const char *counted_row(const struct kernel *kernel, const struct counted_on *on, const char **why)
{
    static struct paths paths;
    name_files(kernel, on, &paths);
    *why = "kernels of its contract are judged, and not counted";
    if (is_keyed(on) && !can_be_counted(kernel))
        return NULL;
    *why = "it needs Open MPI: libopenmpi-dev, openmpi-bin";
    if (lacks_mpi(kernel))
        return NULL;
    if (!build(kernel, on, &paths)) {
        *why = is_keyed(on) ? "it does not compile, or not for this operation"
                            : "it does not compile, or not with so many bins";
        return NULL;
    }
    folders_make(paths.text);
    if (!make_text(&paths, on)) {
        *why = "the text cannot be made: is the disk full?";
        return NULL;
    }
    if (!is_newer(paths.csv, paths.row))
        run_row(kernel, on, &paths);
    *why = "it does not count right";
    return is_correct(paths.csv) ? paths.csv : NULL;
}

/* A column of a row as a number. */
static bool find_column(const void *context, const char *name, double *value)
{
    const char *text = csv_find(context, name);
    char *end = NULL;
    if (!text)
        return false;
    *value = strtod(text, &end);
    return end != text && !*end;
}

static bool any_name(const void *context, const char *name, double *value)
{
    (void)name;
    *(bool *)context = true;
    *value = 1;
    return true;
}

bool counted_is_of_kernel(const char *sum)
{
    bool named = false;
    double value;
    expression_value(sum, any_name, &named, &value);
    return named;
}

bool counted_sum(const struct kernel *kernel, const char *sum, const struct counted_on *on,
                 double *value, const char **why)
{
    static struct csv row;
    *why = "its sum cannot be read";
    if (!counted_is_of_kernel(sum))
        return expression_value(sum, NULL, NULL, value);
    const char *csv = counted_row(kernel, on, why);
    if (!csv || !csv_open(&row, csv))
        return false;
    *why = "no counter of that name, or nothing to divide by";
    bool fine = csv_next(&row) && expression_value(sum, find_column, &row, value);
    csv_close(&row);
    return fine;
}
