/* metrics.c - the counters under the names that Nsight Compute gives them. */
#include "engine/engine.h"

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
    const struct sim_access_counters *accesses = metric->space == SIM_SHARED
                                                     ? &counters->shared[metric->access]
                                                     : &counters->global[metric->access];
    switch (metric->field) {
    case REQUESTS:
        return accesses->requests;
    case SECTORS:
        return accesses->sectors;
    case WAVEFRONTS:
        return accesses->wavefronts;
    default:
        return accesses->wavefronts - accesses->least;
    }
}
