/* served.c - what the kernel's process does of histogram()'s contract: see apart/serve.h. */
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <string.h>

#include "histogram.h"
#include "remote.h"
#include "serve.h"
#include "target.h"

static void serve_histogram(const uint64_t *values)
{
    struct wire_called called = {.is_device = target_is_device(), .launches = target_launches()};
    copies_begin(&called.copies, values[0], values[1], values[2]);
    histogram((const unsigned char *)(uintptr_t)values[0], values[1],
              (unsigned int *)(uintptr_t)values[2]);
    copies_end();
    called.launches = target_launches() - called.launches;
    called.failed = cudaPeekAtLastError() != cudaSuccess;
    serve_answer(0, &called, sizeof called);
}

void wire_serve(const struct wire_question *question, const unsigned char *bytes)
{
    if (question->what == WIRE_HISTOGRAM) {
        serve_histogram(question->values);
        return;
    }
    struct wire_measured measured = {.finished = 0};
    struct text text = {.bytes = (unsigned char *)bytes, .length = question->bytes};
    measured.finished =
        question->what == WIRE_MEASURE
            ? measure_run(&text, question->values[0], &measured.result, measured.bins,
                          measured.error, sizeof measured.error)
            : measure_far_end(&measured.result, measured.error, sizeof measured.error);
    serve_answer(0, &measured, sizeof measured);
}
