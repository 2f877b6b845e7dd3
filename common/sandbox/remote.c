/* remote.c - a call, and what measures it, done by the kernel's process. */
#include "remote.h"

#include <stdio.h>

#include "at_hand.h"
#include "evidence.h"
#include "kernel_process.h"

static void ask(uint32_t what, const void *bytes, size_t size, void *answer, size_t answer_size)
{
    kernel_ask(&(struct kernel_question){.what = what, .bytes = bytes, .size = size}, answer,
               answer_size);
}

void call_make(const struct call *call)
{
    struct wire_called called;
    ask(WIRE_CALL, call, sizeof *call, &called, sizeof called);
    if (!called.is_device || called.failed || call->length > UINT32_MAX || kernel_errors() > 0)
        return;
    char what[256];
    snprintf(what, sizeof what, "%s", at_hand() ? at_hand() : "an input");
    at_hand_set(NULL); /* it has returned, if this fails */
    expect_kernels_called(what, call, called.launches, &called.copies);
    at_hand_set(what);
}

bool measure_run(const struct call *call, struct measurement *result, char *error,
                 size_t error_size)
{
    struct wire_measured measured;
    ask(WIRE_MEASURE, call, sizeof *call, &measured, sizeof measured);
    *result = measured.result;
    result->reader[sizeof result->reader - 1] = '\0';
    result->length = call->length;
    result->num_bins = call->num_bins;
    if (!measured.finished)
        snprintf(error, error_size, "%.*s", (int)sizeof measured.error - 1, measured.error);
    return measured.finished;
}

bool measure_far_end(const struct call *call, const struct far_limits *limits,
                     const struct sim_trial *trial, struct far_reads *seen, const char **stopped,
                     char *error, size_t error_size)
{
    static char name[WIRE_NAME];
    struct wire_far_seen far;
    const struct wire_far wire = {.call = *call,
                                  .limits = *limits,
                                  .stops_late = stopped != NULL,
                                  .trial = wire_of_trial(trial)};
    ask(WIRE_FAR_END, &wire, sizeof wire, &far, sizeof far);
    snprintf(name, sizeof name, "%.*s", WIRE_NAME - 1, far.stopped);
    if (stopped)
        *stopped = name[0] ? name : NULL;
    *seen = far.seen;
    if (!far.finished)
        snprintf(error, error_size, "%.*s", (int)sizeof far.error - 1, far.error);
    return far.finished;
}

void sparse_run(const struct sparse *sparse, struct sparse_seen *seen)
{
    ask(WIRE_SPARSE, sparse, sizeof *sparse, seen, sizeof *seen);
    seen->error[sizeof seen->error - 1] = '\0';
}
