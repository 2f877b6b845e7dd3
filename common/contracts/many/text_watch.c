/* text_watch.c - which way the bytes of a text go, seen from within the process whose kernels count it. */
#include "text_watch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "must_have.h"
#include "origins.h"
#include "sim.h"

enum { WARP = 32, MOST_COUNTERS = 1 << 13 };

/* A counter by its address. More than MOST_COUNTERS are not followed. */
struct counter {
    uint64_t address;
    uint64_t launch; /* that was the first to add to it; 0: none since it was set */
};
static struct sim_table counters = {.entry_bytes = sizeof(struct counter)};

void narrow_sums_begin(void)
{
    sim_table_clear(&counters);
}

/* Notes that a launch adds to a counter. Returns whether an earlier launch has added to it. */
static int add_narrow_sum(uintptr_t address, uint64_t launch)
{
    struct counter *counter = sim_table_find(&counters, address);
    if (!counter && counters.count < MOST_COUNTERS)
        counter = sim_table_add(&counters, address);
    if (!counter)
        return 0;
    if (counter->launch == 0)
        counter->launch = launch;
    return counter->launch < launch;
}

uint64_t narrow_sums_note(const struct sim_event *event, uint64_t launch)
{
    enum { WIDE = 8 };
    const int adds = event->atomic == SIM_ADD && event->bytes < WIDE;
    const int sets = event->access == SIM_STORE || event->atomic == SIM_EXCHANGE;
    uint64_t narrow = 0;
    if (event->space != SIM_GLOBAL || !(adds || (sets && counters.count > 0)))
        return 0;
    for (unsigned int lane = 0; lane < WARP; lane++) {
        if (!(event->active >> lane & 1))
            continue;
        if (adds)
            narrow += (uint64_t)add_narrow_sum(event->address[lane], launch);
        else
            narrow_sums_set(event->address[lane], event->bytes);
    }
    return narrow;
}

void narrow_sums_set(uintptr_t begin, uint64_t bytes)
{
    enum { FEW = 64 };
    struct counter *counter = NULL;
    while (bytes > FEW && (counter = sim_table_next(&counters, counter)))
        if (counter->address - begin < bytes)
            counter->launch = 0;
    for (uintptr_t address = begin; bytes <= FEW && address < begin + bytes; address++)
        if ((counter = sim_table_find(&counters, address)))
            counter->launch = 0;
}

/* What is known of the call that is watched. */
static struct {
    uintptr_t text; /* 0 of a file */
    size_t length;
    unsigned int units;
    bool idle;
    struct origins origins;
    unsigned char
        *loaded; /* of each byte of the text a bit for each device whose kernels loaded it */
    uint64_t streams[MOST_UNITS];
    uint64_t launches;
    size_t room;               /* for reads */
    size_t newest[MOST_UNITS]; /* the last of its reads, plus 1; 0: none */
    struct many_seen seen;
} watch;
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER; /* host threads copy, too */

static void add_read(unsigned int unit, uint64_t begin, uint64_t end)
{
    struct many_seen *seen = &watch.seen;
    if (watch.newest[unit] > 0 && seen->reads[watch.newest[unit] - 1].end == begin) {
        seen->reads[watch.newest[unit] - 1].end = end;
        return;
    }
    seen->reads =
        must_have(sim_grow(seen->reads, &watch.room, seen->read_count + 1, sizeof *seen->reads),
                  "to watch the text");
    seen->reads[seen->read_count++] = (struct many_read){unit, begin, end};
    watch.newest[unit] = seen->read_count;
}

static int host_copies(void *to, const void *from, size_t bytes, void *unused)
{
    const uintptr_t begin = (uintptr_t)from;
    struct origin part;
    (void)unused;
    pthread_mutex_lock(&one_at_a_time);
    if (!origins_next(&watch.origins, begin, begin + bytes, &part)) {
        origins_forget(&watch.origins, (uintptr_t)to, bytes);
        pthread_mutex_unlock(&one_at_a_time);
        return 1;
    }
    const bool made = !watch.idle || begin - watch.text >= watch.length;
    origins_forget(&watch.origins, (uintptr_t)to, bytes);
    for (uintptr_t at = begin; origins_next(&watch.origins, at, begin + bytes, &part);
         at = part.end)
        origins_set(&watch.origins, (uintptr_t)to + (part.begin - begin), part.end - part.begin,
                    part.offset);
    pthread_mutex_unlock(&one_at_a_time);
    return made;
}

/* So many bytes of the text come to a device. */
static void comes(const struct sim_copy_seen *copy, unsigned int device, uint64_t bytes)
{
    struct many_unit *unit = &watch.seen.unit[device];
    unit->copied += bytes;
    unit->from_pageable += copy->pageable ? bytes : 0;
    unit->overlapped += copy->beside && !copy->pageable ? bytes : 0;
    watch.streams[device] |= (uint64_t)1 << copy->stream % 64;
}

static void stream_copies(const struct sim_copy_seen *copy, void *unused)
{
    const uintptr_t from = (uintptr_t)copy->from, to = (uintptr_t)copy->to;
    const int device = sim_device_of(to);
    const bool arrives = device >= 0 && (unsigned int)device < watch.units && copy->from &&
                         sim_device_of(from) != device;
    const int source = from && device < 0 ? sim_device_of(from) : -1;
    struct origin part;
    (void)unused;
    pthread_mutex_lock(&one_at_a_time);
    if (source >= 0 && (unsigned int)source < watch.units)
        watch.seen.unit[source].to_host += copy->bytes;
    narrow_sums_set(to, copy->bytes);
    origins_forget(&watch.origins, to, copy->bytes);
    for (uintptr_t at = from; from && origins_next(&watch.origins, at, from + copy->bytes, &part);
         at = part.end) {
        if (arrives) {
            comes(copy, (unsigned int)device, part.end - part.begin);
            add_read((unsigned int)device, part.offset, part.offset + (part.end - part.begin));
        }
        origins_set(&watch.origins, to + (part.begin - from), part.end - part.begin, part.offset);
    }
    if (arrives && !watch.text && watch.origins.count == 0)
        comes(copy, (unsigned int)device,
              copy->bytes); /* the text is a file, and nobody tells what was read of it */
    pthread_mutex_unlock(&one_at_a_time);
}

static void host_loads(uintptr_t address, void *unused)
{
    struct origin part;
    (void)unused;
    pthread_mutex_lock(&one_at_a_time);
    watch.seen.host_loads += (uint64_t)origins_next(&watch.origins, address, address + 1, &part);
    pthread_mutex_unlock(&one_at_a_time);
}

static void begins(const struct sim_launch_seen *launch, void *unused)
{
    (void)unused;
    watch.launches++;
    if (launch->device >= watch.units)
        return;
    watch.seen.unit[launch->device].launches++;
    watch.streams[launch->device] |= (uint64_t)1 << launch->stream % 64;
}

/* Notes that a lane loads bytes of the text. Where these lie in host memory, that is a way to read them. */
static void load_units(unsigned int device, uintptr_t address, unsigned int bytes)
{
    struct origin part;
    for (uintptr_t at = address; origins_next(&watch.origins, at, address + bytes, &part);
         at = part.end)
        for (uint64_t i = part.offset; i < part.offset + (part.end - part.begin); i++) {
            if (i >= watch.length || watch.loaded[i] >> device & 1)
                continue;
            watch.loaded[i] |= (unsigned char)(1 << device);
            if (sim_device_of(part.begin) < 0)
                add_read(device, i, i + 1);
        }
}

static void access(const struct sim_event *event, void *unused)
{
    (void)unused;
    if (event->device >= watch.units || event->space != SIM_GLOBAL)
        return;
    watch.seen.unit[event->device].narrow_sums += narrow_sums_note(event, watch.launches);
    if (event->access != SIM_LOAD || !watch.loaded)
        return;
    for (unsigned int lane = 0; lane < WARP; lane++)
        if (event->active >> lane & 1)
            load_units(event->device, event->address[lane], event->bytes);
}

void text_watch_reduces(const struct sim_collective_seen *collective, void *unused)
{
    enum { PLACES = sizeof watch.seen.collective / sizeof *watch.seen.collective };
    const size_t at = watch.seen.collectives++;
    (void)unused;
    if (at >= PLACES)
        return;
    struct many_collective *kept = &watch.seen.collective[at];
    snprintf(kept->name, sizeof kept->name, "%s", collective->name);
    kept->members = collective->devices;
    kept->elements = collective->elements;
    kept->bytes = collective->bytes;
}

void text_watch_begin(const void *text, size_t length, unsigned int units, bool idle)
{
    memset(&watch, 0, sizeof watch);
    watch.text = (uintptr_t)text;
    watch.length = length;
    watch.units = units;
    watch.idle = idle;
    watch.loaded = idle ? NULL : must_have(calloc(1, length + 1), "to watch the text");
    if (text)
        origins_set(&watch.origins, watch.text, length, 0);
    narrow_sums_begin();
    for (unsigned int i = 0; i < units; i++)
        sim_reset_device_memory(i);
    if (idle) {
        sim_set_full_memory(1);
        sim_set_checks("none");
        sim_try(&(struct sim_trial){.idle = 1});
    }
    sim_observe_copies(stream_copies, NULL);
    sim_observe_host_copies(host_copies, NULL);
    sim_observe_host_loads(host_loads, NULL);
    sim_observe_launches(begins, NULL);
    sim_observe_collectives(text_watch_reduces, NULL);
    sim_observe(access, NULL);
}

void text_watch_arrives(const void *memory, uint64_t offset, size_t bytes)
{
    pthread_mutex_lock(&one_at_a_time);
    origins_set(&watch.origins, (uintptr_t)memory, bytes, offset);
    pthread_mutex_unlock(&one_at_a_time);
}

/* Joins what lanes have read byte by byte to runs. */
static void sort_reads(struct many_seen *seen)
{
    size_t count = 0;
    if (seen->read_count > 0)
        qsort(seen->reads, seen->read_count, sizeof *seen->reads, many_by_begin);
    for (size_t i = 0; i < seen->read_count; i++) {
        const struct many_read read = seen->reads[i];
        if (count > 0 && seen->reads[count - 1].unit == read.unit &&
            seen->reads[count - 1].end == read.begin)
            seen->reads[count - 1].end = read.end;
        else
            seen->reads[count++] = read;
    }
    seen->read_count = count;
}

static void stop_watching(void)
{
    const char *checks = getenv("SIM_CHECKS");
    sim_observe_copies(NULL, NULL);
    sim_observe_host_copies(NULL, NULL);
    sim_observe_host_loads(NULL, NULL);
    sim_observe_launches(NULL, NULL);
    sim_observe_collectives(NULL, NULL);
    sim_observe(NULL, NULL);
    if (watch.idle) {
        sim_try(NULL);
        sim_set_checks(checks && *checks ? checks : "all");
        sim_set_full_memory(0);
    }
}

void text_watch_end(struct many_seen *seen)
{
    struct many_seen *own = &watch.seen;
    stop_watching();
    sort_reads(own);
    for (unsigned int i = 0; i < watch.units; i++) {
        own->unit[i].device = i;
        own->unit[i].streams = (unsigned int)__builtin_popcountll(watch.streams[i]);
        own->unit[i].most_on_device = sim_device_memory(i).most;
    }
    for (size_t i = 0; i < watch.length && watch.loaded; i++)
        seen->loaded += watch.loaded[i] != 0;
    seen->host_loads = own->host_loads;
    memcpy(seen->unit, own->unit, sizeof seen->unit);
    memcpy(seen->collective, own->collective, sizeof seen->collective);
    seen->collectives = own->collectives;
    seen->reads = own->reads;
    seen->read_count = own->read_count;
    free(watch.loaded);
    origins_clear(&watch.origins);
}

struct together text_watch_together(const struct many_seen *seen, unsigned int units)
{
    enum { PLACES = sizeof seen->collective / sizeof *seen->collective };
    struct together together = {.units = units};
    for (unsigned int i = 0; i < MOST_UNITS; i++) {
        const uint64_t copied = seen->unit[i].copied;
        together.copied_bytes += copied;
        if (copied > together.most_copied_bytes)
            together.most_copied_bytes = copied;
    }
    for (size_t i = 0; i < seen->collectives && i < PLACES; i++) {
        const struct many_collective *one = &seen->collective[i];
        together.collectives +=
            one->elements >= num_bins(); /* a shorter one is an agreement between devices */
        if (one->elements >= num_bins() && one->bytes > together.collective_bytes)
            together.collective_bytes = one->bytes;
    }
    return together;
}
