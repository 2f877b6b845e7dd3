/* host_access.c - host code that touches device memory: stopped by a signal, and told
 * whether it read or wrote. The compiler's choice of instruction does not matter. */
#define _POSIX_C_SOURCE 200809L
#include <cuda_runtime_api.h>
#include <criterion/criterion.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture.h"

enum { BYTES = 64 };

static volatile long long seen;

static void read_int(void *memory)
{
    seen = *(volatile int *)memory; /* with its sign, into a wider register */
}
static void read_bytes(void *memory)
{
    unsigned char copy[BYTES];
    memcpy(copy, memory, sizeof copy);
    seen = copy[seen & 7];
}
static void write_int(void *memory)
{
    *(volatile int *)memory = 1;
}
static void write_bytes(void *memory)
{
    memset(memory, 1, BYTES);
}

/* What a process of its own says that touches device memory; it ends with status 86. */
static const char *output_of(void (*touch)(void *), struct capture *capture)
{
    void *memory = NULL;
    int status = 0;
    cr_assert_eq(cudaMalloc(&memory, BYTES), cudaSuccess);
    capture_start(capture);
    pid_t child = fork();
    if (child == 0) {
        touch(memory);
        _exit(0);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    const char *text = capture_end(capture);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 86, "status %x:\n%s", status, text);
    return text;
}

Test(host_access, tells_what_reads)
{
    struct capture capture;
    const char *text = output_of(read_int, &capture);
    EXPECT_PRINTED(text, "Host code reads device memory");
    EXPECT_PRINTED(text, "host_access.c:");
    EXPECT_PRINTED(output_of(read_bytes, &capture), "Host code reads device memory");
}

Test(host_access, tells_what_writes)
{
    struct capture capture;
    const char *text = output_of(write_int, &capture);
    EXPECT_PRINTED(text, "Host code writes device memory");
    EXPECT_PRINTED(text, "host_access.c:");
    EXPECT_PRINTED(output_of(write_bytes, &capture), "Host code writes device memory");
}
