/* results.h - what a goal tells other programs, beside what it prints for people: FORMAT=json, FORMAT=junit.
 *
 * The driver asks for results (common/driver/report.c), and puts them together. Each result is about a chapter,
 * or about the whole course, and is written at once: it is there, or it is not. */
#ifndef RESULTS_H
#define RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "json.h"

/* The driver asks by a variable of the environment, "SHAPE GOAL FILE". */
#define RESULTS "RESULTS"
enum results_shape { RESULTS_NONE, RESULTS_JSON, RESULTS_JUNIT };

/* Looks whether results are asked for, and takes the variable away: no kernel shall see it. Called once, when
 * the program begins. */
void results_take(void);
enum results_shape results_shape(void);
/* The goal that is being done: "test"; "" where no results are asked for. */
const char *results_goal(void);

/* A result of JSON. */
struct result {
    const char *key;
    struct json json;
};

/* Begins an object that says which goal it is of. The key puts results in order: "05_name", or "" for the whole
 * course. */
struct result result_begin(const char *key);
/* Ends it and hands it to the driver. */
void result_end(struct result *result);
/* Hands a result over that is a text of one line. Where that fails it is lost, after a line that says why. */
void results_add(const char *key, const char *line);

/* "05_name" of chapters/05_name/histogram.cu, "05_name/further" of an exercise. */
const char *key_of(const char *source);
/* Members of every result about a chapter: `chapter`, its number, and `stem`, its key. */
void result_chapter(struct json *json, const char *key);

/* Verdicts as JUnit's XML, for programs that show tests: FORMAT=junit. */

struct junit_case {
    const char *name;
    double seconds;
    enum { JUNIT_PASSED, JUNIT_FAILURE, JUNIT_ERROR, JUNIT_SKIPPED } outcome;
    const char *message; /* why it has not passed */
    const char *output;  /* what shows it; or "" */
};

/* A suite as one line: an element testsuite with a testcase for each. `name` is the chapter's, "05_name", and
 * `file` the kernel's, or NULL. */
char *junit_suite(const char *name, const char *file, const struct junit_case *cases, size_t count);

#endif
