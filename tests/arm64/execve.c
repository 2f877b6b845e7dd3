/* execve.c - linked with programs for arm64 that an emulator runs: tests/arm64/arm64.sh.
 *
 * Criterion starts itself anew for each test. This machine cannot execute what it asks
 * for, a program for another one; the emulator, which ARM64_EMULATOR names, can. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST = 256 };

/* In the place of the C library's function: executes `path` by way of the emulator. */
int execve(const char *path, char *const arguments[], char *const environment[])
{
    char *emulator = getenv("ARM64_EMULATOR");
    const char *all[MOST] = {emulator, path};
    int count = 2;
    for (int i = 1; arguments[0] && arguments[i]; i++) {
        if (count == MOST - 1) {
            errno = E2BIG;
            return -1;
        }
        all[count++] = arguments[i];
    }
    if (!emulator)
        return (int)syscall(SYS_execve, path, arguments, environment);
    return (int)syscall(SYS_execve, emulator, all, environment);
}
