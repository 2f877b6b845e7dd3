/* stream_order.c - what is put into different streams, and nothing orders.
 *
 * Here each operation is done when the call returns. On a GPU it is not: kernels and copies of
 * two streams may overlap, and the host goes on. Each stream, each event and the host has a
 * clock for each stream, "behind this many of its operations"; to wait is to take the greater of
 * two clocks. An operation that touches what another one touched, which it is not behind, races
 * with it. Streams beyond the 62nd share one: that may hide a race, and invents none.
 *
 * The default stream of a device waits for all of that device that are not cudaStreamNonBlocking,
 * and these for it (CUDA Runtime API, "Stream synchronization behavior"). */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "runtime/runtime.h"

enum { KEPT = 64, NO_STREAM = -1, SHARED = 2, OF_ANY = SIM_MOST_DEVICES };
static struct sim_clocks behind[SIM_STREAM_CLOCKS], host;
static bool non_blocking[SIM_STREAM_CLOCKS];
static unsigned int users[SIM_STREAM_CLOCKS]; /* streams that have it */
static unsigned int device_of[SIM_STREAM_CLOCKS];

/* The last operations, in a ring. */
struct range {
    uintptr_t at;
    size_t bytes;
    bool writes;
    bool variable; /* of the operation's device: on another one it is another, at this address */
};
static struct stream_operation {
    unsigned int device;
    unsigned int stream;
    uint32_t number;
    const char *what;     /* it is: "copy", "collective" */
    uintptr_t pc;         /* of these */
    uint32_t first, last; /* of a kernel: its times */
    struct range range[2];
} operations[KEPT];
static size_t operation_count;
static struct sim_copy_order last_copy;
static bool host_may_be_early; /* something may be unfinished for the host */

static int current_clock =
    NO_STREAM; /* of the call that is made; of others the default stream's, waited for */

void sim_clocks_join(struct sim_clocks *clocks, const struct sim_clocks *others)
{
    for (int i = 0; i < SIM_STREAM_CLOCKS; i++)
        if (others->of[i] > clocks->of[i])
            clocks->of[i] = others->of[i];
}

/* Those of device 0 are the first two, those of the others the last ones. */
unsigned int sim_default_clock(unsigned int device, bool of_thread)
{
    unsigned int clock = (device ? SIM_STREAM_CLOCKS - 2 * device : 0) + of_thread;
    device_of[clock] = device;
    return clock;
}

unsigned int sim_stream_begins(unsigned int device, bool is_non_blocking)
{
    static unsigned int last;
    unsigned int end = SIM_STREAM_CLOCKS - 2 * (sim_options()->devices - 1);
    for (unsigned int i = 0; i < SIM_STREAM_CLOCKS; i++) {
        unsigned int clock = ++last % SIM_STREAM_CLOCKS;
        if (clock < 2 || clock >= end || users[clock] > 0)
            continue;
        users[clock]++;
        non_blocking[clock] = is_non_blocking;
        device_of[clock] = device;
        return clock;
    }
    users[SHARED]++;
    non_blocking[SHARED] = false;
    device_of[SHARED] = OF_ANY;
    return SHARED;
}

void sim_stream_ends(unsigned int clock)
{
    users[clock]--;
}

void sim_stream_select(cudaStream_t stream)
{
    current_clock = (int)sim_stream_clock(stream);
}

void sim_stream_later(void)
{
    current_clock = NO_STREAM;
}

static bool is_of(unsigned int clock, unsigned int device)
{
    return device_of[clock] == device || device_of[clock] == OF_ANY;
}

static bool is_default(unsigned int clock)
{
    return device_of[clock] != OF_ANY && clock == sim_default_clock(device_of[clock], false);
}

/* The stream is behind what the host is behind, and by the rules of the default stream. */
static struct sim_clocks *catch_up(unsigned int stream)
{
    struct sim_clocks *clocks = &behind[stream];
    unsigned int device = device_of[stream], of_default = is_default(stream);
    sim_clocks_join(clocks, &host);
    for (unsigned int i = 0; i < SIM_STREAM_CLOCKS && of_default; i++)
        if (!non_blocking[i] && is_of(i, device))
            sim_clocks_join(clocks, &behind[i]);
    for (unsigned int d = 0; d < sim_options()->devices && !of_default && !non_blocking[stream];
         d++)
        if (is_of(stream, d))
            sim_clocks_join(clocks, &behind[sim_default_clock(d, false)]);
    return clocks;
}

void sim_host_waits_for(const struct sim_clocks *clocks)
{
    sim_clocks_join(&host, clocks);
}

void sim_host_waits_for_stream(cudaStream_t stream)
{
    sim_clocks_join(&host, catch_up(sim_stream_clock(stream)));
}

void sim_host_waits_for_all(void)
{
    for (unsigned int i = 0; i < SIM_STREAM_CLOCKS; i++)
        sim_clocks_join(&host, &behind[i]);
}

void sim_host_waits_for_device(unsigned int device)
{
    for (unsigned int i = 0; i < SIM_STREAM_CLOCKS; i++)
        if (is_of(i, device))
            sim_clocks_join(&host, &behind[i]);
}

struct sim_clocks sim_clocks_of(unsigned int clock)
{
    return *catch_up(clock);
}

void sim_clock_waits_for(unsigned int clock, const struct sim_clocks *clocks)
{
    sim_clocks_join(&behind[clock], clocks);
}

struct sim_clocks sim_stream_clocks(cudaStream_t stream)
{
    return sim_clocks_of(sim_stream_clock(stream));
}

void sim_stream_waits_for(cudaStream_t stream, const struct sim_clocks *clocks)
{
    sim_clock_waits_for(sim_stream_clock(stream), clocks);
}

static void host_touches(uintptr_t address, size_t bytes, uintptr_t pc, bool writes);

unsigned int sim_branch_begins(cudaStream_t stream)
{
    unsigned int clock = sim_stream_begins(sim_stream_device(stream), true);
    sim_clocks_join(&behind[clock], catch_up(sim_stream_clock(stream)));
    return clock;
}

void sim_branch_select(unsigned int clock)
{
    current_clock = (int)clock;
}

uint32_t sim_branch_is_at(unsigned int clock)
{
    return behind[clock].of[clock];
}

void sim_branch_waits_for(unsigned int clock, unsigned int other, uint32_t number)
{
    if (behind[clock].of[other] < number)
        behind[clock].of[other] = number;
}

void sim_branch_ends(unsigned int clock, cudaStream_t stream)
{
    sim_clocks_join(&behind[sim_stream_clock(stream)], &behind[clock]);
    sim_stream_ends(clock);
}

/* The next operation of the stream of this call, on this device. */
static struct stream_operation *begin(unsigned int device, unsigned int stream)
{
    struct stream_operation *new = &operations[operation_count++ % KEPT];
    struct sim_clocks *clocks = catch_up(stream);
    *new = (struct stream_operation){
        .device = device, .stream = stream, .number = ++clocks->of[stream]};
    host_may_be_early = true;
    sim_host_watch = host_touches;
    sim_host_waits = sim_host_waits_for_all;
    return new;
}

/* The operation before the `back`-th last one that `clocks` are not behind; NULL at the end. */
static const struct stream_operation *unordered(const struct sim_clocks *clocks, size_t *back)
{
    size_t most = operation_count < KEPT ? operation_count : KEPT;
    while (*back < most) {
        const struct stream_operation *o = &operations[(operation_count - 1 - (*back)++) % KEPT];
        if (o->number > clocks->of[o->stream])
            return o;
    }
    return NULL;
}

static const char for_streams[] = "put both into one stream, or let one wait for the other: "
                                  "cudaStreamWaitEvent, cudaStreamSynchronize";
static const char for_host[] = "let the host wait before it does: cudaStreamSynchronize of that "
                               "stream, or cudaEventSynchronize of an event recorded behind it";

/* Tells of a copy, or an access of the host, at `pc` and what another operation did at `other`. */
static void tell(uintptr_t pc, const char *headline, const char *what, uintptr_t other,
                 const char *advice)
{
    char detail[400], where[200];
    snprintf(detail, sizeof detail,
             "%s at %s may not have happened, or may happen at the same time", what,
             sim_locate(other, where, sizeof where));
    sim_report(CHECK_RACE, NULL, pc, headline, detail, advice);
}

static bool overlap(struct range a, struct range b)
{
    return (a.writes || b.writes) && a.at < b.at + b.bytes && b.at < a.at + a.bytes;
}

static void describe_two(const struct stream_operation *one, const struct stream_operation *other,
                         char *headline, size_t size)
{
    static const char nothing[] = "Race between two streams: nothing orders";
    if (strcmp(one->what, other->what) != 0)
        snprintf(headline, size, "%s this %s and a %s", nothing, one->what, other->what);
    else
        snprintf(headline, size, "%s two %s", nothing,
                 strcmp(one->what, "copy") == 0 ? "copies" : "collectives");
}

/* The first conflict of a copy with another operation is told. */
static bool compare(const struct stream_operation *copy, const struct stream_operation *other)
{
    char headline[96], what[32];
    for (int i = 0; i < 2; i++) {
        struct range r = copy->range[i];
        if (!r.bytes || (r.variable && copy->device != other->device))
            continue;
        uintptr_t pc =
            other->last ? sim_shadow_met(r.at, r.bytes, other->first, other->last, !r.writes) : 0;
        if (pc) {
            snprintf(headline, sizeof headline,
                     "Race between two streams: nothing orders this %s and a kernel", copy->what);
            tell(copy->pc, headline, "the kernel's access", pc, for_streams);
            return true;
        }
        for (int j = 0; j < 2; j++)
            if (other->range[j].bytes && overlap(r, other->range[j])) {
                describe_two(copy, other, headline, sizeof headline);
                snprintf(what, sizeof what, "the other %s,", other->what);
                tell(copy->pc, headline, what, other->pc, for_streams);
                return true;
            }
    }
    return false;
}

/* None of pageable memory. */
static struct range range_of(const void *address, size_t bytes, bool writes)
{
    if (sim_is_pageable(address))
        return (struct range){0};
    return (struct range){(uintptr_t)address, bytes, writes, sim_is_variable((uintptr_t)address)};
}

/* A copy between two devices in the default stream waits for all that these do, and they for it
 * (CUDA C++ Programming Guide, "Peer-to-Peer Memory Copy"). The device, or OF_ANY: it is none. */
static unsigned int device_of_range(const void *address)
{
    const struct sim_allocation *a = address ? sim_memory_find((uintptr_t)address) : NULL;
    return a && sim_is_of_device(a) ? a->device : OF_ANY;
}

struct device_pair {
    unsigned int one, other; /* OF_ANY: none */
};

static struct device_pair pair_of(unsigned int stream, const struct sim_transfer *transfer)
{
    struct device_pair pair = {OF_ANY, OF_ANY};
    if (sim_options()->devices > 1 && is_default(stream))
        pair = (struct device_pair){device_of_range(transfer->to), device_of_range(transfer->from)};
    bool two = pair.one != pair.other && pair.one != OF_ANY && pair.other != OF_ANY;
    return two ? pair : (struct device_pair){OF_ANY, OF_ANY};
}

static bool is_of_pair(unsigned int clock, struct device_pair pair)
{
    return pair.one != OF_ANY && (is_of(clock, pair.one) || is_of(clock, pair.other));
}

/* Whose memory it fills, or else reads. */
static unsigned int device_of_copy(const struct sim_transfer *transfer)
{
    unsigned int device = device_of_range(transfer->to);
    return device == OF_ANY ? device_of_range(transfer->from) : device;
}

struct sim_copy_order sim_last_copy(void)
{
    return last_copy;
}

void sim_stream_copies(struct sim_call call, struct sim_transfer transfer)
{
    unsigned int stream =
        current_clock == NO_STREAM ? sim_stream_clock(NULL) : (unsigned int)current_clock;
    const struct device_pair pair = pair_of(stream, &transfer);
    for (unsigned int i = 0; i < SIM_STREAM_CLOCKS; i++)
        if (is_of_pair(i, pair))
            sim_clocks_join(&behind[stream], &behind[i]);
    struct stream_operation *copy = begin(transfer.device, stream);
    copy->what = transfer.what;
    copy->pc = call.pc;
    copy->range[0] = range_of(transfer.to, transfer.to_bytes, true);
    copy->range[1] = range_of(transfer.from, transfer.from_bytes, false);
    size_t back = 1;
    bool is_reported = !sim_checks(CHECK_RACE);
    last_copy = (struct sim_copy_order){stream, false};
    for (const struct stream_operation *o; (o = unordered(&behind[stream], &back));) {
        last_copy.beside |= !o->what && o->device == device_of_copy(&transfer);
        is_reported = is_reported || compare(copy, o);
    }
    for (unsigned int i = 0; i < SIM_STREAM_CLOCKS; i++)
        if (is_of_pair(i, pair))
            sim_clocks_join(&behind[i], &behind[stream]);
    /* The host waits for these. */
    if (current_clock == NO_STREAM || sim_is_pageable(transfer.to))
        sim_clocks_join(&host, &behind[stream]);
}

cudaError_t sim_stream_runs(const struct sim_launch *request, unsigned int device,
                            cudaStream_t stream)
{
    unsigned int number =
        current_clock == NO_STREAM ? sim_stream_clock(stream) : (unsigned int)current_clock;
    struct stream_operation *kernel = begin(device, number);
    size_t back = 1;
    sim_race_beside_none();
    for (const struct stream_operation *o; (o = unordered(&behind[number], &back));)
        if (o->last)
            sim_race_beside(o->first, o->last);
    kernel->first = sim_order_clock() + 1;
    sim_tell_start(&(struct sim_launch_seen){request->name, device, number});
    cudaError_t error = sim_run_grid(request, device);
    kernel->last = sim_order_clock();
    bool is_reported = !sim_checks(CHECK_RACE) || error;
    back = 1;
    for (const struct stream_operation *o; !is_reported && (o = unordered(&behind[number], &back));)
        is_reported = !o->last && compare(o, kernel);
    return error;
}

/* Host code touches pinned or managed memory, which an unfinished operation may still use. Its threads may
 * do so at the same time. */
static void host_touches(uintptr_t address, size_t bytes, uintptr_t pc, bool writes)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    size_t back = 0;
    bool any = false;
    char what[32];
    if (!host_may_be_early || !sim_checks(CHECK_RACE))
        return;
    struct stream_operation touch = {.pc = pc, .range = {{address, bytes, writes, false}}};
    uintptr_t other = 0;
    pthread_mutex_lock(&one_at_a_time);
    for (const struct stream_operation *o; !other && (o = unordered(&host, &back));) {
        any = true;
        other = o->last ? sim_shadow_met(address, bytes, o->first, o->last, !writes) : 0;
        for (int j = 0; j < 2; j++)
            if (!o->last && overlap(touch.range[0], o->range[j]))
                other = o->pc;
        if (!other)
            continue;
        snprintf(what, sizeof what, "the %s", o->last ? "kernel" : o->what);
        tell(pc,
             writes ? "Host code writes what the device may still use"
                    : "Host code reads what the device may not have written yet",
             o->last ? "the kernel's access" : what, other, for_host);
    }
    host_may_be_early = any;
    pthread_mutex_unlock(&one_at_a_time);
}
