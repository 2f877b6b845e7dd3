/* served.c - what the kernel's process does of the contracts with an operation: see apart/serve.h. It
 * is the same for all operations: of elements and bins it needs to know no more than their size. */
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <string.h>

#include "remote.h"
#include "serve.h"
#include "target.h"

static void serve_reduce(const struct call *call)
{
    const enum operation operation = (enum operation)call->operation;
    struct wire_called called = {.launches = target_launches()};
    copies_begin(&called.copies, call->elements, call->length * operation_element_bytes(operation),
                 call->bins, call->num_bins * operation_bin_bytes(operation));
    call_make(call);
    copies_end();
    called.launches = target_launches() - called.launches;
    called.failed = cudaPeekAtLastError() != cudaSuccess;
    serve_answer(0, &called, sizeof called);
}

void wire_serve(const struct wire_question *question, const unsigned char *bytes)
{
    struct call call;
    memcpy(&call, bytes, sizeof call);
    if (question->what == WIRE_REDUCE) {
        serve_reduce(&call);
        return;
    }
    struct wire_measured measured = {.finished = 0};
    measured.finished = measure_run(&call, &measured.result, measured.error, sizeof measured.error);
    serve_answer(0, &measured, sizeof measured);
}
