/* program.c - what the examples share: see program.h. */
#define _GNU_SOURCE
#include "program.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void stop(const char *format, ...)
{
    va_list arguments;
    status_line(NULL);
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

void status_line(const char *format, ...)
{
    va_list arguments;
    if (!isatty(STDERR_FILENO))
        return;
    fputs("\r\33[K", stderr);
    va_start(arguments, format);
    if (format)
        vfprintf(stderr, format, arguments);
    va_end(arguments);
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

/* The name of the file that is written: one is at a time. */
static char beside[PATH_MAX];

static void __attribute__((noreturn)) cannot_write(const char *path)
{
    const int error = errno;
    if (*beside)
        unlink(beside);
    stop("%s: cannot be written: %s", path, strerror(error));
}

FILE *whole_file_begin(const char *path)
{
    const mode_t mask = umask(0);
    umask(mask);
    if (strcmp(path, "-") == 0)
        return stdout;
    snprintf(beside, sizeof beside, "%s.XXXXXX", path);
    const int descriptor = mkstemp(beside);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (descriptor < 0)
        *beside = '\0';
    if (!file || fchmod(descriptor, 0666 & ~mask) != 0)
        cannot_write(path);
    return file;
}

void whole_file_end(FILE *file, const char *path)
{
    if (fflush(file) != 0 || ferror(file))
        cannot_write(path);
    if (file == stdout)
        return;
    if (fsync(fileno(file)) != 0 || fclose(file) != 0 || rename(beside, path) != 0)
        cannot_write(path);
    *beside = '\0';
}
