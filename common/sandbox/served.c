/* served.c - what the kernel's process does: see serve.h. It is the same for all contracts: of units and
 * bins it needs to know no more than their size. */
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "remote.h"
#include "serve.h"
#include "target.h"

static void serve_call(const struct call *call)
{
    struct wire_called called = {.is_device = target_is_device(), .launches = target_launches()};
    copies_begin(&called.copies, call->elements, call->length * call->unit_bytes, call->bins,
                 call->num_bins * call->bin_bytes);
    call_make(call);
    copies_end();
    called.launches = target_launches() - called.launches;
    called.failed = cudaPeekAtLastError() != cudaSuccess;
    serve_answer(0, &called, sizeof called);
}

static void serve_measure(const struct call *call)
{
    struct wire_measured measured = {.finished = 0};
    measured.finished = measure_run(call, &measured.result, measured.error, sizeof measured.error);
    serve_answer(0, &measured, sizeof measured);
}

static void serve_far_end(const unsigned char *bytes)
{
    struct wire_far_seen far = {.finished = 0};
    struct wire_far wire;
    const char *stopped = NULL;
    memcpy(&wire, bytes, sizeof wire);
    const struct sim_trial trial = wire_trial(&wire.trial);
    far.finished = measure_far_end(&wire.call, &wire.limits, &trial, &far.seen,
                                   wire.stops_late ? &stopped : NULL, far.error, sizeof far.error);
    snprintf(far.stopped, sizeof far.stopped, "%s", stopped ? stopped : "");
    serve_answer(0, &far, sizeof far);
}

static void serve_sparse(const unsigned char *bytes)
{
    struct sparse sparse;
    struct sparse_seen seen;
    memcpy(&sparse, bytes, sizeof sparse);
    sparse_run(&sparse, &seen);
    serve_answer(0, &seen, sizeof seen);
}

void wire_serve(const struct wire_question *question, const unsigned char *bytes)
{
    struct call call;
    if (question->what == WIRE_FAR_END) {
        serve_far_end(bytes);
        return;
    }
    if (question->what == WIRE_SPARSE) {
        serve_sparse(bytes);
        return;
    }
    memcpy(&call, bytes, sizeof call);
    if (question->what == WIRE_CALL)
        serve_call(&call);
    else
        serve_measure(&call);
}
