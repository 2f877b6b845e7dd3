/* rank_facts.c - what the ranks of a job tell of a case, written and read again: see rank_facts.h. */
#define _GNU_SOURCE
#include "rank_facts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { PLACES = sizeof((struct many_seen *)0)->collective / sizeof(struct many_collective) };

/* The numbers of struct many_unit, by name. */
static const struct {
    const char *name;
    size_t offset, size;
} numbers[] = {
#define NUMBER(member)                                                                             \
    {                                                                                              \
#member, offsetof(struct many_unit, member), sizeof((struct many_unit *)0)->member         \
    }
    NUMBER(device),         NUMBER(launches),       NUMBER(copied),
    NUMBER(from_pageable),  NUMBER(overlapped),     NUMBER(streams),
    NUMBER(most_on_device), NUMBER(left_on_device), NUMBER(narrow_sums)};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static void write_unit(FILE *file, const struct many_unit *unit)
{
    fprintf(file, "unit");
    for (size_t i = 0; i < NUMBERS; i++) {
        uint64_t value = 0;
        memcpy(&value, (const char *)unit + numbers[i].offset, numbers[i].size);
        fprintf(file, " %s=%" PRIu64, numbers[i].name, value);
    }
    fprintf(file, "\n");
}

void rank_facts_write(FILE *file, const struct answer *answer)
{
    const struct many_seen *seen = answer->seen;
    fprintf(file, "result %d\nbins", seen->result);
    for (unsigned int bin = 0; bin < answer->num_bins; bin++)
        fprintf(file, " %" PRIu64, seen->bins[bin]);
    fprintf(file, "\n%ssaid %u %s\n", seen->others_touched ? "touched\n" : "", seen->said_lines,
            seen->said);
    if (seen->error[0])
        fprintf(file, "error %s\n", seen->error);
    fprintf(file, "reports %" PRIu64 "\n%sdevice %u\nloaded %" PRIu64 "\n", seen->reports,
            answer->caught, seen->device_after, seen->loaded);
    write_unit(file, answer->unit);
    for (size_t i = 0; i < seen->collectives && i < PLACES; i++)
        fprintf(file, "collective %s %u %" PRIu64 " %" PRIu64 "\n", seen->collective[i].name,
                seen->collective[i].members, seen->collective[i].elements,
                seen->collective[i].bytes);
    fprintf(file, "collectives %zu\n", seen->collectives);
    for (size_t i = 0; i < seen->read_count; i++)
        fprintf(file, "read %" PRIu64 " %" PRIu64 "\n", seen->reads[i].begin, seen->reads[i].end);
    fprintf(file, "end\n");
}

void rank_facts_begin(struct many_seen *seen)
{
    memset(seen, 0, sizeof *seen);
    seen->returned = true;
}

static bool read_unit(const char *rest, struct many_unit *unit)
{
    for (size_t i = 0; i < NUMBERS; i++) {
        const size_t length = strlen(numbers[i].name);
        rest += strspn(rest, " ");
        if (strncmp(rest, numbers[i].name, length) != 0 || rest[length] != '=')
            return false;
        char *end;
        const uint64_t value = strtoull(rest + length + 1, &end, 10);
        memcpy((char *)unit + numbers[i].offset, &value, numbers[i].size);
        rest = end;
    }
    return true;
}

static bool read_bins(const char *rest, unsigned int rank, struct many_seen *seen)
{
    for (size_t bin = 0; bin < MOST_BINS && *rest; bin++) {
        char *end;
        const uint64_t value = strtoull(rest, &end, 10);
        if (end == rest)
            return false;
        if (rank == 0)
            seen->bins[bin] = value;
        rest = end;
    }
    return !*rest;
}

static bool read_read(const char *rest, unsigned int rank, struct many_seen *seen)
{
    struct many_read read = {.unit = rank};
    if (sscanf(rest, "%" SCNu64 " %" SCNu64, &read.begin, &read.end) != 2 || read.begin >= read.end)
        return false;
    /* Room for a power of two. */
    if ((seen->read_count & (seen->read_count - 1)) == 0) {
        const size_t room = seen->read_count ? 2 * seen->read_count : 1;
        struct many_read *more = realloc(seen->reads, room * sizeof *more);
        if (!more)
            return false;
        seen->reads = more;
    }
    seen->reads[seen->read_count++] = read;
    return true;
}

static bool read_collective(const char *rest, struct many_seen *seen)
{
    struct many_collective one = {.members = 0};
    if (sscanf(rest, "%31s %u %" SCNu64 " %" SCNu64, one.name, &one.members, &one.elements,
               &one.bytes) != 4)
        return false;
    if (seen->collectives < PLACES)
        seen->collective[seen->collectives] = one;
    seen->collectives++;
    return true;
}

/* More collectives than were named one by one. */
static bool read_collectives(const char *rest, size_t named, struct many_seen *seen)
{
    size_t all = 0;
    if (sscanf(rest, "%zu", &all) != 1)
        return false;
    seen->collectives += all > named ? all - named : 0;
    return true;
}

static bool read_said(const char *rest, struct many_seen *seen)
{
    unsigned int lines = 0;
    int used = 0;
    if (sscanf(rest, "%u%n", &lines, &used) != 1)
        return false;
    rest += used + (rest[used] == ' ');
    if (lines > 0 && seen->said_lines == 0)
        snprintf(seen->said, sizeof seen->said, "%s", rest);
    seen->said_lines += lines;
    return true;
}

static bool read_result(const char *rest, unsigned int rank, struct many_seen *seen)
{
    int result = 0;
    if (sscanf(rest, "%d", &result) != 1)
        return false;
    seen->results_differ |= rank > 0 && result != seen->result;
    if (rank == 0)
        seen->result = result;
    return true;
}

static bool add_number(const char *rest, uint64_t *sum)
{
    uint64_t value = 0;
    if (sscanf(rest, "%" SCNu64, &value) != 1)
        return false;
    *sum += value;
    return true;
}

/* What a rank has told so far. */
struct told {
    unsigned int rank;
    size_t named; /* collectives */
    bool ends;
    void (*caught)(const char *line);
    struct many_seen *seen;
};

static bool take(struct told *told, const char *word, const char *rest)
{
    struct many_seen *seen = told->seen;
    if (strcmp(word, "result") == 0)
        return read_result(rest, told->rank, seen);
    if (strcmp(word, "bins") == 0)
        return read_bins(rest, told->rank, seen);
    if (strcmp(word, "touched") == 0)
        return seen->others_touched = true;
    if (strcmp(word, "said") == 0)
        return read_said(rest, seen);
    if (strcmp(word, "error") == 0)
        return seen->error[0] ||
               snprintf(seen->error, sizeof seen->error, "rank %u: %s", told->rank, rest) > 0;
    if (strcmp(word, "reports") == 0)
        return add_number(rest, &seen->reports);
    if (strcmp(word, "loaded") == 0)
        return add_number(rest, &seen->loaded);
    if (strcmp(word, "device") == 0)
        return told->rank > 0 || sscanf(rest, "%u", &seen->device_after) == 1;
    if (strcmp(word, "unit") == 0)
        return read_unit(rest, &seen->unit[told->rank]);
    if (strcmp(word, "collective") == 0)
        return ++told->named && read_collective(rest, seen);
    if (strcmp(word, "collectives") == 0)
        return read_collectives(rest, told->named, seen);
    if (strcmp(word, "read") == 0)
        return read_read(rest, told->rank, seen);
    if (strcmp(word, "caught") == 0 && told->caught)
        told->caught(rest);
    told->ends = strcmp(word, "end") == 0;
    return told->ends || strcmp(word, "caught") == 0;
}

bool rank_facts_add(FILE *file, unsigned int rank, void (*caught)(const char *line),
                    struct many_seen *seen, char *wrong, size_t size)
{
    struct told told = {.rank = rank, .caught = caught, .seen = seen};
    char *line = NULL;
    size_t room = 0;
    bool understood = rank < MOST_UNITS;
    for (ssize_t length; understood && !told.ends && (length = getline(&line, &room, file)) > 0;) {
        line[length - 1] = '\0'; /* the end of the line, or of one that was cut */
        char *rest = line + strcspn(line, " ");
        if (*rest)
            *rest++ = '\0';
        understood = take(&told, line, rest);
        if (!understood)
            snprintf(wrong, size, "%s %s", line, rest);
    }
    if (understood && !told.ends)
        snprintf(wrong, size, "the last line is not \"end\"");
    free(line);
    return understood && told.ends;
}

static int by_begin(const void *one, const void *other)
{
    const struct many_read *a = one, *b = other;
    return a->begin != b->begin ? (a->begin > b->begin) - (a->begin < b->begin)
                                : (a->unit > b->unit) - (a->unit < b->unit);
}

void rank_facts_end(struct many_seen *seen)
{
    if (seen->read_count > 0)
        qsort(seen->reads, seen->read_count, sizeof *seen->reads, by_begin);
}
