/* contract.h - what the judge knows of a contract with an operation: its words, what is right, what
 * is likely to be wrong. Each contract defines one, in its contract.c; all that judges a kernel is
 * written once, against this. */
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

struct oracle; /* what is right: each contract has its own, and functions of these names */

/* What is right on an input, with the operation that is chosen: from oracle_room, for contract_forget. */
struct oracle *oracle_of(const struct input *input);
/* One output, whose bytes are `held`: whether it may hold them, as far as the input alone tells; and in words what
 * it should hold, and what it does. */
bool oracle_may_hold(const struct oracle *oracle, size_t output, const unsigned char *held);
void oracle_say(const struct oracle *oracle, size_t output, const unsigned char *held, char *should,
                char *holds, size_t size);

/* A count of a call, and what it is called: the sum of some fields of its measurement. */
#define OF(field) offsetof(struct measurement, field)
struct count {
    const char *what; /* NULL after the last */
    size_t fields[3]; /* OF(bins.atomic.lanes), each a uint64_t; then zeros */
    /* Of columns of a row only: prints what is no such sum. */
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

/* In sentences. */
struct words {
    const char *function; /* "reduce()" */
    const char *unit;     /* "value" */
    const char *units;    /* "values" */
    const char *input;    /* "array" */
    const char *done;     /* what happens to a unit: "combined" */
    const char
        *output; /* "result": what is wrong, for who reads the lines of the tests (verdict_log.h) */
    const char *output_is;   /* "the result is", which may be right this time */
    const char *begins_with; /* what units are added to: "0" */
    const char *by_kernel;   /* "the values have to be reduced by a kernel, on the device" */
    const char
        *when_empty; /* what a kernel forgets that has a grid of 0 blocks on an empty input */
};

struct contract {
    struct words words;
    const struct causes *causes;
    bool has_operation; /* one of several */
    bool looks_again;   /* to explain a wrong output it wants to know what a call does */

    /* Whether the outputs that are held are right; if not, says how many are wrong, and which. NULL: each is
     * what it may be. */
    bool (*compare)(struct difference *difference);
    /* All that a student is told of it. NULL: what explain_output says, of outputs with names. */
    void (*explain)(const struct difference *difference, char *message, size_t size);
    const char *outputs; /* "counters" */
    void (*name_output)(const struct oracle *oracle, size_t output, char *name, size_t size);
    /* Elements that have a bin, as far as anybody can know; NULL: all. */
    uint64_t (*counted)(const struct oracle *oracle);

    /* That a part of an input must not have more of than all of it. NULL: those that all applications have. */
    const struct count *costs;
    size_t may_misalign; /* OF(...) of the one that a misaligned part may have more of, or 0 */
    size_t longest_part; /* that is worked on for it */
    uint64_t most_host_visible; /* bytes that kernels may store where host code reads; 0: half
                                           as many as there are units */
    /* Whether a call that was watched, on an input of this name, has done what its kernels have to, unit
     * by unit; else says what not. NULL: they have read each unit. */
    bool (*has_done)(const char *name, const struct measurement *cost, char *what, size_t size);
    /* What the verdict may say of a cost; NULL: nothing. */
    void (*tell_cost)(const struct measurement *cost);

    /* How many schedules an input has, of at most `most`, after a call on it, or before the first. NULL: those that
     * contract_schedules has, each input beginning with another one than the input before. */
    uint64_t (*schedules)(const struct input *input, const struct outcome *outcome, uint64_t most);
    uint64_t large_grid; /* threads; a grid with more costs much on every input; 0: 2^16 */
    size_t many_bins;    /* more of them take long; 0: any number does not */
    unsigned int later_schedules;
    /* After which memory that is not given back is seen, on the simulated GPU; 0: 8. */
    unsigned int calls;

    /* An input of any length, to be freed; how many units an ordinary one has; and how the longest is
     * looked at: with which limits, and after how many accesses no more. What is 0 there far_end.c knows. */
    struct input (*draw)(uint64_t seed, size_t length);
    size_t ordinary;
    struct far_limits far_limits;
    uint64_t far_most;            /* accesses; or, where that is not always the same: */
    uint64_t (*far_budget)(void); /* NULL: far_most */
    unsigned int far_threads; /* of the larger grid, in which a block's share is less; 0: 2^20 */

    /* Rows of the ladder: whether a number of bins is part of one, and its columns behind the counters. */
    bool has_bins;
    const struct count *columns; /* NULL: those that all applications have */
    /* Where a replay finds no race, units after a boundary from which it tries again: between two words
     * that a thread may read as one. 0: 1. */
    size_t race_shift;
};

extern const struct contract contract;

/* What a contract does, or all do where it says nothing else. */
bool contract_compare(struct difference *difference);
void contract_explain(const struct difference *difference, char *message, size_t size);
/* The name of the first output that is wrong: "bin 7" of "bins", unless the contract has another. */
void contract_name(const struct difference *difference, char *name, size_t size);
/* Room for so many things of so many bytes, all 0, and for one more: for an oracle itself, which is NULL, or beside
 * it. No memory ends the program with one line. All of it is freed with the oracle. */
void *oracle_room(struct oracle *oracle, size_t count, size_t bytes);
void *oracle_copy(struct oracle *oracle, const void *from, size_t bytes);
void contract_forget(struct oracle *oracle);
/* A large grid costs much on every input, however short: it has one schedule each, and not always the
 * same; and so has what takes long for its many bins, or because its threads wait. */
uint64_t contract_schedules(const struct input *input, const struct outcome *outcome,
                            uint64_t most);
const struct count *contract_columns(void);
const struct count *contract_costs(void);

/* How many of so many outputs are none that they may hold, and the first of them. */
size_t wrong_outputs(const struct oracle *oracle, const unsigned char *held, size_t outputs,
                     size_t *first);
/* "bin 7: should be 2, is 3": of the first one that is wrong, where it is called "bin 7". */
enum { FIRST_OUTPUT = 400 };
void say_first(const struct difference *difference, const char *called, char text[FIRST_OUTPUT]);
/* Explains the first one that is wrong, of `all`: "wrong on INPUT: 3 of 40 bins; likeliest cause: ...\n  bin 7:
 * should be 2, is 3", where `outputs` are "bins" and it is called "bin 7". */
void explain_output(const struct difference *difference, size_t all, const char *outputs,
                    const char *called, char *message, size_t size);

/* Columns: the operation, and how often the input was read. */
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
const char *operation_prefix(void);

#endif
