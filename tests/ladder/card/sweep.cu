/* sweep.cu - times the library on cells that a seed draws, beside plain atomics and CUB's ways, and checks each result.
 *
 *   sweep SEED SECONDS FILE.csv PEERS...     PEERS: folders with OPERATION.so, of peers.cu; the first has all
 *   sweep CELLS SECONDS FILE.csv PEERS...    CELLS: a file of cells in place of a seed, each a line
 *                                            "count zipf 0.75 1000000 505": keys, their number, elements, bins
 *   sweep once CELLS PEERS                   calls the library once for each cell and checks it: for ncu
 *                                            (--profile-from-start off) and compute-sanitizer
 *
 * In the environment, OTHERS: libraries of other states of the library, libladder.so.1, which are timed too, but are no
 * peers; a row has their times behind those of the peers.
 *
 * A cell is an operation, a number of bins, a number of elements and a kind of keys. Prints a row for each cell, and in
 * the end how many are within the law (docs/results/drawn-cells.md), by operation and by kind, and the worst. The
 * column straight_us, of 2^22 elements at most, is the library's when it is told to go straight to the bins. */
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

extern "C" {
#include "../../../common/ladder/model.h"
}
#include "cells.h"
#include "peers.h"
#include "reading.h"

static void must(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "sweep: %s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

/* Of each operation: its name in the library's sources, bytes of element and bin, and the law where bins fit shared
 * memory, and where elements are partitioned: so many times T, and so many microseconds more. */
static const struct operation {
    ladder_operation operation;
    const char *name;
    double element, bin, times[2], more[2];
    size_t most_bins;
} operations[] = {
    {LADDER_COUNT, "count", 4, 4, {1.25, 1.5}, {5, 8}, (size_t)1 << 26},
    {LADDER_SATURATE, "saturate", 4, 4, {1.25, 1.5}, {5, 8}, (size_t)1 << 26},
    {LADDER_SUM_F32, "sum_f32", 8, 4, {1.4, 2}, {6, 12}, (size_t)1 << 26},
    {LADDER_SUM_U32, "sum_u32", 8, 8, {1.4, 2}, {6, 12}, (size_t)1 << 26},
    {LADDER_ARGMAX_U32, "argmax", 8, 8, {1.4, 2}, {6, 12}, (size_t)1 << 26},
    {LADDER_POWERS_F32, "powers", 8, 32, {4, 4}, {15, 15}, (size_t)1 << 24},
    {LADDER_MINMAX_F32, "minmax", 8, 16, {2, 3}, {8, 12}, (size_t)1 << 25},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };
// With 6,131,525 bins, 10,966,088 and more the toolkit's HistogramEven has made illegal accesses.
static const size_t MOST_FOR_EVEN = (size_t)1 << 22;
static const char *const kinds[] = {KIND_NAMES};
static_assert(sizeof kinds / sizeof *kinds == KINDS, "each kind has a name");

/* ---- Arrays: one arena, divided for each cell. ---- */
static char *arena;
static size_t arena_bytes;

__global__ static void keys_kernel(unsigned int *keys, unsigned int *values, size_t length,
                                   size_t bins, enum kind kind, double number, bool of_floats)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += stride) {
        keys[i] = key_of((unsigned int)i, length, bins, kind, number);
        const unsigned int random = mixed(~(unsigned int)i);
        if (values)
            values[i] = of_floats ? __float_as_uint(((int)(random % 65) - 32) / 32.0f) : random;
    }
}

/* Holds the stream back while the host queues work. */
__global__ static void gate(unsigned int microseconds)
{
    for (unsigned int i = 0; i < microseconds; i++)
        __nanosleep(1000);
}

/* ---- Timing. ---- */
struct cell {
    const operation *op;
    enum kind kind;
    double number;
    size_t length, bins;
};

/* What is timed: run number `turn` of a queue has copy `turn` of the arrays, and bins of its own. */
struct job {
    void (*run)(struct job *job, unsigned int turn);
    const peer *of_peer;
    const cell *at;
    cell_arrays arrays;
    size_t input_step, inputs, bins_step, queue; // bytes from one copy to the next; copies; bins
    unsigned int blocks;                         // of reading
    void *temporary;
    size_t temporary_bytes;
    cudaStream_t stream;
    decltype(&ladder_reduce_by_index) other; // of another library; or NULL
};

static cell_arrays arrays_of(const job *job, unsigned int turn)
{
    cell_arrays a = job->arrays;
    const size_t input = turn % job->inputs * job->input_step;
    a.keys = (const unsigned int *)((const char *)a.keys + input);
    a.values = (const unsigned int *)((const char *)a.values + input);
    a.bins = (char *)a.bins + turn % job->queue * job->bins_step;
    return a;
}

static void run_peer(job *job, unsigned int turn)
{
    const cell_arrays a = arrays_of(job, turn);
    job->of_peer->run(&a);
}

static void run_library(job *job, unsigned int turn)
{
    const cell_arrays a = arrays_of(job, turn);
    const bool counted = job->at->op->operation <= LADDER_SATURATE;
    const ladder_status status = (job->other ? job->other : ladder_reduce_by_index)(
        job->temporary, &job->temporary_bytes, job->at->op->operation, a.keys,
        counted ? NULL : a.values, a.length, a.bins, a.num_bins, job->stream);
    if (status != LADDER_OK) {
        fprintf(stderr, "sweep: %s\n", ladder_status_text(status));
        exit(1);
    }
}

/* What the library would do if its model chose the bins as they are. */
static void run_straight(job *job, unsigned int turn)
{
    const cell_arrays a = arrays_of(job, turn);
    const ladder_facts *const facts = ladder_facts_of(job->at->op->operation);
    struct ladder_plan plan = {};
    plan.memory = LADDER_AS_THEY_ARE;
    plan.multiprocessors = 132;
    const ladder_elements elements = {a.keys, a.values, (unsigned int)a.length,
                                      0,      0,        facts->has_values};
    must(facts->kernels->run(&plan, &elements, a.bins, a.num_bins, job->temporary, job->stream),
         "straight to the bins");
}

static void run_reading(job *job, unsigned int turn)
{
    const cell_arrays a = arrays_of(job, turn);
    const size_t bytes = a.length * (size_t)job->at->op->element; // values lie behind the keys
    read_kernel<<<job->blocks, 1024, 0, job->stream>>>((const uint4 *)a.keys, bytes / 16,
                                                       (unsigned int *)arena);
}

static void clear_bins(const job *job)
{
    for (size_t i = 0; i < job->queue; i++)
        ladder_clear(job->at->op->operation, (char *)job->arrays.bins + i * job->bins_step,
                     job->arrays.num_bins, job->stream);
}

/* Microseconds of so many runs, queued behind a gate. */
static double time_queue(job *job, unsigned int runs, bool clears)
{
    static cudaEvent_t begin, end;
    if (!begin) {
        must(cudaEventCreate(&begin), "event");
        must(cudaEventCreate(&end), "event");
    }
    if (clears)
        clear_bins(job);
    gate<<<1, 1, 0, job->stream>>>(60 + runs * 12 < 1000 ? 60 + runs * 12 : 1000);
    must(cudaEventRecord(begin, job->stream), "record");
    for (unsigned int i = 0; i < runs; i++)
        job->run(job, i);
    must(cudaEventRecord(end, job->stream), "record");
    must(cudaEventSynchronize(end), "run");
    float ms;
    must(cudaEventElapsedTime(&ms, begin, end), "elapsed");
    return 1000.0 * ms / runs;
}

/* The median of a few queues. What takes long is run less often; what takes more than `most` is not waited for. */
static double time_job(job *job, bool clears)
{
    double first = time_queue(job, 1, clears);
    if (first < 20000)
        first = std::min(first, time_queue(job, 1, clears));
    if (first > 20000)
        return first;
    const double fit = 1500 / std::max(first, 3.0);
    const unsigned int runs = (unsigned int)std::max(1.0, std::min(fit, (double)job->queue));
    std::vector<double> times;
    for (int i = 0; i < (first > 2000 ? 3 : 7); i++)
        times.push_back(time_queue(job, runs, clears));
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

/* ---- Drawing. ---- */
static unsigned long long state;

static double draw(void)
{
    state += 0x9e3779b97f4a7c15ULL;
    unsigned long long z = state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
    return (double)((z ^ z >> 31) >> 11) / 9007199254740992.0;
}

static size_t log_uniform(double least, double most)
{
    return (size_t)std::min(most, least * pow(most / least, draw()));
}

static cell drawn(void)
{
    cell c;
    c.op = &operations[(int)(draw() * OPERATIONS)];
    c.bins = log_uniform(1, (double)c.op->most_bins);
    c.length = log_uniform(1024, (double)(1 << 27));
    c.kind = (enum kind)(int)(draw() * KINDS);
    const double position = (int)(draw() * 10000) / 10000.0, strides[] = {63, 64, 1024, 65536};
    c.number = c.kind == ZIPF      ? 0.5 + 1.5 * position
               : c.kind == STRIDE  ? strides[(int)(4 * position)]
               : c.kind == RUNS    ? (double)log_uniform(2, 4096)
               : c.kind == BLOCKS  ? (double)log_uniform(1024, 1 << 22)
               : c.kind == CLUSTER ? pow(2, -2 - 12 * position)
               : c.kind == BELL    ? pow(2, -2 - 8 * position)
                                   : position;
    return c;
}

/* The cells of a file. */
static std::vector<cell> cells_of(const char *path)
{
    std::vector<cell> cells;
    FILE *const file = fopen(path, "r");
    char operation[32], keys[32];
    cell c = {};
    if (!file) {
        perror(path);
        exit(1);
    }
    while (fscanf(file, "%31s %31s %lf %zu %zu", operation, keys, &c.number, &c.length, &c.bins) ==
           5) {
        int op = 0, kind = 0;
        while (op < OPERATIONS && strcmp(operations[op].name, operation) != 0)
            op++;
        while (kind < KINDS && strcmp(kinds[kind], keys) != 0)
            kind++;
        if (op == OPERATIONS || kind == KINDS) {
            fprintf(stderr, "sweep: %s: there is no %s of %s\n", path, operation, keys);
            exit(1);
        }
        c.op = &operations[op];
        c.kind = (enum kind)kind;
        cells.push_back(c);
    }
    fclose(file);
    return cells;
}

/* ---- A cell. ---- */
struct result {
    cell at;
    std::string memory, best_peer;
    double us, straight_us, reading_us, t_us, law_us, plain_us, peer_us;
    bool right;
    double ratio() const
    {
        return us / law_us;
    }
};

static double bytes_per_us; // reading, of the longest input

/* The least traffic, and the law. */
static void judge(result *r, size_t shared_bytes)
{
    const operation *const op = r->at.op;
    const double partitions = ceil((double)r->at.bins * op->bin / (double)shared_bytes);
    int levels = 0;
    while (pow(2048, levels) < partitions)
        levels++;
    r->t_us = r->reading_us * (1 + 2 * levels) + 2 * (double)r->at.bins * op->bin / bytes_per_us;
    r->law_us = op->times[levels > 0] * r->t_us + op->more[levels > 0];
}

static const peers *load_peers(const char *folder, const char *operation)
{
    const std::string path = std::string(folder) + "/" + operation + ".so";
    void *const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "sweep: %s\n", dlerror());
        exit(1);
    }
    return (const peers *)dlsym(library, "ladder_peers");
}

static size_t up(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

/* The arrays of a cell in the arena, filled: so many copies of the elements, and so many of the bins. Behind the
 * temporary memory is room for what is right. Returns where that is. */
static char *lay_out(job *job, const cell &c, size_t inputs, size_t queue, size_t truth_bytes)
{
    const size_t keys = up(c.length * 4 + 16), bins = up(c.bins * (size_t)c.op->bin);
    const bool counted = c.op->operation <= LADDER_SATURATE;
    job->input_step = counted ? keys : 2 * keys;
    job->inputs = std::max((size_t)1, std::min(inputs, ((size_t)256 << 20) / job->input_step));
    job->bins_step = bins;
    job->queue = std::max((size_t)1, std::min(queue, ((size_t)4 << 30) / bins));
    ladder_reduce_by_index(NULL, &job->temporary_bytes, c.op->operation, NULL, NULL, c.length, NULL,
                           c.bins, 0);
    char *at = arena + 256;
    job->arrays = {
        (unsigned int *)at, (unsigned int *)(at + (counted ? 0 : keys)), c.length, NULL, c.bins, 0};
    at += job->inputs * job->input_step;
    job->arrays.bins = at;
    at += job->queue * bins;
    job->temporary = at;
    at += up(job->temporary_bytes);
    if (at + up(c.bins * truth_bytes) + 256 > arena + arena_bytes) {
        fprintf(stderr, "sweep: a cell needs %zu bytes\n", (size_t)(at - arena));
        exit(1);
    }
    const bool floats = c.op->operation == LADDER_SUM_F32 || c.op->operation == LADDER_POWERS_F32 ||
                        c.op->operation == LADDER_MINMAX_F32;
    unsigned int *const first = (unsigned int *)job->arrays.keys;
    keys_kernel<<<1024, 256>>>(first, counted ? NULL : (unsigned int *)((char *)first + keys),
                               c.length, c.bins, c.kind, c.number, floats);
    for (size_t i = 1; i < job->inputs; i++)
        must(cudaMemcpyAsync((char *)first + i * job->input_step, first, job->input_step,
                             cudaMemcpyDeviceToDevice),
             "copy");
    return at;
}

/* Calls the library once, and compares each bin with what is right, which is left at `truth`. */
static bool is_right(job *job, const peers *of_operation, char *truth)
{
    unsigned int *const wrong =
        (unsigned int *)(truth + up(job->at->bins * of_operation->truth_bytes));
    unsigned int number;
    must(cudaMemsetAsync(wrong, 0, 4), "memset");
    must(cudaMemsetAsync(job->temporary, 0xa5, std::min(job->temporary_bytes, (size_t)1 << 24)),
         "memset");
    clear_bins(job);
    of_operation->find_truth(&job->arrays, truth);
    must(cudaDeviceSynchronize(), "what is right");
    cudaProfilerStart();
    run_library(job, 0);
    cudaProfilerStop();
    of_operation->compare(&job->arrays, truth, wrong);
    must(cudaMemcpy(&number, wrong, 4, cudaMemcpyDeviceToHost), "the library");
    return number == 0;
}

/* Times the cell with the other libraries, whose temporary memory is at `memory`: text of a row. */
static std::string time_others(job job, char *memory)
{
    std::string row;
    const char *const named = getenv("OTHERS");
    char paths[512];
    snprintf(paths, sizeof paths, "%s", named ? named : "");
    for (const char *path = strtok(paths, " "); path; path = strtok(NULL, " ")) {
        void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            fprintf(stderr, "sweep: %s\n", dlerror());
            exit(1);
        }
        job.run = run_library;
        job.other = (decltype(job.other))dlsym(library, "ladder_reduce_by_index");
        job.temporary = memory;
        job.temporary_bytes = 0;
        job.other(NULL, &job.temporary_bytes, job.at->op->operation, NULL, NULL, job.at->length,
                  NULL, job.at->bins, 0);
        const bool fits = memory + job.temporary_bytes <= arena + arena_bytes;
        char text[600];
        snprintf(text, sizeof text, ",other %s,%.2f", path, fits ? time_job(&job, true) : -1.0);
        row += text;
    }
    return row;
}

static result measure(const cell &c, const std::vector<const peers *> &all,
                      const ladder_device &device, FILE *csv)
{
    result r = {c, "", "-", 0, -1, 0, 0, 0, 0, 1e30, false};
    job job = {run_library, NULL, &c, {}, 0, 0, 0, 0, 0, NULL, 0, 0};
    must(cudaGetLastError(), "before a cell");
    char *const truth = lay_out(&job, c, 32, 200, all[0]->truth_bytes);
    r.right = is_right(&job, all[0], truth);
    // How long?
    r.us = time_job(&job, true);
    if (c.length <= 1 << 22) {
        job.run = run_straight;
        r.straight_us = time_job(&job, true);
    }
    r.memory = ladder_explain(&device, c.op->operation, c.length, c.bins);
    job.run = run_reading;
    r.reading_us = 1e30;
    for (unsigned int shape = 1; shape <= 2; shape++) {
        job.blocks = (unsigned int)std::min((size_t)132 * shape,
                                            (c.length * (size_t)c.op->element + 16383) / 16384);
        r.reading_us = std::min(r.reading_us, time_job(&job, false));
    }
    judge(&r, device.shared_of_block);
    std::string others;
    for (const peers *table : all)
        for (const peer *p = table->table; p->name; p++) {
            double us = -1;
            const bool is_even = strstr(p->name, "Even") != NULL;
            if (!(is_even && c.bins > MOST_FOR_EVEN) &&
                !(c.length > 1 << 26 && strstr(p->name, "sort") && r.us < 2000)) {
                job.run = run_peer;
                job.of_peer = p;
                us = time_job(&job, true);
            }
            if (strstr(p->name, "plain"))
                r.plain_us = us;
            if (us > 0 && us < r.peer_us) {
                r.peer_us = us;
                r.best_peer = p->name;
            }
            char text[96];
            snprintf(text, sizeof text, ",%s,%.2f", p->name, us);
            others += text;
        }
    others += time_others(job, truth);
    must(cudaGetLastError(), "after a cell");
    fprintf(csv, "%s,%s,%g,%zu,%zu,%s,%.2f,%s,%.2f,%.2f,%.2f,%.3f,%s,%.2f,%.3f,%.2f%s\n",
            c.op->name, kinds[c.kind], c.number, c.length, c.bins, r.memory.c_str(), r.us,
            r.right ? "yes" : "NO", r.reading_us, r.t_us, r.law_us, r.ratio(), r.best_peer.c_str(),
            r.peer_us, r.us / r.peer_us, r.straight_us, others.c_str());
    fflush(csv);
    return r;
}

/* ---- The summary. ---- */
static void tell(const char *what, const std::vector<const result *> &rows)
{
    size_t within = 0, half = 0, slower = 0, long_ones = 0, wrong = 0;
    double worst = 0, fixed = 0;
    for (const result *r : rows) {
        within += r->ratio() <= 1;
        half += r->ratio() <= 1.5;
        worst = std::max(worst, r->ratio());
        long_ones += r->us >= 20;
        slower += r->us >= 20 && r->us > 1.05 * r->peer_us;
        wrong += !r->right;
        if (r->us < 20)
            fixed = std::max(fixed, r->us - r->plain_us);
    }
    if (!rows.empty())
        printf("%-12s %5zu cells, law %5.1f%%, 1.5 x %5.1f%%, worst %5.2f, slower %zu of %zu of 20 "
               "us, "
               "most above plain below 20 us %.1f us, wrong %zu\n",
               what, rows.size(), 100.0 * within / rows.size(), 100.0 * half / rows.size(), worst,
               slower, long_ones, fixed, wrong);
}

static void show(const result *r)
{
    printf("  %-8s %-11s %-8g n %10zu bins %9zu %-22s %9.1f us law %9.1f (%.2f) %s %.1f\n",
           r->at.op->name, kinds[r->at.kind], r->at.number, r->at.length, r->at.bins,
           r->memory.c_str(), r->us, r->law_us, r->ratio(), r->best_peer.c_str(), r->peer_us);
}

static void summarize(const std::vector<result> &results)
{
    std::vector<const result *> all, some;
    for (const result &r : results)
        all.push_back(&r);
    tell("all", all);
    for (const operation &op : operations) {
        some.clear();
        for (const result *r : all)
            if (r->at.op == &op)
                some.push_back(r);
        tell(op.name, some);
    }
    for (int kind = 0; kind < KINDS; kind++) {
        some.clear();
        for (const result *r : all)
            if (r->at.kind == kind)
                some.push_back(r);
        tell(kinds[kind], some);
    }
    std::sort(all.begin(), all.end(),
              [](const result *a, const result *b) { return a->ratio() > b->ratio(); });
    puts("worst by the law:");
    for (size_t i = 0; i < all.size() && i < 40; i++)
        show(all[i]);
    std::sort(all.begin(), all.end(), [](const result *a, const result *b) {
        return a->us / a->peer_us > b->us / b->peer_us;
    });
    puts("slowest beside the best peer, of 20 us or more:");
    int shown = 0;
    for (const result *r : all)
        if (r->us >= 20 && r->us > 1.02 * r->peer_us && shown++ < 60)
            show(r);
    puts("most above plain atomics, below 20 us:");
    std::sort(all.begin(), all.end(), [](const result *a, const result *b) {
        return a->us - a->plain_us > b->us - b->plain_us;
    });
    shown = 0;
    for (const result *r : all)
        if (r->us < 20 && shown++ < 15)
            show(r);
    double logs = 0;
    int cells = 0;
    for (const result *r : all)
        if (strcmp(r->at.op->name, "count") == 0 && r->at.length >= 1 << 24)
            logs += log(r->peer_us / r->us), cells++;
    if (cells)
        printf("count, from 2^24 elements: %.2f x the best peer, geometric mean of %d\n",
               exp(logs / cells), cells);
    for (const result *r : all)
        if (!r->right)
            printf("WRONG: "), show(r);
}

/* Bytes of the arena for one copy of a cell's arrays. */
static size_t bytes_of(const cell &c, size_t truth_bytes)
{
    size_t temporary = 0;
    ladder_reduce_by_index(NULL, &temporary, c.op->operation, NULL, NULL, c.length, NULL, c.bins,
                           0);
    return 2 * up(c.length * 4 + 16) + up(c.bins * (size_t)c.op->bin) + up(temporary) +
           up(c.bins * truth_bytes) + 1024;
}

/* Calls the library once for each cell. Returns the exit status. */
static int once(const std::vector<cell> &cells, const char *folder)
{
    int wrong = 0;
    ladder_device device;
    if (ladder_current_device(&device) != LADDER_OK)
        return fprintf(stderr, "sweep: no device\n"), 1;
    for (const cell &c : cells)
        arena_bytes =
            std::max(arena_bytes, bytes_of(c, load_peers(folder, c.op->name)->truth_bytes));
    must(cudaMalloc(&arena, arena_bytes), "cudaMalloc");
    for (const cell &c : cells) {
        const peers *const of_operation = load_peers(folder, c.op->name);
        job job = {run_library, NULL, &c, {}, 0, 0, 0, 0, 0, NULL, 0, 0};
        char *const truth = lay_out(&job, c, 1, 1, of_operation->truth_bytes);
        const bool right = is_right(&job, of_operation, truth);
        printf("%s %s %g %zu in %zu, %s: %s\n", c.op->name, kinds[c.kind], c.number, c.length,
               c.bins, ladder_explain(&device, c.op->operation, c.length, c.bins),
               right ? "right" : "WRONG");
        wrong += !right;
    }
    return wrong > 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "once") == 0)
        return once(cells_of(argv[2]), argv[3]);
    if (argc < 5) {
        fprintf(stderr, "usage: sweep SEED|CELLS SECONDS OUTPUT.csv PEERS...\n"
                        "       sweep once CELLS PEERS\n");
        return 2;
    }
    char *end;
    std::vector<cell> listed;
    state = strtoull(argv[1], &end, 10);
    if (*end != '\0')
        listed = cells_of(argv[1]);
    const double seconds = atof(argv[2]);
    FILE *const csv = fopen(argv[3], "w");
    if (!csv)
        return perror(argv[3]), 1;
    ladder_device device;
    if (ladder_current_device(&device) != LADDER_OK)
        return fprintf(stderr, "sweep: no device\n"), 1;
    std::vector<const peers *> tables[OPERATIONS];
    for (int op = 0; op < OPERATIONS; op++)
        for (int i = 4; i < argc; i++)
            tables[op].push_back(load_peers(argv[i], operations[op].name));
    size_t total;
    must(cudaMemGetInfo(&arena_bytes, &total), "cudaMemGetInfo");
    arena_bytes = arena_bytes / 10 * 3;
    must(cudaMalloc(&arena, arena_bytes), "cudaMalloc");
    // The speed of reading, of 2^30 bytes.
    cell longest = {&operations[0], UNIFORM, 0, (size_t)1 << 28, 1};
    job job = {run_reading, NULL, &longest, {}, 0, 1, 0, 1, 264, NULL, 0, 0};
    job.arrays = {(unsigned int *)arena + 64, NULL, longest.length, NULL, 1, 0};
    job.input_step = longest.length * 4;
    must(cudaMemset(arena, 1, longest.length * 4 + 256), "memset");
    bytes_per_us = (double)longest.length * 4 / time_job(&job, false);
    printf("%s: reading %.0f GB/s\n", device.name, bytes_per_us / 1000);
    fprintf(csv, "operation,keys,number,length,bins,memory,us,right,reading_us,T_us,law_us,ratio_"
                 "to_law,best_peer,"
                 "peer_us,ratio_to_peer,straight_us,peers\n");
    std::vector<result> results;
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    size_t turn = 0;
    do {
        const cell c = listed.empty() ? drawn() : listed[turn];
        fprintf(stderr, "%s %s %g %zu in %zu\n", c.op->name, kinds[c.kind], c.number, c.length,
                c.bins);
        results.push_back(measure(c, tables[c.op - operations], device, csv));
        clock_gettime(CLOCK_MONOTONIC, &now);
        turn++;
    } while ((listed.empty() || turn < listed.size()) &&
             (double)(now.tv_sec - begin.tv_sec) + (double)(now.tv_nsec - begin.tv_nsec) / 1e9 <
                 seconds);
    summarize(results);
    return 0;
}
