/* rank_main.c - the program of one rank: calls histogram_file() as the judge asks, and tells what it saw.
 *
 * mpirun starts it, with the job's folder as its argument: see control.h. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "letters.h"
#include "control.h"
#include "file_reads.h"
#include "filter.h"
#include "many.h"
#include "rank.h"
#include "sim.h"
#include "target.h"
#include "text_watch.h"

static struct control *control;
static struct rank_told *told;
static unsigned int rank, devices;

/* From here on a descriptor is a file in the job's folder. Ends the program when that cannot be made. */
static void redirect(int descriptor, const char *folder, const char *name)
{
    char path[PATH_ROOM + 64];
    snprintf(path, sizeof path, "%s/%s.%u", folder, name, rank);
    const int made = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (made < 0) {
        perror(path);
        exit(1);
    }
    dup2(made, descriptor);
    close(made);
}

/* At once, for the program may end with what a check has caught. */
static void note_report_rank(const char *check, uintptr_t pc, void *unused)
{
    char place[PLACE];
    const size_t used = strlen(told->caught);
    (void)unused;
    snprintf(told->caught + used, CAUGHT - used, "%s %s\n", check,
             sim_locate(pc, place, sizeof place));
}

static void note_refused(int call, const char *place)
{
    position_ends(RANK_REFUSED, call, place);
}

static void arrives(const void *memory, uint64_t begin, uint64_t end)
{
    position_steps();
    text_watch_arrives(memory, begin, end - begin);
}

static struct held holds(void)
{
    struct held held = target_held();
    held.count[HELD_COMMUNICATORS] += mpi_live_communicators();
    return held;
}

/* The device of this rank: on which most kernels ran, or the current one. */
static struct many_unit own_unit(const struct many_seen *seen)
{
    unsigned int own = seen->device_after;
    for (unsigned int i = 0; i < devices; i++)
        if (seen->unit[i].launches > seen->unit[own].launches)
            own = i;
    struct many_unit unit = seen->unit[own];
    unit.device = own;
    return unit;
}

/* The path of the file. One rank is given another folder, which is not there, as on a node that lacks the disk. */
static void put_path(const struct many_case *asked, char path[PATH_ROOM])
{
    memcpy(path, control->path, PATH_ROOM);
    if (asked->bad == NOT_FOR_ONE_RANK && rank == control->ranks / 2)
        path[1]++;
}

/* What was read is what the file was asked for; of a file that is mapped, what was copied from there. */
static void keep_reads(struct many_seen *seen, size_t count)
{
    if (count == 0) {
        count = seen->read_count;
        memcpy(told->reads, seen->reads, (count < MOST_READS ? count : 0) * sizeof *seen->reads);
    }
    free(seen->reads);
    seen->reads = NULL;
    seen->read_count = count;
}

static void call_function(const struct many_case *asked, struct many_seen *seen)
{
    const bool is_idle = !asked->text && asked->length > 0;
    const bool is_cut = asked->bad == SHRINKS && rank > 0;
    const struct file_rules rules = {
        .skips = is_idle, .most = is_cut ? asked->length / 2 : 0, .saw = arrives};
    unsigned long long
        bins[MOST_BINS * sizeof(unsigned long long)]; /* for bytes that are elements */
    int device = 0;
    char path[PATH_ROOM];
    put_path(asked, path);
    for (size_t bin = 0; bin < sizeof bins / sizeof *bins; bin++)
        bins[bin] = asked->held;
    text_watch_begin(NULL, asked->length, devices, is_idle);
    file_reads_begin(path, &rules, told->reads, MOST_READS);
    position_phase(RANK_CALLS);
    seen->result = histogram_file(path, bins);
    control->rank[rank].result = seen->result;
    position_phase(RANK_RETURNED);
    const size_t reads = file_reads_end();
    text_watch_end(seen);
    keep_reads(seen, reads);
    if (cudaGetDevice(&device) == cudaSuccess)
        seen->device_after = (unsigned int)device;
    memcpy(seen->bins, bins, num_bins() * sizeof *bins);
    for (size_t bin = rank == 0 ? num_bins() : 0; bin < sizeof bins / sizeof *bins; bin++)
        seen->others_touched |= bins[bin] != asked->held;
}

/* All calls of a case, of which the last one is told; and what it has left behind beside the one before. */
static void serve_rank(const struct many_case *asked)
{
    const uint64_t reports = sim_error_count();
    sim_set_seed(asked->seed);
    sim_refuse_warps_in_step(1);
    for (unsigned int i = 0; i == 0 || i < asked->calls; i++) {
        struct many_seen seen = {.result = 0};
        const size_t before =
            target_memory_left(); /* of its device, which the first call chooses */
        const struct held held = holds();
        call_function(asked, &seen);
        const size_t after = target_memory_left();
        told->seen = seen;
        told->unit = own_unit(&seen);
        told->unit.left_on_device = i > 0 && before > after ? before - after : 0;
        told->unit.before = held;
        told->unit.after = holds();
    }
    const cudaError_t error = cudaPeekAtLastError();
    if (error != cudaSuccess)
        snprintf(told->seen.error, sizeof told->seen.error, "%s", cudaGetErrorString(error));
    told->seen.reports = sim_error_count() - reports;
    fflush(NULL);
}

/* Ends with mpirun, which ends with the judge. */
static void begin_this_rank(const char *folder)
{
    int own, count = 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    control = control_of(folder);
    if (!control) {
        perror(folder);
        exit(1);
    }
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &own);
    rank = (unsigned int)own;
    told = &control->told[rank];
    redirect(STDOUT_FILENO, folder, PRINTED_FILE);
    redirect(STDERR_FILENO, folder, MESSAGE_FILE);
    setvbuf(stdout, NULL, _IOLBF, 0);
    mpi_calls_report();
    nodes_begin(rank, control->ranks, control->per_node);
    cudaGetDeviceCount(&count);
    devices = (unsigned int)count;
    sim_observe_reports(note_report_rank, NULL);
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
        begin_this_rank(arguments[1]);
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
    for (unsigned int number = 0;; number++) {
        while (control->asked <= number)
            syscall(SYS_futex, &control->asked, FUTEX_WAIT, number, NULL);
        serve_rank(&control->given);
        control->rank[rank].answered = number + 1;
        position_phase(RANK_WAITS);
    }
}
