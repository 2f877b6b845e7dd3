/* card.c - whether the simulated GPU counts a chapter's kernel as the card did. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "csv.h"
#include "util.h"

/* How much more the card may count, of one file: docs/results/h200/allowances.csv. */
struct allowance {
    const char *kernel, *bins, *counter;
    double more;
};
static struct allowance *allowances;
static size_t allowance_count;

static void open_or_end(struct csv *csv, const char *file)
{
    if (!csv_open(csv, file))
        fail(2, "%s: %s", file, strerror(errno));
}

/* Reads those that are about the file with the card's counters. */
static void read_allowances(const char *file, const char *counters)
{
    static struct csv csv;
    open_or_end(&csv, file);
    while (csv_next(&csv)) {
        if (strcmp(csv_text(&csv, "file"), base_name(counters)) != 0)
            continue;
        allowances = grow(allowances, allowance_count, 1, sizeof *allowances);
        allowances[allowance_count++] =
            (struct allowance){.kernel = format("%s", csv_text(&csv, "kernel")),
                               .bins = format("%s", csv_text(&csv, "case")),
                               .counter = format("%s", csv_text(&csv, "counter")),
                               .more = csv_number(&csv, "more")};
    }
    csv_close(&csv);
}

static bool is_of(const struct allowance *allowance, const struct csv *row)
{
    return strcmp(allowance->kernel, csv_text(row, "name")) == 0 &&
           strcmp(allowance->bins, csv_text(row, "bins")) == 0;
}

/* How much more the card counts than a row's `counter`. */
static double allowed(const struct csv *row, const char *counter)
{
    for (const struct allowance *one = allowances; one < allowances + allowance_count; one++)
        if (is_of(one, row) && strcmp(one->counter, counter) == 0)
            return one->more;
    return 0;
}

/* Finds the card's counters for a row. */
static bool find_on_card(struct csv *card, const char *file, const struct csv *row)
{
    open_or_end(card, file);
    bool found = false;
    while (!found && csv_next(card))
        found = csv_number(card, "chapter") == csv_number(row, "chapter") &&
                csv_number(card, "bins") == csv_number(row, "bins");
    csv_close(card);
    return found;
}

/* Returns how many counters differ by another number than is allowed; prints them. */
static unsigned int compare(const struct csv *card, const struct csv *row)
{
    unsigned int wrong = 0;
    for (size_t i = 0; i < row->columns; i++) {
        const char *counter = row->column[i];
        const char *measured = strstr(counter, ".sum") ? csv_find(card, counter) : NULL;
        double more = allowed(row, counter);
        if (!measured || strtod(measured, NULL) - strtod(row->value[i], NULL) == more)
            continue;
        printf("chapter %s, %s bins: %s: %s on the H200, %s simulated, which may be %.0f apart\n",
               csv_text(row, "chapter"), csv_text(row, "bins"), counter, measured, row->value[i],
               more);
        wrong++;
    }
    return wrong;
}

/* An allowance that is zero, or for what the card has not counted, hides a mistake in its words. */
static unsigned int useless_allowances(const char *counters)
{
    static struct csv card;
    unsigned int wrong = 0;
    for (const struct allowance *one = allowances; one < allowances + allowance_count; one++) {
        bool counted = false;
        open_or_end(&card, counters);
        while (!counted && csv_next(&card))
            counted = is_of(one, &card) && csv_find(&card, one->counter);
        csv_close(&card);
        if (counted && one->more != 0)
            continue;
        printf("%s, %s bins: an allowance of %.0f for %s, which allows nothing\n", one->kernel,
               one->bins, one->more, one->counter);
        wrong++;
    }
    return wrong;
}

/* COUNTERS.csv ALLOWANCES.csv ROW.csv...: a ROW.csv is what row.c writes, of the text that
 * COUNTERS.csv, the card's, is about. Every counter that both have must be equal, but for those in
 * ALLOWANCES.csv, which says for each how much more the card counts, and why: there the difference
 * must be just that. Prints a line for each counter that is not as it must be, and at last "12
 * passed, 0 failed", by rows; status 1 when one failed, or none was compared. */
int card_command(int count, char **arguments)
{
    static struct csv card, row;
    unsigned int passed = 0, failed = 0;
    read_allowances(arguments[2], arguments[1]);
    failed += useless_allowances(arguments[1]);
    for (int i = 3; i < count; i++) {
        if (!csv_first(&row, arguments[i])) {
            printf("%s: there is no row in it\n", arguments[i]);
            failed++;
            continue;
        }
        if (!find_on_card(&card, arguments[1], &row))
            continue;
        if (compare(&card, &row) > 0)
            failed++;
        else
            passed++;
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed > 0 || passed == 0;
}
