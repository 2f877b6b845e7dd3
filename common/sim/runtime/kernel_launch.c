/* kernel_launch.c - where a launch begins: name<<<...>>>(...) and cudaLaunchKernel. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/runtime.h"

static uint64_t volume(struct sim_index size)
{
    return (uint64_t)size.x * size.y * size.z;
}

/* Says on standard error why a launch is refused; the program gets `error`. */
__attribute__((format(printf, 3, 4))) static cudaError_t
refuse(const struct sim_launch *request, cudaError_t error, const char *format, ...)
{
    char where[512];
    va_list arguments;
    fflush(stdout);
    fprintf(stderr,
            "%s: launch of %s: ", sim_locate((uintptr_t)request->caller, where, sizeof where),
            request->name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return error;
}

static cudaError_t check_block(const struct sim_launch *request)
{
    struct sim_index block = request->block;
    uint64_t threads = volume(block), blocks = volume(request->grid);
    if (threads == 0)
        return refuse(request, cudaErrorInvalidConfiguration,
                      "a block of 0 threads (%u x %u x %u); at least 1", block.x, block.y, block.z);
    if (threads > SIM_THREADS_PER_BLOCK)
        return refuse(request, cudaErrorInvalidConfiguration,
                      "a block of %llu threads; at most %d%s", (unsigned long long)threads,
                      SIM_THREADS_PER_BLOCK,
                      blocks > 0 && blocks <= SIM_THREADS_PER_BLOCK && blocks % 32 == 0
                          ? " (<<<blocks, threads of a block>>> is the order)"
                          : "");
    if (threads > sim_most_threads(request->kernel))
        return refuse(request, cudaErrorInvalidValue,
                      "a block of %llu threads; its __launch_bounds__ promises at most %u",
                      (unsigned long long)threads, sim_most_threads(request->kernel));
    if (block.z > SIM_MOST_BLOCK_Z)
        return refuse(request, cudaErrorInvalidConfiguration,
                      "a block of %u x %u x %u threads; at most %d in z", block.x, block.y, block.z,
                      SIM_MOST_BLOCK_Z);
    return cudaSuccess;
}

static cudaError_t check_grid(const struct sim_launch *request)
{
    struct sim_index grid = request->grid;
    if (volume(grid) == 0)
        return refuse(request, cudaErrorInvalidConfiguration,
                      "a grid of 0 blocks (%u x %u x %u); at least 1", grid.x, grid.y, grid.z);
    if (grid.x > SIM_MOST_GRID_X || grid.y > SIM_MOST_GRID_YZ || grid.z > SIM_MOST_GRID_YZ)
        return refuse(request, cudaErrorInvalidConfiguration,
                      "a grid of %u x %u x %u blocks; at most %u x %d x %d", grid.x, grid.y, grid.z,
                      SIM_MOST_GRID_X, SIM_MOST_GRID_YZ, SIM_MOST_GRID_YZ);
    return cudaSuccess;
}

/* A kernel runs on the device that is current, in a stream of that device. */
static cudaError_t check_device(const struct sim_launch *request)
{
    struct sim_call call = {request->name, (uintptr_t)request->caller};
    cudaError_t error = sim_check_stream(call, (cudaStream_t)request->stream);
    if (error)
        return error;
    unsigned int device = sim_current_device();
    unsigned int of_stream = sim_stream_device((cudaStream_t)request->stream);
    if (of_stream == device)
        return cudaSuccess;
    return refuse(request, cudaErrorInvalidResourceHandle,
                  "its stream belongs to device %u, and device %u is current: cudaSetDevice(%u) "
                  "comes before the launch",
                  of_stream, device, of_stream);
}

/* The first limit that the launch breaks names its error. */
static cudaError_t check_limits(const struct sim_launch *request)
{
    cudaError_t error = check_block(request);
    if (!error)
        error = check_grid(request);
    if (!error)
        error = check_device(request);
    if (error)
        return error;
    unsigned int device = sim_current_device();
    size_t most = sim_kernel_attributes(request->kernel)->dynamic_shared_maximum[device];
    if (request->shared_bytes > most)
        return refuse(request, cudaErrorInvalidValue,
                      "%zu bytes of dynamic shared memory; at most %zu unless "
                      "cudaFuncSetAttribute allows more",
                      request->shared_bytes, most);
    int fit = sim_blocks_per_multiprocessor(request->kernel, (unsigned int)volume(request->block),
                                            request->shared_bytes);
    if (fit == 0)
        return refuse(request, cudaErrorInvalidValue,
                      "a multiprocessor has no room for one such block");
    uint64_t resident = (uint64_t)fit * sim_options()->multiprocessors;
    if (request->cooperative && volume(request->grid) > resident)
        return refuse(request, cudaErrorCooperativeLaunchTooLarge,
                      "%llu blocks of a cooperative launch; at most %llu are resident at a time",
                      (unsigned long long)volume(request->grid), (unsigned long long)resident);
    return cudaSuccess;
}

/* A launch of a graph: its arguments follow. */
struct launch_job {
    struct sim_launch request;
    unsigned int device;
    _Alignas(16) char closure[];
};

/* Runs it. A launch that a GPU would have refused does no harm to those that follow. */
static cudaError_t run(const struct sim_launch *request, unsigned int device, cudaStream_t stream)
{
    cudaError_t error = sim_stream_runs(request, device, stream);
    return sim_set_error(error, error != cudaErrorInvalidValue);
}

static cudaError_t run_launch(struct sim_call call, const void *payload)
{
    const struct launch_job *job = payload;
    struct sim_launch request = job->request;
    (void)call;
    request.closure = job->closure;
    cudaError_t error = sim_sticky_error();
    return error ? error : run(&request, job->device, NULL);
}

static cudaError_t record(struct sim_call call, const struct sim_launch *request)
{
    size_t bytes = sizeof(struct launch_job) + request->closure_bytes;
    struct launch_job *job = malloc(bytes);
    if (!job)
        return sim_refuse(call, cudaErrorMemoryAllocation, "the host is out of memory");
    job->request = *request;
    job->device = sim_current_device();
    memcpy(job->closure, request->closure, request->closure_bytes);
    cudaError_t error = sim_in_stream(call, (cudaStream_t)request->stream, run_launch, job, bytes);
    free(job);
    return error;
}

int sim_launch(const struct sim_launch *request)
{
    if (sim_lane) {
        sim_report(CHECK_MEMORY, sim_lane, (uintptr_t)__builtin_return_address(0),
                   "A kernel starts a kernel: the simulated GPU cannot do that",
                   "dynamic parallelism is not supported", "start it from the host");
        sim_stop_launch(sim_running, cudaErrorLaunchFailure);
    }
    sim_enter();
    cudaError_t error = sim_sticky_error();
    if (!error)
        error = check_limits(request);
    /* A grid of no blocks has nothing to do: who forgets to ask misses nothing. */
    if (error && error != sim_sticky_error() && volume(request->grid) > 0)
        sim_refuse_launch(request, error);
    if (error)
        error = sim_set_error(error, false);
    else if (sim_is_captured((cudaStream_t)request->stream))
        error = record((struct sim_call){request->name, (uintptr_t)__builtin_return_address(0)},
                       request);
    else
        error = run(request, sim_current_device(), (cudaStream_t)request->stream);
    sim_leave();
    return (int)error;
}
