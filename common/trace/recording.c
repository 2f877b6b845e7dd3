/* recording.c - keeps what the observers of the simulator are told. */
#include "contract.h"
#include "trace.h"

#include <stdio.h>
#include <string.h>

/* The array is nobody's that is known: the bytes around the address. */
static void name_stranger(struct sim_array_name *name, uintptr_t address)
{
    if (name->bytes == 0) {
        name->base = address;
        name->bytes = name->element;
    }
    if (!name->name[0])
        snprintf(name->name, sizeof name->name, "memory");
}

/* Whether an event may be about an array: shared memory is a block's. */
static bool is_there(const struct recorded_array *array, const struct sim_event *event)
{
    return array->space == event->space &&
           (event->space == SIM_GLOBAL ||
            (array->block == event->block && array->device == event->device));
}

static bool lies_in(const struct recorded_array *array, const struct sim_event *event,
                    uintptr_t address)
{
    return is_there(array, event) && address - array->base < array->bytes;
}

/* The device's memory is open to observers while a kernel runs. */
static void keep_initial(struct recorded_array *array)
{
    const bool elsewhere =
        array->role == INPUT && traced_counts_text(); /* in the page, as a text */
    if (array->space == SIM_SHARED || elsewhere || array->bytes > MOST_INITIAL)
        return;
    memcpy(array->initial, (const void *)array->base, array->bytes);
    array->has_initial = true;
}

/* The whole of an array of the contract, whatever part of it the kernel has a name for. */
static void widen(struct sim_array_name *name, uintptr_t base, size_t bytes, size_t element)
{
    name->base = base;
    name->bytes = bytes;
    name->element = element;
    name->row = 0;
}

static enum role role_of(const struct recording *r, const struct sim_event *event,
                         const struct sim_array_name *name)
{
    if (event->space == SIM_GLOBAL && name->base == r->input && r->input_bytes > 0)
        return INPUT;
    if (event->space == SIM_GLOBAL && name->base == r->output)
        return OUTPUT;
    for (size_t i = 0; event->space == SIM_GLOBAL && i < r->copies; i++)
        if (r->copied_to[i] - name->base < name->bytes && name->element == r->of_input.bytes)
            return INPUT_COPY;
    return name->element == r->of_output.bytes || name->element == r->of_output.cell ? OUTPUT_COPY
                                                                                     : OWN;
}

const struct shape *recording_shape(const struct recording *recording, int array)
{
    const enum role role = array < 0 ? OWN : recording->array[array].role;
    return role == OWN ? NULL : role <= INPUT_COPY ? &recording->of_input : &recording->of_output;
}

static struct sim_array_name name_of(const struct recording *r, const struct sim_event *event,
                                     unsigned int lane)
{
    struct sim_array_name name;
    const uintptr_t address = event->address[lane], behind = r->output + r->output_bytes;
    if (!sim_name_array(event, lane, &name))
        name_stranger(&name, address);
    if (event->space == SIM_GLOBAL && address - r->input < r->input_bytes)
        widen(&name, r->input, r->input_bytes, r->of_input.bytes);
    else if (event->space == SIM_GLOBAL && address - r->output < r->output_bytes)
        widen(&name, r->output, r->output_bytes, r->of_output.bytes);
    else if (event->space == SIM_GLOBAL && address - behind < r->behind_bytes) {
        widen(&name, behind, r->behind_bytes, sizeof(uint32_t));
        snprintf(name.name, sizeof name.name, "only read");
    }
    return name;
}

/* The index of the array of a lane; -1 when there is no room for more. */
static int array_of(struct recording *r, const struct sim_event *event, unsigned int lane)
{
    const uintptr_t address = event->address[lane];
    for (size_t i = r->arrays; i-- > 0;)
        if (lies_in(&r->array[i], event, address))
            return (int)i;
    if (r->arrays == MOST_ARRAYS)
        return -1;
    const struct sim_array_name name = name_of(r, event, lane);
    for (size_t i = r->arrays; i-- > 0;) /* of an address outside of it */
        if (is_there(&r->array[i], event) && r->array[i].base == name.base)
            return (int)i;
    struct recorded_array *array = &r->array[r->arrays];
    *array = (struct recorded_array){.space = event->space,
                                     .device = event->device,
                                     .block = event->block,
                                     .base = name.base,
                                     .bytes = name.bytes,
                                     .element = name.element ? name.element : 1,
                                     .row = name.row};
    memcpy(array->name, name.name, sizeof array->name);
    array->role = role_of(r, event, &name);
    keep_initial(array);
    return (int)r->arrays++;
}

static struct recorded_step *new_step(struct recording *r)
{
    if (r->steps == MOST_STEPS) {
        r->more++;
        return NULL;
    }
    struct recorded_step *step = &r->step[r->steps++];
    step->launch = (uint8_t)(r->launches > 0 ? r->launches - 1 : 0);
    step->device = (uint8_t)r->device;
    step->array = -1;
    return step;
}

/* The lanes of one access that lie in one array are a step. */
static uint32_t keep_lanes(struct recording *r, const struct sim_event *event, uint32_t lanes,
                           bool first)
{
    const unsigned int leader = (unsigned int)__builtin_ctz(lanes);
    const int array = array_of(r, event, leader);
    uint32_t same = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const unsigned int lane = (unsigned int)__builtin_ctz(rest);
        if (array < 0 || lane == leader || lies_in(&r->array[array], event, event->address[lane]))
            same |= 1u << lane;
    }
    struct recorded_step *step = new_step(r);
    if (!step)
        return lanes & ~same;
    step->what = event->access == SIM_LOAD ? LOADED : event->access == SIM_STORE ? STORED : ATOMIC;
    step->atomic = (uint8_t)event->atomic;
    step->bytes = (uint8_t)event->bytes;
    step->active = same;
    step->block = event->block;
    step->warp = event->warp;
    step->array = array;
    if (first) {
        step->cost = event->cost;
        step->used = event->used;
        step->unused = event->unused;
        step->least = event->least;
        step->loads = event->loads;
        step->least_loads = event->least_loads;
    }
    step->pc = event->pc;
    memcpy(step->address, event->address, sizeof step->address);
    return lanes & ~same;
}

static void keep_event(const struct sim_event *event, void *context)
{
    bool first = true;
    for (uint32_t lanes = event->active; lanes; first = false)
        lanes = keep_lanes(context, event, lanes, first);
}

/* The events of an access come right before it is told what became of it. */
static void keep_values(struct recording *r, const struct sim_step *story)
{
    for (size_t i = r->steps; i-- > 0;) {
        struct recorded_step *step = &r->step[i];
        if (step->carried_out || step->what > ATOMIC || step->block != story->block ||
            step->warp != story->warp)
            break;
        memcpy(step->before, story->before, sizeof step->before);
        memcpy(step->after, story->after, sizeof step->after);
        step->carried_out = true;
    }
}

static void keep_meeting(struct recording *r, const struct sim_step *story)
{
    struct recorded_step *step = new_step(r);
    if (!step)
        return;
    step->what = story->kind == SIM_STEP_BARRIER     ? BARRIER
                 : story->kind == SIM_STEP_INTRINSIC ? INTRINSIC
                                                     : ENDED;
    step->active = story->active;
    step->block = story->block;
    step->warp = story->warp;
    step->pc = story->pc;
    step->carried_out = true;
    snprintf(step->name, sizeof step->name, "%s", story->name ? story->name : "");
    memcpy(step->before, story->before, sizeof step->before);
    memcpy(step->after, story->after, sizeof step->after);
}

/* It never happens, so there are no values. */
static void keep_refused(struct recording *r, const struct sim_event *event)
{
    keep_event(event, r);
    if (r->more == 0 && r->steps > 0)
        r->step[r->steps - 1].refused = true;
}

static void keep_site(struct recording *r, const struct sim_step *story)
{
    if (r->sites < MOST_SITES)
        r->site[r->sites++] = (struct recorded_site){
            story->pc, (unsigned int)(r->launches > 0 ? r->launches - 1 : 0), story->active != 0};
}

/* The counters of a launch are its own: those before it are forgotten, but where the last that there is room for
 * stands for all later ones. */
static void close_launch(struct recording *r)
{
    if (r->launches > 0)
        r->launch[r->launches - 1] = (struct recorded_launch){sim_last_launch(), sim_counters()};
    if (r->launches < MOST_LAUNCHES)
        sim_reset_counters();
}

static void keep_step(const struct sim_step *story, void *context)
{
    struct recording *r = context;
    if (story->kind == SIM_STEP_LAUNCH)
        r->launches += r->launches < MOST_LAUNCHES;
    else if (story->kind == SIM_STEP_ACCESS)
        keep_values(r, story);
    else if (story->kind == SIM_STEP_REFUSED)
        keep_refused(r, story->refused);
    else if (story->kind == SIM_STEP_SITE)
        keep_site(r, story);
    else if (story->kind == SIM_STEP_LAUNCH_ENDS)
        close_launch(r);
    else
        keep_meeting(r, story);
}

static void keep_race(const struct sim_race *race, void *context)
{
    struct recording *r = context;
    if (r->race.found)
        return;
    r->race = (struct recorded_race){.found = true, .race = *race, .reported_at = r->steps};
    snprintf(r->race.element, sizeof r->race.element, "%s", race->element);
    r->race.race.element = NULL;
}

static void keep_launch(const struct sim_launch_seen *seen, void *context)
{
    struct recording *r = context;
    r->device = seen->device;
}

/* A step of the host, about a device. */
static struct recorded_step *host_step(struct recording *r, enum recorded what, unsigned int device,
                                       const char *name, size_t bytes)
{
    struct recorded_step *step = new_step(r);
    if (!step)
        return NULL;
    step->what = (uint8_t)what;
    step->device = (uint8_t)device;
    step->block = step->warp = NOBODY;
    step->carried_out = true;
    step->moved = bytes;
    snprintf(step->name, sizeof step->name, "%s", name);
    return step;
}

static void keep_copy(const struct sim_copy_seen *seen, void *context)
{
    struct recording *r = context;
    const uintptr_t to = (uintptr_t)seen->to, from = (uintptr_t)seen->from;
    const int here = sim_device_of(to), there = from ? sim_device_of(from) : -1;
    const char *name = !from                    ? "fill"
                       : here >= 0 && there < 0 ? "to a device"
                       : here < 0               ? "to the host"
                                                : "between devices";
    if (here >= 0 && from && there < 0 && r->copies < MOST_COPIES)
        r->copied_to[r->copies++] = to;
    if (here < 0 && there < 0)
        return;
    struct recorded_step *step =
        host_step(r, COPIED, (unsigned int)(here >= 0 ? here : there), name, seen->bytes);
    if (step)
        step->address[0] = here >= 0 ? to : from;
}

static void keep_collective(const struct sim_collective_seen *seen, void *context)
{
    struct recorded_step *step = host_step(
        context, ADDED_UP, seen->root > 0 ? (unsigned int)seen->root : 0, seen->name, seen->bytes);
    if (step) {
        step->pc = seen->pc;
        step->active = seen->devices;
    }
}

void recording_start(struct recording *recording, const struct input *input,
                     const struct traced_memory *memory)
{
    traced_shapes(&recording->of_input, &recording->of_output);
    if (!memory->on_host) {
        recording->input = (uintptr_t)memory->units;
        recording->output = (uintptr_t)memory->outputs;
        recording->input_bytes = input->length * recording->of_input.bytes;
        recording->output_bytes = traced_results(input) * recording->of_output.bytes;
        recording->behind_bytes =
            input->num_bins * recording->of_output.bytes - recording->output_bytes;
    }
    sim_reset_counters();
    sim_observe(keep_event, recording);
    sim_observe_steps(keep_step, recording);
    sim_observe_races(keep_race, recording);
    sim_observe_launches(keep_launch, recording);
    if (traced_on_devices()) {
        sim_observe_copies(keep_copy, recording);
        sim_observe_collectives(keep_collective, recording);
    }
}

static bool is_by(const struct recorded_step *step, int lane, uintptr_t address)
{
    for (int i = 0; i < LANES; i++)
        if (step->active >> i & 1 && (lane < 0 || i == lane) &&
            address - step->address[i] < step->bytes)
            return true;
    return false;
}

long recording_find(const struct recording *recording, long from, unsigned int block,
                    unsigned int warp, int lane, uintptr_t pc, uintptr_t address)
{
    for (long i = from; i >= 0; i--) {
        const struct recorded_step *step = &recording->step[i];
        if (step->what <= ATOMIC && step->pc == pc && step->block == block && step->warp == warp &&
            is_by(step, lane, address))
            return i;
    }
    return -1;
}

enum { BLOCKS = 1 << 13, DEVICES = 8 }; /* that may read the input */

/* The place of a step's block among those; their number where there is none. */
static size_t number_of_block(const struct recorded_step *step)
{
    return step->block < BLOCKS && step->device < DEVICES
               ? (size_t)step->device * BLOCKS + step->block
               : (size_t)DEVICES * BLOCKS;
}

static bool reads[DEVICES * BLOCKS + 1]; /* the blocks that load from the input */

size_t recording_readers(const struct recording *recording)
{
    size_t count = 0;
    memset(reads, 0, sizeof reads);
    for (size_t i = 0; i < recording->steps; i++) {
        const struct recorded_step *step = &recording->step[i];
        const enum role role = step->array < 0 ? OWN : recording->array[step->array].role;
        if (step->what != LOADED || (role != INPUT && role != INPUT_COPY) ||
            number_of_block(step) == DEVICES * BLOCKS || reads[number_of_block(step)])
            continue;
        reads[number_of_block(step)] = true;
        count++;
    }
    return count;
}

bool recording_compact(struct recording *recording)
{
    enum { MANY = 3000 };
    if (recording->steps < MANY || recording_readers(recording) == 0)
        return false;
    size_t kept = 0, reported_at = recording->race.reported_at;
    for (size_t i = 0; i < recording->steps; i++) {
        const struct recorded_step *step = &recording->step[i];
        bool idle = !reads[number_of_block(step)];
        if (idle && (step->what == BARRIER || step->what == ENDED)) {
            recording->race.reported_at -= i < reported_at;
            continue;
        }
        if (kept < i)
            recording->step[kept] = *step;
        kept++;
    }
    bool any = kept < recording->steps;
    recording->steps = kept;
    return any;
}
