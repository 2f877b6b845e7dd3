/* narrow_sums.c - counters of less than 64 bits that launches add to, one after the other. */
#include "narrow_sums.h"

#include "base/table.h"

enum { MOST = 1 << 13, WARP = 32, WIDE = 8 };

/* By its address; more than so many are not followed. */
struct counter {
    uint64_t address;
    uint64_t launch; /* that was the first to add to it; 0: none since it was set */
};
static struct sim_table counters = {.entry_bytes = sizeof(struct counter)};

void narrow_sums_begin(void)
{
    sim_table_clear(&counters);
}

/* Whether it had been added to before this launch. */
static int add_narrow_sum(uintptr_t address, uint64_t launch)
{
    struct counter *counter = sim_table_find(&counters, address);
    if (!counter && counters.count < MOST)
        counter = sim_table_add(&counters, address);
    if (!counter)
        return 0;
    if (counter->launch == 0)
        counter->launch = launch;
    return counter->launch < launch;
}

uint64_t narrow_sums_note(const struct sim_event *event, uint64_t launch)
{
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
