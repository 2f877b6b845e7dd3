/* control.c - what the judge and the ranks of a job share; and adds up what ranks have told of a case. */
#define _GNU_SOURCE
#include "control.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PLACES = sizeof((struct many_seen *)0)->collective / sizeof(struct many_collective) };

struct control *control_of(const char *folder)
{
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/" CONTROL_FILE, folder);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return NULL;
    void *control = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return control == MAP_FAILED ? NULL : control;
}

static bool add_reads_of_rank(const struct many_read *reads, size_t count, unsigned int rank,
                              struct many_seen *all)
{
    if (count > MOST_READS)
        return false;
    struct many_read *sum = realloc(all->reads, (all->read_count + count + 1) * sizeof *sum);
    if (!sum)
        return false;
    all->reads = sum;
    for (size_t i = 0; i < count; i++) {
        const struct many_read read = {rank, reads[i].begin, reads[i].end};
        if (read.begin >= read.end)
            return false;
        sum[all->read_count++] = read;
    }
    qsort(sum, all->read_count, sizeof *sum, many_by_begin);
    return true;
}

/* More of them may have been made than have a place. */
static void add_collectives(const struct many_seen *own, struct many_seen *all)
{
    for (size_t i = 0; i < own->collectives && i < PLACES && all->collectives + i < PLACES; i++) {
        struct many_collective *to = &all->collective[all->collectives + i];
        *to = own->collective[i];
        to->name[sizeof to->name - 1] = '\0';
    }
    all->collectives += own->collectives;
}

bool control_add(const struct rank_told *told, unsigned int rank, struct many_seen *all)
{
    const struct many_seen own = told->seen;
    unsigned char touched;
    if (rank >= MOST_UNITS || !add_reads_of_rank(told->reads, own.read_count, rank, all))
        return false;
    memcpy(&touched, &own.others_touched, sizeof touched);
    all->others_touched |= touched != 0;
    if (rank == 0) {
        all->result = own.result;
        all->device_after = own.device_after;
        memcpy(all->bins, own.bins, sizeof all->bins);
    }
    all->results_differ |= own.result != all->result;
    all->reports += own.reports;
    all->loaded += own.loaded;
    all->unit[rank] = told->unit;
    if (own.error[0] && !all->error[0])
        snprintf(all->error, sizeof all->error, "rank %u: %.200s", rank, own.error);
    add_collectives(&own, all);
    return true;
}
