/* fidelity.c - the simulator counts what an H200 counted, launch by launch.
 *
 * tests/fidelity/kernels.cu ran twice under Nsight Compute on the hardware, patterns.cu once, its
 * last launches twice, updates.cu, loads.cu and aggregates.cu once; what it counted stands in
 * docs/results/h200/fidelity.csv, fidelity-again.csv, patterns.csv, patterns-again.csv,
 * updates.csv, loads.csv and aggregates.csv. Here the same programs run on the simulator and every number is
 * compared: it equals one of the two, or differs from the first by what
 * docs/results/h200/allowances.csv says. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COLUMNS = 32, ROWS = 2048, LINE = 4096 };

struct table {
    char names[COLUMNS][96];
    char kernel[ROWS][64];
    long value[ROWS][COLUMNS];
    int columns, rows;
};

static void read_table(struct table *table, const char *path)
{
    char line[LINE];
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "cannot read %s", path);
    for (int row = -1; fgets(line, sizeof line, file); row++) {
        int column = 0;
        for (char *field = strtok(line, ",\n"); field; field = strtok(NULL, ",\n"), column++) {
            cr_assert(column < COLUMNS && row < ROWS);
            if (row < 0)
                snprintf(table->names[column], sizeof table->names[0], "%s", field);
            else if (strcmp(table->names[column], "kernel") == 0)
                snprintf(table->kernel[row], sizeof table->kernel[0], "%s", field);
            else
                table->value[row][column] = atol(field);
        }
        table->columns = row < 0 ? column : table->columns;
        table->rows = row + 1;
    }
    fclose(file);
}

static int find_column(const struct table *table, const char *name)
{
    for (int column = 0; column < table->columns; column++)
        if (strcmp(table->names[column], name) == 0)
            return column;
    return -1;
}

/* `program` is one of tests/fidelity; its numbers go to `here`. */
static void run_on_the_simulator(const char *program, struct table *here)
{
    char command[1024], profile[] = "/tmp/fidelity-XXXXXX";
    const char *build = getenv("BUILD") ? getenv("BUILD") : "build";
    int descriptor = mkstemp(profile);
    cr_assert_geq(descriptor, 0);
    snprintf(command, sizeof command,
             "common/sim/simcc tests/fidelity/%s.cu -o %s/fidelity-%s && "
             "SIM_PROFILE=%s SIM_CHECKS=none %s/fidelity-%s /dev/null",
             program, build, program, profile, build, program);
    cr_assert_eq(system(command), 0, "%s", command);
    read_table(here, profile);
    remove(profile);
}

/* Where no rule gives the card's number: how much more it counts, and in which launch. */
static struct allowance {
    char kernel[64], counter[96];
    int launch;
    long more;
} allowances[ROWS];
static int allowance_count;

/* Reads those that are about `file`. */
static void read_allowances(const char *path, const char *file)
{
    char line[LINE];
    size_t length = strlen(file);
    FILE *all = fopen(path, "r");
    cr_assert_not_null(all, "cannot read %s", path);
    allowance_count = 0;
    while (fgets(line, sizeof line, all)) {
        struct allowance *next = &allowances[allowance_count];
        cr_assert(allowance_count < ROWS - 1);
        if (strncmp(line, file, length) == 0 && line[length] == ',')
            allowance_count += sscanf(line + length, ",%63[^,],%d,%95[^,],%ld,", next->kernel,
                                      &next->launch, next->counter, &next->more) == 4;
    }
    fclose(all);
}

static const struct allowance *find_allowance(int launch, const char *counter)
{
    for (const struct allowance *one = allowances; one < allowances + allowance_count; one++)
        if (one->launch == launch && strcmp(one->counter, counter) == 0)
            return one;
    return NULL;
}

/* Compares what both files count; `again` has the last launches of `once`, or all, a second time.
 * Returns how many numbers it compared. */
static int compare(const struct table *here, const struct table *once, const struct table *again)
{
    int compared = 0, used = 0, counted_once = once->rows - again->rows;
    cr_assert_eq(here->rows, once->rows, "%d launches, and %d on the H200", here->rows, once->rows);
    for (int row = 0; row < here->rows; row++)
        for (int column = 0; column < here->columns; column++) {
            const char *name = here->names[column];
            int place = find_column(once, name);
            if (place < 0 || strcmp(name, "kernel") == 0)
                continue;
            long hardware = once->value[row][place], simulated = here->value[row][column];
            long repeated = row < counted_once ? hardware : again->value[row - counted_once][place];
            const struct allowance *allowed = find_allowance(row + 1, name);
            cr_expect(allowed ? simulated + allowed->more == hardware && simulated != hardware &&
                                    simulated != repeated
                              : simulated == hardware || simulated == repeated,
                      "%s, launch %d: %s: %ld and %ld on the H200, %ld simulated, allowed %ld",
                      here->kernel[row], row + 1, name, hardware, repeated, simulated,
                      allowed ? allowed->more : 0);
            cr_assert_str_eq(here->kernel[row], once->kernel[row]);
            cr_expect(!allowed || strcmp(allowed->kernel, here->kernel[row]) == 0);
            compared++;
            used += allowed != NULL;
        }
    cr_expect_eq(used, allowance_count, "%d of %d allowances name a number", used, allowance_count);
    return compared;
}

Test(fidelity, every_kernel_counts_as_on_the_hardware, .timeout = 600)
{
    static struct table once, again, here;
    run_on_the_simulator("kernels", &here);
    read_table(&once, "docs/results/h200/fidelity.csv");
    read_table(&again, "docs/results/h200/fidelity-again.csv");
    read_allowances("docs/results/h200/allowances.csv", "fidelity.csv");
    cr_expect_geq(compare(&here, &once, &again), 146 * 21);
}

/* Counted once: there is no second run that would tell noise. */
Test(fidelity, every_update_of_part_two_counts_as_on_the_hardware, .timeout = 600)
{
    static struct table once, here;
    run_on_the_simulator("updates", &here);
    read_table(&once, "docs/results/h200/updates.csv");
    read_allowances("docs/results/h200/allowances.csv", "updates.csv");
    cr_expect_geq(compare(&here, &once, &once), 830 * 9);
}

Test(fidelity, every_pattern_of_lanes_counts_as_on_the_hardware, .timeout = 600)
{
    static struct table once, again, here;
    run_on_the_simulator("patterns", &here);
    read_table(&once, "docs/results/h200/patterns.csv");
    read_table(&again, "docs/results/h200/patterns-again.csv");
    read_allowances("docs/results/h200/allowances.csv", "patterns.csv");
    cr_expect_geq(compare(&here, &once, &again), 842 * 9);
}

Test(fidelity, every_wide_load_counts_as_on_the_hardware, .timeout = 600)
{
    static struct table once, here;
    run_on_the_simulator("loads", &here);
    read_table(&once, "docs/results/h200/loads.csv");
    read_allowances("docs/results/h200/allowances.csv", "loads.csv");
    cr_expect_geq(compare(&here, &once, &once), 960 * 4);
}

/* Which members of a structure are read is the compiler's choice: the allowances are gcc's. */
#ifndef __clang__
Test(fidelity, every_structure_counts_as_on_the_hardware, .timeout = 600)
{
    static struct table once, here;
    run_on_the_simulator("aggregates", &here);
    read_table(&once, "docs/results/h200/aggregates.csv");
    read_allowances("docs/results/h200/allowances.csv", "aggregates.csv");
    cr_expect_geq(compare(&here, &once, &once), 135 * 15);
}
#endif
