/* devices_run.c - histogram_many() on so many devices, done by a process of the kernel for each number. */
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "many_wire.h"
#include "must_have.h"

const char many_units[] = "devices", many_function[] = "histogram_many()";
const bool many_reads_files = false;

/* The case, and the text behind it. */
static unsigned char *message_of(const struct many_case *asked, size_t *size)
{
    const struct wire_case wire = {.length = asked->length,
                                   .held = asked->held,
                                   .seed = asked->seed,
                                   .units = asked->units,
                                   .misalignment = asked->misalignment,
                                   .calls = asked->calls ? asked->calls : 1,
                                   .pinned = asked->pinned,
                                   .has_text = asked->text != NULL};
    const size_t text = asked->text ? asked->length : 0;
    unsigned char *message =
        must_have(malloc(sizeof wire + text), "for what the devices have read");
    memcpy(message, &wire, sizeof wire);
    if (text > 0)
        memcpy(message + sizeof wire, asked->text, text);
    *size = sizeof wire + text;
    return message;
}

/* Of each number of devices there is a process: streams and communicators that it keeps are those of its devices. */
void many_run(const struct many_case *asked, struct many_seen *seen)
{
    struct job job = {.devices = asked->units,
                      .multiprocessors = MULTIPROCESSORS,
                      .seed = asked->seed,
                      .budget = UINT64_MAX};
    void *answer = NULL;
    size_t size = 0;
    unsigned char *message = message_of(asked, &size);
    job.input_bytes = size;
    job_ask_contract(&job, asked->what, message, &answer);
    free(message);
    memcpy(seen, answer, sizeof *seen);
    const size_t bytes = seen->read_count * sizeof *seen->reads;
    seen->reads = must_have(malloc(bytes + 1), "for what the devices have read");
    memcpy(seen->reads, (unsigned char *)answer + sizeof *seen, bytes);
    free(answer);
}
