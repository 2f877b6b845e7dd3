/* profile_rows.c - SIM_PROFILE=FILE.csv: one row for each launch. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"

/* A row that is lost must not be lost in silence. */
static void refuse(const char *name)
{
    fprintf(stderr, "SIM_PROFILE: cannot write %s: %s\n", name, strerror(errno));
    exit(2);
}

static FILE *open_profile(const char *name)
{
    FILE *file = fopen(name, "w");
    if (!file)
        refuse(name);
    fprintf(file, "kernel,grid_x,grid_y,grid_z,block_x,block_y,block_z");
    for (size_t i = 0; i < sim_metric_count(); i++)
        fprintf(file, ",%s", sim_metric(i).name);
    fprintf(file, "\n");
    return file;
}

/* Flushed row by row: a program that crashes later leaves the rows of what ran. */
static void write_row(struct launch *launch)
{
    static FILE *file;
    if (!sim_options()->profile)
        return;
    if (!file)
        file = open_profile(sim_options()->profile);
    struct sim_index grid = launch->request->grid, block = launch->request->block;
    fprintf(file, "%s,%u,%u,%u,%u,%u,%u", launch->request->name, grid.x, grid.y, grid.z, block.x,
            block.y, block.z);
    for (size_t i = 0; i < sim_metric_count(); i++)
        fprintf(file, ",%llu", (unsigned long long)sim_metric_value(&launch->counters, i));
    fprintf(file, "\n");
    if (fflush(file) != 0)
        refuse(sim_options()->profile);
}

const struct observer sim_profiling = {.launch_is_over = write_row};
