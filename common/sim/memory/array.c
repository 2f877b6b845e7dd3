/* array.c - an address as the reader of a kernel writes it: an element of a __shared__ variable,
 * or of what a parameter points to. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "memory/memory.h"

struct sim_array sim_shared_array(const struct block *block, const struct shared_variable *variable)
{
    struct sim_array array = {.base = (uintptr_t)block->shared + variable->offset,
                              .bytes = variable->size,
                              .element = variable->element ? variable->element : 1,
                              .is_scalar = !variable->extents[0]};
    array.rows = array.is_scalar ? variable->extents : variable->extents + 1;
    snprintf(array.name, sizeof array.name, "%s", variable->name);
    return array;
}

/* What a parameter points to, to the end of the allocation: memory/array.c. */
struct typed_memory {
    uintptr_t begin, end;
    size_t element, alignment;
};
enum { TYPED = 32 };
static struct typed_memory typed[TYPED]; /* of the launch that runs */
static size_t typed_count;

/* The name of parameter `i`, from a list such as "text, length, rest...", whose last name stands
 * for all that are left. Empty for a parameter without a name. */
static void copy_name(const char *names, size_t i, char *name, size_t size)
{
    static const char unnamed[] = "sim_unnamed_";
    const char *next;
    for (; i > 0 && (next = strchr(names, ',')); i--)
        names = next + 2;
    int length = (int)strcspn(names, ",.");
    bool has_name = strncmp(names, unnamed, sizeof unnamed - 1) != 0;
    snprintf(name, size, "%.*s", has_name ? length : 0, names);
}

/* Whether a parameter that points to `pointer` says more of `address` than the one that points
 * to `best`: from at or below rather than from above, and then the nearer one. */
static bool says_more(uintptr_t pointer, uintptr_t best, uintptr_t address)
{
    if ((pointer <= address) != (best <= address))
        return pointer <= address;
    return pointer <= address ? pointer > best : pointer < best;
}

bool sim_parameter_array(const struct launch *launch, const struct sim_allocation *allocation,
                         size_t i, struct sim_array *array)
{
    const struct sim_parameters *all = &launch->request->parameters;
    uintptr_t pointer;
    if (!all->elements[i])
        return false;
    memcpy(&pointer, (const char *)launch->closure + all->offsets[i], sizeof pointer);
    *array = (struct sim_array){.base = pointer,
                                .bytes = allocation->base + allocation->bytes - pointer,
                                .element = all->elements[i],
                                .rows = all->rows[i]};
    copy_name(all->names, i, array->name, sizeof array->name);
    return pointer - allocation->base <= allocation->bytes && array->name[0];
}

bool sim_find_parameter(const struct launch *launch, const struct sim_allocation *allocation,
                        uintptr_t address, struct sim_array *array)
{
    struct sim_array one;
    *array = (struct sim_array){.base = 0};
    for (size_t i = 0; i < launch->request->parameters.count; i++)
        if (sim_parameter_array(launch, allocation, i, &one) &&
            (!array->base || says_more(one.base, array->base, address)))
            *array = one;
    return array->base != 0;
}

bool sim_find_alias(const struct launch *launch, const struct sim_allocation *allocation,
                    uintptr_t address, char *names, size_t size)
{
    struct sim_array one, other;
    if (!sim_find_parameter(launch, allocation, address, &one))
        return false;
    for (size_t i = 0; i < launch->request->parameters.count; i++)
        if (sim_parameter_array(launch, allocation, i, &other) && other.base == one.base &&
            strcmp(other.name, one.name) != 0) {
            snprintf(names, size, "%s and %s", one.name, other.name);
            return true;
        }
    return false;
}

/* What a pointer in the closure points to. */
static void note_type(struct launch *launch, size_t offset, size_t element, size_t alignment)
{
    uintptr_t pointer;
    if (!alignment || typed_count == TYPED)
        return;
    memcpy(&pointer, (const char *)launch->closure + offset, sizeof pointer);
    const struct sim_allocation *allocation = sim_memory_find(pointer);
    if (allocation && !allocation->freed_at)
        typed[typed_count++] = (struct typed_memory){pointer, allocation->base + allocation->bytes,
                                                     element, alignment};
}

void sim_note_types(struct launch *launch)
{
    typed_count = 0;
    const struct sim_parameters *all = &launch->request->parameters;
    for (size_t i = 0; i < all->count; i++) {
        if (all->alignments)
            note_type(launch, all->offsets[i], all->elements[i], all->alignments[i]);
        const struct sim_member *member = all->members ? all->members[i] : NULL;
        for (; member && member->element; member++)
            note_type(launch, all->offsets[i] + member->offset, member->element, member->alignment);
    }
}

size_t sim_type_at(uintptr_t address, size_t *element)
{
    const struct typed_memory *best = NULL;
    for (size_t i = 0; i < typed_count; i++) {
        const struct typed_memory *one = &typed[i];
        if (address - one->begin < one->end - one->begin &&
            (!best || one->begin > best->begin ||
             (one->begin == best->begin && one->alignment < best->alignment)))
            best = one;
    }
    const struct sim_variable *variable =
        !best && sim_is_variable(address) ? sim_type_of_variable(address) : NULL;
    *element = best ? best->element : variable ? variable->element : 0;
    return best ? best->alignment : variable ? variable->alignment : 0;
}

bool sim_find_host_parameter(const struct launch *launch, uintptr_t address, char *name,
                             size_t size)
{
    const uintptr_t far = (uintptr_t)1 << 32;
    const struct sim_parameters *all = &launch->request->parameters;
    bool found = false;
    for (size_t i = 0; i < all->count && !found; i++) {
        uintptr_t pointer;
        if (!all->elements[i])
            continue;
        memcpy(&pointer, (const char *)launch->closure + all->offsets[i], sizeof pointer);
        copy_name(all->names, i, name, size);
        found = name[0] && pointer != 0 && address - pointer < far && !sim_memory_find(pointer) &&
                pointer - sim_arena_base >= sim_arena_bytes && !sim_is_lane_stack(pointer) &&
                !sim_is_shared(pointer);
    }
    return found;
}

long long sim_array_index(const struct sim_array *array, uintptr_t address)
{
    long long element = (long long)array->element, bytes = (long long)(address - array->base);
    return bytes < 0 ? -((element - 1 - bytes) / element) : bytes / element;
}

__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size,
                                                         const char *format, ...)
{
    va_list arguments;
    size_t used = strlen(text);
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

char *sim_name_element(const struct sim_array *array, uintptr_t address, char *text, size_t size)
{
    long long index = sim_array_index(array, address), row = 1;
    snprintf(text, size, "%s", array->name);
    if (array->is_scalar && index == 0)
        return text;
    for (const size_t *extent = array->rows; *extent; extent++)
        row *= (long long)*extent;
    /* An index below 0 is one of the first extent: the others stay what they should be. */
    long long first = index < 0 ? -((row - 1 - index) / row) : index / row;
    append(text, size, "[%lld]", first);
    index -= first * row;
    for (const size_t *extent = array->rows; *extent; extent++) {
        row /= (long long)*extent;
        append(text, size, "[%lld]", index / row);
        index %= row;
    }
    return text;
}

char *sim_count_elements(const struct sim_array *array, char *text, size_t size)
{
    size_t count = array->bytes / array->element, row = 1;
    for (const size_t *extent = array->rows; *extent; extent++)
        row *= *extent;
    if (array->is_scalar)
        snprintf(text, size, "%s is no array", array->name);
    else if (count == 0)
        snprintf(text, size, "%s has no elements", array->name);
    else if (row == 1)
        snprintf(text, size, "%s has %zu element%s", array->name, count, count == 1 ? "" : "s");
    else {
        snprintf(text, size, "%s is [%zu]", array->name, count / row);
        for (const size_t *extent = array->rows; *extent; extent++)
            append(text, size, "[%zu]", *extent);
    }
    return text;
}
