/* story_steps.c - the arrays and the steps of a trace as JSON.
 *
 * Most steps are alike, so lists that a formula gives are left to the page: "s" in place of "i" for
 * indexes at equal distances, one number for values that are all the same. */
#include "story.h"

#include <stdlib.h>
#include <string.h>

static unsigned long long element_at(const unsigned char *memory, size_t bytes)
{
    uint64_t value = 0;
    memcpy(&value, memory, bytes > sizeof value ? sizeof value : bytes);
    return value;
}

/* An element of the page is as narrow as the narrowest access: a word may be used byte by byte. */
static void find_elements(struct writer *w)
{
    for (size_t i = 0; i < w->r->arrays; i++) {
        const struct shape *shape = recording_shape(w->r, (int)i);
        w->element[i] = w->r->array[i].element;
        if (shape && shape->cell < w->element[i])
            w->element[i] = shape->cell;
    }
    for (size_t i = 0; i < w->r->steps; i++) {
        const struct recorded_step *step = &w->r->step[i];
        if (step->array >= 0 && step->bytes < w->element[step->array])
            w->element[step->array] = step->bytes;
    }
}

/* Of a script's numbers larger ones are not exact: they are written as strings. */
static void write_number(FILE *file, const char *comma, unsigned long long number)
{
    const char *quote = number >> 53 ? "\"" : "";
    fprintf(file, "%s%s%llu%s", comma, quote, number, quote);
}

static void write_initial(FILE *file, const struct recorded_array *array, size_t element)
{
    fprintf(file, ",\"initial\":");
    if (!array->has_initial) {
        fprintf(file, "null");
        return;
    }
    fputc('[', file);
    for (size_t at = 0; at + element <= array->bytes; at += element)
        write_number(file, at ? "," : "", element_at(array->initial + at, element));
    fputc(']', file);
}

void story_arrays(struct writer *w)
{
    enum { SECTOR = 32, BANK = 4, BANKS = 32 };
    find_elements(w);
    fprintf(w->file, "\"arrays\":[");
    for (size_t i = 0; i < w->r->arrays; i++) {
        const struct recorded_array *array = &w->r->array[i];
        const size_t element = w->element[i];
        bool shared = array->space == SIM_SHARED;
        fprintf(w->file, "%s{", i ? ",\n" : "");
        story_pair(w->file, "name", array->name);
        fprintf(w->file,
                ",\"space\":\"%s\",\"block\":%d,\"bytes\":%zu,\"count\":%zu,\"row\":%zu,"
                "\"sector0\":%d,\"bank0\":%d",
                shared ? "shared" : "global", shared ? (int)array->block : -1, element,
                array->bytes / element, array->row * (array->element / element),
                (int)(array->base % SECTOR), (int)(array->base / BANK % BANKS));
        if (array->device > 0)
            fprintf(w->file, ",\"device\":%u", array->device);
        static const char *const contents[] = {[INPUT] = "input",
                                               [INPUT_COPY] = "copy of input",
                                               [OUTPUT] = "bins",
                                               [OUTPUT_COPY] = "copy of bins"};
        const bool is_text = array->role == INPUT && traced.counts_text;
        if (array->role != OWN)
            fprintf(w->file, ",\"content\":\"%s\"", is_text ? "text" : contents[array->role]);
        if (!is_text)
            write_initial(w->file, array, element);
        fputc('}', w->file);
    }
    fprintf(w->file, "],\n");
}

/* The line that "file:line" has in a file; 0 when it is in another. */
static int line_in(const char *file, const char *place)
{
    const size_t length = strlen(file);
    return length > 0 && strncmp(place, file, length) == 0 && place[length] == ':'
               ? atoi(place + length + 1)
               : 0;
}

/* The line of an instruction among those of the page; 0 when it is in none of its files. */
static int line_of(const struct writer *w, uintptr_t pc)
{
    char place[600];
    if (!pc)
        return 0;
    sim_locate(pc, place, sizeof place);
    const int other = line_in(w->other, place);
    return other ? w->lines + other : line_in(w->story->source, place);
}

/* Files of the course, and how many steps are in each. */
enum { FILES = 8, NAME = 256 };
struct files {
    char name[FILES][NAME];
    size_t steps[FILES];
};

static void count_step(struct files *files, const char *place)
{
    const int length = (int)strcspn(place, ":");
    size_t file = 0;
    while (file < FILES - 1 && files->name[file][0] &&
           (strncmp(files->name[file], place, (size_t)length) != 0 || files->name[file][length]))
        file++;
    snprintf(files->name[file], NAME, "%.*s", length < NAME ? length : NAME - 1, place);
    files->steps[file]++;
}

/* Such as the kernel of an earlier chapter, or an operation. */
void story_find_other(struct writer *w)
{
    static const char shared[] = "common/contract/";
    struct files files = {.steps = {0}};
    char place[600] = "";
    size_t best = 0;
    uintptr_t last = 0;
    for (size_t i = 0; i < w->r->steps; i++) {
        const uintptr_t pc = w->r->step[i].pc;
        if (!pc || w->r->step[i].what > ATOMIC)
            continue;
        if (pc != last)
            sim_locate(pc, place, sizeof place);
        last = pc;
        if (strncmp(place, shared, sizeof shared - 1) == 0)
            count_step(&files, place);
    }
    for (size_t file = 1; file < FILES; file++)
        best = files.steps[file] > files.steps[best] ? file : best;
    memcpy(w->other, files.name[best], NAME);
}

static bool is_returning(const struct recording *r, const struct recorded_step *step)
{
    for (size_t i = 0; i < r->sites; i++)
        if (r->site[i].pc == step->pc && r->site[i].launch == step->launch)
            return r->site[i].returns;
    return false;
}

long long story_index(const struct writer *w, int array, uintptr_t address)
{
    long long distance = (long long)(address - w->r->array[array].base);
    long long size = (long long)w->element[array];
    return distance < 0 ? -((size - 1 - distance) / size) : distance / size;
}

static void write_indexes(struct writer *w, const struct recorded_step *step)
{
    long long index[LANES], stride = 0;
    size_t count = 0;
    bool even = true;
    for (int lane = 0; lane < LANES; lane++)
        if (step->active >> lane & 1)
            index[count++] = story_index(w, step->array, step->address[lane]);
    stride = count > 1 ? index[1] - index[0] : 0;
    for (size_t i = 1; i < count; i++)
        even &= index[i] - index[i - 1] == stride;
    if (even) {
        fprintf(w->file, ",\"s\":[%lld,%lld]", index[0], stride);
        return;
    }
    fprintf(w->file, ",\"i\":[");
    for (size_t i = 0; i < count; i++)
        fprintf(w->file, "%s%lld", i ? "," : "", index[i]);
    fputc(']', w->file);
}

/* One lane's value: a number, or the elements of a wide access. */
static void write_value(FILE *file, const uint64_t value[2], size_t bytes, size_t element)
{
    if (bytes <= element || element > 8) {
        write_number(file, "", value[0]);
        return;
    }
    fputc('[', file);
    for (size_t at = 0; at < bytes && at < 16; at += element)
        write_number(file, at ? "," : "", element_at((const unsigned char *)value + at, element));
    fputc(']', file);
}

static void write_values(FILE *file, const char *name, const struct recorded_step *step,
                         const uint64_t value[LANES][2], size_t element)
{
    const unsigned int first = (unsigned int)__builtin_ctz(step->active);
    const char *comma = "";
    bool same = true;
    for (int lane = 0; lane < LANES; lane++)
        same &= !(step->active >> lane & 1) || memcmp(value[lane], value[first], 16) == 0;
    fprintf(file, ",\"%s\":", name);
    if (same && step->bytes <= element) {
        write_value(file, value[first], step->bytes, element);
        return;
    }
    fputc('[', file);
    for (int lane = 0; lane < LANES; lane++)
        if (step->active >> lane & 1) {
            fputs(comma, file);
            write_value(file, value[lane], step->bytes, element);
            comma = ",";
        }
    fputc(']', file);
}

static void write_access(struct writer *w, const struct recorded_step *step, bool returns)
{
    const struct recorded_array *array = step->array < 0 ? NULL : &w->r->array[step->array];
    const size_t element = array ? w->element[step->array] : step->bytes;
    const unsigned int cost = returns ? step->used : step->unused;
    static const char *const others[SIM_ATOMICS] = {[SIM_EXTREME] = "extreme",
                                                    [SIM_BITWISE] = "bits",
                                                    [SIM_CAS] = "cas",
                                                    [SIM_EXCHANGE] = "exchange"};
    fprintf(w->file, ",\"z\":%u,\"c\":%u", step->bytes, cost);
    if (others[step->atomic])
        fprintf(w->file, ",\"op\":\"%s\"", others[step->atomic]);
    if (array && array->space == SIM_SHARED && cost > step->least)
        fprintf(w->file, ",\"k\":%u", cost - step->least);
    if (step->loads > 0)
        fprintf(w->file, ",\"x\":%u,\"kx\":%u", step->loads, step->loads - step->least_loads);
    if (step->refused)
        fprintf(w->file, ",\"bad\":1");
    if (!array)
        return;
    write_indexes(w, step);
    if (!step->carried_out || (array->role == INPUT && traced.counts_text && step->what == LOADED))
        return;
    write_values(w->file, "v", step, step->what == LOADED ? step->before : step->after, element);
    if (step->what == ATOMIC)
        write_values(w->file, "r", step, step->before, element);
}

/* What a warp intrinsic is to the page. */
static const char *kind_of_collective(const char *name)
{
    return strstr(name, "shfl")     ? "shfl"
           : strstr(name, "match")  ? "match"
           : strstr(name, "reduce") ? "reduce"
           : strstr(name, "warp")   ? "sync"
                                    : "vote";
}

/* A step of the host has no lanes: what it did, how many bytes, and with what array of a device. */
static void write_host_step(struct writer *w, const struct recorded_step *step)
{
    int array = -1;
    for (size_t i = 0; i < w->r->arrays; i++)
        if (step->what == COPIED && w->r->array[i].space == SIM_GLOBAL &&
            step->address[0] - w->r->array[i].base < w->r->array[i].bytes)
            array = (int)i;
    fprintf(w->file,
            "{\"l\":%u,\"d\":%u,\"b\":-1,\"w\":-1,\"n\":%d,\"o\":\"%s\",\"a\":-1,\"m\":0,"
            "\"z\":%zu,\"to\":%d,\"f\":\"%s\",\"of\":%lu}",
            step->launch, step->device, line_of(w, step->pc),
            step->what == COPIED ? "copy" : "nccl", step->moved, array, step->name,
            step->what == COPIED ? 0ul : (unsigned long)step->active);
}

static void write_step(struct writer *w, const struct recorded_step *step)
{
    static const char *const names[] = {
        [LOADED] = "ld", [STORED] = "st", [REDUCED] = "red", [BARRIER] = "bar", [ENDED] = "end"};
    if (step->what >= COPIED) {
        write_host_step(w, step);
        return;
    }
    const bool returns = step->what == ATOMIC && is_returning(w->r, step);
    const bool shared = step->array >= 0 && w->r->array[step->array].space == SIM_SHARED;
    const char *name = step->what == COLLECTIVE ? kind_of_collective(step->name)
                       : step->what != ATOMIC   ? names[step->what]
                       : shared || returns      ? "atom"
                                                : "red";
    fprintf(w->file, "{\"l\":%u", step->launch);
    if (step->device > 0)
        fprintf(w->file, ",\"d\":%u", step->device);
    fprintf(w->file, ",\"b\":%u,\"w\":%u,\"n\":%d,\"o\":\"%s\",\"a\":%d,\"m\":%lu", step->block,
            step->warp, line_of(w, step->pc), name, step->array, (unsigned long)step->active);
    if (step->what <= ATOMIC)
        write_access(w, step, returns);
    if (step->what == COLLECTIVE) {
        fprintf(w->file, ",\"f\":\"%s\"", step->name);
        write_values(w->file, "v", step, step->after, 8);
        write_values(w->file, "r", step, step->before, 8);
    }
    fputc('}', w->file);
}

size_t story_steps(struct writer *w, size_t most)
{
    size_t i = 0;
    fprintf(w->file, "\"steps\":[");
    for (; i < w->r->steps && (size_t)ftell(w->file) < most; i++) {
        fputs(i ? ",\n" : "\n", w->file);
        write_step(w, &w->r->step[i]);
    }
    fprintf(w->file, "],\n");
    return w->r->steps - i + w->r->more;
}
