/* options.c - the command line of count: see count.h. */
#include "count.h"

#include <stdio.h>
#include <string.h>

#include "binning.h"
#include "command.h"
#include "util.h"

#define TEXT_OF(value) #value
#define NUMBER(value) TEXT_OF(value)
#define BINS_HERE NUMBER(BINS)

const char count_help[] =
    "usage: count [OPTION]... FILE...\n"
    "       mpirun -n N count [OPTION]... FILE...\n"
    "\n"
    "Counts the bytes of files of any length in " BINS_HERE " bins, on " COUNT_DEVICE "s, one\n"
    "for each process that mpirun starts. No file is ever in memory as a whole. Of several\n"
    "files each is counted, and their sum. A file that cannot be read to its end, or that\n"
    "changes meanwhile, is named; then there is no result of any file, and the status is 1.\n"
    "\n"
    "  -c, --csv          comma-separated values in place of the table\n"
    "  -o, --output FILE  write table or CSV to FILE, which is replaced when all is counted\n"
    "  -p, --plot FILE    draw the bins, or those of the sum, in an SVG file (by gnuplot)\n"
    "      --compare      count on one core and on all cores as well: times and rates\n"
    "      --progress     tell how far it is and how fast, on standard error, also where\n"
    "                     that is no terminal (below mpirun it is none)\n"
    "  -q, --quiet        neither progress nor headings\n"
    "  -h, --help         this\n"
    "\n"
    "A program has one number of bins: make count BINS=5, 26, 64 or 256 builds another.\n";

const char *read_count_options(int count, char **arguments, struct count_options *options)
{
    const struct choice choices[] = {
        {"csv", 'c', .flag = &options->csv},      {"output", 'o', .word = &options->output},
        {"plot", 'p', .word = &options->plot},    {"compare", .flag = &options->compare},
        {"progress", .flag = &options->progress}, {"quiet", 'q', .flag = &options->quiet},
        {"help", 'h', .flag = &options->help},    {.name = NULL}};
    int others;
    *options = (struct count_options){0};
    const char *wrong = read_options("count", count, arguments, choices, &others);
    if (*wrong)
        return wrong;
    options->files = arguments + others;
    options->file_count = (size_t)(count - others);
    if (options->help)
        return "";
    if (options->file_count == 0)
        return "of which file? count FILE...; count --help says more";
    if (options->quiet && options->progress)
        return "--quiet and --progress: choose one";
    if (options->output && options->plot && strcmp(options->output, options->plot) == 0)
        return "--output and --plot name the same file";
    return "";
}
