/* count.c - counts the bytes of files of any length on GPUs: the program to keep.
 *
 *     count [OPTION]... FILE...              one process, one GPU
 *     mpirun -n N count [OPTION]... FILE...  N of them
 *
 * Linked with one histogram_file() (many.h), which counts a file on all ranks; here is what surrounds it: what
 * the command line asks for, which files can be counted, whether they held still, and what is printed, by rank 0
 * alone. All results or none: the exit status is 0 on all ranks when every file was counted and all that was
 * asked for is written, else 1. */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "count.h"
#include "grouped.h"
#include "many.h"
#include "util.h"
#include "whole_file.h"

enum { LONGEST = 1024 }; /* sentence */

/* What a rank knows. */
struct task {
    struct count_options options;
    struct counted_file *files; /* one more than were asked for: for the sum */
    size_t count;
    double seconds; /* of histogram_file(), for all files */
};

int this_rank(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int all_ranks(void)
{
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

/* Whether no rank complains. Each gives a sentence, "" for none; rank 0 prints the one of the first rank
 * that has one, to standard error, and names the machine when it is not its own sentence. Collective. */
static bool nobody_complains(const char *sentence)
{
    const int rank = this_rank(), ranks = all_ranks(), mine = *sentence ? rank : ranks;
    char message[LONGEST + MPI_MAX_PROCESSOR_NAME + 32], host[MPI_MAX_PROCESSOR_NAME];
    int first, length;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == ranks)
        return true;
    MPI_Get_processor_name(host, &length);
    if (rank == 0 && first == 0)
        snprintf(message, sizeof message, "%s", sentence);
    else
        snprintf(message, sizeof message, "%.*s (on rank %d, %s)", LONGEST - 1, sentence, rank,
                 host);
    MPI_Bcast(message, sizeof message, MPI_CHAR, first, MPI_COMM_WORLD);
    if (rank == 0)
        say_wrong("count", message);
    return false;
}

/* Waits until rank 0 comes here, without using the core. Collective. */
static void wait_for_rank_0(void)
{
    const struct timespec nap = {.tv_nsec = 5000000};
    MPI_Request here;
    int all_here = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &here);
    for (MPI_Test(&here, &all_here, MPI_STATUS_IGNORE); !all_here;
         MPI_Test(&here, &all_here, MPI_STATUS_IGNORE))
        nanosleep(&nap, NULL);
}

static bool one_of_the_files(const struct task *task, const char *path)
{
    struct stat seen;
    bool found = false;
    for (size_t i = 0; i < task->count && stat(path, &seen) == 0; i++)
        found |= S_ISREG(seen.st_mode) && task->files[i].seen.st_dev == seen.st_dev &&
                 task->files[i].seen.st_ino == seen.st_ino;
    return found;
}

/* What would be in the way of writing later, or "": it is better known before hours of counting. */
static const char *cannot_write(const struct task *task)
{
    const char *const paths[] = {task->options.output, task->options.plot};
    const char *why = task->options.plot ? can_plot() : "";
    for (size_t i = 0; i < LENGTH(paths) && !*why; i++) {
        why = paths[i] ? whole_file_possible(paths[i]) : "";
        if (paths[i] && !*why && one_of_the_files(task, paths[i]))
            why = format("%s: is one of the files to count, and would be overwritten", paths[i]);
    }
    return why;
}

/* Every rank looks at every file, for machines may differ. Collective. */
static bool look_at_all(struct task *task)
{
    const char *sentence = "";
    for (size_t i = 0; i < task->count; i++) {
        struct counted_file *file = &task->files[i];
        file->name = task->options.files[i];
        const char *why = look_at_file(file->name, &file->seen);
        file->length = (unsigned long long)file->seen.st_size;
        unsigned long long of_rank_0 = file->length;
        MPI_Bcast(&of_rank_0, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
        if (!*why && of_rank_0 != file->length)
            why = "has another length here than for rank 0";
        if (*why && !*sentence)
            sentence = format("%s: %s", file->name, why);
    }
    return nobody_complains(sentence);
}

/* Whether what was counted can be the file's: bins of all bytes add up to its length. */
static const char *check_sum(const struct counted_file *file)
{
    unsigned long long sum = 0;
    for (int bin = 0; bin < NUM_BINS; bin++)
        sum += file->bins[bin];
    if (256 % NUM_BINS == 0 ? sum == file->length : sum <= file->length)
        return "";
    return format("has %s bytes, and %s were counted: this is a mistake of histogram_file()",
                  grouped(file->length), grouped(sum));
}

/* Rank 0 looks whether a file held still; when it was counted, whether all of it was. */
static const char *look_back(const struct counted_file *file, bool counted)
{
    if (this_rank() != 0)
        return "";
    const char *why = look_again(file->name, &file->seen);
    if (counted && !*why)
        why = check_sum(file);
    if (!counted && !*why)
        return format("%s: could not be read to its end: no result", file->name);
    return *why ? format("%s: %s: no result", file->name, why) : "";
}

/* Collective: every rank returns the same. */
static bool count_file(struct task *task, struct counted_file *file, bool progress)
{
    read_progress_begin(file->name, file->length, progress);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    const int status = histogram_file(file->name, file->bins);
    task->seconds += MPI_Wtime() - start;
    const char *sentence = look_back(file, status == 0);
    int whole = status == 0 && !*sentence;
    MPI_Bcast(&whole, 1, MPI_INT, 0, MPI_COMM_WORLD);
    read_progress_end(whole);
    return nobody_complains(sentence) && status == 0;
}

static bool count_all(struct task *task)
{
    int progress = !task->options.quiet && (task->options.progress || isatty(STDERR_FILENO));
    MPI_Bcast(&progress, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (size_t i = 0; i < task->count; i++)
        if (!count_file(task, &task->files[i], progress))
            return false;
    return true;
}

/* Puts the sum of several files behind them. Returns how many columns there are. */
static size_t add_sum(struct task *task)
{
    struct counted_file *sum = &task->files[task->count];
    if (task->count == 1)
        return 1;
    *sum = (struct counted_file){.name = format("sum of %zu files", task->count)};
    for (size_t i = 0; i < task->count; i++) {
        sum->length += task->files[i].length;
        for (int bin = 0; bin < NUM_BINS; bin++)
            sum->bins[bin] += task->files[i].bins[bin];
    }
    return task->count + 1;
}

static void print_result(FILE *out, const struct task *task, size_t columns)
{
    if (task->options.csv) {
        print_bin_csv(out, task->files, columns);
        return;
    }
    for (size_t i = 0; i < columns; i++) {
        if (i > 0)
            fputc('\n', out);
        print_bin_table(out, &task->files[i], !task->options.quiet || columns > 1);
    }
}

/* To the file that was asked for, else to standard output. Returns "", or why it cannot be written. */
static const char *write_result(const struct task *task, size_t columns)
{
    struct whole_file file;
    if (task->options.output) {
        const char *why = whole_file_begin(&file, task->options.output);
        if (*why)
            return why;
        print_result(file.stream, task, columns);
        return whole_file_end(&file);
    }
    print_result(stdout, task, columns);
    return all_printed(stdout);
}

/* Says on rank 0 what is wrong, if anything is. Returns whether nothing is. */
static bool is_well(const char *why, const char *more)
{
    if (*why)
        say_wrong("count", format("%s%s", why, more));
    return !*why;
}

/* What rank 0 does when all is counted. A result that cannot be put where it was asked for goes to standard
 * output: counting it may have taken hours. */
static bool tell(struct task *task)
{
    const struct count_options *options = &task->options;
    const size_t columns = add_sum(task);
    bool is_written = is_well(write_result(task, columns),
                              options->output ? "; the result is on standard output" : "");
    if (!is_written && options->output)
        print_result(stdout, task, columns);
    if (options->plot)
        is_written &= is_well(plot_bins(options->plot, &task->files[columns - 1]), "");
    FILE *out = options->csv && !options->output ? stderr : stdout;
    if (options->compare)
        is_written &= is_well(
            compare_with_cores(out, task->files, task->count, task->seconds, all_ranks()), "");
    return fflush(stdout) == 0 && is_written;
}

/* Collective. Returns whether all is done that was asked for. */
static bool do_task(struct task *task)
{
    task->count = task->options.file_count;
    task->files = calloc(task->count + 1, sizeof *task->files);
    if (!nobody_complains(task->files ? "" : "no memory for so many files") || !look_at_all(task) ||
        !nobody_complains(this_rank() == 0 ? cannot_write(task) : "") || !count_all(task))
        return false;
    int done = 1;
    if (this_rank() == 0)
        done = tell(task);
    wait_for_rank_0();
    MPI_Bcast(&done, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return done;
}

int main(int count, char **arguments)
{
    prefer_speed();
    struct task task = {0};
    bool done = false;
    MPI_Init(&count, &arguments);
    const char *wrong = read_count_options(count, arguments, &task.options);
    if (!nobody_complains(wrong))
        done = false;
    else if (!task.options.help)
        done = do_task(&task);
    else if (this_rank() == 0)
        done = fputs(count_help, stdout) >= 0 && fflush(stdout) == 0;
    else
        done = true;
    free(task.files);
    MPI_Finalize();
    return done ? 0 : 1;
}
