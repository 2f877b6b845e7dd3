/* many_cases.h - a list of cases with their texts, which are asked together; and what is said of each. */
#ifndef MANY_CASES_H
#define MANY_CASES_H

#include "contract.h"
#include "many_run.h"
#include "text.h"

enum { MOST_INPUTS = 256, INPUT_NAME = 96 };

struct inputs {
    size_t count;
    struct many_case input[MOST_INPUTS];
    char name[MOST_INPUTS][INPUT_NAME];
    struct text text[MOST_INPUTS];
};

/* Adds a text, which the list frees; ranks are as many as inputs_has_units allows. */
struct many_case *inputs_add(struct inputs *inputs, const char *what, struct text text,
                             unsigned int units);
/* Adds a uniform text of "33 characters". */
struct many_case *inputs_add_uniform(struct inputs *inputs, size_t length, unsigned int units);
/* Adds zeros that take no room: only how they are read is judged. */
struct many_case *inputs_add_reserved(struct inputs *inputs, size_t length, unsigned int units);
/* Has all cases run, and frees them. */
void inputs_run(struct inputs *inputs, many_judge *judge, void *context);

/* Whether so many units are asked for: 1 to 8 devices; fewer numbers of ranks, which take long to start. */
bool inputs_has_units(unsigned int units);

/* Whether a call is right: of the bins as the judge of any contract knows it, and of what was seen besides. */

/* A many_judge that fails unless all that is known of a case is right. When `logged` is not NULL the verdict hears of
 * the input. */
void expect_seen_right(const struct many_case *asked, const struct many_seen *seen, void *logged);

/* Whether the bins alone are right. With `fails` wrong ones fail the test with the likeliest cause. What was counted
 * is remembered for the next call. */
bool seen_bins_right(const struct many_case *asked, const struct many_seen *seen, bool fails);

/* Fails when the last call has left something behind in the process: open files, communicators, memory of the host. */
void expect_holds_no_more(const struct many_case *asked, const struct many_seen *seen);

/* A many_judge that fails unless each byte came to one unit, once. */
void expect_read_once(const struct many_case *asked, const struct many_seen *seen, void *unused);

/* Writes the likeliest cause of bins that are wrong. */
void find_cause(const struct many_case *asked, const struct many_seen *seen,
                const struct difference *d);

struct oracle *units_oracle(const struct input *input);
extern const struct causes causes_of_units;
const uint64_t *oracle_bins(const struct oracle *oracle);
/* Remembers the counts of a call for the next one on as many units, which may have kept them. */
void remember_call(const struct many_case *asked, const struct many_seen *seen);

/* "byte 7 of 10", "bytes 7 to 9 of 10" */
const char *many_name_range(uint64_t begin, uint64_t end, uint64_t length, char *name, size_t size);

/* "device", "devices", "rank", "ranks". */
const char *many_units_of(unsigned int units);

#endif
