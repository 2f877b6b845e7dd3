/* graph.h - what captures and graphs share: operations that are done later. */
#ifndef SIM_GRAPH_H
#define SIM_GRAPH_H

#include "runtime/runtime.h"

/* A function and the bytes that it needs. */
struct operation {
    struct operation *next;
    struct sim_call call; /* that recorded it: errors are told of its line */
    sim_job *job;
    size_t bytes;
    _Alignas(16) char payload[];
};

struct cudaGraph_st {
    struct operation *first, **end;
    size_t count;
    struct cudaGraph_st *next;
};

/* A new graph, without operations. */
cudaError_t sim_graph_make(struct sim_call call, struct cudaGraph_st **graph);
void sim_graph_remove(struct cudaGraph_st *graph);
/* Both return false when the host is out of memory. */
bool sim_graph_append(struct cudaGraph_st *graph, struct sim_call call, sim_job *job,
                      const void *payload, size_t bytes);
bool sim_graph_append_all(struct cudaGraph_st *to, const struct cudaGraph_st *from);
/* Refuses for lack of memory. */
cudaError_t sim_graph_no_memory(struct sim_call call);
/* The graph into which the stream is captured, which gets an operation; NULL when it is not
 * captured. */
struct cudaGraph_st *sim_graph_captured(cudaStream_t stream);

#endif
