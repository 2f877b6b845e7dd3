/* base.h - what every layer may know: the limits of the device, the options, tables. */
#ifndef SIM_BASE_H
#define SIM_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cards.h"
#include "base/table.h"

/* What all cards of compute capability 8.0 to 9.0 have in common, and what is another one on each stands in
 * cards.h. Source: CUDA C++ Programming Guide, table of technical specifications. */
enum {
    WARP = 32,                      /* lanes */
    SIM_MOST_MULTIPROCESSORS = 132, /* of any card; sim_options()->multiprocessors may be fewer */
    SIM_THREADS_PER_BLOCK = 1024,
    SIM_MOST_GRID_X = 0x7fffffff, /* blocks along x, and along y or z */
    SIM_MOST_GRID_YZ = 65535,
    SIM_MOST_BLOCK_Z = 64, /* threads along z; along x or y as many as a block has */
    SIM_SHARED_PER_BLOCK = 48 * 1024,
    SIM_MOST_DEVICES = 8 /* of one host; sim_options()->devices may be fewer */
};

enum sim_check {
    CHECK_RACE = 1,
    CHECK_MEMORY = 2,
    CHECK_INIT = 4,
    CHECK_SYNC = 8,
    CHECK_LEAK = 16,
    CHECK_STRICT = 64,  /* races by the letter of PTX, too */
    CHECK_PROGRESS = 32 /* always on: a kernel that ends never */
};
/* "racecheck" and so on. */
const char *sim_check_name(enum sim_check check);

enum { SIM_PROGRESS_UNSET = 86401, SIM_DEFAULT_BUDGET = 2000000000 };

/* What the environment says, and what sim.h lets a program say instead. */
struct sim_options {
    uint64_t seed, budget;
    uint64_t budget_units; /* what the budget is for, or 0: sim_set_budget_for */
    const char *budget_unit;
    const char *profile;   /* file name or NULL */
    unsigned int patience; /* seconds a lane may compute without an access */
    unsigned int progress; /* seconds after which a launch is spoken of; 0 is never */
    unsigned int checks;   /* enum sim_check */
    bool refuses_in_step;  /* sim_refuse_warps_in_step */
    bool by_clock;         /* the schedule: by a clock for each warp, or drawn */
    const struct sim_card *card;
    unsigned int multiprocessors; /* as many as the card's, or what was asked for */
    unsigned int l2_bytes;
    unsigned int devices;
    unsigned int host; /* sim_set_host */
};
/* The environment is read once; an option that makes no sense ends the program with 2. */
struct sim_options *sim_options(void);

/* Of the card that is simulated. */
static inline size_t sim_shared_per_block_optin(void)
{
    return sim_shared_of_block(sim_options()->card);
}

static inline bool sim_checks(enum sim_check check)
{
    return sim_options()->checks & check;
}

#endif
