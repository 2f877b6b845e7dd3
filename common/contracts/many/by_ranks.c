/* by_ranks.c - counted_call.h of histogram_file(): several processes under mpirun, a device each.
 *
 * The program starts itself once more under mpirun, as often as there are ranks. Reductions of MPI are
 * counted on their way to the library. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "copied.h"
#include "many.h"

static struct counted_call *running; /* while histogram_file() does */

/* What is as long as the bins is a reduction of these; what is shorter an agreement. */
static void note_reduction(int count, MPI_Datatype type)
{
    int bytes = 0;
    MPI_Type_size(type, &bytes);
    if (running && count >= NUM_BINS)
        copied_collective(running, (uint64_t)count * (uint64_t)bytes);
}

int MPI_Reduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op operation, int root,
               MPI_Comm ranks)
{
    note_reduction(count, type);
    return PMPI_Reduce(from, to, count, type, operation, root, ranks);
}

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op operation,
                  MPI_Comm ranks)
{
    note_reduction(count, type);
    return PMPI_Allreduce(from, to, count, type, operation, ranks);
}

/* What ranks share lies in the folder for temporary files, which goes whatever becomes of them: as Open
 * MPI 4 calls it, and Open MPI 5. */
static void share_in(const char *folder)
{
    if (!folder || !*folder)
        return;
    setenv("OMPI_MCA_btl_vader_backing_directory", folder, 0);
    setenv("OMPI_MCA_btl_sm_backing_directory", folder, 0);
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

bool counted_begin(char **arguments)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (!rank)
        start_ranks(arguments);
    if (strcmp(rank, "0") != 0)
        unsetenv("SIM_PROFILE"); /* a file that one of them writes */
    MPI_Init(NULL, NULL);
    return strcmp(rank, "0") == 0;
}

/* Adds what the other ranks did to what rank 0 knows. */
static void gather(struct counted_call *call)
{
    enum { NUMBERS = sizeof call->counters / sizeof(uint64_t) };
    struct sim_counters sum = call->counters;
    uint64_t summed[2] = {call->copied_bytes, call->reports};
    uint64_t most[2] = {call->copied_bytes, call->collective_bytes};
    PMPI_Reduce(&call->counters, &sum, NUMBERS, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    PMPI_Reduce((uint64_t[]){call->copied_bytes, call->reports}, summed, 2, MPI_UINT64_T, MPI_SUM,
                0, MPI_COMM_WORLD);
    PMPI_Reduce((uint64_t[]){call->copied_bytes, call->collective_bytes}, most, 2, MPI_UINT64_T,
                MPI_MAX, 0, MPI_COMM_WORLD);
    call->counters = sum;
    call->copied_bytes = summed[0];
    call->reports = summed[1];
    call->most_copied_bytes = most[0];
    call->collective_bytes = most[1];
}

void counted_run(const struct text *text, const char *file, struct counted_call *call)
{
    int ranks = 0;
    (void)text;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    call->units = (unsigned int)ranks;
    copied_begin(call);
    running = call;
    if (histogram_file(file, call->bins) != 0)
        snprintf(call->error, sizeof call->error, "histogram_file() says that %s cannot be read",
                 file);
    running = NULL;
    copied_end(call);
    gather(call);
}

void counted_end(void)
{
    MPI_Finalize();
}
