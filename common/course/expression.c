/* expression.c - reads a sum from left to right: see predictions.h. */
#include "predictions.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 128, DIGITS = 64, DEEPEST = 16 };

struct reader {
    const char *at;
    expression_name find;
    const void *context;
    unsigned int depth; /* of brackets */
    bool fine;
};

static double read_sum(struct reader *reader);

/* The next sign that is no blank; goes on behind it when it is the wanted one. */
static bool take(struct reader *reader, const char *sign)
{
    reader->at += strspn(reader->at, " \t");
    bool there = strncmp(reader->at, sign, strlen(sign)) == 0;
    if (there)
        reader->at += strlen(sign);
    return there;
}

static double fail(struct reader *reader)
{
    reader->fine = false;
    return 0;
}

/* Whether a comma is one between thousands: three digits follow it, and no fourth. */
static bool groups(const char *comma)
{
    return isdigit((unsigned char)comma[1]) && isdigit((unsigned char)comma[2]) &&
           isdigit((unsigned char)comma[3]) && !isdigit((unsigned char)comma[4]);
}

/* k, M or G. */
static double read_unit(struct reader *reader)
{
    static const char units[] = "kmg";
    const char *at = reader->at + strspn(reader->at, " ");
    const char *unit = *at ? strchr(units, tolower((unsigned char)*at)) : NULL;
    if (!unit || isalnum((unsigned char)at[1]))
        return 1;
    reader->at = at + 1;
    return pow(1024, (double)(unit - units + 1));
}

static double read_number(struct reader *reader)
{
    char digits[DIGITS];
    size_t count = 0;
    bool point = false;
    for (; count + 1 < sizeof digits; reader->at++) {
        if (*reader->at == ',' && !point && count > 0 && groups(reader->at))
            continue;
        if (!isdigit((unsigned char)*reader->at) && (point || *reader->at != '.'))
            break;
        point |= *reader->at == '.';
        digits[count++] = *reader->at;
    }
    digits[count] = '\0';
    if (!isdigit((unsigned char)digits[0]))
        return fail(reader);
    return strtod(digits, NULL) * read_unit(reader);
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
        return fail(reader);
    snprintf(name, sizeof name, "%.*s", (int)length, reader->at);
    reader->at += length;
    return reader->find(reader->context, name, &value) ? value : fail(reader);
}

static double read_atom(struct reader *reader)
{
    if (take(reader, "(")) {
        if (++reader->depth > DEEPEST)
            return fail(reader);
        double value = read_sum(reader);
        reader->depth--;
        return take(reader, ")") ? value : fail(reader);
    }
    return isalpha((unsigned char)*reader->at) ? read_name(reader) : read_number(reader);
}

static double read_power(struct reader *reader)
{
    double base = read_atom(reader);
    return reader->fine && take(reader, "^") ? pow(base, read_atom(reader)) : base;
}

static double read_product(struct reader *reader)
{
    double value = read_power(reader);
    while (reader->fine)
        if (take(reader, "*") || take(reader, "x") || take(reader, "\xc3\x97")) /* the sign times */
            value *= read_power(reader);
        else if (take(reader, "/"))
            value /= read_power(reader);
        else
            break;
    return value;
}

static double read_sum(struct reader *reader)
{
    double value = read_product(reader);
    while (reader->fine)
        if (take(reader, "+"))
            value += read_product(reader);
        else if (take(reader, "-"))
            value -= read_product(reader);
        else
            break;
    return value;
}

bool expression_value(const char *text, expression_name find, const void *context, double *value)
{
    struct reader reader = {.at = text, .find = find, .context = context, .fine = true};
    *value = read_sum(&reader);
    return reader.fine && !reader.at[strspn(reader.at, " \t\r\n")] && isfinite(*value);
}
