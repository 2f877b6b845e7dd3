/* predictions.c - reads a sum from left to right, and keeps predictions in a file that people can read: see
 * predictions.h. */
#define _GNU_SOURCE
#include "predictions.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

enum { NAME = 128 };

struct reader {
    const char *at;
    expression_name find;
    const void *context;
    bool fine;
};

/* The next sign that is no blank, if it is one of these, and goes on behind it; else 0. */
static char take(struct reader *reader, const char *signs)
{
    reader->at = skip_blanks(reader->at);
    return *reader->at && strchr(signs, *reader->at) ? *reader->at++ : '\0';
}

static double give_up(struct reader *reader)
{
    reader->fine = false;
    return 0;
}

/* "1,048,576" or "0.19": three digits follow each comma, and no fourth. */
static double read_digits(struct reader *reader)
{
    static const char all[] = "0123456789";
    char digits[NAME], *end;
    size_t count = 0;
    for (; *reader->at && strchr("0123456789.,", *reader->at) && count + 1 < NAME; reader->at++)
        if (*reader->at != ',')
            digits[count++] = *reader->at;
        else if (strspn(reader->at + 1, all) != 3)
            return give_up(reader);
    digits[count] = '\0';
    const double value = strtod(digits, &end);
    return isdigit((unsigned char)digits[0]) && !*end ? value : give_up(reader);
}

static double read_name(struct reader *reader)
{
    char name[NAME];
    size_t length = 0;
    double value = 0;
    while (isalnum((unsigned char)reader->at[length]) || reader->at[length] == '_' ||
           reader->at[length] == '.')
        length++;
    if (!reader->find || length >= sizeof name)
        return give_up(reader);
    snprintf(name, sizeof name, "%.*s", (int)length, reader->at);
    reader->at += length;
    return reader->find(reader->context, name, &value) ? value : give_up(reader);
}

static double read_atom(struct reader *reader)
{
    reader->at = skip_blanks(reader->at);
    return isalpha((unsigned char)*reader->at) ? read_name(reader) : read_digits(reader);
}

static double read_product(struct reader *reader)
{
    double value = read_atom(reader);
    for (char sign; reader->fine && (sign = take(reader, "*x/"));)
        value = sign == '/' ? value / read_atom(reader) : value * read_atom(reader);
    return value;
}

bool expression_value(const char *text, expression_name find, const void *context, double *value)
{
    struct reader reader = {.at = text, .find = find, .context = context, .fine = true};
    *value = read_product(&reader);
    for (char sign; reader.fine && (sign = take(&reader, "+-"));)
        *value += sign == '-' ? -read_product(&reader) : read_product(&reader);
    return reader.fine && !*skip_blanks(reader.at) && isfinite(*value);
}

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
    read->predicted = strtod(colon + 1, &end);
    read->is_counted = sscanf(end, "; counted %lf", &read->counted) == 1;
    return end != colon + 1 && isfinite(read->predicted);
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
        fprintf(to, "%u %s: %.12g; counted %.12g\n", one->question, one->label, one->predicted,
                one->counted);
    else
        fprintf(to, "%u %s: %.12g\n", one->question, one->label, one->predicted);
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

void prediction_take_back(struct predictions *predictions, struct prediction *prediction)
{
    *prediction = predictions->all[--predictions->count];
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
    double predicted = prediction->predicted, counted = prediction->counted;
    if (predicted == counted)
        return 1;
    if (predicted <= 0 || counted <= 0)
        return INFINITY;
    return predicted > counted ? predicted / counted : counted / predicted;
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
