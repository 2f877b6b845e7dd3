/* outside.c - what the reader is told of an address that a lane may not touch: which array was
 * meant, and by how much it was missed. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory/memory.h"

/* What was not allowed. */
struct miss {
    const struct warp *warp;
    uintptr_t pc, address;
    unsigned int bytes;
    bool own; /* in the stack of the lane itself */
    bool stores;
    bool atomic; /* or a load or a store, which may be of several elements */
    struct sim_outside report;
};

__attribute__((format(printf, 2, 3))) static void advise(struct miss *miss, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(miss->report.advice, sizeof miss->report.advice, format, arguments);
    va_end(arguments);
}

/* How far an address lies from an array, in bytes. */
static size_t distance(const struct sim_array *array, uintptr_t address)
{
    uintptr_t end = array->base + array->bytes;
    return address < array->base ? array->base - address : address < end ? 0 : address - end;
}

static bool is_meant(const struct miss *miss, const char *name)
{
    return sim_line_means(miss->pc, miss->stores, name);
}

/* Whether `array` was meant rather than `best`: the line of the source names it alone; or it is
 * nearer, measured by its own length where both are far away. For an index that is too large by a
 * factor misses a large array by more bytes than a small one that happens to lie behind it. An atomic
 * takes a whole element, and an index that is far off is rather too large than below 0. */
static bool is_likelier(const struct miss *miss, const struct sim_array *array,
                        const struct sim_array *best)
{
    enum { NEAR = 128 };
    size_t one = distance(array, miss->address), other = distance(best, miss->address);
    bool named = is_meant(miss, array->name);
    if (named != is_meant(miss, best->name))
        return named;
    if (one <= NEAR || other <= NEAR)
        return one < other;
    const bool fits = array->element == miss->bytes, best_fits = best->element == miss->bytes;
    if (miss->atomic && fits != best_fits)
        return fits;
    const bool behind = miss->address >= array->base, best_behind = miss->address >= best->base;
    if (behind != best_behind)
        return behind;
    return (double)one * (double)best->bytes < (double)other * (double)array->bytes;
}

/* An unsigned index that should have been -1, or another small number below 0. */
static bool is_wrapped(const struct sim_array *array, uintptr_t address)
{
    enum { SMALL = 4096 };
    uintptr_t offset = address - array->base;
    return !array->is_scalar && offset % array->element == 0 &&
           (offset / array->element) >> 32 == 0 &&
           offset / array->element > (uintptr_t)UINT32_MAX - SMALL;
}

/* Calls `visit` for each array that the kernel has a name for. */
static void each_array(struct miss *miss,
                       void (*visit)(struct miss *, const struct sim_array *, void *), void *found)
{
    const struct launch *launch = miss->warp->block->launch;
    const struct sim_allocation *a = NULL;
    struct sim_array array;
    for (size_t i = 0; i < launch->shared_count; i++) {
        array = sim_shared_array(miss->warp->block, &launch->shared[i]);
        visit(miss, &array, found);
    }
    while ((a = sim_memory_next(a)))
        if (sim_find_parameter(launch, a, miss->address, &array))
            visit(miss, &array, found);
}

static void take_wrapped(struct miss *miss, const struct sim_array *array, void *found)
{
    struct sim_array *best = found;
    if (is_wrapped(array, miss->address) &&
        (!best->element || (is_meant(miss, array->name) && !is_meant(miss, best->name))))
        *best = *array;
}

static bool describe_wrapped(struct miss *miss)
{
    struct sim_array array = {.element = 0};
    char element[160];
    each_array(miss, take_wrapped, &array);
    if (!array.element)
        return false;
    snprintf(miss->report.what, sizeof miss->report.what, "%s: an unsigned %lld",
             sim_name_element(&array, miss->address, element, sizeof element),
             sim_array_index(&array, miss->address) - ((long long)UINT32_MAX + 1));
    advise(miss, "an unsigned number is never below 0: make the index an int, and compare it with "
                 "0 before the access");
    return true;
}

/* Whether the lines of an allocation speak of bytes: by a sizeof, or a number that is called one of bytes or a size,
 * which size_t is not. */
static bool tells_bytes(const struct sim_allocation *memory)
{
    enum { LINES_BEFORE = 2 };
    static const char *const words[] = {"size)", "size ", "size;", "size,", "sizeof", "bytes"};
    bool found = false;
    for (size_t i = 0; !found && i < sizeof words / sizeof *words; i++)
        found = sim_lines_have(memory->allocated_at, memory->allocated_at, LINES_BEFORE, words[i]);
    return found;
}

/* Whether the size that is asked for there is something else than a plain number of elements: a product, or what a
 * function was given, which its caller may have multiplied. */
static bool may_be_bytes(const struct sim_allocation *memory)
{
    char size[64];
    if (!sim_line_last_argument(memory->allocated_at, "alloc", size, sizeof size))
        return true;
    return strpbrk(size, "*<+") || sim_is_parameter(memory->allocated_at, size);
}

/* Whether an array that has an allocation to itself has so many bytes as elements are used, and where they are allocated neither a sizeof nor
 * a number that is called one of bytes, or a size. */
static bool lacks_sizeof(const struct miss *miss, const struct sim_array *array,
                         const struct sim_allocation *memory)
{
    const long long index = sim_array_index(array, miss->address);
    return memory && !memory->lent && memory->base == array->base && array->element > 1 &&
           index >= 0 && (unsigned long long)index < memory->bytes &&
           sim_find_source(memory->allocated_at, true).line > 0 &&
           sim_lines_have(memory->allocated_at, memory->allocated_at, 0, "alloc") &&
           !tells_bytes(memory) && !may_be_bytes(memory);
}

/* "bins[5], and bins has 5 elements", and where they were allocated. */
static void describe_miss(struct miss *miss, const struct sim_array *array)
{
    char element[160], elements[120], wide[64] = "", where[160];
    const struct sim_allocation *memory = sim_memory_find(array->base);
    if (miss->bytes > array->element)
        snprintf(wide, sizeof wide, "%u bytes from ", miss->bytes);
    snprintf(miss->report.what, sizeof miss->report.what, "%s%s%s, and %s", wide,
             sim_name_element(array, miss->address, element, sizeof element), wide[0] ? " on" : "",
             sim_count_elements(array, elements, sizeof elements));
    size_t used = strlen(miss->report.what);
    if (lacks_sizeof(miss, array, memory)) {
        snprintf(miss->report.what + used, sizeof miss->report.what - used,
                 ": %zu bytes (without sizeof?) were allocated at %s", memory->bytes,
                 sim_locate(memory->allocated_at, where, sizeof where));
        advise(miss, "allocations are told in bytes: multiply the number of elements by sizeof");
        return;
    }
    if (memory && !memory->lent)
        snprintf(miss->report.what + used, sizeof miss->report.what - used, ", allocated at %s",
                 sim_locate(memory->allocated_at, where, sizeof where));
    advise(miss, "compare the index with the number of elements before the access");
}

struct nearest {
    const struct shared_variable *variable;
    struct sim_array array;
};

static void describe_shared(struct miss *miss)
{
    const struct launch *launch = miss->warp->block->launch;
    struct nearest best = {.variable = NULL};
    for (size_t i = 0; i < launch->shared_count; i++) {
        struct sim_array array = sim_shared_array(miss->warp->block, &launch->shared[i]);
        if (!best.variable || is_likelier(miss, &array, &best.array))
            best = (struct nearest){&launch->shared[i], array};
    }
    if (!best.variable) {
        snprintf(miss->report.what, sizeof miss->report.what,
                 "shared memory that no variable of this kernel holds");
        advise(miss, "compare the index with the number of elements before the access");
        return;
    }
    describe_miss(miss, &best.array);
    bool dynamic = !best.variable->key;
    if (dynamic && best.array.bytes == 0) {
        char element[160];
        snprintf(miss->report.what, sizeof miss->report.what,
                 "%s, and %s has no elements: the third launch argument is missing",
                 sim_name_element(&best.array, miss->address, element, sizeof element),
                 best.array.name);
    }
    const size_t used = strlen(miss->report.what);
    if (dynamic && best.array.bytes > 0)
        snprintf(miss->report.what + used, sizeof miss->report.what - used,
                 ": the third launch argument is %zu bytes", best.array.bytes);
    if (dynamic)
        advise(miss,
               "an extern __shared__ array has as many bytes as the third launch argument says: "
               "%s<<<grid, block, bytes>>>; compare the index with that, or ask for more",
               launch->request->name);
}

static void take_likelier(struct miss *miss, const struct sim_array *array, void *found)
{
    struct sim_array *best = found;
    size_t offset = array->base - (uintptr_t)miss->warp->block->shared;
    if (offset >= SHARED_SLOT && (!best->element || is_likelier(miss, array, best)))
        *best = *array;
}

/* A structure in shared memory has no index that could lead from there to device memory. */
static void take_named(struct miss *miss, const struct sim_array *array, void *found)
{
    if (!array->is_scalar && is_meant(miss, array->name))
        *(struct sim_array *)found = *array;
}

/* The array that the line names, of those that the kernel knows; its element has 0 bytes where there is none. */
static struct sim_array named_array(struct miss *miss)
{
    struct sim_array named = {.element = 0};
    each_array(miss, take_named, &named);
    return named;
}

/* The same of device memory, where several arrays may lie in one allocation; and only where it names none, a
 * shared one: an index may be so far off that it leads from there into device memory. */
static struct sim_array named_in_memory(struct miss *miss)
{
    const struct launch *launch = miss->warp->block->launch;
    const struct sim_allocation *a = NULL;
    struct sim_array named = {.element = 0}, one;
    while ((a = sim_memory_next(a)))
        for (size_t i = 0; i < launch->request->parameters.count; i++)
            if (sim_parameter_array(launch, a, i, &one))
                take_named(miss, &one, &named);
    return named.element ? named : named_array(miss);
}

/* By the name that stands in the line, of which the kernel knows nothing: of an array that a structure points to. */
static bool describe_by_line(struct miss *miss)
{
    char name[64];
    if (!sim_line_element(miss->pc, name, sizeof name))
        return false;
    snprintf(miss->report.what, sizeof miss->report.what,
             "address 0x%zx belongs to nobody: far outside of %s", (size_t)miss->address, name);
    advise(miss, "compare the index of %s with its number of elements, and look at where %s points",
           name, name);
    return true;
}

/* By the allocation that is nearest, and the array that the line indexes. */
static void describe_allocation(struct miss *miss, const struct sim_allocation *near)
{
    const uintptr_t a = miss->address, end = near->base + near->bytes;
    const char *how = a < near->base ? "before"
                      : a < end      ? "before the end of"
                                     : "after the end of";
    const size_t bytes = a < near->base ? near->base - a : a < end ? end - a : a - end;
    char where[160], name[64] = "", by[80] = "";
    if (sim_line_element(miss->pc, name, sizeof name))
        snprintf(by, sizeof by, ", by %s,", name);
    snprintf(miss->report.what, sizeof miss->report.what,
             "address 0x%zx%s is %zu bytes %s the %zu-byte %s%s", (size_t)a, by, bytes, how,
             near->bytes, near->lent ? "array that the call was given" : "allocation made at ",
             near->lent ? "" : sim_locate(near->allocated_at, where, sizeof where));
    advise(miss, "compare the index with the number of elements before the access");
}

/* Whether another array was meant than a parameter points to: the line indexes one, and does not name it; and
 * memory that no parameter points to is nearer, as that of a structure's member. */
static bool is_of_another(const struct miss *miss, const struct sim_array *array,
                          const struct sim_allocation *near)
{
    char name[64];
    const struct sim_array nearest = {.base = near->base, .bytes = near->bytes};
    return !is_meant(miss, array->name) && sim_line_element(miss->pc, name, sizeof name) &&
           distance(&nearest, miss->address) < distance(array, miss->address);
}

/* Device memory, beside which the access lies, has the name of a parameter, or none. */
static void describe_global(struct miss *miss, const struct sim_allocation *near)
{
    enum { FAR = 1 << 30 }; /* bytes */
    const struct sim_array named = named_in_memory(miss);
    struct sim_array array = {.element = 0};
    const uintptr_t a = miss->address;
    each_array(miss, take_likelier, &array);
    const bool meant = array.element && is_meant(miss, array.name);
    if (!meant && named.element) {
        describe_miss(miss, &named);
        return;
    }
    if (!meant && a - near->base > near->bytes + FAR && near->base - a > FAR &&
        describe_by_line(miss))
        return;
    if (array.element && !is_of_another(miss, &array, near))
        describe_miss(miss, &array);
    else
        describe_allocation(miss, near);
}

static void describe_freed(struct miss *miss, const struct sim_allocation *at)
{
    char where[160], element[300];
    struct sim_array array;
    if (sim_find_parameter(miss->warp->block->launch, at, miss->address, &array))
        sim_name_element(&array, miss->address, element, sizeof element);
    else
        snprintf(element, sizeof element, "address 0x%zx", (size_t)miss->address);
    snprintf(miss->report.what, sizeof miss->report.what, "%s was freed at %s", element,
             sim_locate(at->freed_at, where, sizeof where));
    advise(miss, "free it when the kernels that use it have ended");
}

/* It is there, and belongs to another device. */
static void describe_peers(struct miss *miss, const struct sim_allocation *at)
{
    char where[160], element[300];
    const struct block *block = miss->warp->block;
    unsigned int device = block->launch->device;
    sim_describe_address(block, at, miss->address, miss->bytes, element, sizeof element);
    snprintf(miss->report.what, sizeof miss->report.what,
             "%s is memory of device %u, without peer access of device %u, on which %s runs%s%s",
             element, at->device, device, block->launch->request->name,
             at->lent ? "" : "; allocated at ",
             at->lent ? "" : sim_locate(at->allocated_at, where, sizeof where));
    advise(miss,
           at->pooled
               ? "memory of cudaMallocAsync needs cudaMemPoolSetAccess for device %u; or copy "
                 "with cudaMemcpyPeer"
               : "allocate it while device %u is current, copy with cudaMemcpyPeer, or call "
                 "cudaDeviceEnablePeerAccess(%u, 0) there",
           device, at->device);
}

/* Far outside of the array that the line names: of one that the kernel knows, or a local one. */
static bool describe_named(struct miss *miss)
{
    const struct sim_array array = named_array(miss);
    /* A stack is next to shared memory: far from an array in global memory a pointer is meant. */
    if (array.element && (sim_is_shared(array.base) || !sim_is_lane_stack(miss->address))) {
        describe_miss(miss, &array);
        return true;
    }
    return !sim_is_lane_stack(miss->address) && describe_by_line(miss);
}

/* Behind a __device__ or __constant__ variable. */
static bool describe_variable(struct miss *miss)
{
    enum { FURTHEST = 4096, WORD = 4 };
    uintptr_t base;
    size_t bytes;
    char name[64];
    if (sim_find_host_parameter(miss->warp->block->launch, miss->address, name, sizeof name))
        return false; /* a variable of the host */
    for (uintptr_t a = miss->address; a > miss->address - FURTHEST; a -= WORD) {
        if (!sim_is_variable(a) || !sim_find_symbol(a, &base, &bytes))
            continue;
        sim_symbol_name(a, name, sizeof name);
        snprintf(miss->report.what, sizeof miss->report.what,
                 "%zu bytes behind the end of %s, which has %zu bytes",
                 (size_t)(miss->address - base - bytes), name, bytes);
        advise(miss, "compare the index with the number of elements of %s before the access", name);
        return true;
    }
    return false;
}

/* Whether the host has memory there. */
static bool is_mapped(uintptr_t address)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    return msync((void *)(address & ~(page - 1)), page, MS_ASYNC) == 0;
}

/* What is no memory of the device, by where the address lies. */
static void describe_elsewhere(struct miss *miss)
{
    uintptr_t a = miss->address;
    char name[64];
    if (a >= 4096 && sim_find_host_parameter(miss->warp->block->launch, a, name, sizeof name)) {
        snprintf(miss->report.what, sizeof miss->report.what,
                 "address 0x%zx, by %s, is host memory: a kernel cannot use it", (size_t)a, name);
        advise(miss, "allocate it with cudaMalloc, copy with cudaMemcpy, and pass the device "
                     "pointer");
    } else if (a >= 4096 && describe_named(miss)) {
        return;
    } else if (miss->own) {
        snprintf(miss->report.what, sizeof miss->report.what,
                 "a local variable, which belongs to one thread: declare it __shared__");
        advise(
            miss,
            "let the threads of a block share a __shared__ variable; there is one for each block");
    } else if (sim_is_lane_stack(a)) {
        snprintf(miss->report.what, sizeof miss->report.what,
                 "local memory of another thread: the index of a local array is out of bounds, or "
                 "the address of a local variable came from another thread");
        advise(
            miss,
            "let the threads of a block share a __shared__ variable; there is one for each block");
    } else if (sim_is_shared(a)) {
        snprintf(miss->report.what, sizeof miss->report.what,
                 "a __shared__ variable of another block");
        advise(miss, "share it with other blocks by memory from cudaMalloc");
    } else if (a < 4096) {
        snprintf(miss->report.what, sizeof miss->report.what, "address 0x%zx: a null pointer",
                 (size_t)a);
        advise(miss, "check the pointer that was passed to the kernel");
    } else if (!is_mapped(a)) {
        snprintf(miss->report.what, sizeof miss->report.what, "address 0x%zx belongs to nobody",
                 (size_t)a);
        advise(miss, "look at the pointer and at the index of this line");
    } else {
        snprintf(miss->report.what, sizeof miss->report.what,
                 "address 0x%zx is host memory: a kernel cannot use it", (size_t)a);
        advise(miss, "allocate it with cudaMalloc, copy with cudaMemcpy, and pass the device "
                     "pointer");
    }
}

bool sim_is_never_set(uintptr_t a)
{
    /* -ftrivial-auto-var-init=pattern: of gcc, and of clang. An index moves it little. */
    return a >> 40 == 0xfefefe || a >> 40 == 0xaaaaaa;
}

struct sim_outside sim_describe_outside(const struct warp *warp, unsigned int lane,
                                        unsigned int bytes)
{
    struct miss miss = {.warp = warp,
                        .pc = sim_lane_pc(warp, lane),
                        .address = warp->address[lane],
                        .bytes = bytes,
                        .own = warp->address[lane] - warp->lane[lane].stack_low < STACK_BYTES,
                        .stores = warp->stop[lane].reason == STOP_STORE,
                        .atomic = warp->stop[lane].reason == STOP_ATOMIC};
    uintptr_t a = miss.address;
    const struct sim_allocation *near = sim_memory_nearest(a), *at = sim_memory_find(a);
    if (warp->lane[lane].stack_low - (uintptr_t)warp->lane[lane].stack_pointer < STACK_BYTES) {
        snprintf(miss.report.what, sizeof miss.report.what, SIM_STACK_DETAIL);
        advise(&miss, SIM_STACK_ADVICE);
    } else if (sim_is_never_set(a)) {
        snprintf(miss.report.what, sizeof miss.report.what, "by a pointer that nobody has set");
        advise(&miss, "let the pointer have an address before it is used, as cudaMalloc(&pointer, "
                      "bytes) does");
    } else if (a - (uintptr_t)warp->block->shared < SHARED_SLOT)
        describe_shared(&miss);
    else if (at && at->freed_at)
        describe_freed(&miss, at);
    else if (at && !sim_may_touch(warp->block->launch->device, at))
        describe_peers(&miss, at);
    else if (!at && describe_variable(&miss))
        ;
    else if (!sim_is_lane_stack(a) && describe_wrapped(&miss))
        ;
    else if (near && a - sim_arena_base < sim_arena_bytes)
        describe_global(&miss, near);
    else
        describe_elsewhere(&miss);
    return miss.report;
}
