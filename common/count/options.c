/* options.c - the command line of count, by getopt_long: see count.h. */
#define _GNU_SOURCE
#include "count.h"

#include <getopt.h>
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

enum { COMPARE = LONG_ALONE, PROGRESS };
static const struct option long_options[] = {
    {"csv", no_argument, NULL, 'c'},           {"output", required_argument, NULL, 'o'},
    {"plot", required_argument, NULL, 'p'},    {"compare", no_argument, NULL, COMPARE},
    {"progress", no_argument, NULL, PROGRESS}, {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0}};

/* Takes one option. Returns "" or what is wrong. */
static const char *take(int letter, char **arguments, struct count_options *options)
{
    switch (letter) {
    case 'c':
        options->csv = true;
        break;
    case 'o':
        options->output = optarg;
        break;
    case 'p':
        options->plot = optarg;
        break;
    case COMPARE:
        options->compare = true;
        break;
    case PROGRESS:
        options->progress = true;
        break;
    case 'q':
        options->quiet = true;
        break;
    case 'h':
        options->help = true;
        break;
    default:
        return refuse_option("count", arguments, letter, "the name of a file");
    }
    return "";
}

const char *read_count_options(int count, char **arguments, struct count_options *options)
{
    *options = (struct count_options){0};
    optind = 0; /* GNU's way of beginning anew */
    opterr = 0;
    for (int letter;
         (letter = getopt_long(count, arguments, ":co:p:qh", long_options, NULL)) != -1;) {
        const char *sentence = take(letter, arguments, options);
        if (*sentence)
            return sentence;
    }
    options->files = arguments + optind;
    options->file_count = (size_t)(count - optind);
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
