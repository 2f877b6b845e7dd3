/* profile.c - shows the counters of each launch, with a sentence for each number.
 *
 *     profile FILE.csv
 *
 * FILE.csv is what the simulator writes for SIM_PROFILE: a row for each launch. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grouped.h"
#include "csv.h"
#include "sim.h"

/* A table of one launch. */
struct launch {
    char **column, **value;
    size_t columns;
};

static const char *field(const struct launch *launch, const char *column)
{
    for (size_t i = 0; i < launch->columns; i++)
        if (strcmp(launch->column[i], column) == 0)
            return launch->value[i];
    return "0";
}

static const char *sentence_of(const char *metric)
{
    for (size_t i = 0; i < sim_metric_count(); i++)
        if (strcmp(sim_metric(i).name, metric) == 0)
            return sim_metric(i).sentence;
    return "a counter that this program does not know";
}

/* Sectors by the requests that moved them: the number that is compared. */
static void print_ratio(const struct launch *launch, const char *metric)
{
    static const char sectors[] = "l1tex__t_sectors_", requests[] = "l1tex__t_requests_";
    if (strncmp(metric, sectors, sizeof sectors - 1) != 0)
        return;
    char name[128];
    snprintf(name, sizeof name, "%s%s", requests, metric + sizeof sectors - 1);
    double moved = strtod(field(launch, metric), NULL), asked = strtod(field(launch, name), NULL);
    if (asked > 0)
        printf("%18s%.2f for each request\n", "", moved / asked);
}

static void print_launch(const struct launch *launch, unsigned int number)
{
    printf("launch %u: %s, grid (%s,%s,%s), block (%s,%s,%s)\n", number, field(launch, "kernel"),
           field(launch, "grid_x"), field(launch, "grid_y"), field(launch, "grid_z"),
           field(launch, "block_x"), field(launch, "block_y"), field(launch, "block_z"));
    for (size_t i = 0; i < launch->columns; i++) {
        const char *name = launch->column[i];
        if (!strchr(name, '.')) /* the columns that are no counters */
            continue;
        printf("%16s  %s\n", grouped(strtoull(launch->value[i], NULL, 10)), name);
        printf("%18s%s\n", "", sentence_of(name));
        print_ratio(launch, name);
    }
}

int main(int count, char **arguments)
{
    static char header[CSV_LINE], line[CSV_LINE];
    char *column[CSV_COLUMNS], *value[CSV_COLUMNS];
    FILE *file = count == 2 ? fopen(arguments[1], "r") : NULL;
    if (!file || !fgets(header, sizeof header, file)) {
        printf("no kernel was launched, so there is nothing to count\n");
        return 0;
    }
    struct launch launch = {.column = column, .value = value, .columns = csv_cut(header, column)};
    for (unsigned int number = 1; fgets(line, sizeof line, file); number++)
        if (csv_cut(line, value) == launch.columns)
            print_launch(&launch, number);
    fclose(file);
    return 0;
}
