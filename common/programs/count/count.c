/* count.c - counts the bytes of files of any length on GPUs: an example that calls chapter 61's histogram_file().
 *
 *     count [OPTION]... FILE...              one process, one GPU
 *     mpirun -n N count [OPTION]... FILE...  N of them
 *
 * Each rank reads its own part of a file, in slices, so that no file is ever in memory as a whole. There are all
 * results or none: rank 0 prints when every file has been counted, and held still meanwhile. The exit status is 0
 * on all ranks when all that was asked for is written, else 1. */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "count.h"
#include "many.h"
#include "program.h"

static const char help[] =
    "usage: count [OPTION]... FILE...\n"
    "       mpirun -n N count [OPTION]... FILE...\n"
    "\n"
    "Counts the bytes of files of any length, on one GPU for each process that mpirun\n"
    "starts. Of several files each is counted, and their sum. A file that cannot be read to\n"
    "its end, or that changes meanwhile, is named; then there is no result of any file, and\n"
    "the status is 1.\n"
    "\n"
    "  -c, --csv          comma-separated values in place of the table\n"
    "  -o, --output FILE  write table or CSV to FILE, when all is counted\n"
    "  -h, --help         this\n";

struct options {
    const char *output; /* "-" is standard output */
    bool csv;
};

static int rank;

/* Ends all ranks, where a sentence is one: that of this rank is printed. Collective. */
static void stop_all(const char *sentence, const char *path)
{
    const int is_wrong = sentence != NULL;
    int first, ranks, mine;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    mine = is_wrong ? rank : ranks;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == ranks)
        return;
    if (first == rank)
        fprintf(stderr, "count: %s: %s\n", path, sentence);
    MPI_Finalize();
    exit(1);
}

static struct options read_options(int count, char **words)
{
    static const struct option known[] = {{"csv", no_argument, NULL, 'c'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    struct options options = {.output = "-"};
    opterr = rank == 0;
    for (int letter; (letter = getopt_long(count, words, "co:h", known, NULL)) != -1;) {
        if (letter == 'c')
            options.csv = true;
        else if (letter == 'o')
            options.output = optarg;
        if (letter == 'h' && rank == 0)
            fputs(help, stdout);
        if (letter == 'h' || letter == '?') {
            MPI_Finalize();
            exit(letter == '?');
        }
    }
    if (optind == count)
        stop_all("of which file? count FILE...; count --help says more", "nothing to count");
    return options;
}

/* What is in the way of counting a file, or NULL. */
static const char *look_at(struct counted_file *file)
{
    if (stat(file->name, &file->seen) != 0)
        return strerror(errno);
    file->length = (unsigned long long)file->seen.st_size;
    if (!S_ISREG(file->seen.st_mode))
        return "is no regular file: write it to one first";
    return access(file->name, R_OK) == 0 ? NULL : strerror(errno);
}

/* What became of a file while it was counted, or NULL. */
static const char *look_again(const struct counted_file *file)
{
    struct stat now;
    unsigned long long sum = 0;
    for (int bin = 0; bin < NUM_BINS; bin++)
        sum += file->bins[bin];
    if (stat(file->name, &now) != 0)
        return "vanished while it was read";
    if (now.st_ino != file->seen.st_ino || now.st_dev != file->seen.st_dev)
        return "was replaced by another file while it was read";
    if (now.st_size != file->seen.st_size || now.st_mtim.tv_sec != file->seen.st_mtim.tv_sec ||
        now.st_mtim.tv_nsec != file->seen.st_mtim.tv_nsec)
        return "was written to while it was read";
    return sum == file->length ? NULL
                               : "has another number of bytes than were counted: a mistake of "
                                 "histogram_file()";
}

/* Every rank looks at the file, for machines may differ. Collective. */
static void count_file(struct counted_file *file)
{
    const char *wrong = look_at(file);
    unsigned long long of_rank_0 = file->length;
    MPI_Bcast(&of_rank_0, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
    if (!wrong && of_rank_0 != file->length)
        wrong = "has another length here than for rank 0";
    stop_all(wrong, file->name);
    const int status = histogram_file(file->name, file->bins);
    stop_all(status != 0 ? "could not be read to its end"
             : rank == 0 ? look_again(file)
                         : NULL,
             file->name);
}

/* Puts the sum of all files behind them. */
static void add_up(struct counted_file *files, size_t count)
{
    struct counted_file *sum = &files[count];
    sum->name = "sum";
    for (size_t i = 0; i < count; i++) {
        sum->length += files[i].length;
        for (int bin = 0; bin < NUM_BINS; bin++)
            sum->bins[bin] += files[i].bins[bin];
    }
}

static void print_all(const struct options *options, struct counted_file *files, size_t count)
{
    const size_t columns = count > 1 ? count + 1 : count;
    FILE *out = output_begin(options->output);
    add_up(files, count);
    if (options->csv)
        print_bin_csv(out, files, columns);
    for (size_t i = 0; i < columns && !options->csv; i++)
        print_bin_table(out, &files[i]);
    output_end(out, options->output);
}

int main(int count, char **words)
{
    prefer_speed();
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const struct options options = read_options(count, words);
    const size_t files = (size_t)(count - optind);
    struct counted_file *counted = calloc(files + 1, sizeof *counted);
    if (!counted)
        stop("no memory for %zu files", files);
    for (size_t i = 0; i < files; i++) {
        counted[i].name = words[(size_t)optind + i];
        count_file(&counted[i]);
    }
    if (rank == 0)
        print_all(&options, counted, files);
    free(counted);
    MPI_Finalize();
    return 0;
}
