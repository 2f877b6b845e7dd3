/* counted.c - has a kernel's program built, and runs it on a text: see counted.h. */
#define _GNU_SOURCE
#include "counted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "expression.h"
#include "folders.h"
#include "own_make.h"

static const char length[] = "1M", log_file[] = "build/counts/built.out";

/* The files of one count. */
struct paths {
    char row[COUNTED_PATH], input[COUNTED_PATH]; /* programs */
    char text[COUNTED_PATH], csv[COUNTED_PATH], said[COUNTED_PATH];
};

static void name_files(const struct kernel *kernel, const char *text, unsigned int bins,
                       struct paths *paths)
{
    const char *slash = strrchr(kernel->file, '/'), *name = slash ? slash + 1 : kernel->file;
    const char *kind = kernel->solution ? "solution" : "chapter";
    snprintf(paths->row, COUNTED_PATH, "%s/%s-%u/%s/row", kernel->build, kind, bins, kernel->stem);
    snprintf(paths->csv, COUNTED_PATH, "%s/%s-%u/%s/counted-%s.csv", kernel->build, kind, bins,
             kernel->stem, text);
    snprintf(paths->said, COUNTED_PATH, "%s/%s-%u/%s/counted-%s.said", kernel->build, kind, bins,
             kernel->stem, text);
    snprintf(paths->input, COUNTED_PATH, "%s/common-%u/program/%.*s/input", kernel->build, bins,
             (int)strcspn(name, "."), name);
    snprintf(paths->text, COUNTED_PATH, "build/counts/%s-%u", text, bins);
}

static bool build(const struct kernel *kernel, unsigned int bins, const struct paths *paths)
{
    char chapter[32], number[32], folder[COUNTED_PATH];
    snprintf(chapter, sizeof chapter, "chapter%lu", strtoul(kernel->stem, NULL, 10));
    snprintf(number, sizeof number, "BINS=%u", bins);
    snprintf(folder, sizeof folder, "CHAPTERS=%s", kernel->folder);
    const char *words[] = {chapter,    number,       folder,
                           paths->row, paths->input, kernel->solution ? "solution" : NULL,
                           NULL};
    return own_make(words, log_file) == 0;
}

/* Runs a program of ours, which ends with NULL. */
static bool run(char *const arguments[], const char *said)
{
    pid_t pid = child_start(arguments, said, CHILD_EVERYTHING);
    return child_wait(&pid) == 0;
}

/* Makes the text, unless it is there. */
static bool make_text(const struct paths *paths, const char *text)
{
    if (access(paths->text, R_OK) == 0)
        return true;
    char said[COUNTED_PATH + 8];
    snprintf(said, sizeof said, "%.*s.said", COUNTED_PATH - 8, paths->text);
    unsetenv("INPUT");
    setenv("TEXT", text, 1);
    setenv("TEXT_SEED", "1", 1);
    setenv("SIZE", length, 1);
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

const char *counted_row(const struct kernel *kernel, const char *text, unsigned int bins,
                        const char **why)
{
    static struct paths paths;
    name_files(kernel, text, bins, &paths);
    if (!build(kernel, bins, &paths)) {
        *why = "it does not compile, or not with so many bins";
        return NULL;
    }
    folders_make(paths.text);
    if (!make_text(&paths, text)) {
        *why = "the text cannot be made: is the disk full?";
        return NULL;
    }
    if (!is_newer(paths.csv, paths.row)) {
        const char *name = strchr(kernel->stem, '_');
        char number[24];
        snprintf(number, sizeof number, "%lu", strtoul(kernel->stem, NULL, 10));
        unlink(paths.csv);
        unsetenv("SIM_PROFILE");
        setenv("SIM_SEED", "1", 1);
        run((char *[]){paths.row, paths.text, number, (char *)(name ? name + 1 : kernel->stem),
                       paths.csv, NULL},
            paths.said);
    }
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

bool counted_sum(const struct kernel *kernel, const char *sum, const char *text, unsigned int bins,
                 double *value, const char **why)
{
    static struct csv row;
    *why = "its sum cannot be read";
    if (!counted_is_of_kernel(sum))
        return expression_value(sum, NULL, NULL, value);
    const char *csv = counted_row(kernel, text, bins, why);
    if (!csv || !csv_open(&row, csv))
        return false;
    *why = "no counter of that name, or nothing to divide by";
    bool fine = csv_next(&row) && expression_value(sum, find_column, &row, value);
    csv_close(&row);
    return fine;
}
