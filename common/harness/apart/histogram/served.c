/* served.c - what the kernel's process does of histogram()'s contract: see apart/serve.h. */
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "histogram.h"
#include "remote.h"
#include "serve.h"
#include "target.h"

static void serve_histogram(const uint64_t *values)
{
    struct wire_called called = {.is_device = target_is_device(), .launches = target_launches()};
    copies_begin(&called.copies, values[0], values[1], values[2], sizeof(unsigned int[NUM_BINS]));
    histogram((const unsigned char *)(uintptr_t)values[0], values[1],
              (unsigned int *)(uintptr_t)values[2]);
    copies_end();
    called.launches = target_launches() - called.launches;
    called.failed = cudaPeekAtLastError() != cudaSuccess;
    serve_answer(0, &called, sizeof called);
}

static void serve_far_end(const struct wire_question *question, const unsigned char *bytes)
{
    struct wire_measured measured = {.finished = 0};
    struct wire_trial wire;
    const char *stopped = NULL;
    memcpy(&wire, bytes, sizeof wire);
    struct sim_trial trial = wire_trial(&wire);
    measured.finished =
        measure_far_end(&trial, &measured.result, question->values[0] ? &stopped : NULL,
                        measured.error, sizeof measured.error);
    snprintf(measured.stopped, sizeof measured.stopped, "%s", stopped ? stopped : "");
    serve_answer(0, &measured, sizeof measured);
}

void wire_serve(const struct wire_question *question, const unsigned char *bytes)
{
    if (question->what == WIRE_HISTOGRAM) {
        serve_histogram(question->values);
        return;
    }
    if (question->what == WIRE_FAR_END) {
        serve_far_end(question, bytes);
        return;
    }
    struct wire_measured measured = {.finished = 0};
    struct text text = {.bytes = (unsigned char *)bytes, .length = question->bytes};
    measured.finished = measure_run(&text, question->values[0], &measured.result, measured.bins,
                                    measured.error, sizeof measured.error);
    serve_answer(0, &measured, sizeof measured);
}
