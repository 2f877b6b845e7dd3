/* predictions.c - keeps predictions in a file that people can read: see predictions.h. */
#define _GNU_SOURCE
#include "predictions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

static bool read_line(const char *line, struct prediction *read)
{
    int begin = 0;
    char *end;
    *read = (struct prediction){.question = 0};
    if (sscanf(line, "%u%n", &read->question, &begin) != 1)
        return false;
    line += begin;
    line += strspn(line, " ");
    const char *colon = strchr(line, ':');
    if (!colon)
        return false;
    read->label = format("%.*s", (int)(colon - line), line);
    if (!*read->label) {
        read->words = format("%s", skip_blanks(colon + 1));
        return *read->words;
    }
    read->said = strtod(colon + 1, &end);
    read->is_counted = sscanf(end, "; counted %lf", &read->counted) == 1;
    return end != colon + 1 && isfinite(read->said);
}

void predictions_read(struct predictions *predictions, const char *kernel_file)
{
    predictions->file = beside(kernel_file, "predictions.txt");
    predictions->count = 0;
    for (struct lines in = lines_of(predictions->file); next_line(&in);)
        if (predictions->count < MOST_PREDICTIONS)
            predictions->count += read_line(in.line, &predictions->all[predictions->count]);
}

static void write_one(const struct prediction *one, FILE *to)
{
    if (!*one->label)
        fprintf(to, "%u: %s\n", one->question, one->words);
    else if (one->is_counted)
        fprintf(to, "%u %s: %.12g; counted %.12g\n", one->question, one->label, one->said,
                one->counted);
    else
        fprintf(to, "%u %s: %.12g\n", one->question, one->label, one->said);
}

bool predictions_write(const struct predictions *predictions)
{
    FILE *text = open_text();
    for (size_t i = 0; i < predictions->count; i++)
        write_one(&predictions->all[i], text);
    const char *whole = close_text(text);
    return replace_file(predictions->file, whole, strlen(whole));
}

struct prediction *prediction_of(struct predictions *predictions, unsigned int question,
                                 const char *label)
{
    for (size_t i = 0; i < predictions->count; i++)
        if (predictions->all[i].question == question &&
            strcmp(predictions->all[i].label, label) == 0)
            return &predictions->all[i];
    return NULL;
}

struct prediction *prediction_add(struct predictions *predictions, unsigned int question,
                                  const char *label)
{
    if (predictions->count == MOST_PREDICTIONS)
        return NULL;
    struct prediction *new = &predictions->all[predictions->count++];
    *new = (struct prediction){.question = question, .label = label};
    return new;
}

double prediction_factor(const struct prediction *prediction)
{
    double said = prediction->said, counted = prediction->counted;
    if (said == counted)
        return 1;
    if (said <= 0 || counted <= 0)
        return INFINITY;
    return said > counted ? said / counted : counted / said;
}

static int by_size(const void *one, const void *other)
{
    double first = *(const double *)one, second = *(const double *)other;
    return (first > second) - (first < second);
}

size_t predictions_factors(const struct predictions *predictions, double factors[MOST_PREDICTIONS])
{
    size_t count = 0;
    for (size_t i = 0; i < predictions->count; i++)
        if (predictions->all[i].is_counted)
            factors[count++] = prediction_factor(&predictions->all[i]);
    return count;
}

struct calibration calibration_of(const double factors[], size_t count)
{
    struct calibration result = {.count = count, .median = 1};
    if (count == 0)
        return result;
    double *sorted = grow(NULL, 0, count, sizeof *sorted);
    memcpy(sorted, factors, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_size);
    result.median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    for (size_t i = 0; i < count; i++)
        result.within_two += sorted[i] <= 2;
    return result;
}
