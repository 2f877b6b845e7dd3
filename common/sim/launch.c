/* launch.c - a kernel launch: its limits, its run, what is kept of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "memory.h"

enum { INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_CONFIGURATION = 9, TOO_LARGE = 720 };

static struct sim_launch_shape last;

struct sim_launch_shape sim_last_launch(void)
{
    return last;
}

static uint64_t only_last; /* blocks of a grid that run; 0 for all */

void sim_run_only_last(uint64_t blocks)
{
    only_last = blocks;
}

struct sim_kernel_attributes *sim_kernel_attributes(const void *kernel)
{
    static struct known {
        const void *kernel;
        struct sim_kernel_attributes attributes;
        struct known *next;
    } * list;
    for (struct known *k = list; k; k = k->next)
        if (k->kernel == kernel)
            return &k->attributes;
    struct known *k = calloc(1, sizeof *k);
    if (!k) {
        fprintf(stderr, "simulated GPU: the host is out of memory\n");
        exit(1);
    }
    k->kernel = kernel;
    k->attributes.dynamic_shared_maximum = SIM_SHARED_PER_BLOCK;
    k->next = list;
    list = k;
    return &k->attributes;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

int sim_blocks_per_multiprocessor(const void *kernel, unsigned int threads, size_t dynamic_shared)
{
    size_t shared = sim_kernel_attributes(kernel)->static_shared + dynamic_shared;
    if (threads == 0 || threads > SIM_THREADS_PER_BLOCK || shared > SIM_SHARED_PER_BLOCK_OPTIN)
        return 0;
    size_t warps = (threads + SIM_WARP_SIZE - 1) / SIM_WARP_SIZE;
    size_t blocks = SIM_THREADS_PER_MULTIPROCESSOR / SIM_WARP_SIZE / warps;
    blocks = smaller(blocks, SIM_BLOCKS_PER_MULTIPROCESSOR);
    return (int)smaller(blocks,
                        SIM_SHARED_PER_MULTIPROCESSOR / (shared + SIM_SHARED_RESERVED_PER_BLOCK));
}

static uint64_t volume(struct sim_index size)
{
    return (uint64_t)size.x * size.y * size.z;
}

static int check_limits(const struct sim_launch *request)
{
    struct sim_index grid = request->grid, block = request->block;
    if (volume(grid) == 0 || volume(block) == 0 || grid.x > 0x7fffffff || grid.y > 65535 ||
        grid.z > 65535 || block.x > 1024 || block.y > 1024 || block.z > 64 ||
        volume(block) > SIM_THREADS_PER_BLOCK)
        return INVALID_CONFIGURATION;
    if (request->shared_bytes > sim_kernel_attributes(request->kernel)->dynamic_shared_maximum)
        return INVALID_VALUE;
    int fit = sim_blocks_per_multiprocessor(request->kernel, (unsigned int)volume(block),
                                            request->shared_bytes);
    if (fit == 0)
        return INVALID_VALUE;
    if (request->cooperative && volume(grid) > (uint64_t)fit * sim_options()->multiprocessors)
        return TOO_LARGE;
    return 0;
}

static struct launch *new_launch(const struct sim_launch *request)
{
    enum { CALM_THREADS = 1024 }; /* resident at a time: more would wear out the cache */
    struct launch *launch = calloc(1, sizeof *launch);
    if (!launch)
        return NULL;
    launch->request = request;
    launch->threads = (unsigned int)volume(request->block);
    launch->warps = (launch->threads + SIM_WARP_SIZE - 1) / SIM_WARP_SIZE;
    launch->blocks = volume(request->grid);
    if (only_last > 0 && only_last < launch->blocks)
        launch->next_block = launch->first_block = launch->finished = launch->blocks - only_last;
    launch->random = (sim_options()->seed + 1) * 0x9e3779b97f4a7c15u | 1;
    size_t fit = (size_t)sim_blocks_per_multiprocessor(request->kernel, launch->threads,
                                                       request->shared_bytes);
    launch->resident_limit = smaller(fit * sim_options()->multiprocessors, launch->blocks);
    launch->resident_target = smaller(launch->resident_limit, 1 + CALM_THREADS / launch->threads);
    launch->closure = malloc(request->closure_bytes + 1);
    if (!launch->closure) {
        free(launch);
        return NULL;
    }
    memcpy(launch->closure, request->closure, request->closure_bytes);
    return launch;
}

static void remember(const struct launch *launch)
{
    const struct sim_launch *r = launch->request;
    last = (struct sim_launch_shape){.dynamic_shared = r->shared_bytes,
                                     .static_shared = launch->static_shared};
    snprintf(last.kernel, sizeof last.kernel, "%s", r->name);
    memcpy(last.grid, &r->grid, sizeof last.grid);
    memcpy(last.block, &r->block, sizeof last.block);
    sim_kernel_attributes(r->kernel)->static_shared = launch->static_shared;
}

static int run(const struct sim_launch *request)
{
    struct launch *launch = new_launch(request);
    if (!launch)
        return OUT_OF_MEMORY;
    sim_memory_open();
    sim_access_start();
    sim_watch_start();
    sim_clock_start_launch(launch);
    sim_schedule(launch);
    sim_watch_stop();
    sim_memory_close();
    sim_close_counters(launch);
    remember(launch);
    sim_profile_launch(launch);
    int error = launch->error;
    free(launch->closure);
    free(launch);
    return error;
}

int sim_launch(const struct sim_launch *request)
{
    if (sim_lane) {
        sim_report(sim_lane, (uintptr_t)__builtin_return_address(0),
                   "A kernel starts a kernel: the simulated GPU cannot do that",
                   "dynamic parallelism is not supported", "start it from the host");
        sim_stop_launch(sim_running, 719);
    }
    int error = sim_sticky_error();
    if (!error)
        error = check_limits(request);
    if (error)
        return sim_set_error(error, 0);
    return sim_set_error(run(request), 1);
}

struct sim_index sim_thread_index(void)
{
    return sim_lane ? sim_lane->thread : (struct sim_index){0, 0, 0};
}
struct sim_index sim_block_index(void)
{
    return sim_lane ? sim_lane->warp->block->index : (struct sim_index){0, 0, 0};
}
struct sim_index sim_block_dim(void)
{
    return sim_running ? sim_running->request->block : (struct sim_index){0, 0, 0};
}
struct sim_index sim_grid_dim(void)
{
    return sim_running ? sim_running->request->grid : (struct sim_index){0, 0, 0};
}
