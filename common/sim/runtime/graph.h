/* graph.h - what captures and graphs share: operations that are done later. */
#ifndef SIM_GRAPH_H
#define SIM_GRAPH_H

#include "runtime/runtime.h"

/* A stream that is captured becomes a branch of the graph: 0 is that in which the capture began.
 * In the n-th operation's clocks stands, for each branch, which operation it is behind. Branches
 * beyond the 62nd share one, as streams do. */
struct branch {
    unsigned int number;
    struct sim_clocks behind;
};

/* A function and the bytes that it needs. */
struct graph_operation {
    struct graph_operation *next;
    struct branch branch;
    struct sim_call call; /* that recorded it: errors are told of its line */
    sim_job *job;
    size_t bytes;
    _Alignas(16) char payload[];
};

struct cudaGraph_st {
    struct graph_operation *first, **end;
    uint32_t count;
    unsigned int branches;
    struct cudaGraph_st *next;
};

/* A new graph, without operations. */
cudaError_t sim_graph_make(struct sim_call call, struct cudaGraph_st **graph);
void sim_graph_remove(struct cudaGraph_st *graph);
/* Whether one is there. */
bool sim_is_graph(const struct cudaGraph_st *graph);
/* Appends copies of the operations of one to another that has none. Returns false when the host is out of memory. */
bool sim_graph_copy(struct cudaGraph_st *to, const struct cudaGraph_st *from);
/* It has no operations then. */
void sim_graph_clear(struct cudaGraph_st *graph);
/* The operation is behind what the branch is behind, and the branch then is behind it. Returns false
 * when the host is out of memory. */
bool sim_graph_append(struct cudaGraph_st *graph, struct branch *branch, struct sim_call call,
                      sim_job *job, const void *payload, size_t bytes);
/* Refuses for lack of memory. */
cudaError_t sim_graph_no_memory(struct sim_call call);
/* The graph into which the stream is captured, which gets an operation, and the stream's branch of
 * it; NULL when it is not captured. */
struct cudaGraph_st *sim_graph_captured(cudaStream_t stream, struct branch **branch);

#endif
