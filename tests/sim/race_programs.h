/* race_programs.h - runs a program as it is, and with one planted bug, under all checks: no
 * report on the right one, and the right report on its twin. */
#ifndef RACE_PROGRAMS_H
#define RACE_PROGRAMS_H

#include <cuda_runtime.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "capture.h"
#include "sim.h"

/* A program launches its kernels; bug 0 is the right one. */
typedef void program(int bug);

enum { SEEDS = 20 };

template <typename T> static T *filled(size_t count, int byte)
{
    T *array;
    cr_assert_eq(cudaMalloc(&array, count * sizeof(T)), cudaSuccess);
    cudaMemset(array, byte, count * sizeof(T));
    return array;
}

template <typename T> static T *unfilled(size_t count)
{
    T *array;
    cr_assert_eq(cudaMalloc(&array, count * sizeof(T)), cudaSuccess);
    return array;
}

template <typename T> static T *uploaded(const T *host, size_t count)
{
    T *array;
    cr_assert_eq(cudaMalloc(&array, count * sizeof(T)), cudaSuccess);
    cudaMemcpy(array, host, count * sizeof(T), cudaMemcpyHostToDevice);
    return array;
}

/* What the checks print; the errors that they count are left in *errors. */
static const char *run_program(program *run, int bug, unsigned long long seed,
                               unsigned long long *errors)
{
    static struct capture capture;
    sim_set_checks("all");
    sim_refuse_warps_in_step(1);
    sim_set_seed(seed);
    capture_start(&capture);
    run(bug);
    cudaDeviceReset();
    *errors = sim_error_count();
    sim_reset_errors();
    return capture_end(&capture);
}

static void expect_clean(const char *name, program *run)
{
    for (unsigned long long seed = 1; seed <= SEEDS; seed++) {
        unsigned long long errors;
        const char *text = run_program(run, 0, seed, &errors);
        cr_expect(errors == 0, "%s with seed %llu is right, and this was said of it:\n%s", name,
                  seed, text);
        if (errors)
            return;
    }
}

/* The bug is found with every seed, and `said` is in the report. */
static void expect_bug(const char *name, program *run, int bug, const char *expected)
{
    for (unsigned long long seed = 1; seed <= 3; seed++) {
        unsigned long long errors;
        const char *text = run_program(run, bug, seed, &errors);
        cr_expect(errors != 0, "bug %d of %s is not found with seed %llu:\n%s", bug, name, seed,
                  text);
        cr_expect(errors == 0 || strstr(text, expected), "bug %d of %s: no \"%s\" in:\n%s", bug,
                  name, expected, text);
    }
}

#define CLEAN(program) expect_clean(#program, program)
#define BUG(program, bug, expected) expect_bug(#program, program, bug, expected)

#endif
