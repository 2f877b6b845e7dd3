/* cuda_graph.c - CUDA graphs: recorded operations, done each time that the graph is launched.
 *
 * A graph keeps them in the order in which they were recorded (cuda_capture.c), which is an order
 * that the hardware might have chosen: nothing overlaps here. */
#include <stdlib.h>
#include <string.h>

#include "runtime/graph.h"

/* An executable graph is a copy of one, in a list of its own. */
struct cudaGraphExec_st {
    struct cudaGraph_st graph;
    struct cudaGraphExec_st *next;
};

static struct cudaGraph_st *graphs;
static struct cudaGraphExec_st *executables;

bool sim_graph_append(struct cudaGraph_st *graph, struct sim_call call, sim_job *job,
                      const void *payload, size_t bytes)
{
    struct operation *operation = malloc(sizeof *operation + bytes);
    if (!operation)
        return false;
    *operation = (struct operation){NULL, call, job, bytes};
    memcpy(operation->payload, payload, bytes);
    *graph->end = operation;
    graph->end = &operation->next;
    graph->count++;
    return true;
}

bool sim_graph_append_all(struct cudaGraph_st *to, const struct cudaGraph_st *from)
{
    for (const struct operation *o = from->first; o; o = o->next)
        if (!sim_graph_append(to, o->call, o->job, o->payload, o->bytes))
            return false;
    return true;
}

static void clear(struct cudaGraph_st *graph)
{
    for (struct operation *next; graph->first; graph->first = next) {
        next = graph->first->next;
        free(graph->first);
    }
    graph->end = &graph->first;
    graph->count = 0;
}

cudaError_t sim_graph_no_memory(struct sim_call call)
{
    return sim_refuse(call, cudaErrorMemoryAllocation, "the host is out of memory");
}

static cudaError_t run(const struct cudaGraph_st *graph, cudaStream_t stream)
{
    for (const struct operation *o = graph->first; o; o = o->next) {
        sim_enter(); /* the job before has left */
        sim_stream_now(stream);
        cudaError_t error = o->job(o->call, o->payload);
        if (error)
            return error;
    }
    return sim_return(cudaSuccess);
}

cudaError_t sim_graph_make(struct sim_call call, struct cudaGraph_st **graph)
{
    *graph = calloc(1, sizeof **graph);
    if (!*graph)
        return sim_graph_no_memory(call);
    (*graph)->end = &(*graph)->first;
    (*graph)->next = graphs;
    graphs = *graph;
    return cudaSuccess;
}

void sim_graph_remove(struct cudaGraph_st *graph)
{
    struct cudaGraph_st **link = &graphs;
    while (*link != graph)
        link = &(*link)->next;
    *link = graph->next;
    clear(graph);
    free(graph);
}

/* Graphs */

static cudaError_t check_graph(struct sim_call call, const struct cudaGraph_st *graph)
{
    for (const struct cudaGraph_st *g = graphs; g; g = g->next)
        if (g == graph)
            return cudaSuccess;
    return sim_refuse(call, cudaErrorInvalidValue,
                      "%p is no graph: it was not captured, or it has been destroyed",
                      (const void *)graph);
}

static cudaError_t check_executable(struct sim_call call, const struct cudaGraphExec_st *exec)
{
    for (const struct cudaGraphExec_st *e = executables; e; e = e->next)
        if (e == exec)
            return cudaSuccess;
    return sim_refuse(call, cudaErrorInvalidValue,
                      "%p is no executable graph: it was not instantiated, or it has been "
                      "destroyed",
                      (const void *)exec);
}

static cudaError_t instantiate(struct sim_call call, cudaGraphExec_t *exec, cudaGraph_t graph)
{
    cudaError_t error = check_graph(call, graph);
    if (!error && !exec)
        error = sim_refuse(call, cudaErrorInvalidValue, "the pointer for the result is NULL");
    if (error)
        return error;
    struct cudaGraphExec_st *created = calloc(1, sizeof *created);
    if (!created)
        return sim_graph_no_memory(call);
    created->graph.end = &created->graph.first;
    created->next = executables;
    executables = created;
    if (!sim_graph_append_all(&created->graph, graph))
        return sim_graph_no_memory(call);
    *exec = created;
    return sim_return(cudaSuccess);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    (void)flags;
    return instantiate(SIM_CALL("cudaGraphInstantiate"), exec, graph);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags)
{
    (void)flags;
    return instantiate(SIM_CALL("cudaGraphInstantiateWithFlags"), exec, graph);
}

/* The operations of the other graph take the place of the executable's. */
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *info)
{
    struct sim_call call = SIM_CALL("cudaGraphExecUpdate");
    cudaError_t error = check_executable(call, exec);
    if (!error)
        error = check_graph(call, graph);
    if (error)
        return error;
    const struct operation *was = exec->graph.first, *is = graph->first;
    for (; was && is && was->job == is->job; was = was->next)
        is = is->next;
    if (info)
        info->result =
            was || is ? cudaGraphExecUpdateErrorTopologyChanged : cudaGraphExecUpdateSuccess;
    if (was || is)
        return sim_refuse(call, cudaErrorGraphExecUpdateFailure,
                          "the two graphs have different operations: instantiate the new one");
    clear(&exec->graph);
    return sim_graph_append_all(&exec->graph, graph) ? sim_return(cudaSuccess)
                                                     : sim_graph_no_memory(call);
}

/* Into a captured stream: its operations become a part of that graph. */
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    struct sim_call call = SIM_CALL("cudaGraphLaunch");
    cudaError_t error = check_executable(call, exec);
    if (!error)
        error = sim_check_stream(call, stream);
    if (error)
        return error;
    struct cudaGraph_st *outer = sim_graph_captured(stream);
    if (!outer)
        return run(&exec->graph, stream);
    return sim_graph_append_all(outer, &exec->graph) ? sim_return(cudaSuccess)
                                                     : sim_graph_no_memory(call);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
{
    struct sim_call call = SIM_CALL("cudaGraphUpload");
    cudaError_t error = check_executable(call, exec);
    if (!error)
        error = sim_check_stream(call, stream);
    return error ? error : sim_return(cudaSuccess);
}

/* An empty one, which many programs make before they capture into the same variable. */
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags)
{
    struct sim_call call = SIM_CALL("cudaGraphCreate");
    if (!graph || flags)
        return sim_refuse(call, cudaErrorInvalidValue,
                          graph ? "the flags have to be 0" : "the pointer for the result is NULL");
    cudaError_t error = sim_graph_make(call, graph);
    return error ? error : sim_return(cudaSuccess);
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph)
{
    struct sim_call call = SIM_CALL("cudaGraphClone");
    cudaError_t error = check_graph(call, graph);
    if (!error && !clone)
        error = sim_refuse(call, cudaErrorInvalidValue, "the pointer for the result is NULL");
    if (!error)
        error = sim_graph_make(call, clone);
    if (error)
        return error;
    return sim_graph_append_all(*clone, graph) ? sim_return(cudaSuccess)
                                               : sim_graph_no_memory(call);
}

/* Only their number: the operations cannot be looked at. */
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    struct sim_call call = SIM_CALL("cudaGraphGetNodes");
    cudaError_t error = check_graph(call, graph);
    if (error)
        return error;
    if (!count || nodes)
        return sim_refuse(call, count ? cudaErrorNotSupported : cudaErrorInvalidValue,
                          count ? "the simulated GPU tells only the number of nodes: give NULL for "
                                  "the nodes"
                                : "the pointer for the result is NULL");
    *count = graph->count;
    return sim_return(cudaSuccess);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    cudaError_t error = check_graph(SIM_CALL("cudaGraphDestroy"), graph);
    if (error)
        return error;
    sim_graph_remove(graph);
    return sim_return(cudaSuccess);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    cudaError_t error = check_executable(SIM_CALL("cudaGraphExecDestroy"), exec);
    if (error)
        return error;
    struct cudaGraphExec_st **link = &executables;
    while (*link != exec)
        link = &(*link)->next;
    *link = exec->next;
    clear(&exec->graph);
    free(exec);
    return sim_return(cudaSuccess);
}
