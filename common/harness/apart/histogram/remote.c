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
    if (called.is_device && !called.failed && kernel_errors() == 0)
        expect_kernels_counted(at_hand() ? at_hand() : "a text", length, called.launches,
                               &called.copies);
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
    return take(&measured, result, error, error_size);
}

bool measure_far_end(struct measurement *result, char *error, size_t error_size)
{
    struct wire_measured measured;
    kernel_ask(&(struct kernel_question){.what = WIRE_FAR_END}, &measured, sizeof measured);
    return take(&measured, result, error, error_size);
}
