/* contract.h - what the judge knows of a contract: its words, what is right, what is likely to be wrong, and how its
 * inputs lie in memory. Each contract defines one, in its contract.c; all that judges a kernel is written once, against
 * this. An input says of which contract it is, so that one program may hold several. */
#ifndef CONTRACT_H
#define CONTRACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "call_arrays.h"
#include "causes.h"
#include "job.h"
#include "operations.h"

struct oracle; /* what is right: each contract has its own */

/* A count of a call, and what it is called: the sum of some fields of its measurement. */
#define OF(field) offsetof(struct measurement, field)
struct count {
    const char *what; /* NULL after the last */
    size_t fields[3]; /* OF(bins.atomic.lanes), each a uint64_t; then zeros */
    /* A column of a row that is no such sum prints itself. NULL: it is one. */
    void (*print)(FILE *file, const struct input *input, const struct measurement *cost);
};

static inline uint64_t count_of(const struct count *count, const struct measurement *cost)
{
    uint64_t sum = 0, one;
    for (size_t i = 0; i < sizeof count->fields / sizeof *count->fields; i++) {
        memcpy(&one, (const char *)cost + count->fields[i], sizeof one);
        sum += count->fields[i] > 0 ? one : 0;
    }
    return sum;
}

/* The words of a contract in sentences. */
struct words {
    const char *function; /* "reduce()" */
    const char *unit;     /* "value" */
    const char *units;    /* "values" */
    const char *input;    /* "array" */
    const char *done;     /* what happens to a unit: "combined" */
    const char
        *output; /* "result": what is wrong, in the entry of a test that fails (verdict_log.h) */
    const char *output_is;   /* "the result is", which may be right this time */
    const char *begins_with; /* what units are added to: "0" */
    const char *by_kernel;   /* "the values have to be reduced by a kernel, on the device" */
    const char
        *when_empty; /* what a kernel forgets that has a grid of 0 blocks on an empty input */
};

/* How the far end of the longest input is looked at: with `budget` accesses at most, and with so many threads in a
 * larger grid, where a block's share is less. */
struct far_plan {
    struct far_limits limits;
    uint64_t budget;
    unsigned int threads;
};

struct contract {
    struct words words;
    const struct causes *causes;
    bool has_operation; /* one of several */
    bool has_bins;      /* the number of bins is part of a row of the ladder */
    bool looks_again; /* a wrong output is explained by what a call does, so one more is watched */

    /* Works out what is right on an input, in memory of oracle_room; contract_forget frees it. */
    struct oracle *(*oracle)(const struct input *input);
    /* Whether one output may hold the bytes `held`, as far as the input alone tells; and, in words, what it should
     * hold and what it holds. */
    bool (*may_hold)(const struct oracle *oracle, size_t output, const unsigned char *held);
    void (*say)(const struct oracle *oracle, size_t output, const unsigned char *held, char *should,
                char *holds, size_t size);
    /* Whether the outputs that are held are right; if not, it says how many are wrong, and which. NULL: they are right
     * when may_hold is true of each. */
    bool (*compare)(struct difference *difference);
    /* Writes all that a student is told of wrong outputs. NULL: explain_output does, and name_output names them. */
    void (*explain)(const struct difference *difference, char *message, size_t size);
    const char *outputs; /* "counters" */
    void (*name_output)(const struct oracle *oracle, size_t output, char *name, size_t size);
    /* How many elements have a bin, as far as that can be known. NULL: all have one. */
    uint64_t (*counted)(const struct oracle *oracle);

    /* A part of an input must not cost more of these than the whole. NULL: those that all applications have. */
    const struct count *costs;
    size_t longest_part; /* of longer inputs no parts are judged */
    /* Whether a call that was watched, on an input of this name, has done what its kernels have to, unit
     * by unit; else says what not. NULL: they have read each unit. */
    bool (*has_done)(const char *name, const struct measurement *cost, char *what, size_t size);

    unsigned int later_schedules; /* that an input has, of operations after the first */
    /* So many calls show, on the simulated GPU, whether memory is given back. 0: 8. */
    unsigned int calls;

    /* `draw` makes an input of any length, to be freed; an ordinary one has so many units; and look_far says what is
     * other than usual where the longest one is looked at. */
    struct input (*draw)(uint64_t seed, size_t length);
    size_t ordinary;
    void (*look_far)(struct far_plan *plan); /* NULL: nothing */

    /* How a unit of the input is made up, and an output. */
    void (*shapes)(enum operation operation, struct shape *unit, struct shape *output);
    bool sets; /* a call sets the output, whatever it held; else it combines into it */
    /* Sets a unit before the first, which would be seen in any output. NULL: each of its words is a float, `guard`. */
    void (*set_guard)(struct input *before, size_t i);
    float guard;
    /* After so many accesses of lanes a call is stopped, unless the user says otherwise. NULL: placed.c works it out,
     * with `accesses` for a unit, or 64 where that is 0. */
    uint64_t (*limit)(const struct call *call);
    uint64_t accesses;

    /* Columns of a row of the ladder, behind the counters. NULL: those that all applications have. */
    const struct count *columns;
    /* Where a replay finds no race, it tries again with an input that begins so many units after a boundary, between
     * two words that a thread may read as one. 0: 1. */
    size_t race_shift;
};

/* Returns room for so many things of so many bytes, all 0, and for one more: for an oracle itself, where `oracle` is
 * NULL, or for what belongs to it, and is freed with it. Ends the program with one line when there is no memory. */
void *oracle_room(struct oracle *oracle, size_t count, size_t bytes);
void *oracle_copy(struct oracle *oracle, const void *from, size_t bytes);
void contract_forget(struct oracle *oracle);
const struct count *contract_columns(const struct contract *contract);
const struct count *contract_costs(const struct contract *contract);

/* Whether units are the characters of a text. */
bool contract_counts_text(const struct contract *contract);
/* Writes the name of the function that a call is of, "reduce()". */
void contract_function(const struct contract *contract, const struct call *call, char *name,
                       size_t size);

/* These print columns: the operation, and how often the input was read. */
void print_operation(FILE *file, const struct input *input, const struct measurement *cost);
void print_passes(FILE *file, const struct input *input, const struct measurement *cost);

/* Columns of a row that all applications have. */
#define COLUMNS_OF_APPLICATIONS                                                                    \
    {"operation", {0}, print_operation}, {"passes", {0}, print_passes},                            \
        {"launches", {OF(launches)}, NULL}, {"grid_barriers", {OF(grid_barriers)}, NULL},          \
        {"barriers_a_block", {OF(most_barriers)}, NULL}, {"reading_threads", {OF(threads)}, NULL}, \
        {"global_atomics", {OF(elsewhere.atomic.lanes), OF(bins.atomic.lanes)}, NULL},             \
        {"shared_atomics", {OF(shared.atomic.lanes)}, NULL}, {"shuffles", {OF(shuffles)}, NULL},   \
        {"bank_conflicts", {OF(conflicts)}, NULL}, {"shared_words", {OF(most_words)}, NULL},       \
        {"blocks", {OF(blocks)}, NULL},                                                            \
    {                                                                                              \
        "threads_per_block", {OF(threads_per_block)}, NULL                                         \
    }
/* "argmax: ", before a sentence about one of several operations. */
const char *operation_prefix(const struct contract *contract, enum operation operation);

#endif
