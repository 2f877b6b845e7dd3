/* counters.c - what is counted, and the names that Nsight Compute gives it. */
#include <string.h>

#include "internal.h"

static struct sim_counters totals;

struct sim_counters sim_counters(void)
{
    return totals;
}

void sim_reset_counters(void)
{
    totals = (struct sim_counters){0};
}

/* The entry of an atomic instruction; NULL when a kernel has more than fit. */
struct site *sim_site(struct launch *launch, uintptr_t pc)
{
    size_t at = (pc * 0x9e3779b97f4a7c15u) >> 54; /* 10 bits: SITES */
    for (size_t tried = 0; tried < SITES; tried++, at = (at + 1) % SITES) {
        struct site *site = &launch->sites[at];
        if (site->pc == pc)
            return site;
        if (!site->pc) {
            site->pc = pc;
            return site;
        }
    }
    return NULL;
}

static void add(struct sim_traffic *to, unsigned int lanes, unsigned int sectors,
                unsigned int wavefronts)
{
    to->requests++;
    to->lanes += lanes;
    to->sectors += sectors;
    to->wavefronts += wavefronts;
    to->least++;
}

/* nvcc sums the lanes first, and one lane does the atomic. */
static bool is_aggregated(const struct warp *warp, uint32_t mask, uint32_t info)
{
    uint32_t wanted = INFO_UNIFORM | INFO_AGGREGATES;
    if ((info & wanted) != wanted)
        return false;
    uintptr_t first = warp->address[__builtin_ctz(mask)];
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if (warp->address[__builtin_ctz(rest)] != first)
            return false;
    return true;
}

static struct site *note_site(struct launch *launch, struct warp *warp, uint32_t mask,
                              enum sim_space space)
{
    unsigned int first = (unsigned int)__builtin_ctz(mask);
    struct site *site = sim_site(launch, sim_lane_pc(warp, first));
    if (site)
        site->space = space;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        warp->lane[__builtin_ctz(rest)].site = site;
    return site;
}

unsigned int sim_count_global(struct launch *launch, struct warp *warp, uint32_t mask,
                              uint32_t info)
{
    unsigned int lanes = (unsigned int)__builtin_popcount(mask), sectors;
    if (info_stop(info) != STOP_ATOMIC) {
        sectors = sim_sectors(warp->address, mask, info_bytes(info));
        add(&launch->counters.global[info_stop(info)], lanes, sectors, 0);
        return sectors;
    }
    sectors = is_aggregated(warp, mask, info) ? 1 : sim_atomic_sectors(warp->address, mask);
    struct site *site = note_site(launch, warp, mask, SIM_GLOBAL);
    add(site ? &site->traffic : &launch->counters.global[SIM_RED], lanes, sectors, 0);
    return sectors;
}

/* float, double and 64 bits: there is no instruction for shared memory. All
 * lanes load, compute and compare-and-swap; one lane of each address wins, and
 * the rest go round again. */
static unsigned int count_swap_loop(struct launch *launch, const struct warp *warp, uint32_t mask,
                                    unsigned int bytes)
{
    unsigned int cost = 0;
    for (uint32_t losers; mask; mask = losers) {
        losers = 0;
        for (uint32_t rest = mask; rest; rest &= rest - 1) {
            unsigned int i = (unsigned int)__builtin_ctz(rest);
            for (uint32_t before = mask & ((1u << i) - 1); before; before &= before - 1)
                if (warp->address[__builtin_ctz(before)] == warp->address[i]) {
                    losers |= 1u << i;
                    break;
                }
        }
        unsigned int lanes = (unsigned int)__builtin_popcount(mask);
        unsigned int passes = sim_atomic_wavefronts(warp->address, mask);
        add(&launch->counters.shared[SIM_LOAD], lanes, 0,
            sim_wavefronts(warp->address, mask, bytes));
        add(&launch->counters.shared[SIM_ATOM], lanes, 0, passes);
        cost += passes;
    }
    return cost;
}

unsigned int sim_count_shared(struct launch *launch, struct warp *warp, uint32_t mask,
                              uint32_t info)
{
    unsigned int bytes = info_bytes(info), lanes = (unsigned int)__builtin_popcount(mask);
    if (info_stop(info) != STOP_ATOMIC) {
        unsigned int passes = sim_wavefronts(warp->address, mask, bytes);
        add(&launch->counters.shared[info_stop(info)], lanes, 0, passes);
        /* What a wide access needs to be served in parts is no conflict. */
        launch->counters.shared[info_stop(info)].least += sim_least_wavefronts(mask, bytes) - 1;
        return passes;
    }
    struct site *site = note_site(launch, warp, mask, SIM_SHARED);
    if (info & INFO_FLOATING || bytes == 8)
        return count_swap_loop(launch, warp, mask, bytes);
    bool aggregated = is_aggregated(warp, mask, info);
    bool increments = info & (uint32_t)SIM_CONSTANT_ONE << INFO_FLAGS_SHIFT;
    unsigned int apart = aggregated ? 1 : sim_atomic_wavefronts(warp->address, mask);
    unsigned int merged = aggregated   ? 1
                          : increments ? sim_wavefronts(warp->address, mask, bytes)
                                       : apart;
    struct sim_traffic *traffic = site ? &site->traffic : &launch->counters.shared[SIM_ATOM];
    add(traffic, lanes, 0, apart);
    if (site)
        site->merged += merged;
    if (info & INFO_COMPARES) { /* two operands take two passes, which are no conflict */
        traffic->wavefronts += apart;
        traffic->least += apart;
        if (site)
            site->merged += apart;
    }
    return merged;
}

static void add_traffic(struct sim_traffic *to, const struct sim_traffic *from)
{
    to->requests += from->requests;
    to->lanes += from->lanes;
    to->sectors += from->sectors;
    to->wavefronts += from->wavefronts;
    to->least += from->least;
}

/* Now it is known which atomics used their result. An increment that does not is
 * ATOMS.POPC.INC, which serves equal addresses in one pass. */
static void classify_sites(struct launch *launch)
{
    for (size_t i = 0; i < SITES; i++) {
        struct site *site = &launch->sites[i];
        if (site->space == SIM_SHARED && !site->returns)
            site->traffic.wavefronts = site->merged;
        add_traffic(site->space == SIM_SHARED
                        ? &launch->counters.shared[SIM_ATOM]
                        : &launch->counters.global[site->returns ? SIM_ATOM : SIM_RED],
                    &site->traffic);
    }
}

void sim_close_counters(struct launch *launch)
{
    classify_sites(launch);
    launch->counters.launches = 1;
    launch->counters.threads = launch->counters.blocks * launch->threads;
    totals.launches += launch->counters.launches;
    totals.blocks += launch->counters.blocks;
    totals.threads += launch->counters.threads;
    totals.barriers += launch->counters.barriers;
    totals.votes += launch->counters.votes;
    for (int kind = 0; kind < SIM_ACCESS_KINDS; kind++) {
        add_traffic(&totals.global[kind], &launch->counters.global[kind]);
        add_traffic(&totals.shared[kind], &launch->counters.shared[kind]);
    }
}

enum field { REQUESTS, SECTORS, WAVEFRONTS, CONFLICTS };

static const struct metric {
    struct sim_metric is;
    enum sim_space space;
    enum sim_access access;
    enum field field;
} metrics[] = {
#define GLOBAL(op, access, what)                                                                   \
    {                                                                                              \
        {"l1tex__t_requests_pipe_lsu_mem_global_op_" op ".sum",                                    \
         "times a warp " what " global memory: one for each warp instruction"},                    \
            SIM_GLOBAL, access, REQUESTS                                                           \
    }
    GLOBAL("ld", SIM_LOAD, "loaded from"),
    GLOBAL("st", SIM_STORE, "stored to"),
    GLOBAL("red", SIM_RED, "did an atomic without using its result in"),
    GLOBAL("atom", SIM_ATOM, "did an atomic and used its result in"),
    {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
      "32-byte sectors that those loads touched: fewer for each request is better"},
     SIM_GLOBAL,
     SIM_LOAD,
     SECTORS},
    {{"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
      "32-byte sectors that those stores touched"},
     SIM_GLOBAL,
     SIM_STORE,
     SECTORS},
    {{"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
      "sectors of atomics without result; lanes that want one address take turns"},
     SIM_GLOBAL,
     SIM_RED,
     SECTORS},
    {{"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
      "sectors of atomics with result; lanes that want one address take turns"},
     SIM_GLOBAL,
     SIM_ATOM,
     SECTORS},
    {{"smsp__inst_executed_op_shared_atom.sum", "times a warp did an atomic in shared memory"},
     SIM_SHARED,
     SIM_ATOM,
     REQUESTS},
    {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
      "passes through the 32 banks of shared memory for loads"},
     SIM_SHARED,
     SIM_LOAD,
     WAVEFRONTS},
    {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
      "passes through the banks for stores"},
     SIM_SHARED,
     SIM_STORE,
     WAVEFRONTS},
    {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
      "passes through the banks for atomics"},
     SIM_SHARED,
     SIM_ATOM,
     WAVEFRONTS},
    {{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
      "passes beyond the first of each load, because lanes met in a bank"},
     SIM_SHARED,
     SIM_LOAD,
     CONFLICTS},
    {{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
      "passes beyond the first of each store"},
     SIM_SHARED,
     SIM_STORE,
     CONFLICTS},
    {{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum",
      "passes beyond the first of each atomic"},
     SIM_SHARED,
     SIM_ATOM,
     CONFLICTS},
};

size_t sim_metric_count(void)
{
    return sizeof metrics / sizeof metrics[0];
}

struct sim_metric sim_metric(size_t i)
{
    return metrics[i].is;
}

uint64_t sim_metric_value(const struct sim_counters *counters, size_t i)
{
    const struct metric *metric = &metrics[i];
    const struct sim_traffic *traffic = metric->space == SIM_SHARED
                                            ? &counters->shared[metric->access]
                                            : &counters->global[metric->access];
    switch (metric->field) {
    case REQUESTS:
        return traffic->requests;
    case SECTORS:
        return traffic->sectors;
    case WAVEFRONTS:
        return traffic->wavefronts;
    default:
        return traffic->wavefronts - traffic->least;
    }
}
