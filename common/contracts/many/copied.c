/* copied.c - listens to the simulated GPU: see copied.h. */
#include "copied.h"

enum { MOST_DEVICES = 8 };

static uint64_t to_device[MOST_DEVICES];

static void note_copy(const struct sim_copy_seen *seen, void *context)
{
    struct together *together = context;
    const int device = sim_device_of((uintptr_t)seen->to);
    if (!seen->from || device < 0 || device >= MOST_DEVICES ||
        !sim_host_can_read((uintptr_t)seen->from))
        return;
    together->copied_bytes += seen->bytes;
    to_device[device] += seen->bytes;
}

void copied_collective(struct together *together, uint64_t bytes)
{
    together->collectives++;
    if (bytes > together->collective_bytes)
        together->collective_bytes = bytes;
}

static void note_collective(const struct sim_collective_seen *seen, void *context)
{
    copied_collective(context, seen->bytes);
}

void copied_begin(struct measurement *cost)
{
    for (unsigned int device = 0; device < MOST_DEVICES; device++)
        to_device[device] = 0;
    sim_reset_counters();
    sim_observe_copies(note_copy, &cost->together);
    sim_observe_collectives(note_collective, &cost->together);
}

void copied_end(struct measurement *cost)
{
    struct together *together = &cost->together;
    sim_observe_copies(NULL, NULL);
    sim_observe_collectives(NULL, NULL);
    for (unsigned int device = 0; device < MOST_DEVICES; device++)
        if (to_device[device] > together->most_copied_bytes)
            together->most_copied_bytes = to_device[device];
    cost->counters = sim_counters();
}
