/* profile.c - shows the counters of each launch, with a sentence for each number, or as Nsight
 * Compute prints them.
 *
 * There the names of sections, metrics and units are those of ncu 2025 on its details page. Of
 * what the simulator does not have there is what ncu says of a program with one context that uses
 * the default stream; of what it does not count there is no row. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "csv.h"
#include "grouped.h"
#include "sim.h"
#include "util.h"

static const char *field_of(const struct csv *launch, const char *column)
{
    const char *value = csv_find(launch, column);
    return value ? value : "0";
}

static const char *sentence_of(const char *metric)
{
    for (size_t i = 0; i < sim_metric_count(); i++)
        if (strcmp(sim_metric(i).name, metric) == 0)
            return sim_metric(i).sentence;
    return "a counter that this program does not know";
}

/* Sectors by the requests that moved them: the number that is compared. */
static void print_ratio(const struct csv *launch, const char *metric)
{
    static const char sectors[] = "l1tex__t_sectors_", requests[] = "l1tex__t_requests_";
    if (strncmp(metric, sectors, sizeof sectors - 1) != 0)
        return;
    char name[128];
    snprintf(name, sizeof name, "%s%s", requests, metric + sizeof sectors - 1);
    double moved = strtod(field_of(launch, metric), NULL),
           asked = strtod(field_of(launch, name), NULL);
    if (asked > 0)
        printf("%18s%.2f for each request\n", "", moved / asked);
}

static void print_launch(const struct csv *launch, unsigned int number)
{
    printf("launch %u: %s, grid (%s,%s,%s), block (%s,%s,%s)\n", number, field_of(launch, "kernel"),
           field_of(launch, "grid_x"), field_of(launch, "grid_y"), field_of(launch, "grid_z"),
           field_of(launch, "block_x"), field_of(launch, "block_y"), field_of(launch, "block_z"));
    for (size_t i = 0; i < launch->columns; i++) {
        const char *name = launch->column[i];
        if (!strchr(name, '.')) /* the columns that are no counters */
            continue;
        printf("%16s  %s\n", grouped(strtoull(launch->value[i], NULL, 10)), name);
        printf("%18s%s\n", "", sentence_of(name));
        print_ratio(launch, name);
    }
}

/* The launches of one file, as sentences. */
static void print_file(const char *name)
{
    static struct csv launches;
    if (!csv_open(&launches, name)) {
        printf("no kernel was launched, so there is nothing to count\n");
        return;
    }
    for (unsigned int number = 1; csv_next(&launches); number++)
        print_launch(&launches, number);
    csv_close(&launches);
}

static void print_columns(void)
{
    static const char *const columns[] = {
        "ID",      "Process ID",   "Process Name", "Host Name",   "Kernel Name",
        "Context", "Stream",       "Block Size",   "Grid Size",   "Device",
        "CC",      "Section Name", "Metric Name",  "Metric Unit", "Metric Value"};
    for (size_t i = 0; i < LENGTH(columns); i++)
        printf("%s\"%s\"", i ? "," : "", columns[i]);
    putchar('\n');
}

static void print_cell(const struct csv *launch, unsigned int number, const char *section,
                       const char *metric, const char *unit, unsigned long long value)
{
    printf("\"%u\",\"1\",\"histogram\",\"127.0.0.1\",\"%s\",\"1\",\"7\",\"(%s, %s, "
           "%s)\",\"(%s, %s, %s)\",\"0\",\"9.0\",\"%s\",\"%s\",\"%s\",\"%s\"\n",
           number, field_of(launch, "kernel"), field_of(launch, "block_x"),
           field_of(launch, "block_y"), field_of(launch, "block_z"), field_of(launch, "grid_x"),
           field_of(launch, "grid_y"), field_of(launch, "grid_z"), section, metric, unit,
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

/* The product of three columns, block_x, block_y and block_z. */
static unsigned long long product_of(const struct csv *launch, const char *what)
{
    unsigned long long product = 1;
    for (const char *axis = "xyz"; *axis; axis++)
        product *= strtoull(field_of(launch, format("%s_%c", what, *axis)), NULL, 10);
    return product;
}

/* A row for each metric of a launch, the row at hand. */
static void print_cells(const struct csv *launch, unsigned int number)
{
    static const char statistics[] = "Launch Statistics";
    const unsigned long long threads = product_of(launch, "block"),
                             blocks = product_of(launch, "grid");
    print_cell(launch, number, statistics, "Block Size", "", threads);
    print_cell(launch, number, statistics, "Grid Size", "", blocks);
    print_cell(launch, number, statistics, "Threads", "thread", blocks * threads);
    for (size_t i = 0; i < launch->columns; i++)
        if (strchr(launch->column[i], '.')) /* a counter */
            print_cell(launch, number, "Memory Workload Analysis Tables", launch->column[i],
                       unit_of(launch->column[i]), strtoull(launch->value[i], NULL, 10));
}

/* The launches of all files as one table; they are numbered from 0, as ncu does it. */
static void print_table(char *const files[])
{
    static struct csv launches;
    unsigned int number = 0;
    print_columns();
    for (; *files; files++) {
        if (!csv_open(&launches, *files)) {
            fprintf(stderr, "no kernel was launched, so there is nothing to count\n");
            continue;
        }
        while (csv_next(&launches))
            print_cells(&launches, number++);
        csv_close(&launches);
    }
}

/* FORMAT FILE.csv...: FORMAT is empty for sentences, or ncu-csv; FILE.csv what the simulator
 * writes for SIM_PROFILE, a row for each launch. */
int profile_command(int count, char **arguments)
{
    const char *shape = strcmp(arguments[1], "json") == 0 ? "" : arguments[1]; /* run_kernel.c */
    if (shape[0] && strcmp(shape, "ncu-csv") != 0)
        fail(1,
             "FORMAT=%s: there is no such format; ncu-csv is one, and without FORMAT "
             "there are sentences",
             shape);
    if (shape[0])
        print_table(arguments + 2);
    else
        for (int i = 2; i < count; i++)
            print_file(arguments[i]);
    return 0;
}
