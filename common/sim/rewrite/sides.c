/* sides.c - makes one text of two: what the host is to see of a .cu file, and what kernels are.
 *
 * nvcc preprocesses a file twice; __CUDA_ARCH__ is defined for the device only. Here the host's
 * text stays, and of the device's text comes what differs:
 *
 *     __global__, __device__        the device's version, or none when that has none
 *     __host__ __device__           both bodies: `{ if (::sim_on_device()) {...} else {...} }`
 *     anything else                 the host's; the device's only where the host has nothing
 *
 * Declarations are compared, at the level of namespaces and classes. So a type, or a constant,
 * whose definition depends on __CUDA_ARCH__ is the host's for both. */
#include "passes.h"

#include <stdlib.h>
#include <string.h>

/* A declaration, or one end of a namespace or a class. */
struct unit {
    size_t first, last; /* tokens */
    uint64_t hash;
    bool used; /* of the device's: it has met its partner */
};

struct side {
    const struct source *source;
    struct unit *units;
    size_t count, capacity;
};

static uint64_t hash_tokens(const struct source *source, size_t first, size_t last)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = first; i <= last; i++) {
        const struct token *token = token_at(source, i);
        for (uint32_t k = 0; k <= token->length; k++) /* a blank behind each */
            hash =
                (hash ^ (unsigned char)(k < token->length ? token->text[k] : ' ')) * 0x100000001b3u;
    }
    return hash;
}

static void add_unit(struct side *side, size_t first, size_t last)
{
    if (side->count == side->capacity) {
        side->capacity = side->capacity * 2 + 1024;
        side->units = get_memory(side->units, side->capacity, sizeof *side->units);
    }
    side->units[side->count++] =
        (struct unit){first, last, hash_tokens(side->source, first, last), false};
}

static struct side find_units(const struct source *source)
{
    struct side side = {.source = source};
    size_t start = 1;
    for (size_t i = 1; i + 1 < source->count; i++) {
        bool ends = is_sign(source, i, ';') || is_sign(source, i, '}');
        if (is_sign(source, i, '{')) {
            enum scope_kind kind = outer_kind(source, start, i);
            ends = kind != SCOPE_INITIALIZER;
            if (kind != SCOPE_NAMESPACE && kind != SCOPE_CLASS && match_of(source, i) > i)
                i = match_of(source, i);
        } else if (!ends && match_of(source, i) > i) {
            i = match_of(source, i);
        }
        if (ends || i + 2 == source->count) {
            add_unit(&side, start, i);
            start = i + 1;
        }
    }
    return side;
}

/* Writes the text of some tokens, after a marker that says where they stand. */
static void write_tokens(FILE *file, const struct source *source, size_t first, size_t last)
{
    const struct token *from = token_at(source, first), *to = token_at(source, last);
    size_t length;
    const char *name = source_name(source, from->file, &length);
    fprintf(file, "\n# %u \"%.*s\"%s\n", from->line, (int)length, name, from->system ? " 3" : "");
    fwrite(from->text, 1, (size_t)(to->text + to->length - from->text), file);
}

static bool has_word(const struct source *source, size_t first, size_t last, enum word word)
{
    for (size_t i = first; i <= last; i++)
        if (is_word(source, i, word))
            return true;
    return false;
}

/* The last token of a unit's head: the one before a function's body. */
static size_t head_end(const struct source *source, const struct unit *unit)
{
    struct function function = find_function(source, unit->first);
    bool has_body = function.body > unit->first && function.body <= unit->last;
    return has_body ? function.body - 1 : unit->last;
}

static bool is_for_device(const struct source *source, const struct unit *unit)
{
    size_t end = head_end(source, unit);
    return has_word(source, unit->first, end, WORD_DEVICE) ||
           has_word(source, unit->first, end, WORD_GLOBAL) ||
           has_word(source, unit->first, end, WORD_CONSTANT) ||
           has_word(source, unit->first, end, WORD_MANAGED);
}

static bool is_for_host(const struct source *source, const struct unit *unit)
{
    return !is_for_device(source, unit) ||
           has_word(source, unit->first, head_end(source, unit), WORD_HOST);
}

/* The device's version of a function, among units `first` up to `end`, or NULL. */
static struct unit *find_partner(const struct side *host, const struct unit *unit,
                                 struct side *device, size_t first, size_t end)
{
    size_t head = head_end(host->source, unit);
    uint64_t hash = hash_tokens(host->source, unit->first, head);
    for (size_t i = first; i < end && head < unit->last; i++) {
        struct unit *other = &device->units[i];
        size_t other_head = head_end(device->source, other);
        if (!other->used && other_head < other->last &&
            hash_tokens(device->source, other->first, other_head) == hash)
            return other;
    }
    return NULL;
}

static void write_both(FILE *file, const struct source *host, const struct unit *unit,
                       const struct source *device, const struct unit *other)
{
    size_t head = head_end(host, unit);
    write_tokens(file, host, unit->first, head);
    fputs(" { if (::sim_on_device()) ", file);
    write_tokens(file, device, head_end(device, other) + 1, other->last);
    fputs(" else ", file);
    write_tokens(file, host, head + 1, unit->last);
    fputs(" }", file);
}

/* Writes the device's own units from *at up to `end`: helpers stand before those who use them. */
static void write_device(FILE *file, struct side *device, size_t *at, size_t end,
                         bool words_for_host)
{
    for (; *at < end; ++*at) {
        const struct unit *unit = &device->units[*at];
        if (!unit->used && (!words_for_host || is_for_device(device->source, unit)))
            write_tokens(file, device->source, unit->first, unit->last);
    }
}

static void write_host(FILE *file, const struct source *host, const struct unit *unit,
                       const struct source *device, const struct unit *other)
{
    bool for_device = is_for_device(host, unit);
    if (other && for_device && is_for_host(host, unit))
        write_both(file, host, unit, device, other);
    else if (other && for_device)
        write_tokens(file, device, other->first, other->last);
    else if (is_for_host(host, unit))
        write_tokens(file, host, unit->first, unit->last);
}

/* Writes what two stretches of units amount to, which have nothing in common. */
static void write_difference(FILE *file, const struct side *host, const size_t at[2],
                             struct side *device, const size_t of_device[2])
{
    struct unit **partner = get_memory(NULL, at[1] - at[0] + 1, sizeof(struct unit *));
    bool words_for_host = false;
    for (size_t i = at[0]; i < at[1]; i++) {
        struct unit *other =
            find_partner(host, &host->units[i], device, of_device[0], of_device[1]);
        partner[i - at[0]] = other;
        if (other)
            other->used = true;
        words_for_host |= !is_for_device(host->source, &host->units[i]);
    }
    size_t next = of_device[0];
    for (size_t i = at[0]; i < at[1]; i++) {
        const struct unit *other = partner[i - at[0]];
        if (other)
            write_device(file, device, &next, (size_t)(other - device->units), words_for_host);
        write_host(file, host->source, &host->units[i], device->source, other);
    }
    write_device(file, device, &next, of_device[1], words_for_host);
    free(partner);
}

/* Moves both to where they are the same again: the nearest place. */
static void find_end(const struct side *host, size_t *i, const struct side *device, size_t *j)
{
    size_t host_left = host->count - *i, device_left = device->count - *j;
    for (size_t sum = 1; sum <= host_left + device_left; sum++)
        for (size_t k = sum > device_left ? sum - device_left : 0; k <= sum && k <= host_left; k++)
            if (k < host_left && sum - k < device_left &&
                host->units[*i + k].hash == device->units[*j + sum - k].hash) {
                *i += k;
                *j += sum - k;
                return;
            }
    *i = host->count;
    *j = device->count;
}

bool merge_sides(const struct source *host_text, const struct source *device_text, FILE *file)
{
    struct side host = find_units(host_text), device = find_units(device_text);
    size_t i = 0, j = 0;
    while (i < host.count || j < device.count) {
        size_t same = i;
        while (i < host.count && j < device.count && host.units[i].hash == device.units[j].hash)
            i++, j++;
        if (i > same)
            write_tokens(file, host_text, host.units[same].first, host.units[i - 1].last);
        size_t at[2] = {i}, of_device[2] = {j};
        find_end(&host, &i, &device, &j);
        at[1] = i;
        of_device[1] = j;
        write_difference(file, &host, at, &device, of_device);
    }
    fputc('\n', file);
    free(host.units);
    free(device.units);
    return fflush(file) == 0 && !ferror(file);
}
