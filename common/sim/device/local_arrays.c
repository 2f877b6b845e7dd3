/* local_arrays.c - an array of a thread's own that an index leaves: compiled kernels call these.
 *
 * Such arrays lie in no memory of the device, and no access to them is seen. Where the compiler knows how many
 * elements there are, it compares each index with that (-fsanitize=bounds). What goes through a pointer is found
 * when the function ends that declares the array, if it was written far enough beyond (-fstack-protector). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/engine.h"

/* What the compiler tells of an index: where it stands, and of which types the array and the index are. */
struct type {
    uint16_t kind, of_integer; /* of an integer 2 x log2 of its bits, + 1 with a sign */
    char name[];               /* "'unsigned int [5]'" */
};
struct indexed {
    const char *file;
    uint32_t line, column;
    const struct type *array, *index;
};

/* Of a shared array or one of the device the access itself is looked at: an index may leave a row of it. Where
 * the source cannot be read, it may be one of these. */
static bool is_elsewhere(const struct indexed *at, const char *name)
{
    if (!sim_source_is_known(at->file))
        return true;
    char first[64]; /* of "mine.word" it is `mine`, of "table[1]" `table` */
    snprintf(first, sizeof first, "%.*s", (int)strcspn(name, ".-["), name);
    for (size_t i = 0; i < sim_running->shared_count; i++) {
        const char *shared = sim_running->shared[i].name;
        if (*name ? strcmp(first, shared) == 0 : sim_text_mentions(at->file, (int)at->line, shared))
            return true;
    }
    return *name && sim_is_declared_with(at->file, first, "__device__", "__constant__");
}

/* Where a place is remembered whose array lies elsewhere: a kernel may leave rows at each access, and the source is
 * read once. Who finds another place there reads it again. */
static const struct indexed **remembered(const struct indexed *at)
{
    enum { PLACES = 64 };
    static const struct indexed *place[PLACES];
    return &place[(uintptr_t)at / sizeof *at % PLACES];
}

/* The index as the source has it: one without a sign is never below 0. */
static long long value_of(const struct type *type, uintptr_t value)
{
    const unsigned int bits = 1u << (type->of_integer >> 1);
    if (!(type->of_integer & 1) || bits >= 64)
        return (long long)value;
    return (long long)(value << (64 - bits)) >> (64 - bits);
}

void __ubsan_handle_out_of_bounds(const struct indexed *at, uintptr_t value);
void __ubsan_handle_out_of_bounds(const struct indexed *at, uintptr_t value)
{
    const uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    const bool in_kernel = sim_lane && sim_running;
    char name[64] = "", detail[200];
    const char *extent = strchr(at->array->name, '[');
    if (!extent || (in_kernel && *remembered(at) == at))
        return;
    sim_indexed_name(at->file, (int)at->line, (int)at->column, name, sizeof name);
    if (!in_kernel &&
        strchr(
            name,
            '[')) /* of the host's table[0][i] the rows follow each other: it may walk through all */
        return;
    if (in_kernel && is_elsewhere(at, name)) {
        *remembered(at) = at;
        return;
    }
    const long elements = strtol(extent + 1, NULL, 10);
    snprintf(detail, sizeof detail, "%s[%lld], and %s has %ld element%s", *name ? name : "index ",
             value_of(at->index, value), *name ? name : "its array", elements,
             elements == 1 ? "" : "s");
    sim_report(CHECK_MEMORY, in_kernel ? sim_lane : NULL, pc,
               in_kernel ? "Invalid __local__ index" : "Invalid index", detail,
               "compare the index with the number of elements before the access");
    if (in_kernel)
        sim_stop_launch(sim_running, cudaErrorIllegalAddress);
    fflush(NULL);
    _exit(86);
}

/* Called by a function whose arrays end before what was written: kernels are compiled so. */
void __stack_chk_fail(void);
void __stack_chk_fail(void)
{
    if (!sim_lane || !sim_running) {
        fputs("a local array was written beyond its end, on the host: compile with "
              "-fsanitize=address to see where\n",
              stderr);
        abort();
    }
    sim_report(CHECK_MEMORY, sim_lane, (uintptr_t)__builtin_return_address(0),
               "Invalid __local__ write beyond the end of an array",
               "found when the function ended, in which the array is declared",
               "compare each index of its local arrays with their number of elements before the "
               "store");
    sim_stop_launch(sim_running, cudaErrorIllegalAddress);
}
