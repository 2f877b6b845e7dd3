/* many_cases.h - a list of cases with their texts, which are asked together. */
#ifndef MANY_CASES_H
#define MANY_CASES_H

#include "many_run.h"
#include "text.h"

enum { MOST_INPUTS = 256, INPUT_NAME = 96 };

struct inputs {
    size_t count;
    struct many_case input[MOST_INPUTS];
    char name[MOST_INPUTS][INPUT_NAME];
    struct text text[MOST_INPUTS];
};

/* Adds a text, which the list gives back; of files on a number of units that inputs_has_units. */
struct many_case *inputs_add(struct inputs *inputs, const char *what, struct text text,
                             unsigned int units);
/* "33 characters" of a uniform text. */
struct many_case *inputs_add_uniform(struct inputs *inputs, size_t length, unsigned int units);
/* Zeros that take no room: only how they are read is judged. */
struct many_case *inputs_add_reserved(struct inputs *inputs, size_t length, unsigned int units);
/* Asks for all, and gives them back. */
void inputs_run(struct inputs *inputs, many_judge *judge, void *context);

/* Whether so many units are asked for: of devices 1 to 8; of ranks, which take long to start, fewer. */
bool inputs_has_units(unsigned int units);

/* The next of a row of numbers from 0 to limit - 1. */
size_t inputs_below(uint64_t *state, size_t limit);

#endif
