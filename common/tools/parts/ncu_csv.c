/* ncu_csv.c - a row for each metric of a launch, in the columns of ncu --csv.
 *
 * The names of sections, metrics and units are those of ncu 2025 on its details page. Of what the
 * simulator does not have there is what ncu says of a program with one context that uses the
 * default stream; of what it does not count there is no row. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grouped.h"
#include "ncu_csv.h"

struct launch {
    unsigned int number;
    const char *kernel;
    unsigned long long block[3], grid[3];
};

void ncu_csv_header(void)
{
    static const char *const columns[] = {
        "ID",      "Process ID",   "Process Name", "Host Name",   "Kernel Name",
        "Context", "Stream",       "Block Size",   "Grid Size",   "Device",
        "CC",      "Section Name", "Metric Name",  "Metric Unit", "Metric Value"};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        printf("%s\"%s\"", i ? "," : "", columns[i]);
    putchar('\n');
}

static void print_metric(const struct launch *launch, const char *section, const char *metric,
                         const char *unit, unsigned long long value)
{
    printf("\"%u\",\"1\",\"histogram\",\"127.0.0.1\",\"%s\",\"1\",\"7\",\"(%llu, %llu, "
           "%llu)\",\"(%llu, %llu, %llu)\",\"0\",\"9.0\",\"%s\",\"%s\",\"%s\",\"%s\"\n",
           launch->number, launch->kernel, launch->block[0], launch->block[1], launch->block[2],
           launch->grid[0], launch->grid[1], launch->grid[2], section, metric, unit,
           grouped(value));
}

static const char *unit_of(const char *metric)
{
    if (strstr(metric, "__t_requests"))
        return "request";
    if (strstr(metric, "__t_sectors"))
        return "sector";
    return strstr(metric, "__inst_executed") ? "inst" : "";
}

static unsigned long long number_of(const struct csv *launch, const char *column)
{
    const char *value = csv_find(launch, column);
    return value ? strtoull(value, NULL, 10) : 0;
}

void ncu_csv_launch(const struct csv *row, unsigned int number)
{
    static const char statistics[] = "Launch Statistics";
    const char *kernel = csv_find(row, "kernel");
    const struct launch launch = {
        .number = number,
        .kernel = kernel ? kernel : "",
        .block = {number_of(row, "block_x"), number_of(row, "block_y"), number_of(row, "block_z")},
        .grid = {number_of(row, "grid_x"), number_of(row, "grid_y"), number_of(row, "grid_z")}};
    const unsigned long long threads = launch.block[0] * launch.block[1] * launch.block[2],
                             blocks = launch.grid[0] * launch.grid[1] * launch.grid[2];
    print_metric(&launch, statistics, "Block Size", "", threads);
    print_metric(&launch, statistics, "Grid Size", "", blocks);
    print_metric(&launch, statistics, "Threads", "thread", blocks * threads);
    for (size_t i = 0; i < row->columns; i++)
        if (strchr(row->column[i], '.')) /* a counter */
            print_metric(&launch, "Memory Workload Analysis Tables", row->column[i],
                         unit_of(row->column[i]), strtoull(row->value[i], NULL, 10));
}
