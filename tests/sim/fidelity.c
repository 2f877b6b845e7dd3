/* fidelity.c - the simulator counts what an H200 counted, kernel by kernel.
 *
 * tests/fidelity/kernels.cu ran twice under Nsight Compute on the hardware; what
 * it counted stands in docs/results/h200/fidelity.csv and fidelity-again.csv.
 * Here the same program runs on the simulator and every number is compared: it equals one of
 * the two, or differs from the first by what docs/results/h200/allowances.csv says. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 32, ROWS = 256, LINE = 4096 };

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
            else if (column == 0)
                snprintf(table->kernel[row], sizeof table->kernel[0], "%s", field);
            else
                table->value[row][column] = atol(field);
        }
        table->columns = column;
        table->rows = row + 1;
    }
    fclose(file);
}

static void run_on_the_simulator(const char *profile)
{
    char command[1024];
    const char *build = getenv("BUILD") ? getenv("BUILD") : "build";
    snprintf(command, sizeof command,
             "common/sim/simcc tests/fidelity/kernels.cu -o %s/fidelity-kernels && "
             "SIM_PROFILE=%s SIM_CHECKS=none %s/fidelity-kernels",
             build, profile, build);
    cr_assert_eq(system(command), 0, "%s", command);
}

/* Where no rule gives the card's number: how much more it counts, and in which launch. */
static struct allowance {
    char kernel[64], counter[96];
    int launch;
    long more;
} allowances[ROWS];
static int allowance_count;

static void read_allowances(const char *path)
{
    char line[LINE];
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "cannot read %s", path);
    while (fgets(line, sizeof line, file)) {
        struct allowance *next = &allowances[allowance_count];
        cr_assert(allowance_count < ROWS - 1);
        allowance_count += sscanf(line, "fidelity.csv,%63[^,],%d,%95[^,],%ld,", next->kernel,
                                  &next->launch, next->counter, &next->more) == 4;
    }
    fclose(file);
}

static const struct allowance *find_allowance(int launch, const char *counter)
{
    for (const struct allowance *one = allowances; one < allowances + allowance_count; one++)
        if (one->launch == launch && strcmp(one->counter, counter) == 0)
            return one;
    return NULL;
}

Test(fidelity, every_kernel_counts_as_on_the_hardware, .timeout = 60)
{
    static struct table once, again, here;
    char profile[] = "/tmp/fidelity-XXXXXX";
    int descriptor = mkstemp(profile), compared = 0, used = 0;
    cr_assert_geq(descriptor, 0);
    run_on_the_simulator(profile);
    read_table(&here, profile);
    remove(profile);
    read_table(&once, "docs/results/h200/fidelity.csv");
    read_table(&again, "docs/results/h200/fidelity-again.csv");
    cr_assert_eq(here.rows, once.rows);
    read_allowances("docs/results/h200/allowances.csv");
    for (int row = 0; row < here.rows; row++)
        for (int column = 1; column < here.columns; column++) {
            long hardware = once.value[row][column], repeated = again.value[row][column];
            long simulated = here.value[row][column];
            const struct allowance *allowed = find_allowance(row + 1, here.names[column]);
            cr_expect(allowed ? simulated + allowed->more == hardware && simulated != hardware &&
                                    simulated != repeated
                              : simulated == hardware || simulated == repeated,
                      "%s, launch %d: %s: %ld and %ld on the H200, %ld simulated, allowed %ld",
                      here.kernel[row], row + 1, here.names[column], hardware, repeated, simulated,
                      allowed ? allowed->more : 0);
            cr_assert_str_eq(here.kernel[row], once.kernel[row]);
            cr_assert_str_eq(here.names[column], once.names[column]);
            cr_expect(!allowed || strcmp(allowed->kernel, here.kernel[row]) == 0);
            compared++;
            used += allowed != NULL;
        }
    cr_expect_geq(compared, 146 * 21);
    cr_expect_eq(used, allowance_count, "%d of %d allowances name a number", used, allowance_count);
}
