/* job_here.c - a job, done by a program that is linked with the kernel: see job.h. */
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "must_have.h"

struct outcome job_run(struct job *job, const char *what, const void *input, void *output)
{
    struct outcome outcome;
    const void *none = NULL;
    (void)what;
    job_do(job, (unsigned char *)(uintptr_t)input, output, &outcome, &none);
    return outcome;
}

struct outcome job_ask_contract(struct job *job, const char *what, const void *input, void **output)
{
    struct outcome outcome;
    const void *answer = NULL;
    (void)what;
    job->watch = ASK_CONTRACT;
    job_do(job, (unsigned char *)(uintptr_t)input, NULL, &outcome, &answer);
    *output = must_have(malloc(outcome.output_bytes + 1), "for an answer");
    memcpy(*output, answer, outcome.output_bytes);
    return outcome;
}
