/* control.c - what the judge and the ranks of a job share: where they are, and what ranks tell of a case. */
#define _GNU_SOURCE
#include "control.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PLACES = sizeof((struct many_seen *)0)->collective / sizeof(struct many_collective) };

struct control *control_of(const char *folder)
{
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/" CONTROL_FILE, folder);
    int file = open(path, O_RDWR | O_CLOEXEC);
    void *control =
        file < 0 ? MAP_FAILED
                 : mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    return control == MAP_FAILED ? NULL : control;
}

/* What a file begins with; the reads follow. */
struct rank_result {
    struct many_seen seen;
    struct many_unit unit;
};

bool rank_log_write(FILE *file, const struct many_seen *seen, const struct many_unit *unit)
{
    const struct rank_result rank_result = {.seen = *seen, .unit = *unit};
    return fwrite(&rank_result, sizeof rank_result, 1, file) == 1 &&
           fwrite(seen->reads, sizeof *seen->reads, seen->read_count, file) == seen->read_count;
}

void rank_log_begin(struct many_seen *seen)
{
    memset(seen, 0, sizeof *seen);
    seen->returned = true;
}

static bool add_reads(FILE *file, unsigned int rank, size_t count, struct many_seen *all)
{
    enum { MOST = 1 << 24 };
    if (count > MOST)
        return false;
    struct many_read *reads =
        realloc(all->reads, (all->read_count + count + 1) * sizeof *all->reads);
    if (!reads)
        return false;
    all->reads = reads;
    reads += all->read_count;
    if (fread(reads, sizeof *reads, count, file) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        reads[i].unit = rank;
        if (reads[i].begin >= reads[i].end)
            return false;
    }
    all->read_count += count;
    return true;
}

/* There may be more than have a place. */
static void add_collectives(const struct many_seen *own, struct many_seen *all)
{
    for (size_t i = 0; i < own->collectives && i < PLACES && all->collectives + i < PLACES; i++) {
        struct many_collective *to = &all->collective[all->collectives + i];
        *to = own->collective[i];
        to->name[sizeof to->name - 1] = '\0';
    }
    all->collectives += own->collectives;
}

static void add_words(const struct many_seen *own, unsigned int rank, struct many_seen *all)
{
    if (all->message_lines == 0)
        snprintf(all->message, sizeof all->message, "%.*s", (int)sizeof own->message - 1,
                 own->message);
    all->message_lines += own->message_lines;
    if (own->error[0] && !all->error[0])
        snprintf(all->error, sizeof all->error, "rank %u: %.200s", rank, own->error);
}

bool rank_log_add(FILE *file, unsigned int rank, struct many_seen *all)
{
    struct rank_result rank_result;
    const struct many_seen *own = &rank_result.seen;
    unsigned char touched;
    if (rank >= MOST_UNITS || fread(&rank_result, sizeof rank_result, 1, file) != 1 ||
        !add_reads(file, rank, own->read_count, all))
        return false;
    memcpy(&touched, &own->others_touched, sizeof touched);
    all->others_touched |= touched != 0;
    if (rank == 0) {
        all->result = own->result;
        all->device_after = own->device_after;
        memcpy(all->bins, own->bins, sizeof all->bins);
    }
    all->results_differ |= own->result != all->result;
    all->reports += own->reports;
    all->loaded += own->loaded;
    all->unit[rank] = rank_result.unit;
    add_words(own, rank, all);
    add_collectives(own, all);
    return true;
}

void rank_log_end(struct many_seen *seen)
{
    if (seen->read_count > 0)
        qsort(seen->reads, seen->read_count, sizeof *seen->reads, many_by_begin);
}
