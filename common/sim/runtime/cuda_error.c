/* cuda_error.c - errors of the CUDA runtime: what is remembered, and what is said. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/runtime.h"

static _Thread_local cudaError_t last_error; /* of the calls of this host thread */
static cudaError_t sticky_error;

/* A launch that was refused, while the program has not asked for the error. */
static struct {
    cudaError_t error;
    uintptr_t caller;
    char kernel[128];
} unseen;

static void tell_unseen(int status, void *unused)
{
    (void)status, (void)unused;
    char detail[256];
    snprintf(detail, sizeof detail, "%s was not started: %s", unseen.kernel,
             cudaGetErrorString(unseen.error));
    if (unseen.error)
        sim_report(CHECK_MEMORY, NULL, unseen.caller,
                   "A launch failed, and the program did not ask", detail,
                   "look at cudaGetLastError() after each launch");
}

void sim_refuse_launch(const struct sim_launch *request, cudaError_t error)
{
    static bool watched;
    if (!watched)
        on_exit(tell_unseen, NULL);
    watched = true;
    unseen.error = error;
    unseen.caller = (uintptr_t)request->caller;
    snprintf(unseen.kernel, sizeof unseen.kernel, "%s", request->name);
}

void sim_see_error(void)
{
    unseen.error = cudaSuccess;
}

cudaError_t sim_set_error(cudaError_t error, bool sticky)
{
    if (error)
        last_error = error;
    if (error && sticky)
        sticky_error = error;
    return error;
}

cudaError_t sim_sticky_error(void)
{
    return sticky_error;
}

void sim_forget_errors(void)
{
    last_error = cudaSuccess;
    sticky_error = cudaSuccess;
    sim_see_error();
}

cudaError_t sim_return(cudaError_t error)
{
    error = sim_set_error(sticky_error ? sticky_error : error, false);
    sim_leave();
    return error;
}

static void sim_report_host(struct sim_call call, const char *message, va_list arguments)
{
    char where[512];
    fflush(stdout);
    fprintf(stderr, "%s: %s: ", sim_locate(call.pc, where, sizeof where), call.function);
    vfprintf(stderr, message, arguments);
    fputc('\n', stderr);
}

cudaError_t sim_refuse(struct sim_call call, cudaError_t error, const char *message, ...)
{
    va_list arguments;
    va_start(arguments, message);
    sim_report_host(call, message, arguments);
    va_end(arguments);
    return sim_return(error);
}

/* A sticky error is not forgotten: the next call gives it again. */
cudaError_t cudaGetLastError(void)
{
    cudaError_t error = last_error;
    sim_see_error();
    last_error = sticky_error;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    sim_see_error();
    return last_error;
}

struct error_text {
    int error;
    const char *name, *text;
};

static const struct error_text error_texts[] = {
#define ENTRY(NAME, VALUE, TEXT) {VALUE, #NAME, TEXT},
    SIM_CUDA_ERRORS(ENTRY)
#undef ENTRY
};

static struct error_text find_error(cudaError_t error)
{
    for (size_t i = 0; i < sizeof error_texts / sizeof error_texts[0]; ++i)
        if (error_texts[i].error == (int)error)
            return error_texts[i];
    const char *unknown = "unrecognized error code";
    return (struct error_text){(int)error, unknown, unknown};
}

const char *cudaGetErrorName(cudaError_t error)
{
    return find_error(error).name;
}

const char *cudaGetErrorString(cudaError_t error)
{
    return find_error(error).text;
}
