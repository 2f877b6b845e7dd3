/* remote.c - histogram() and what measures it, done by the kernel's process. */
#include "remote.h"

#include <stdio.h>
#include <string.h>

#include "at_hand.h"
#include "evidence.h"
#include "histogram.h"
#include "kernel_process.h"
#include "verify.h"

const char kernel_function[] = "histogram()";

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    struct wire_called called;
    kernel_ask(&(struct kernel_question){.what = WIRE_HISTOGRAM,
                                         .values = {(uintptr_t)d_text, length, (uintptr_t)d_bins}},
               &called, sizeof called);
    const bool is_judged = called.is_device && !called.failed && length <= UINT32_MAX;
    if (!is_judged || kernel_errors() > 0)
        return;
    char what[256];
    snprintf(what, sizeof what, "%s", at_hand() ? at_hand() : "a text");
    at_hand_set(NULL); /* it has returned, if this fails */
    expect_kernels_counted(what, length, called.launches, &called.copies);
    at_hand_set(what);
}

static bool take(const struct wire_measured *measured, struct measurement *result, char *error,
                 size_t error_size)
{
    *result = measured->result;
    if (!measured->finished)
        snprintf(error, error_size, "%.*s", (int)sizeof measured->error - 1, measured->error);
    return measured->finished;
}

bool measure_run(const struct text *text, size_t misalignment, struct measurement *result,
                 unsigned int *bins, char *error, size_t error_size)
{
    struct wire_measured measured;
    kernel_ask(&(struct kernel_question){.what = WIRE_MEASURE,
                                         .values = {misalignment},
                                         .bytes = text->bytes,
                                         .size = text->length},
               &measured, sizeof measured);
    memcpy(bins, measured.bins, sizeof measured.bins);
    bool finished = take(&measured, result, error, error_size);
    /* What is right is nothing that the kernel's process could know. */
    unsigned int expected[NUM_BINS];
    verify_count(text->bytes, text->length, expected);
    result->length = text->length;
    result->counted = 0;
    for (unsigned int bin = 0; bin < NUM_BINS; bin++)
        result->counted += expected[bin];
    return finished;
}

bool measure_far_end(const struct sim_trial *trial, struct measurement *result,
                     const char **stopped, char *error, size_t error_size)
{
    static char name[WIRE_NAME];
    struct wire_measured measured;
    struct wire_trial wire = wire_of_trial(trial);
    kernel_ask(
        &(struct kernel_question){
            .what = WIRE_FAR_END, .values = {stopped != NULL}, .bytes = &wire, .size = sizeof wire},
        &measured, sizeof measured);
    snprintf(name, sizeof name, "%.*s", WIRE_NAME - 1, measured.stopped);
    if (stopped)
        *stopped = name[0] ? name : NULL;
    return take(&measured, result, error, error_size);
}
