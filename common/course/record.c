/* record.c - keeps verdicts and finds them again: see record.h. */
#define _GNU_SOURCE
#include "record.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "util.h"

enum { LONGEST = 511 }; /* of what was said */
static const char *const names[OUTCOMES] = {"unbuilt", "wrong", "another", "solved"};

/* build/progress/chapters+05_name for chapters/05_name/histogram.cu. */
static char *path_of(const char *source)
{
    const char *slash = strrchr(source, '/');
    char *path = format("build/progress/%.*s", slash ? (int)(slash - source) : 0, source);
    for (char *at = path + strlen("build/progress/"); *at; at++)
        if (*at == '/')
            *at = '+';
    return path;
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
    verdict->said = format("%.*s", LONGEST, line + end);
    for (verdict->outcome = 0; verdict->outcome < OUTCOMES; verdict->outcome++)
        if (strcmp(name, names[verdict->outcome]) == 0)
            return true;
    return false;
}

struct record record_read(const char *source)
{
    struct record record = {.count = 0};
    for (struct lines in = lines_of(path_of(source)); next_line(&in);) {
        record.verdicts = grow(record.verdicts, record.count, 1, sizeof *record.verdicts);
        record.count += read_line(in.line, &record.verdicts[record.count]);
    }
    return record;
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
    uint64_t hash;
    if (!hash_file(source, &hash))
        return;
    const char *path = path_of(source);
    const struct record record = record_read(source);
    const struct verdict *last = last_with(&record, hash, bins);
    if (last && last->outcome == outcome && strncmp(last->said, said, LONGEST) == 0)
        return;
    make_folders(path);
    FILE *file = fopen(path, "a");
    if (!file)
        return;
    fprintf(file, "%lld %u %s %016" PRIx64 " %.*s\n", (long long)time(NULL), bins, names[outcome],
            hash, (int)strcspn(said, "\n"), said);
    fclose(file);
}
