/* reached.c - for tests/course/reached.py: keeps gcov's counters of a kernel, whoever ends its process.
 *
 * The counters lie in a section of their own, which is mapped to the file PROGRAM.counters: all processes of
 * a kernel count there. With SIM_REACHED in its environment the process has gcov write its file, and ends. The
 * simulator would take a counter for memory of the program, so it does not hear of accesses to them. */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern char __start_reached[], __stop_reached[];
/* Makes the section end with a page. */
__attribute__((section("reached"), aligned(4096), used)) static char last_page[4096];

void __gcov_dump(void);
void __tsan_read8(void *address);
void __tsan_write8(void *address);
void reached_read8(void *address);
void reached_write8(void *address);

static int is_counter(const void *address)
{
    return (uintptr_t)address - (uintptr_t)__start_reached <
           (uintptr_t)__stop_reached - (uintptr_t)__start_reached;
}

void reached_read8(void *address)
{
    if (!is_counter(address))
        __tsan_read8(address); /* by a jump: the simulator asks who called */
}

void reached_write8(void *address)
{
    if (!is_counter(address))
        __tsan_write8(address);
}

static int counters_of_all(void)
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof ".counters");
    if (length < 0)
        return -1;
    strcpy(path + length, ".counters");
    return open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
}

__attribute__((constructor)) static void share_counters(void)
{
    const size_t bytes = (size_t)(__stop_reached - __start_reached);
    const int file = counters_of_all();
    if (file < 0 || ftruncate(file, (off_t)bytes) != 0 ||
        mmap(__start_reached, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) ==
            MAP_FAILED)
        _exit(99);
    close(file);
    if (getenv("SIM_REACHED")) {
        __gcov_dump();
        _exit(0);
    }
}
