/* outcomes.c - tells an observer what the steps of warps did, with values.
 *
 * What a load reads is in memory when its lanes are about to go on, for no lane stores in between.
 * What a store or an atomic leaves there is known only when its lane has gone on: so it is watched. */
#include "engine/engine.h"

bool sim_telling_steps;
static sim_step_observer *observer;
static void *observer_context;

void sim_observe_steps(sim_step_observer *function, void *context)
{
    sim_telling_steps = function != NULL;
    observer = function;
    observer_context = context;
}

/* The step that is carried out, where its lanes are in memory, and whose stores are waited for. */
static struct sim_step current;
static uintptr_t address[WARP];
static unsigned int bytes[WARP];
static uint32_t waiting_for;

static void tell(struct sim_step *step, const struct warp *warp)
{
    step->block = warp->block->linear;
    step->warp = warp->number;
    observer(step, observer_context);
}

static void read_memory(unsigned int lane, uint64_t value[2])
{
    memcpy(value, (const void *)address[lane], bytes[lane] > 16 ? 16 : bytes[lane]);
}

static void before_store(struct lane *lane)
{
    if (waiting_for >> lane->number & 1)
        read_memory(lane->number, current.before[lane->number]);
}

static void after_store(struct lane *lane)
{
    if (waiting_for >> lane->number & 1)
        read_memory(lane->number, current.after[lane->number]);
    waiting_for &= ~(1u << lane->number);
}

static void watch(struct warp *warp, unsigned int i)
{
    waiting_for |= 1u << i;
    sim_lane_watch(&warp->lane[i]);
}

/* The engine carries some atomics out, in the order of the lanes; the rest their lanes do. */
static void carry_out(struct warp *warp, uint32_t lanes)
{
    for (; lanes; lanes &= lanes - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(lanes);
        bool deferred = warp->deferred >> i & 1;
        read_memory(i, current.before[i]);
        if (deferred)
            sim_carry_out_all(warp, 1u << i);
        if (deferred && !(warp->watched >> i & 1))
            read_memory(i, current.after[i]);
        else
            watch(warp, i);
    }
}

static void look_at_memory(struct warp *warp, uint32_t lanes, enum stop_reason reason)
{
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(rest);
        address[i] = warp->address[i];
        bytes[i] = warp->stop[i].bytes;
        if (reason == STOP_LOAD)
            read_memory(i, current.before[i]);
        else if (reason == STOP_STORE)
            watch(warp, i);
    }
}

void sim_run_and_tell(struct warp *warp, uint32_t first, uint32_t then, enum stop_reason reason)
{
    const uint32_t lanes = first | then;
    bool access = reason <= STOP_ATOMIC;
    current = (struct sim_step){.kind = SIM_STEP_ACCESS, .active = lanes};
    waiting_for = 0;
    current.pc = sim_lane_pc(warp, (unsigned int)__builtin_ctz(lanes));
    if (access)
        look_at_memory(warp, lanes, reason);
    if (reason == STOP_ATOMIC) {
        carry_out(warp, first);
        carry_out(warp, then);
    }
    sim_run_lanes(warp, first, then);
    current.place = address;
    if (access)
        tell(&current, warp);
    struct sim_step end = {.kind = SIM_STEP_END, .active = lanes & ~warp->live};
    if (end.active)
        tell(&end, warp);
}

void sim_tell_unchanged(const struct warp *warp, uint32_t lanes)
{
    current = (struct sim_step){.kind = SIM_STEP_ACCESS, .active = lanes, .place = address};
    current.pc = sim_lane_pc(warp, (unsigned int)__builtin_ctz(lanes));
    for (; lanes; lanes &= lanes - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(lanes);
        address[i] = warp->address[i];
        bytes[i] = warp->stop[i].bytes;
        read_memory(i, current.before[i]);
        if (warp->stop[i].reason != STOP_LOAD)
            read_memory(i, current.after[i]);
    }
    tell(&current, warp);
}

static void tell_refused(const struct warp_access *access)
{
    const struct sim_event event = sim_event_of(access);
    struct sim_step step = {.kind = SIM_STEP_REFUSED, .active = event.active, .refused = &event};
    tell(&step, access->warp);
}

static void tell_barrier(struct block *block)
{
    for (unsigned int w = 0; w < block->warp_count; w++) {
        const struct warp *warp = &block->warps[w];
        struct sim_step step = {
            .kind = SIM_STEP_BARRIER, .active = warp->barrier, .name = "__syncthreads"};
        if (!warp->barrier)
            continue;
        step.pc = sim_lane_pc(warp, (unsigned int)__builtin_ctz(warp->barrier));
        tell(&step, warp);
    }
}

static void tell_intrinsic(struct warp *warp, uint32_t mask, enum sim_warp_intrinsic operation,
                           uint64_t *result)
{
    uintptr_t place[WARP];
    static const char *const names[] = {
        [SIM_SYNCWARP] = "__syncwarp",
        [SIM_BALLOT] = "__ballot_sync",
        [SIM_ANY] = "__any_sync",
        [SIM_ALL] = "__all_sync",
        [SIM_MATCH_ANY] = "__match_any_sync",
        [SIM_MATCH_ALL] = "__match_all_sync",
        [SIM_SHUFFLE] = "__shfl_sync",
        [SIM_SHUFFLE_UP] = "__shfl_up_sync",
        [SIM_SHUFFLE_DOWN] = "__shfl_down_sync",
        [SIM_SHUFFLE_XOR] = "__shfl_xor_sync",
        [SIM_REDUCE_ADD] = "__reduce_add_sync",
        [SIM_REDUCE_MIN_U32] = "__reduce_min_sync",
        [SIM_REDUCE_MAX_U32] = "__reduce_max_sync",
        [SIM_REDUCE_MIN_S32] = "__reduce_min_sync",
        [SIM_REDUCE_MAX_S32] = "__reduce_max_sync",
        [SIM_REDUCE_AND] = "__reduce_and_sync",
        [SIM_REDUCE_OR] = "__reduce_or_sync",
        [SIM_REDUCE_XOR] = "__reduce_xor_sync",
    };
    struct sim_step step = {.kind = SIM_STEP_INTRINSIC, .active = mask, .name = names[operation]};
    step.pc = sim_lane_pc(warp, (unsigned int)__builtin_ctz(mask));
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(rest);
        step.before[i][0] = warp->value[i];
        step.after[i][0] = result[i];
        place[i] = (uintptr_t)&result[i];
    }
    step.place = place;
    tell(&step, warp);
}

void sim_tell_site(uintptr_t pc, bool returns)
{
    struct sim_step step = {.kind = SIM_STEP_SITE, .active = returns, .pc = pc};
    observer(&step, observer_context);
}

static void tell_launch(const struct launch *launch, enum sim_step_kind kind)
{
    const struct sim_step step = {.kind = kind, .name = launch->request->name};
    observer(&step, observer_context);
}

static void tell_begin(struct launch *launch)
{
    tell_launch(launch, SIM_STEP_LAUNCH);
}

static void tell_end(struct launch *launch)
{
    tell_launch(launch, SIM_STEP_LAUNCH_ENDS);
}

const struct observer sim_step_teller = {
    .launch_begins = tell_begin,
    .lane_is_refused = tell_refused,
    .before_store = before_store,
    .after_store = after_store,
    .warp_meets = tell_intrinsic,
    .block_meets = tell_barrier,
    .launch_is_over = tell_end,
};

int sim_name_array(const struct sim_event *event, unsigned int lane, struct sim_array_name *array)
{
    const uintptr_t at = event->address[lane];
    struct sim_array found = {.base = 0};
    *array = (struct sim_array_name){.base = at, .element = event->bytes};
    if (event->space == SIM_SHARED) {
        const struct shared_variable *v = sim_find_shared(sim_running, at);
        if (!v)
            return 0;
        const struct block none = {.shared = NULL};
        found = sim_shared_array(&none, v);
    } else {
        const struct sim_allocation *memory = sim_memory_find(at);
        memory = memory ? memory : sim_memory_nearest(at);
        if (!memory)
            return 0;
        array->base = memory->base;
        array->bytes = memory->bytes;
        if (memory->kind == SIM_DEVICE_VARIABLE)
            return sim_symbol_name(at, array->name, sizeof array->name) != NULL;
        if (!sim_find_parameter(sim_running, memory, at, &found))
            return 0;
    }
    memcpy(array->name, found.name, sizeof array->name);
    array->base = found.base;
    array->bytes = found.bytes;
    array->element = found.element;
    array->row = found.rows && found.rows[0] ? 1 : 0;
    for (const size_t *extent = found.rows; array->row && *extent; extent++)
        array->row *= *extent;
    return 1;
}
