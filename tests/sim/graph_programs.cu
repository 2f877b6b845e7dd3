/* graph_programs.cu - graph codes in the usual variants (all vertices or a list of
 * work, push or pull), and the bugs that are usual in them: a missing atomic, a
 * missing guard, a bound that is off by one, an atomic of too small a scope. */
#include "race_programs.h"

enum { NODES = 300, DEGREE = 4, EDGES = NODES * DEGREE, BLOCK = 64 };
enum { GRID = (NODES + BLOCK - 1) / BLOCK };
enum { NO_ATOMIC = 1, NO_GUARD, OFF_BY_ONE, BLOCK_SCOPE, OTHER };

struct graph {
    int nodes;
    int *row, *column, *weight;
};

static graph make_graph()
{
    static int row[NODES + 1], column[EDGES], weight[EDGES];
    for (int v = 0; v < NODES; v++) {
        row[v + 1] = (v + 1) * DEGREE;
        for (int e = 0; e < DEGREE; e++) {
            column[v * DEGREE + e] = (e < 2 ? v + e + 1 : v * 7 + e * 13) % NODES;
            weight[v * DEGREE + e] = 1 + (v + e) % 5;
        }
    }
    return {NODES, uploaded(row, NODES + 1), uploaded(column, EDGES), uploaded(weight, EDGES)};
}

static int *levels()
{
    static int level[NODES];
    for (int v = 1; v < NODES; v++)
        level[v] = 1 << 20;
    return uploaded(level, NODES);
}

static int fetch(const int *address)
{
    int value;
    cudaMemcpy(&value, address, sizeof value, cudaMemcpyDeviceToHost);
    return value;
}

__device__ static int vertex()
{
    return (int)(blockIdx.x * blockDim.x + threadIdx.x);
}

/* Breadth-first search, all vertices */

__global__ static void bfs_step(graph g, int *level, int now, int *changed, int bug)
{
    int v = vertex();
    if (bug != NO_GUARD && v >= g.nodes)
        return;
    if (atomicAdd(&level[v], 0) != now)
        return;
    for (int e = g.row[v]; e < g.row[v + 1] + (bug == OFF_BY_ONE); e++) {
        int *to = &level[g.column[e]];
        if (bug == NO_ATOMIC) {
            if (*to > now + 1) {
                *to = now + 1;
                *changed = 1;
            }
        } else if (bug == BLOCK_SCOPE) {
            if (atomicMin_block(to, now + 1) > now + 1)
                *changed = 1;
        } else if (atomicMin(to, now + 1) > now + 1) {
            *changed = 1;
        }
    }
}

static void bfs(int bug)
{
    graph g = make_graph();
    int *level = levels(), *changed = filled<int>(1, 0);
    for (int now = 0; now < 12; now++) {
        cudaMemset(changed, 0, sizeof(int));
        bfs_step<<<GRID, BLOCK>>>(g, level, now, changed, bug);
        if (cudaDeviceSynchronize() != cudaSuccess || !fetch(changed))
            break;
    }
}

/* Breadth-first search, a list of work */

__global__ static void bfs_list(graph g, int *level, int now, const int *list, int length,
                                int *next, int *next_length, int bug)
{
    int i = vertex();
    if (i >= length)
        return;
    int v = list[i];
    for (int e = g.row[v]; e < g.row[v + 1]; e++) {
        int u = g.column[e];
        if (atomicCAS(&level[u], 1 << 20, now + 1) != 1 << 20)
            continue;
        int at;
        if (bug == NO_ATOMIC) {
            at = *next_length;
            *next_length = at + 1;
        } else if (bug == BLOCK_SCOPE) {
            at = atomicAdd_block(next_length, 1);
        } else {
            at = atomicAdd(next_length, 1);
        }
        next[at + (bug == OFF_BY_ONE ? NODES - 10 : 0)] = u;
    }
}

static void bfs_worklist(int bug)
{
    graph g = make_graph();
    int *level = levels(), *list[2] = {unfilled<int>(NODES), unfilled<int>(NODES)};
    int *length = filled<int>(1, 0), count = 1;
    cudaMemset(list[0], 0, sizeof(int));
    for (int now = 0; count > 0 && now < 12; now++) {
        cudaMemset(length, 0, sizeof(int));
        bfs_list<<<(count + 15) / 16, 16>>>(g, level, now, list[now % 2], count, list[1 - now % 2],
                                            length, bug);
        if (cudaDeviceSynchronize() != cudaSuccess)
            break;
        count = fetch(length);
    }
}

Test(graph_programs, breadth_first_search)
{
    CLEAN(bfs);
    BUG(bfs, NO_ATOMIC, "hazard");
    BUG(bfs, NO_GUARD, " elements");
    BUG(bfs, OFF_BY_ONE, " elements");
    BUG(bfs, BLOCK_SCOPE, "_block");
    CLEAN(bfs_worklist);
    BUG(bfs_worklist, NO_ATOMIC, "next_length[0]");
    BUG(bfs_worklist, OFF_BY_ONE, "nothing has written");
    BUG(bfs_worklist, BLOCK_SCOPE, "_block");
}

/* Shortest paths */

__global__ static void relax(graph g, int *distance, int *changed, int bug)
{
    int v = vertex();
    if (v >= g.nodes + (bug == OFF_BY_ONE))
        return;
    int from = bug == OTHER ? distance[v] : atomicAdd(&distance[v], 0);
    for (int e = g.row[v]; e < g.row[v + 1]; e++) {
        int length = from + g.weight[e], *to = &distance[g.column[e]];
        if (bug == NO_ATOMIC) {
            if (length < *to)
                *to = length;
        } else if (atomicMin(to, length) > length) {
            atomicExch(changed, 1);
        }
    }
}

static void shortest_paths(int bug)
{
    graph g = make_graph();
    int *distance = levels(), *changed = filled<int>(1, 0);
    for (int round = 0; round < 5; round++)
        relax<<<GRID, BLOCK>>>(g, distance, changed, bug);
    cudaDeviceSynchronize();
}

Test(graph_programs, shortest_paths)
{
    CLEAN(shortest_paths);
    BUG(shortest_paths, NO_ATOMIC, "hazard");
    BUG(shortest_paths, OFF_BY_ONE, " elements");
    BUG(shortest_paths, OTHER, "atomic");
}

/* Connected components: label propagation with volatile loads, as older codes have it */

__global__ static void spread_labels(graph g, int *label, int *changed, int bug)
{
    int v = vertex();
    if (v >= g.nodes)
        return;
    for (int e = g.row[v]; e < g.row[v + 1]; e++) {
        int u = g.column[e];
        int mine = *(volatile int *)&label[v], other = *(volatile int *)&label[u];
        if (bug == NO_ATOMIC && mine < other)
            label[u] = mine;
        else if (mine < other && atomicMin(&label[u], mine) > mine)
            *changed = 1;
    }
}

__global__ static void number_labels(int *label, int count, int bug)
{
    int v = vertex();
    if (v < count || (bug == NO_GUARD && v < count + 7))
        label[v] = v;
}

static void components(int bug)
{
    graph g = make_graph();
    int *label = unfilled<int>(NODES), *changed = filled<int>(1, 0);
    number_labels<<<GRID, BLOCK>>>(label, NODES - (bug == OTHER), bug);
    for (int round = 0; round < 4; round++)
        spread_labels<<<GRID, BLOCK>>>(g, label, changed, bug);
    cudaDeviceSynchronize();
}

Test(graph_programs, connected_components)
{
    CLEAN(components);
    BUG(components, NO_ATOMIC, "hazard");
    BUG(components, NO_GUARD, " elements");
    BUG(components, OTHER, "nothing has written");
}

/* PageRank */

__global__ static void rank_pull(graph g, const float *rank, float *next, int bug)
{
    int v = vertex();
    if (v >= g.nodes)
        return;
    float sum = 0;
    for (int e = g.row[v]; e < g.row[v + 1]; e++)
        sum += (bug == OTHER ? next : rank)[g.column[e]] / DEGREE;
    next[v] = sum;
}

__global__ static void rank_push(graph g, const float *rank, float *next, int bug)
{
    int v = vertex();
    if (v >= g.nodes)
        return;
    for (int e = g.row[v]; e < g.row[v + 1]; e++) {
        float share = rank[v] / DEGREE;
        if (bug == NO_ATOMIC)
            next[g.column[e]] += share;
        else if (bug == BLOCK_SCOPE)
            atomicAdd_block(&next[g.column[e]], share);
        else
            atomicAdd(&next[g.column[e]], share);
    }
}

/* The error of all vertices, reduced in the block. */
__global__ static void residual(const float *rank, const float *next, int nodes, float *error,
                                int bug)
{
    __shared__ float part[BLOCK];
    int v = vertex();
    part[threadIdx.x] = v < nodes ? fabsf(rank[v] - next[v]) : 0.0f;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if ((int)threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        if (bug != OFF_BY_ONE)
            __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(error, part[0]);
}

static void pagerank(int bug)
{
    graph g = make_graph();
    float *rank = filled<float>(NODES, 0), *next = filled<float>(NODES, 0);
    float *pushed = bug == NO_GUARD ? unfilled<float>(NODES) : filled<float>(NODES, 0);
    rank_pull<<<GRID, BLOCK>>>(g, rank, next, bug);
    rank_push<<<GRID, BLOCK>>>(g, rank, pushed, bug);
    residual<<<GRID, BLOCK>>>(next, pushed, NODES, filled<float>(1, 0), bug);
    cudaDeviceSynchronize();
}

Test(graph_programs, pagerank)
{
    CLEAN(pagerank);
    BUG(pagerank, NO_ATOMIC, "use atomicAdd");
    BUG(pagerank, NO_GUARD, "nothing has written");
    BUG(pagerank, OFF_BY_ONE, "part[");
    BUG(pagerank, BLOCK_SCOPE, "_block");
    BUG(pagerank, OTHER, "hazard");
}

/* Triangles: counters of the block in shared memory, warps for vertices */

__global__ static void count_triangles(graph g, int *total, int bug)
{
    __shared__ int found;
    if (threadIdx.x == 0)
        found = 0;
    if (bug != OTHER)
        __syncthreads();
    int v = vertex() / 8, lane = vertex() % 8, mine = 0;
    if (v < g.nodes)
        for (int e = g.row[v] + lane; e < g.row[v + 1]; e += 8)
            for (int f = g.row[g.column[e]]; f < g.row[g.column[e] + 1]; f++)
                for (int h = g.row[v]; h < g.row[v + 1]; h++)
                    mine += g.column[f] == g.column[h];
    if (bug == NO_ATOMIC)
        found += mine;
    else
        atomicAdd(&found, mine);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(total, found);
}

static void triangles(int bug)
{
    count_triangles<<<(NODES * 8 + BLOCK - 1) / BLOCK, BLOCK>>>(make_graph(), filled<int>(1, 0),
                                                                bug);
    cudaDeviceSynchronize();
}

/* Minimum of the neighbors, one warp for a vertex */

__global__ static void neighbor_minimum(graph g, int *out, int bug)
{
    int v = vertex() / 32, lane = vertex() % 32, best = 1 << 30;
    if (v >= g.nodes)
        return;
    for (int e = g.row[v] + lane; e < g.row[v + 1]; e += 32)
        best = min(best, g.column[e]);
    for (int step = 16; step > 0; step /= 2)
        best = min(best, __shfl_xor_sync(0xffffffffu, best, step));
    if (lane == 0 || bug == OTHER)
        out[v] = best + (bug == OTHER ? lane : 0);
}

static void minima(int bug)
{
    neighbor_minimum<<<NODES / 2, 64>>>(make_graph(), unfilled<int>(NODES), bug);
    cudaDeviceSynchronize();
}

Test(graph_programs, triangles_and_neighbors)
{
    CLEAN(triangles);
    BUG(triangles, NO_ATOMIC, "found");
    BUG(triangles, OTHER, "found");
    CLEAN(minima);
    BUG(minima, OTHER, "WAW");
}
