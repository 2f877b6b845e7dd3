/* kernel_launch.c - where a launch begins: name<<<...>>>(...) and cudaLaunchKernel. */
#include <stdlib.h>
#include <string.h>

#include "runtime/runtime.h"

static uint64_t volume(struct sim_index size)
{
    return (uint64_t)size.x * size.y * size.z;
}

static bool is_possible(struct sim_index grid, struct sim_index block)
{
    return volume(grid) > 0 && grid.x <= SIM_MOST_GRID_X && grid.y <= SIM_MOST_GRID_YZ &&
           grid.z <= SIM_MOST_GRID_YZ && volume(block) > 0 && block.x <= SIM_THREADS_PER_BLOCK &&
           block.y <= SIM_THREADS_PER_BLOCK && block.z <= SIM_MOST_BLOCK_Z &&
           volume(block) <= SIM_THREADS_PER_BLOCK;
}

/* The first limit that the launch breaks names its error. */
static cudaError_t check_limits(const struct sim_launch *request)
{
    if (!is_possible(request->grid, request->block))
        return cudaErrorInvalidConfiguration;
    if (request->shared_bytes > sim_kernel_attributes(request->kernel)->dynamic_shared_maximum)
        return cudaErrorInvalidValue;
    int fit = sim_blocks_per_multiprocessor(request->kernel, (unsigned int)volume(request->block),
                                            request->shared_bytes);
    if (fit == 0)
        return cudaErrorInvalidValue;
    uint64_t resident = (uint64_t)fit * sim_options()->multiprocessors;
    if (request->cooperative && volume(request->grid) > resident)
        return cudaErrorCooperativeLaunchTooLarge;
    return cudaSuccess;
}

/* A launch of a graph: its arguments follow. */
struct launch_job {
    struct sim_launch request;
    _Alignas(16) char closure[];
};

static cudaError_t run_launch(struct sim_call call, const void *payload)
{
    const struct launch_job *job = payload;
    struct sim_launch request = job->request;
    (void)call;
    request.closure = job->closure;
    cudaError_t error = sim_sticky_error();
    return error ? error : sim_set_error(sim_stream_runs(&request, NULL), true);
}

static cudaError_t record(struct sim_call call, const struct sim_launch *request)
{
    size_t bytes = sizeof(struct launch_job) + request->closure_bytes;
    struct launch_job *job = malloc(bytes);
    if (!job)
        return sim_refuse(call, cudaErrorMemoryAllocation, "the host is out of memory");
    job->request = *request;
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
    if (error)
        error = sim_set_error(error, false);
    else if (sim_is_captured((cudaStream_t)request->stream))
        error = record((struct sim_call){request->name, (uintptr_t)__builtin_return_address(0)},
                       request);
    else
        error = sim_set_error(sim_stream_runs(request, (cudaStream_t)request->stream), true);
    sim_leave();
    return (int)error;
}
