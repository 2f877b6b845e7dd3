/* by_ranks.c - run.h of histogram_file(): several processes under mpirun, a device each.
 *
 * The program starts itself once more under mpirun, as often as there are ranks. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "letters.h"
#include "job.h"
#include "many.h"
#include "mpi_job.h"
#include "rank.h"
#include "run.h"
#include "text_watch.h"

/* Has ranks share memory in the folder for temporary files, which is removed whatever becomes of them. */
static void share_in(const char *folder)
{
    for (int i = 0; folder && *folder && i < BACKING_SETTINGS; i++)
        setenv(backing_settings[i], folder, 0);
}

/* Becomes mpirun, which runs this program on so many ranks. */
__attribute__((noreturn)) static void start_ranks(char **arguments)
{
    enum { PATH = 4096 };
    static char program[PATH];
    const char *asked = getenv("SIM_DEVICES");
    if (asked && *asked && (!strchr("12345678", *asked) || asked[1])) {
        fprintf(stderr, "SIM_DEVICES=%s is not a whole number from 1 to 8\n", asked);
        exit(2);
    }
    char *words[] = {"mpirun",
                     "--allow-run-as-root",
                     "--oversubscribe",
                     "--quiet",
                     "-n",
                     (char *)(uintptr_t)(asked && *asked ? asked : "4"),
                     program,
                     arguments[1],
                     arguments[2],
                     arguments[3],
                     arguments[4],
                     NULL};
    if (readlink("/proc/self/exe", program, PATH - 1) > 0) {
        const int nothing = open("/dev/null", O_RDONLY);
        dup2(nothing, STDIN_FILENO);
        setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 0);
        unsetenv("SIM_DEVICES"); /* each has one */
        share_in(getenv("TMPDIR"));
        execvp(words[0], words);
    }
    fprintf(stderr, "mpirun cannot be started: %s: sudo apt-get install openmpi-bin\n",
            strerror(errno));
    exit(1);
}

bool run_begin(char **arguments)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (!rank)
        start_ranks(arguments);
    if (strcmp(rank, "0") != 0)
        unsetenv("SIM_PROFILE"); /* a file that one of them writes */
    MPI_Init(NULL, NULL);
    return strcmp(rank, "0") == 0;
}

/* Adds what the other ranks did to what rank 0 knows. Returns the reports of all. */
static uint64_t gather_units(struct measurement *cost)
{
    enum { NUMBERS = sizeof cost->counters / sizeof(uint64_t) };
    struct together *together = &cost->together;
    struct sim_counters sum = cost->counters;
    const uint64_t summed[2] = {together->copied_bytes, sim_error_count()};
    const uint64_t most[2] = {together->copied_bytes, together->collective_bytes};
    uint64_t all[2] = {summed[0], summed[1]}, largest[2] = {most[0], most[1]};
    PMPI_Reduce(&cost->counters, &sum, NUMBERS, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    PMPI_Reduce(summed, all, 2, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    PMPI_Reduce(most, largest, 2, MPI_UINT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
    cost->counters = sum;
    together->copied_bytes = all[0];
    together->most_copied_bytes = largest[0];
    together->collective_bytes = largest[1];
    return all[1];
}

void run_kernel(struct run *run)
{
    unsigned long long bins[MOST_BINS] = {0};
    struct many_seen seen = {.result = 0};
    int rank = 0, ranks = 0, devices = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    cudaGetDeviceCount(&devices);
    sim_reset_counters();
    text_watch_begin(NULL, 0, (unsigned int)devices, false);
    run->finished = histogram_file(run->file, bins) == 0;
    snprintf(run->error, sizeof run->error, "histogram_file() says that %s cannot be read",
             run->file);
    text_watch_end(&seen);
    run->cost.counters = sim_counters();
    run->cost.together = text_watch_together(&seen, (unsigned int)ranks);
    const uint64_t reports = gather_units(&run->cost);
    if (rank == 0) /* the others have not read the input */
        run_compare(run, bins, NULL);
    many_seen_free(&seen);
    if (run->right && reports > sim_error_count()) {
        run->right = false;
        snprintf(run->why, sizeof run->why, "a rank has reported what stands above");
    }
}

void run_end(void)
{
    MPI_Finalize();
}
