/* queue.cu - times runs that are queued behind a gate, and single calls. */
#include "queue.h"

#include <cuda_runtime.h>

#include "errors.h"

/* Each run is two or three operations, and the driver takes about a thousand before it makes the
 * host wait for the GPU, which would wait for the gate. */
enum { WARM_UPS = 3, MOST_QUEUED = 200, ATTEMPTS = 5 };
static const double queue_ms = 1.5; /* as long as a queue should be */

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

double queue_alone(timed_run *run, void *what)
{
    prepare();
    must(cudaEventRecord(start, 0), "cudaEventRecord");
    run(what);
    must(cudaEventRecord(stop, 0), "cudaEventRecord");
    return elapsed();
}

/* A run of a queue of `count`. Returns false when the gate did not hold: the run waits for the GPU,
 * or the host was too slow. */
static bool time_queue(timed_run *run, void *what, int count, double *ms)
{
    close_gate();
    for (int i = 0; i < count; i++)
        run(what);
    must(cudaEventRecord(stop, 0), "cudaEventRecord");
    const bool held = open_gate();
    *ms = elapsed() / count;
    return held;
}

static double time_latency(timed_run *run, void *what)
{
    must(cudaDeviceSynchronize(), "the kernels");
    const double before = wall_now();
    run(what);
    must(cudaDeviceSynchronize(), "the kernels");
    return wall_now() - before;
}

double queue_warm_up(timed_run *run, void *what)
{
    double ms = 0;
    for (int i = 0; i < WARM_UPS && ms < LONG_MS; i++)
        ms = queue_alone(run, what);
    return ms;
}

/* How many runs make a queue; 0 for a run that waits for the GPU. */
static int queue_length(timed_run *run, void *what, double ms)
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
static double repetition(timed_run *run, void (*afresh)(void *what, int runs), void *what,
                         int queued)
{
    double ms = 0;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        afresh(what, queued ? queued : 1);
        if (queued == 0)
            return queue_alone(run, what);
        if (time_queue(run, what, queued, &ms))
            break;
    }
    return ms;
}

struct times queue_time(timed_run *run, void (*afresh)(void *what, int runs), void *what, double ms,
                        int repetitions, bool with_latency)
{
    double runs[MOST_REPETITIONS];
    struct times times = {};
    times.queued = queue_length(run, what, ms);
    times.repetitions = repetitions < MOST_REPETITIONS ? repetitions : MOST_REPETITIONS;
    for (int i = 0; i < times.repetitions; i++)
        runs[i] = repetition(run, afresh, what, times.queued);
    times.run = spread_of(runs, times.repetitions);
    if (!with_latency)
        return times;
    const int latencies = ms < LONG_MS ? MOST_REPETITIONS : 1; // of a long run it is its time
    for (int i = 0; i < latencies; i++)
        runs[i] = time_latency(run, what);
    times.latency = spread_of(runs, latencies);
    return times;
}
