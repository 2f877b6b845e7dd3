/* graph.c - operations that are kept to be done later: what a capture records, and a graph does. */
#include <stdlib.h>
#include <string.h>

#include "runtime/runtime.h"

static struct cudaGraph_st *graphs;

bool sim_is_graph(const struct cudaGraph_st *graph)
{
    const struct cudaGraph_st *g = graphs;
    while (g && g != graph)
        g = g->next;
    return g != NULL;
}

bool sim_graph_append(struct cudaGraph_st *graph, struct branch *branch, struct sim_call call,
                      sim_job *job, const void *payload, size_t bytes)
{
    struct graph_operation *operation = malloc(sizeof *operation + bytes);
    if (!operation)
        return false;
    *operation = (struct graph_operation){NULL, *branch, call, job, bytes};
    memcpy(operation->payload, payload, bytes);
    *graph->end = operation;
    graph->end = &operation->next;
    branch->behind.of[branch->number] = ++graph->count;
    return true;
}

bool sim_graph_copy(struct cudaGraph_st *to, const struct cudaGraph_st *from)
{
    bool enough = true;
    to->branches = from->branches;
    for (const struct graph_operation *o = from->first; o && enough; o = o->next) {
        struct branch branch = o->branch;
        enough = sim_graph_append(to, &branch, o->call, o->job, o->payload, o->bytes);
    }
    return enough;
}

void sim_graph_clear(struct cudaGraph_st *graph)
{
    for (struct graph_operation *next; graph->first; graph->first = next) {
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
    sim_graph_clear(graph);
    free(graph);
}
