/* record.c - keeps verdicts and finds them again: see record.h. */
#define _GNU_SOURCE
#include "record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folders.h"

static const char *const names[OUTCOMES] = {"unbuilt", "wrong", "another", "solved"};

/* FNV-1a: a file is compared with its own earlier texts, by nobody who would forge one. */
bool record_hash(const char *source, uint64_t *hash)
{
    unsigned char piece[4096];
    FILE *file = fopen(source, "r");
    if (!file)
        return false;
    *hash = 0xcbf29ce484222325u;
    for (size_t bytes; (bytes = fread(piece, 1, sizeof piece, file)) > 0;)
        for (size_t i = 0; i < bytes; i++)
            *hash = (*hash ^ piece[i]) * 0x100000001b3u;
    int error = ferror(file) ? errno : 0; /* a folder can be opened, and not read */
    fclose(file);
    errno = error;
    return error == 0;
}

/* build/progress/chapters+05_name for chapters/05_name/histogram.cu. */
static void path_of(const char *source, char path[RECORD_PATH])
{
    const char *slash = strrchr(source, '/');
    int length = slash ? (int)(slash - source) : 0;
    int begin = snprintf(path, RECORD_PATH, "build/progress/");
    snprintf(path + begin, (size_t)(RECORD_PATH - begin), "%.*s", length, source);
    for (char *at = path + begin; *at; at++)
        if (*at == '/')
            *at = '+';
}

static bool read_line(const char *line, struct verdict *verdict)
{
    long long when;
    char name[16];
    int end = 0;
    if (sscanf(line, "%lld %u %15s %16" SCNx64 " %n", &when, &verdict->bins, name, &verdict->hash,
               &end) != 4 ||
        end == 0)
        return false;
    verdict->when = (time_t)when;
    snprintf(verdict->said, sizeof verdict->said, "%.*s", (int)strcspn(line + end, "\n"),
             line + end);
    for (verdict->outcome = 0; verdict->outcome < OUTCOMES; verdict->outcome++)
        if (strcmp(name, names[verdict->outcome]) == 0)
            return true;
    return false;
}

struct record record_read(const char *source)
{
    struct record record = {.count = 0};
    char path[RECORD_PATH], *line = NULL;
    size_t room = 0;
    path_of(source, path);
    FILE *file = fopen(path, "r");
    while (file && getline(&line, &room, file) > 0) {
        struct verdict *all =
            reallocarray(record.verdicts, record.count + 1, sizeof *record.verdicts);
        if (!all)
            break;
        record.verdicts = all;
        if (read_line(line, &all[record.count]))
            record.count++;
    }
    free(line);
    if (file)
        fclose(file);
    return record;
}

void record_free(struct record *record)
{
    free(record->verdicts);
    *record = (struct record){.count = 0};
}

static const struct verdict *last_with(const struct record *record, uint64_t hash,
                                       unsigned int bins)
{
    for (size_t i = record->count; i-- > 0;)
        if (record->verdicts[i].hash == hash && record->verdicts[i].bins == bins)
            return &record->verdicts[i];
    return NULL;
}

const struct verdict *record_best(const struct record *record, uint64_t hash)
{
    const struct verdict *best = NULL;
    for (size_t i = 0; i < record->count; i++) {
        const struct verdict *one = &record->verdicts[i];
        if (one->hash == hash && one == last_with(record, hash, one->bins) &&
            (!best || one->outcome > best->outcome))
            best = one;
    }
    return best;
}

void record_add(const char *source, unsigned int bins, enum outcome outcome, const char *said)
{
    char path[RECORD_PATH];
    uint64_t hash;
    if (!record_hash(source, &hash))
        return;
    struct record record = record_read(source);
    const struct verdict *last = last_with(&record, hash, bins);
    bool known =
        last && last->outcome == outcome && strncmp(last->said, said, sizeof last->said - 1) == 0;
    record_free(&record);
    if (known)
        return;
    path_of(source, path);
    folders_make(path);
    FILE *file = fopen(path, "a");
    if (!file)
        return;
    fprintf(file, "%lld %u %s %016" PRIx64 " %.*s\n", (long long)time(NULL), bins, names[outcome],
            hash, (int)strcspn(said, "\n"), said);
    fclose(file);
}
