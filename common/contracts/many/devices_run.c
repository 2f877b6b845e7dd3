/* devices_run.c - has histogram_many() called on so many devices, by a process of the kernel for each number of
 * devices. */
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "many_run.h"
#include "must_have.h"

const char many_units[] = "devices", many_function[] = "histogram_many()";
const bool many_reads_files = false;

/* Each device has so few that its grid does not make a short text take long. */
enum { MULTIPROCESSORS = 2 };

/* Each number of devices has a process, so that the streams and communicators that it keeps are those of its devices. */
void many_run(const struct many_case *asked, struct many_seen *seen)
{
    struct job job = {.devices = asked->units,
                      .multiprocessors = MULTIPROCESSORS,
                      .seed = asked->seed,
                      .budget = UINT64_MAX,
                      .function = "histogram_many()"};
    void *answer = NULL;
    const size_t text = asked->text ? asked->length : 0;
    unsigned char *message =
        must_have(malloc(sizeof *asked + text + 1), "for what the devices are asked");
    memcpy(message, asked, sizeof *asked);
    if (text > 0)
        memcpy(message + sizeof *asked, asked->text, text);
    job.input_bytes = sizeof *asked + text;
    job_ask_contract(&job, asked->what, message, &answer);
    free(message);
    memcpy(seen, answer, sizeof *seen);
    const size_t bytes = seen->read_count * sizeof *seen->reads;
    seen->reads = must_have(malloc(bytes + 1), "for what the devices have read");
    memcpy(seen->reads, (unsigned char *)answer + sizeof *seen, bytes);
    free(answer);
}
