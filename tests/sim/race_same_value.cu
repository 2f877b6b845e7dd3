/* race_same_value.cu - races in which all threads store one and the same value: warnings, and no
 * errors. */
#include "race_programs.h"

enum { NODES = 200, DEGREE = 4, THREADS = 64, GRID = (NODES + THREADS - 1) / THREADS };

/* Breadth-first search as textbooks have it. */
template <typename Level>
__global__ static void visit(const int *row, const int *column, Level *level, Level now,
                             int *changed, int bug)
{
    int v = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (v >= NODES || level[v] != now)
        return;
    for (int e = row[v]; e < row[v + 1]; e++)
        if (level[column[e]] == (Level)-1) {
            level[column[e]] = (Level)(now + 1 + (bug == 1 && v % 2));
            *changed = 1;
        }
}

template <typename Level> static void search(int bug)
{
    static int row[NODES + 1], column[NODES * DEGREE];
    static Level level[NODES];
    for (int v = 0; v < NODES; v++) {
        row[v + 1] = (v + 1) * DEGREE;
        level[v] = v ? (Level)-1 : 0;
        for (int e = 0; e < DEGREE; e++)
            column[v * DEGREE + e] = (e < 2 ? v + e + 1 : v * 7 + e * 13) % NODES;
    }
    int *rows = uploaded(row, NODES + 1), *columns = uploaded(column, NODES * DEGREE);
    Level *levels = uploaded(level, NODES);
    for (int now = 0; now < 8; now++)
        visit<Level><<<GRID, THREADS>>>(rows, columns, levels, (Level)now, filled<int>(1, 0), bug);
    cudaDeviceSynchronize();
}

static void search_ints(int bug)
{
    search<int>(bug);
}

static void search_bytes(int bug)
{
    search<signed char>(bug);
}

Test(race_same_value, a_textbook_search_gets_a_warning)
{
    CLEAN(search_ints);
    BUG(search_ints, 1, "Error: Race reported");
    CLEAN(search_bytes);
    BUG(search_bytes, 1, "Error: Race reported");
    unsigned long long errors;
    const char *text = run_program(search_ints, 0, 1, &errors);
    EXPECT_PRINTED(text, "Warning: Race reported");
    EXPECT_PRINTED(text, "all threads that write here write the same value");
}

struct place {
    float x, y, z;
};

/* All threads copy a structure to one element: with bug 1 each another one. */
template <typename T> __global__ static void publish(const T *from, T *to, int bug)
{
    __shared__ T chosen;
    const unsigned int i = bug == 1 ? threadIdx.x : 0;
    chosen = from[i];
    __syncthreads();
    if (threadIdx.x == 0)
        *to = chosen;
}

template <typename T> static void publishing(int bug)
{
    unsigned char bytes[THREADS * sizeof(T)];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i / sizeof(T));
    publish<<<1, THREADS>>>((const T *)uploaded(bytes, sizeof bytes), unfilled<T>(1), bug);
    cudaDeviceSynchronize();
}

Test(race_same_value, of_a_structure_is_seen_in_all_its_bytes)
{
    CLEAN(publishing<place>);
    BUG(publishing<place>, 1, "Error: Race reported");
    CLEAN(publishing<uint2>);
    BUG(publishing<uint2>, 1, "Error: Race reported");
    CLEAN(publishing<float4>);
    BUG(publishing<float4>, 1, "Error: Race reported");
    CLEAN(publishing<ulonglong4>);
    BUG(publishing<ulonglong4>, 1, "Error: Race reported");
}

/* An update writes the same value twice where one is lost. */
__global__ static void count(int *counter, int *most, int limit, int bug)
{
    if (bug == 1)
        *counter = *counter + 1;
    if (bug == 2 && *most < (int)threadIdx.x)
        *most = (int)threadIdx.x;
    if (bug == 3 && *counter < limit)
        *counter = *counter + 1;
    if (bug == 4)
        *(volatile int *)counter = *(volatile int *)counter + 1;
}

static void counting(int bug)
{
    count<<<1, THREADS>>>(filled<int>(1, 0), filled<int>(1, 0), 40, bug);
    cudaDeviceSynchronize();
}

Test(race_same_value, an_update_is_an_error_all_the_same)
{
    CLEAN(counting);
    BUG(counting, 1, "Error: Race reported");
    BUG(counting, 2, "Error: Race reported");
    BUG(counting, 3, "Error: Race reported");
    BUG(counting, 4, "Error: Race reported");
}

/* Tagged writes, as shared memory was counted in before it had atomics: the lanes of a warp that meet
 * all write, one write stays, and each looks whose. Its steps have to be steps of the whole warp. */
__global__ static void count_tagged(int *counter, int bug)
{
    __shared__ volatile unsigned int shared;
    const unsigned int tag = threadIdx.x << 27;
    bool waits = true;
    if (threadIdx.x == 0)
        shared = 0;
    __syncwarp();
    while (__any_sync(0xffffffff, waits)) {
        unsigned int written = 0;
        if (waits)
            written = tag | ((shared & 0x7ffffff) + 1);
        if (bug != 1)
            __syncwarp();
        if (waits)
            shared = written;
        if (bug != 2)
            __syncwarp();
        if (waits)
            waits = shared != written;
        __syncwarp();
    }
    if (threadIdx.x == 0)
        *counter = (int)(shared & 0x7ffffff);
}

static void tagging(int bug)
{
    count_tagged<<<1, 32>>>(filled<int>(1, 0), bug);
    cudaDeviceSynchronize();
}

Test(race_same_value, tagged_writes_of_a_warp_are_no_race_while_its_steps_are_apart)
{
    CLEAN(tagging);
    BUG(tagging, 1, "Error: Race reported");
    BUG(tagging, 2, "Error: Race reported");
}
