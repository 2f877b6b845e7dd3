/* program.c - what the examples share: see program.h. */
#define _GNU_SOURCE
#include "program.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_check.h"

void stop(const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "%s: ", program_invocation_short_name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

unsigned long number_of(const char *option, const char *word, unsigned long least,
                        unsigned long most)
{
    char *end;
    errno = 0;
    const unsigned long number = strtoul(word, &end, 10);
    if (*word < '0' || *word > '9' || *end)
        stop("--%s %s: is not a whole number", option, word);
    if (errno || number < least || number > most)
        stop("--%s %s: is not from %lu to %lu", option, word, least, most);
    return number;
}

void prefer_speed(void)
{
#ifdef SIMULATED_GPU
    setenv("SIM_CHECKS", "none", 0);
    setenv("SIM_MULTIPROCESSORS", "8", 0);
    setenv("SIM_BUDGET", "100000000000", 0);
    setenv("SIM_PROGRESS", "0", 0);
#endif
}

void *on_device(const void *array, size_t bytes)
{
    void *copy;
    CHECK(cudaMalloc(&copy, bytes + 1));
    CHECK(cudaMemcpy(copy, array, bytes, cudaMemcpyHostToDevice));
    return copy;
}

void from_device(void *array, void *copy, size_t bytes)
{
    CHECK(cudaMemcpy(array, copy, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(copy));
}

FILE *output_begin(const char *path)
{
    FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    if (!file)
        stop("%s: cannot be written: %s", path, strerror(errno));
    return file;
}

void output_end(FILE *file, const char *path)
{
    const int failed = fflush(file) != 0 || ferror(file);
    if (failed || (file != stdout && fclose(file) != 0))
        stop("%s: cannot be written: %s", path, strerror(errno));
}
