/* grid.c - a launch from its request to its end, and what is kept of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"

static struct sim_launch_shape last;

struct sim_launch_shape sim_last_launch(void)
{
    return last;
}

/* The trial that is made; not `tried`: none. */
static struct sim_trial trial;
static bool tried;

void sim_try(const struct sim_trial *wanted)
{
    tried = wanted != NULL;
    trial = wanted ? *wanted : (struct sim_trial){0};
    sim_mute_reports(tried && !trial.aloud);
}

bool sim_is_idle(void)
{
    return tried && trial.idle;
}

const char *sim_trial_stopped(void)
{
    return sim_muted_report();
}

static bool is_tried(const struct sim_launch *request)
{
    return tried && trial.kernel && strcmp(request->name, trial.kernel) == 0;
}

/* The blocks before those that run in a trial, and behind them, count as finished. */
static void choose_blocks(struct launch *launch)
{
    enum { FEW = 64 };
    if (!tried || trial.last == 0 || (launch->blocks <= FEW && !is_tried(launch->request)))
        return;
    uint64_t end = trial.skip < launch->blocks ? launch->blocks - trial.skip : 0;
    uint64_t begin = trial.last < end ? end - trial.last : 0;
    launch->next_block = launch->first_block = begin;
    launch->finished = begin;
    launch->blocks = end;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static uint64_t volume(struct sim_index size)
{
    return (uint64_t)size.x * size.y * size.z;
}

static struct launch *new_launch(const struct sim_launch *request, unsigned int device)
{
    enum { FEW_THREADS = 1024 }; /* resident at a time: more would wear out the cache */
    struct launch *launch = calloc(1, sizeof *launch);
    if (!launch)
        return NULL;
    launch->request = request;
    launch->device = device;
    launch->threads = (unsigned int)volume(request->block);
    launch->warps = (launch->threads + WARP - 1) / WARP;
    launch->blocks = volume(request->grid);
    choose_blocks(launch);
    launch->random = (sim_options()->seed + 1) * 0x9e3779b97f4a7c15u | 1;
    size_t fit = (size_t)sim_blocks_per_multiprocessor(request->kernel, launch->threads,
                                                       request->shared_bytes);
    launch->resident_limit = smaller(fit * sim_options()->multiprocessors, launch->blocks);
    launch->resident_limit = smaller(launch->resident_limit, MOST_WARPS / launch->warps);
    launch->resident_target = smaller(launch->resident_limit,
                                      sim_options()->by_clock ? launch->resident_limit
                                                              : 1 + FEW_THREADS / launch->threads);
    launch->closure = malloc(request->closure_bytes + 1);
    if (!launch->closure) {
        free(launch);
        return NULL;
    }
    memcpy(launch->closure, request->closure, request->closure_bytes);
    return launch;
}

/* cudaFuncGetAttributes may ask for the static shared memory; it is known only now. */
static void remember(const struct launch *launch)
{
    const struct sim_launch *r = launch->request;
    last = (struct sim_launch_shape){.dynamic_shared = r->shared_bytes,
                                     .static_shared = launch->static_shared,
                                     .cooperative = r->cooperative != 0,
                                     .device = launch->device};
    snprintf(last.kernel, sizeof last.kernel, "%s", r->name);
    memcpy(last.grid, &r->grid, sizeof last.grid);
    memcpy(last.block, &r->block, sizeof last.block);
    sim_kernel_attributes(r->kernel)->static_shared = launch->static_shared;
}

/* Opens device memory, which only kernels may touch, for as long as the launch runs. */
cudaError_t sim_run_grid(const struct sim_launch *asked, unsigned int device)
{
    struct sim_launch larger = *asked, *request = &larger;
    if (sim_is_idle())
        return cudaSuccess;
    if (is_tried(asked) && trial.blocks > 0)
        larger.grid = (struct sim_index){trial.blocks, 1, 1};
    struct launch *launch = new_launch(request, device);
    if (!launch)
        return cudaErrorMemoryAllocation;
    sim_use_variables(device);
    sim_memory_open();
    sim_access_start();
    sim_note_types(launch);
    sim_watch_start();
    sim_choose_observers(launch);
    SIM_TELL(launch, launch_begins, launch);
    sim_schedule(launch);
    sim_watch_stop();
    sim_memory_close();
    remember(launch);
    SIM_TELL(launch, launch_is_over, launch);
    cudaError_t error = tried && !trial.aloud ? cudaSuccess : launch->error;
    free(launch->closure);
    free(launch);
    return error;
}
