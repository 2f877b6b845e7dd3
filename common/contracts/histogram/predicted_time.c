/* predicted_time.c - from counters to a time on an H200. */
#include "predicted_time.h"

#include <math.h>

enum { MULTIPROCESSORS = 132, WARPS_PER_MULTIPROCESSOR = 64, WARP = 32, SECTOR = 32, STRIPE = 256 };
static const double ns_per_ms = 1e6;

enum constant {
    LAUNCH,
    READ,            /* reads a byte */
    WAIT_FOR_MEMORY, /* a warp waits for one load */
    WAIT_FOR_L1,
    CHARACTER_5, /* a multiprocessor works on one load of a warp, its bins and the loop */
    CHARACTER_26,
    CHARACTER_256,
    VOTE,
    LOAD,           /* its load unit works on one request */
    LOAD_SECTORS,   /* it works on one request of 32 sectors */
    SHARED_ADD,     /* it works on one request */
    SHARED_ADD_32,  /* it works on one request of 32 wavefronts */
    ATOMICS_AT_ONE, /* the L2 cache works on a round, when all go to one address */
    ATOMICS_WITHIN, /* the same within so many bytes, the first of several rows */
};

/* These are of docs/results/h200/micro.csv, whose columns are what, parameter, median. */
static const struct predict_constant constants[] = {
    [LAUNCH] = {"launch", 0, 5376},
    [READ] = {"read", 0, 0.00021821},
    [WAIT_FOR_MEMORY] = {"wait for memory", 64, 365.8},
    [WAIT_FOR_L1] = {"wait for L1", 1, 31.297},
    [CHARACTER_5] = {"character", 5, 2.5206},
    [CHARACTER_26] = {"character", 26, 2.4583},
    [CHARACTER_256] = {"character", 256, 1.5492},
    [VOTE] = {"vote", 0, 1.2998},
    [LOAD] = {"load from L1 at stride", 1, 0.52209},
    [LOAD_SECTORS] = {"load from L1 at stride", 32, 4.0459},
    [SHARED_ADD] = {"shared add by lanes at an address", 1, 0.64771},
    [SHARED_ADD_32] = {"shared add by lanes at an address", 32, 16.186},
    [ATOMICS_AT_ONE] = {"global add in one stripe by lanes at an address", 32, 0.73109},
    [ATOMICS_WITHIN] = {"global add within bytes", 512, 0.34835},
    {"global add within bytes", 1024, 0.36984},
    {"global add within bytes", 2048, 0.18459},
    {"global add within bytes", 4096, 0.097208},
    {"global add within bytes", 8192, 0.075119},
    {"global add within bytes", 16384, 0.044888},
    {"global add within bytes", 32768, 0.032923},
    {"global add within bytes", 65536, 0.025606},
    {"global add within bytes", 131072, 0.022705},
    {"global add within bytes", 262144, 0.017015},
    {"global add within bytes", 1048576, 0.0147},
};
enum { CONSTANTS = sizeof constants / sizeof *constants };

size_t predict_constant_count(void)
{
    return CONSTANTS;
}

struct predict_constant predict_constant(size_t i)
{
    return constants[i];
}

static double ns(enum constant which)
{
    return constants[which].value;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double larger_predicted(double a, double b)
{
    return a > b ? a : b;
}

/* A warp waits for memory once for each request that brings new sectors, and for the
 * L1 cache at the others. Warps that do not fit at once come in turns. */
static double waiting(const struct predict_work *work)
{
    const struct sim_access_counters *loads = &work->counters.global[SIM_LOAD];
    if (loads->sectors == 0)
        return 0;
    double warps = (double)work->blocks * (double)((work->threads_per_block + WARP - 1) / WARP);
    double at_once = smaller(warps, (double)MULTIPROCESSORS * WARPS_PER_MULTIPROCESSOR);
    double new_sectors = (double)work->text_bytes / SECTOR;
    double far = (double)loads->requests * smaller(1, new_sectors / (double)loads->sectors);
    double near = (double)loads->requests - far;
    return (far * ns(WAIT_FOR_MEMORY) + near * ns(WAIT_FOR_L1)) / at_once;
}

static double character(unsigned int bins)
{
    return ns(bins == 256 ? CHARACTER_256 : bins == 26 ? CHARACTER_26 : CHARACTER_5);
}

/* A multiprocessor does two things at the same time: it issues instructions, and its load unit serves requests. */
static double working(const struct predict_work *work)
{
    const struct sim_counters *c = &work->counters;
    const struct sim_access_counters *loads = &c->global[SIM_LOAD], *adds = &c->shared[SIM_ATOM];
    double other = (double)(c->shared[SIM_LOAD].wavefronts + c->shared[SIM_STORE].wavefronts);
    double wavefront = ns(SHARED_ADD_32) / WARP;
    double issue = (double)loads->requests * character(work->bins) + (double)c->votes * ns(VOTE);
    double unit = larger_predicted((double)loads->requests * ns(LOAD),
                                   (double)loads->sectors * ns(LOAD_SECTORS) / WARP);
    unit += larger_predicted((double)adds->requests * ns(SHARED_ADD),
                             (double)adds->wavefronts * wavefront);
    unit += other * wavefront;
    return larger_predicted(issue, unit) / smaller((double)work->blocks, MULTIPROCESSORS);
}

/* Nanoseconds for a round when the rounds spread evenly over so many bytes. */
static double round_within(double bytes)
{
    double at = STRIPE, time = ns(ATOMICS_AT_ONE);
    if (bytes <= at)
        return time;
    for (size_t i = ATOMICS_WITHIN; i < CONSTANTS; i++) {
        double next = constants[i].parameter, next_time = constants[i].value;
        if (bytes <= next)
            return time * pow(next_time / time, log(bytes / at) / log(next / at));
        at = next;
        time = next_time;
    }
    return time;
}

static double atomics(const struct predict_work *work)
{
    const struct sim_access_counters *global = work->counters.global;
    double rounds = (double)(global[SIM_RED].sectors + global[SIM_ATOM].sectors);
    double spread = rounds * round_within((double)work->atomic_stripes * STRIPE);
    return larger_predicted(spread, (double)work->busiest_stripe * ns(ATOMICS_AT_ONE));
}

struct predict_times predict(const struct predict_work *work)
{
    struct predict_times times = {0};
    if (work->counters.launches == 0 || work->blocks == 0)
        return times;
    times.launch = ns(LAUNCH) / ns_per_ms;
    times.bandwidth = (double)work->text_bytes * ns(READ) / ns_per_ms;
    times.waiting = waiting(work) / ns_per_ms;
    times.working = working(work) / ns_per_ms;
    times.atomics = atomics(work) / ns_per_ms;
    times.total = times.launch +
                  larger_predicted(larger_predicted(times.bandwidth, times.waiting + times.working),
                                   times.atomics);
    return times;
}

const char *predict_doubt(const struct predict_work *work)
{
    const struct sim_counters *c = &work->counters;
    if (work->runs == 0)
        return "no character is counted, and reading alone was not tried";
    if (c->votes == 0 && work->atomics < work->runs)
        return "counts in registers, and arithmetic has no counter";
    if (2 * work->text_bytes > 3 * WARP * c->global[SIM_LOAD].requests)
        return "several characters a load, and only one was tried";
    if (work->bins_in_turn > 2 * work->busiest_of_bins)
        return "bins that are wanted one after the other, and counters do not say when";
    return NULL;
}
