/* kernel_launch.c - where a launch begins: name<<<...>>>(...) and cudaLaunchKernel. */
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
    else
        error = sim_set_error(sim_run_grid(request), true);
    sim_leave();
    return (int)error;
}
