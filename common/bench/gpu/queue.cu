/* queue.cu - times runs that are queued behind a gate, and single calls. */
#include "queue.h"

#include <cuda_runtime.h>
#include <stdlib.h>
#include <time.h>

#include "errors.h"

/* Each run is two or three operations, and the driver takes about a thousand before it makes the
 * host wait for the GPU, which would wait for the gate. */
enum { WARM_UPS = 3, REPETITIONS = 21, FEW = 5, MOST_QUEUED = 200, ATTEMPTS = 5 };
static const double queue_ms = 1.5; /* as long as a queue should be */
static const double long_ms = 10;   /* from here on few repetitions say enough, and one warms up */

/* The gate opens by itself after some ten milliseconds: who waits for the GPU behind a closed gate
 * would wait forever. */
static const long long patience = 20000000; /* clocks of a multiprocessor */

static cudaEvent_t start, stop;
static volatile unsigned int *opened; /* in the host's memory: the last gate that was opened */
static unsigned int *d_opened, last_gate;

static void prepare(void)
{
    if (opened)
        return;
    void *memory;
    must(cudaEventCreate(&start), "cudaEventCreate");
    must(cudaEventCreate(&stop), "cudaEventCreate");
    must(cudaHostAlloc(&memory, sizeof *opened, cudaHostAllocMapped), "cudaHostAlloc");
    must(cudaHostGetDevicePointer((void **)&d_opened, memory, 0), "cudaHostGetDevicePointer");
    opened = (volatile unsigned int *)memory;
    *opened = last_gate;
}

__global__ void gate_kernel(const volatile unsigned int *opened, unsigned int gate,
                            long long patience)
{
    const long long begin = clock64();
    while (*opened != gate && clock64() - begin < patience)
        ;
}

/* What is queued from now on waits until the gate is opened; then the event `start` is first. */
static void close_gate(void)
{
    gate_kernel<<<1, 1>>>(d_opened, ++last_gate, patience);
    must(cudaGetLastError(), "gate_kernel");
    must(cudaEventRecord(start, 0), "cudaEventRecord");
}

/* Returns false when it had opened by itself before. */
static bool open_gate(void)
{
    const cudaError_t state = cudaEventQuery(start);
    *opened = last_gate;
    if (state != cudaErrorNotReady)
        must(state, "the kernels");
    (void)cudaGetLastError(); // "not ready" is an answer, but CUDA keeps it as an error
    return state == cudaErrorNotReady;
}

static double elapsed(void)
{
    float ms;
    must(cudaEventSynchronize(stop), "the kernels");
    must(cudaEventElapsedTime(&ms, start, stop), "cudaEventElapsedTime");
    return (double)ms;
}

/* One run between two events. */
static double time_alone(gpu_run *run, void *what)
{
    must(cudaEventRecord(start, 0), "cudaEventRecord");
    run(what);
    must(cudaEventRecord(stop, 0), "cudaEventRecord");
    return elapsed();
}

/* A run of a queue of `count`. Returns false when the gate did not hold: the run waits for the GPU,
 * or the host was too slow. */
static bool time_queue(gpu_run *run, void *what, int count, double *ms)
{
    close_gate();
    for (int i = 0; i < count; i++)
        run(what);
    must(cudaEventRecord(stop, 0), "cudaEventRecord");
    const bool held = open_gate();
    *ms = elapsed() / count;
    return held;
}

static double time_latency(gpu_run *run, void *what)
{
    struct timespec before, after;
    must(cudaDeviceSynchronize(), "the kernels");
    clock_gettime(CLOCK_MONOTONIC, &before);
    run(what);
    must(cudaDeviceSynchronize(), "the kernels");
    clock_gettime(CLOCK_MONOTONIC, &after);
    return (double)(after.tv_sec - before.tv_sec) * 1e3 +
           (double)(after.tv_nsec - before.tv_nsec) / 1e6;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static struct spread spread_of(double *ms, int count)
{
    qsort(ms, (size_t)count, sizeof *ms, by_value);
    const struct spread spread = {ms[count / 2], ms[count / 10], ms[count - 1 - count / 10]};
    return spread;
}

double queue_warm_up(gpu_run *run, void *what)
{
    double ms = 0;
    prepare();
    for (int i = 0; i < WARM_UPS && ms < long_ms; i++)
        ms = time_alone(run, what);
    return ms;
}

int queue_repetitions(double ms)
{
    return ms < long_ms ? REPETITIONS : FEW;
}

/* How many runs make a queue; 0 for a run that waits for the GPU. */
static int queue_length(gpu_run *run, void *what, double ms)
{
    double unused;
    bool held = false;
    for (int i = 0; i < 2 && !held; i++) // once more: what was new may have been loaded
        held = time_queue(run, what, 1, &unused);
    const double wanted = queue_ms / ms;
    int length = wanted < 1 ? 1 : wanted > MOST_QUEUED ? MOST_QUEUED : (int)wanted;
    if (!held)
        return 0;
    while (length > 1 && !time_queue(run, what, length, &unused))
        length /= 2; // a run of many operations: the driver takes fewer of them
    return length;
}

/* One repetition: a run of a queue, or alone. */
static double repetition(gpu_run *run, void (*afresh)(void *what, int runs), void *what, int queued)
{
    double ms = 0;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (afresh)
            afresh(what, queued ? queued : 1);
        if (queued == 0)
            return time_alone(run, what);
        if (time_queue(run, what, queued, &ms))
            break;
    }
    return ms;
}

struct gpu_times queue_time_afresh(gpu_run *run, void (*afresh)(void *what, int runs), void *what,
                                   double ms, int repetitions)
{
    double runs[REPETITIONS];
    struct gpu_times times = {};
    times.repetitions = repetitions < REPETITIONS ? repetitions : REPETITIONS;
    times.queued = queue_length(run, what, ms);
    for (int i = 0; i < times.repetitions; i++)
        runs[i] = repetition(run, afresh, what, times.queued);
    times.run = spread_of(runs, times.repetitions);
    times.run.low = runs[0];
    times.run.high = runs[times.repetitions - 1];
    return times;
}

struct gpu_times queue_time(gpu_run *run, void *what, double ms)
{
    double runs[REPETITIONS], calls[REPETITIONS];
    struct gpu_times times;
    times.repetitions = queue_repetitions(ms);
    times.queued = queue_length(run, what, ms);
    for (int i = 0; i < times.repetitions; i++)
        runs[i] = repetition(run, NULL, what, times.queued);
    const int latencies = ms < long_ms ? REPETITIONS : 1; // of a long run it is its time
    for (int i = 0; i < latencies; i++)
        calls[i] = time_latency(run, what);
    times.run = spread_of(runs, times.repetitions);
    times.latency = spread_of(calls, latencies);
    return times;
}
