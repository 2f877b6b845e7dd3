/* devices_run.c - histogram_many() on so many devices, done by a process of the kernel for each number. */
#include <stdlib.h>
#include <string.h>

#include "current_input.h"
#include "kernel_process.h"
#include "many_wire.h"
#include "must_have.h"

const char many_units[] = "devices", many_function[] = "histogram_many()";
const bool many_reads_files = false;

/* Streams and communicators that a process keeps are those of its devices. */
static void choose(unsigned int units)
{
    static bool logged[MOST_UNITS + 1];
    kernel_choose("", units);
    if (!logged[units])
        kernel_ask(&(struct kernel_question){.what = WIRE_DEVICES, .values = {units}}, NULL, 0);
    logged[units] = true;
}

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

void many_run(const struct many_case *asked, struct many_seen *seen)
{
    struct kernel_question question = {.what = WIRE_MANY};
    choose(asked->units);
    unsigned char *message = message_of(asked, &question.size);
    question.bytes = message;
    current_input_set(asked->what);
    kernel_ask(&question, seen, sizeof *seen);
    current_input_set(NULL);
    free(message);
    const size_t bytes = seen->read_count * sizeof *seen->reads;
    seen->reads = must_have(malloc(bytes + 1), "for what the devices have read");
    kernel_ask(&(struct kernel_question){.what = WIRE_READS}, seen->reads, bytes);
}
