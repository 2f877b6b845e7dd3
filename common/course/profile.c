/* profile.c - shows the counters of each launch, with a sentence for each number but 0. */
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
    print_wrapped(format("launch %u: %s, grid (%s,%s,%s), block (%s,%s,%s)", number,
                         field_of(launch, "kernel"), field_of(launch, "grid_x"),
                         field_of(launch, "grid_y"), field_of(launch, "grid_z"),
                         field_of(launch, "block_x"), field_of(launch, "block_y"),
                         field_of(launch, "block_z")),
                  0, WIDEST);
    for (size_t i = 0; i < launch->columns; i++) {
        const char *name = launch->column[i];
        const unsigned long long value = strtoull(launch->value[i], NULL, 10);
        if (!strchr(name, '.') ||
            value == 0) /* the columns that are no counters; what did not happen */
            continue;
        printf("%16s  %s\n", grouped(value), name);
        print_wrapped(sentence_of(name), 18, WIDEST);
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

/* FILE.csv...: each is what the simulator writes for SIM_PROFILE, a row for each launch. */
int profile_command(int count, char **arguments)
{
    for (int i = 1; i < count; i++)
        print_file(arguments[i]);
    return 0;
}
