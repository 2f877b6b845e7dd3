/* nodes.c - machines, played on one. */
#define _GNU_SOURCE

#include <mpi.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "rank.h"
#include "sim.h"

static char name[32]; /* of this node; "" before it begins */
static int node;

void nodes_begin(unsigned int rank, unsigned int ranks, unsigned int per_node)
{
    node = (int)(rank / (per_node ? per_node : ranks));
    snprintf(name, sizeof name, "node%d", node);
    sim_set_host((unsigned int)node);
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made)
{
    position_enters("MPI_Comm_split_type", __builtin_return_address(0));
    int result = type == MPI_COMM_TYPE_SHARED ? PMPI_Comm_split(comm, node, key, made)
                                              : PMPI_Comm_split_type(comm, type, key, info, made);
    position_leaves();
    if (result == MPI_SUCCESS && *made != MPI_COMM_NULL)
        mpi_calls_made_communicator();
    return result;
}

int MPI_Get_processor_name(char *text, int *length)
{
    *length = snprintf(text, MPI_MAX_PROCESSOR_NAME, "%s", name);
    return MPI_SUCCESS;
}

int gethostname(char *text, size_t size)
{
    struct utsname machine;
    uname(&machine);
    snprintf(text, size, "%s", name[0] ? name : machine.nodename);
    return 0;
}
