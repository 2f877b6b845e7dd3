/* graphs.c - CUDA graphs: recorded operations, done each time that the graph is launched.
 *
 * A graph keeps them in the order in which they were recorded (../cuda_capture.c), which is an order
 * that the hardware might have chosen: nothing overlaps here. Its branches are streams while it
 * runs, so that two operations race that nothing orders. */
#include <stdlib.h>

#include "runtime/runtime.h"

/* An executable graph is a copy of one, in a list of its own. */
struct cudaGraphExec_st {
    struct cudaGraph_st graph;
    struct cudaGraphExec_st *next;
};

static struct cudaGraphExec_st *executables;

/* A graph that runs: the clock of each branch, and what it showed after each operation. */
struct running {
    unsigned int clock[SIM_STREAM_CLOCKS];
    uint32_t *after; /* by the number of the operation, from 1 */
};

/* Does an operation in its branch, behind the operations that it has to be behind. */
static cudaError_t run_operation(const struct graph_operation *o, uint32_t number,
                                 const struct running *running)
{
    unsigned int clock = running->clock[o->branch.number];
    for (unsigned int i = 0; i < SIM_STREAM_CLOCKS; i++)
        if (o->branch.behind.of[i])
            sim_branch_waits_for(clock, running->clock[i], running->after[o->branch.behind.of[i]]);
    sim_enter(); /* the job before has left */
    sim_branch_select(clock);
    cudaError_t error = o->job(o->call, o->payload);
    running->after[number] = sim_branch_is_at(clock);
    return error;
}

/* The stream itself is the first branch, and in the end behind all the others. */
static cudaError_t run(struct sim_call call, const struct cudaGraph_st *graph, cudaStream_t stream)
{
    struct running running = {.after = calloc(graph->count + 1, sizeof *running.after)};
    if (!running.after)
        return sim_graph_no_memory(call);
    running.clock[0] = sim_stream_clock(stream);
    for (unsigned int i = 1; i < graph->branches; i++)
        running.clock[i] = sim_branch_begins(stream);
    uint32_t number = 0;
    cudaError_t error = cudaSuccess;
    for (const struct graph_operation *o = graph->first; o && !error; o = o->next)
        error = run_operation(o, ++number, &running);
    for (unsigned int i = 1; i < graph->branches; i++)
        sim_branch_ends(running.clock[i], stream);
    free(running.after);
    return error ? error : sim_return(cudaSuccess);
}

/* Graphs */

static cudaError_t check_graph(struct sim_call call, const struct cudaGraph_st *graph)
{
    if (sim_is_graph(graph))
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
    if (!sim_graph_copy(&created->graph, graph))
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
    const struct graph_operation *was = exec->graph.first, *is = graph->first;
    for (; was && is && was->job == is->job; was = was->next)
        is = is->next;
    if (info)
        info->result =
            was || is ? cudaGraphExecUpdateErrorTopologyChanged : cudaGraphExecUpdateSuccess;
    if (was || is)
        return sim_refuse(call, cudaErrorGraphExecUpdateFailure,
                          "the two graphs have different operations: instantiate the new one");
    sim_graph_clear(&exec->graph);
    return sim_graph_copy(&exec->graph, graph) ? sim_return(cudaSuccess)
                                               : sim_graph_no_memory(call);
}

/* Into a captured stream: its operations become a part of that graph, one after the other. */
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    struct sim_call call = SIM_CALL("cudaGraphLaunch");
    cudaError_t error = check_executable(call, exec);
    if (!error)
        error = sim_check_stream(call, stream);
    if (error)
        return error;
    struct branch *branch;
    struct cudaGraph_st *outer = sim_graph_captured(stream, &branch);
    if (!outer)
        return run(call, &exec->graph, stream);
    for (const struct graph_operation *o = exec->graph.first; o; o = o->next)
        if (!sim_graph_append(outer, branch, o->call, o->job, o->payload, o->bytes))
            return sim_graph_no_memory(call);
    return sim_return(cudaSuccess);
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
    return sim_graph_copy(*clone, graph) ? sim_return(cudaSuccess) : sim_graph_no_memory(call);
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
    sim_graph_clear(&exec->graph);
    free(exec);
    return sim_return(cudaSuccess);
}
