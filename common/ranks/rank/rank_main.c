/* rank_main.c - the program of one rank: calls histogram_file() as the judge asks, and tells what it saw.
 *
 * mpirun starts it, with the job's folder as its argument: ranks/control.h. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bins.h"
#include "filter.h"
#include "control.h"
#include "file_reads.h"
#include "many.h"
#include "rank.h"
#include "sim.h"
#include "target.h"
#include "text_watch.h"

enum { TICK = 200 /* microseconds */ };

static struct control *control;
static const char *folder;
static unsigned int rank, devices;
static FILE *entries;

/* What this rank writes to standard error. */
static int message = -1, caught = -1;
static off_t printed_before; /* bytes */

static int make(const char *name)
{
    char file[32], path[PATH_ROOM + 64];
    snprintf(file, sizeof file, "%s.%u", name, rank);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    int made = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (made < 0) {
        perror(path);
        exit(1);
    }
    return made;
}

/* From here on standard output and error are files in the job's folder. All files that a rank writes are opened
 * here, before anything keeps it from doing so. Ends the program when they cannot be made. */
static void rank_output_begin(void)
{
    int printed = make(PRINTED_FILE);
    message = make(MESSAGE_FILE);
    caught = make(CAUGHT_FILE);
    entries = fdopen(make(LOG_FILE), "w");
    if (!entries)
        exit(1);
    dup2(printed, STDOUT_FILENO);
    dup2(message, STDERR_FILENO);
    setvbuf(stdout, NULL, _IOLBF, 0);
}

/* Notes at once what a check has caught, and where, for the program may end with it. */
static void rank_output_caught(const char *check, const char *place)
{
    dprintf(caught, "%s %s\n", check, place);
}

/* How many lines of standard error came since the last time, without the reports of the simulator; the first
 * of them is copied, "" for none. */
static unsigned int rank_output_since(char *first, size_t size)
{
    struct stat file;
    unsigned int lines = 0;
    first[0] = '\0';
    fflush(NULL);
    if (fstat(message, &file) != 0 || file.st_size <= printed_before)
        return 0;
    const size_t bytes = (size_t)(file.st_size - printed_before);
    char *text = calloc(1, bytes + 1);
    if (!text || pread(message, text, bytes, printed_before) < 0)
        exit(1);
    for (char *line = text, *next; *line; line = next) {
        const size_t length = strcspn(line, "\n");
        next = line + length + (line[length] == '\n');
        if (strncmp(line, "=========", 9) == 0)
            continue;
        if (lines++ == 0)
            snprintf(first, size, "%.*s", (int)length, line);
    }
    free(text);
    printed_before = file.st_size;
    return lines;
}

static void note_report(const char *check, uintptr_t pc, void *unused)
{
    char place[PLACE];
    (void)unused;
    rank_output_caught(check, sim_locate(pc, place, sizeof place));
}

static void arrives(const void *memory, uint64_t begin, uint64_t end, void *unused)
{
    (void)unused;
    position_steps();
    if (memory)
        text_watch_arrives(memory, begin, end - begin);
}

/* What is allocated of the devices, with what is pinned for them. */
static size_t on_devices(void)
{
    size_t bytes = 0;
    int current = 0;
    cudaGetDevice(&current);
    for (unsigned int i = 0; i < devices; i++) {
        size_t left = 0, total = 0;
        cudaSetDevice((int)i);
        cudaMemGetInfo(&left, &total);
        bytes += total - left;
    }
    cudaSetDevice(current);
    return bytes;
}

static struct held holds(void)
{
    struct held held = target_held();
    held.count[HELD_MAPPINGS] = file_reads_mappings();
    held.count[HELD_COMMUNICATORS] += mpi_live_communicators();
    held.count[HELD_TYPES] = mpi_live_types();
    return held;
}

static void watch(const struct rank_case *asked)
{
    text_watch_begin(NULL, asked->length, devices, asked->idle);
    file_reads_observe(arrives, NULL);
    file_reads_observe_mappings(arrives, NULL);
    mpi_calls_begin();
}

/* What was read: as the file was asked for it, or else, of mappings, what was copied from them. */
static void take_reads(struct many_seen *seen)
{
    struct file_read *reads;
    const size_t count = file_reads_end(&reads);
    if (count == 0)
        return;
    free(seen->reads);
    seen->reads = calloc(count, sizeof *seen->reads);
    if (!seen->reads)
        exit(1);
    for (size_t i = 0; i < count; i++)
        seen->reads[i] = (struct many_read){rank, reads[i].begin, reads[i].end};
    seen->read_count = count;
    free(reads);
}

static void stop_watching(struct many_seen *seen)
{
    file_reads_observe(NULL, NULL);
    file_reads_observe_mappings(NULL, NULL);
    text_watch_end(seen);
    mpi_calls_end(seen);
    take_reads(seen);
}

/* The device of this rank: on which most kernels ran, or the current one. */
static struct many_unit *own_unit(struct many_seen *seen)
{
    struct many_unit *own = &seen->unit[seen->device_after];
    for (unsigned int i = 0; i < devices; i++)
        if (seen->unit[i].launches > own->launches)
            own = &seen->unit[i];
    own->device = (unsigned int)(own - seen->unit);
    return own;
}

/* The judge cuts the file of the case, for a rank may not. */
static void have_it_cut(void)
{
    control->shrinks = 1;
    while (control->shrinks == 1)
        usleep(TICK);
}

static void call(const struct rank_case *asked, struct many_seen *seen, bool is_last)
{
    const struct file_rules rules = {
        .refused = asked->bad == NOT_FOR_ONE_RANK && rank == control->ranks / 2,
        .skips = asked->idle,
        .shrinks = asked->bad == SHRINKS && rank > 0 ? asked->path : NULL,
        .shrunk = asked->length / 2,
        .cut = have_it_cut};
    unsigned long long
        bins[MOST_BINS * sizeof(unsigned long long)]; /* for bytes that are elements */
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s", asked->path);
    for (size_t bin = 0; bin < sizeof bins / sizeof *bins; bin++)
        bins[bin] = asked->held;
    if (is_last)
        watch(asked);
    file_reads_begin(path, &rules);
    position_phase(RANK_CALLS);
    seen->result = histogram_file(path, bins);
    control->rank[rank].result = seen->result;
    position_phase(RANK_RETURNED);
    if (is_last)
        stop_watching(seen);
    memcpy(seen->bins, bins, num_bins() * sizeof *bins);
    for (size_t bin = rank == 0 ? num_bins() : 0; bin < sizeof bins / sizeof *bins; bin++)
        seen->others_touched |= bins[bin] != asked->held;
}

/* What the last call has left behind, beside what was left by the one before. */
struct left {
    size_t on_device;
    struct held before, after;
};

static void tell(struct many_seen *seen, const struct left *left)
{
    int device = 0;
    if (cudaGetDevice(&device) == cudaSuccess)
        seen->device_after = (unsigned int)device;
    struct many_unit *unit = own_unit(seen);
    unit->left_on_device = left->on_device;
    unit->before = left->before;
    unit->after = left->after;
    rewind(entries);
    if (ftruncate(fileno(entries), 0) != 0 || !rank_log_write(entries, seen, unit) ||
        fflush(entries) != 0) {
        perror(LOG_FILE);
        exit(1);
    }
}

static void serve(unsigned int number)
{
    const struct rank_case *asked = &control->asked_case[number];
    struct many_seen seen = {.returned = true};
    const uint64_t reports = sim_error_count();
    struct left left = {.on_device = 0};
    sim_set_seed(asked->seed);
    sim_refuse_warps_in_step(1);
    for (unsigned int i = 0; i < asked->calls; i++) {
        const size_t before = on_devices();
        left.before = holds();
        call(asked, &seen, i + 1 == asked->calls);
        const size_t after = on_devices();
        left.on_device = i > 0 && after > before ? after - before : 0;
        left.after = holds();
    }
    const cudaError_t error = cudaPeekAtLastError();
    if (error != cudaSuccess)
        snprintf(seen.error, sizeof seen.error, "%s", cudaGetErrorString(error));
    seen.reports = sim_error_count() - reports;
    seen.message_lines = rank_output_since(seen.message, sizeof seen.message);
    tell(&seen, &left);
    free(seen.reads);
}

/* Until there is a case of this number. False: there will be none. */
static bool wait_for(unsigned int number)
{
    while (control->asked <= number) {
        if (control->over)
            return false;
        usleep(TICK);
    }
    return true;
}

/* The system was asked for what no kernel needs. */
static void note_refused(int call, const char *place)
{
    struct rank_position *present = &control->rank[rank];
    present->refused = call;
    snprintf(present->refused_at, sizeof present->refused_at, "%s", place);
    present->has_refused = 1;
}

/* Ends with mpirun, which ends with the judge. */
static void begin(const char *argument)
{
    int own, count = 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    folder = argument;
    control = control_of(folder);
    if (!control) {
        perror(folder);
        exit(1);
    }
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &own);
    rank = (unsigned int)own;
    rank_output_begin();
    mpi_calls_report();
    nodes_begin(rank, control->ranks, control->per_node);
    cudaGetDeviceCount(&count);
    devices = (unsigned int)count;
    sim_observe_reports(note_report, NULL);
    meetings_begin(folder, control);
    position_is(control, rank);
    if (control->filtered) {
        filter_tell(note_refused);
        filter_install(FILTER_RANK);
    }
}

/* Comes before every constructor of this program, of the student's, too, since this file is linked first, and
 * after those of the libraries: what MPI_Init needs, the student's code may not. */
static void begin_first(int count, char **arguments, char **environment)
{
    (void)environment;
    if (count == 2)
        begin(arguments[1]);
}

__attribute__((section(".init_array.00000"),
               used)) static void (*const first)(int, char **, char **) = begin_first;

int main(int count, char **arguments)
{
    (void)arguments;
    if (count != 2) {
        fprintf(stderr, "usage: kernel FOLDER: the judge starts this program, under mpirun\n");
        return 2;
    }
    for (unsigned int number = 0; wait_for(number); number++) {
        serve(number);
        control->rank[rank].answered = number + 1;
        position_phase(RANK_WAITS);
    }
    MPI_Finalize();
    return 0;
}
