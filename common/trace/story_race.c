/* story_race.c - a race as the page tells it: two steps, and the update that got lost. */
#include <ctype.h>
#include <string.h>

#include "trace.h"
#include "util.h"

/* A lane's access in a step. */
struct place {
    long step;
    int lane;
};

static bool touches(const struct recorded_step *step, int lane, uintptr_t address)
{
    return step->active >> lane & 1 && address - step->address[lane] < step->bytes;
}

static bool is_same_thread(const struct recording *r, struct place a, struct place b)
{
    return a.lane == b.lane && r->step[a.step].block == r->step[b.step].block &&
           r->step[a.step].warp == r->step[b.step].warp;
}

/* Whether a step is an access of this kind to the race's element. */
static bool is_access(const struct recording *r, long i, enum recorded what)
{
    const struct recorded_step *step = &r->step[i];
    const struct recorded_array *array = step->array < 0 ? NULL : &r->array[step->array];
    return step->what == what && step->carried_out && array;
}

/* The load of the thread that stores at `store`, right before. */
static struct place load_before(const struct recording *r, struct place store, uintptr_t address)
{
    for (long i = store.step - 1; i >= 0; i--) {
        struct place at = {i, store.lane};
        if (is_access(r, i, LOADED) && touches(&r->step[i], at.lane, address) &&
            is_same_thread(r, at, store))
            return at;
        if (is_access(r, i, STORED) && touches(&r->step[i], at.lane, address) &&
            is_same_thread(r, at, store))
            break;
    }
    return (struct place){-1, 0};
}

/* A store of another thread between a load and its store: what is overwritten. */
static struct place store_between(const struct recording *r, struct place load, struct place store,
                                  uintptr_t address)
{
    for (long i = store.step; i > load.step; i--)
        for (int lane = 0; is_access(r, i, STORED) && lane < LANES; lane++) {
            struct place at = {i, lane};
            if (r->step[i].array == r->step[store.step].array &&
                touches(&r->step[i], lane, address) && !is_same_thread(r, at, store) &&
                (i < store.step || lane < store.lane))
                return at;
        }
    return (struct place){-1, 0};
}

/* "bins[3]" or "table[3][1]" of the address of a lane. */
static const char *element_of(const struct recording *r, struct place at)
{
    const struct recorded_step *step = &r->step[at.step];
    const struct recorded_array *array = &r->array[step->array];
    const size_t index = (size_t)(step->address[at.lane] - array->base) / array->element;
    return array->row > 0
               ? format("%s[%zu][%zu]", array->name, index / array->row, index % array->row)
               : format("%s[%zu]", array->name, index);
}

static const char *thread_of(const struct recording *r, struct place at)
{
    const struct recorded_step *step = &r->step[at.step];
    return format("thread %u of block %u%s", step->warp * LANES + (unsigned int)at.lane,
                  step->block, traced_on_devices() ? format(" on device %u", step->device) : "");
}

/* The same at the beginning of a sentence. */
static const char *capital(char *words)
{
    words[0] = (char)toupper((unsigned char)words[0]);
    return words;
}

/* A field of the value at a lane's access: its bits begin there. */
static const char *field_in(const struct field *field, uint64_t bits)
{
    const uint32_t word = (uint32_t)bits;
    float narrow;
    double wide;
    memcpy(&narrow, &word, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    if (field->type == FIELD_FLOAT)
        return format("%.9g", field->bits == 32 ? (double)narrow : wide);
    if (field->bits < 64)
        bits &= (1ull << field->bits) - 1;
    return format("%llu", (unsigned long long)bits);
}

/* What a lane read or left: "17", or "(4, 12)" where fields of an element lie in its access. */
static const char *value_of(const struct recording *r, struct place at, const uint64_t value[2])
{
    const struct recorded_step *step = &r->step[at.step];
    const struct shape *shape = recording_shape(r, step->array);
    const size_t begin =
        shape ? 8 * ((step->address[at.lane] - r->array[step->array].base) % shape->bytes) : 0;
    const size_t bits = 8u * step->bytes;
    const char *words = "";
    size_t found = 0;
    for (size_t i = 0; shape && i < shape->fields; i++) {
        const struct field *field = &shape->field[i];
        const size_t from = field->from - begin;
        if (field->from < begin || from + field->bits > bits || from >= 64)
            continue;
        words = format("%s%s%s", words, found++ ? ", " : "", field_in(field, value[0] >> from));
    }
    return found == 0  ? format("%llu", (unsigned long long)value[0])
           : found > 1 ? format("(%s)", words)
                       : words;
}

static const char *before(const struct recording *r, struct place at)
{
    return value_of(r, at, r->step[at.step].before[at.lane]);
}

static const char *after(const struct recording *r, struct place at)
{
    return value_of(r, at, r->step[at.step].after[at.lane]);
}

/* The first store whose thread had read before another one stored. */
static bool find_lost(const struct recording *r, struct race_story *story)
{
    const uintptr_t address = r->race.race.address;
    const long any = story->second >= 0 ? story->second : story->first;
    for (long i = 0; i < (long)r->steps; i++)
        for (int lane = 0; is_access(r, i, STORED) && lane < LANES; lane++) {
            struct place store = {i, lane};
            if (any < 0 || r->step[i].array != r->step[any].array ||
                !touches(&r->step[i], lane, address))
                continue;
            struct place load = load_before(r, store, address);
            struct place other = {-1, 0};
            if (load.step >= 0)
                other = store_between(r, load, store, address);
            if (other.step < 0)
                continue;
            story->lost = capital(
                format("%s read %s from %s and then wrote %s; in between %s had written %s, "
                       "and that update is lost.",
                       thread_of(r, store), before(r, load), r->race.element, after(r, store),
                       thread_of(r, other), after(r, other)));
            if (story->first < 0)
                story->first = other.step;
            if (story->second < 0)
                story->second = store.step;
            return true;
        }
    return false;
}

/* The lane that reads in a step what lies at an address; -1 when none does. */
static int lane_that_reads(const struct recorded_step *load, uintptr_t address)
{
    for (int lane = 0; lane < LANES; lane++)
        if (touches(load, lane, address))
            return lane;
    return -1;
}

/* Whether a step is the barrier behind a load from shared memory: what comes later is not late. */
static bool is_behind(const struct recording *r, long load, const struct recorded_step *step)
{
    const struct recorded_step *one = &r->step[load];
    return step->what == BARRIER && step->block == one->block && step->warp == one->warp &&
           r->array[one->array].space == SIM_SHARED;
}

/* Tells of an update that comes after a load, and that a lane of the load should have seen; false where there is
 * none. */
static bool tell_late_for(const struct recording *r, long load, struct race_story *story)
{
    for (long i = load + 1; i < (long)r->steps && !is_behind(r, load, &r->step[i]); i++)
        for (int lane = 0; lane < LANES; lane++) {
            const struct recorded_step *step = &r->step[i];
            if (!(is_access(r, i, STORED) || is_access(r, i, ATOMIC)) ||
                !(step->active >> lane & 1) || step->array != r->step[load].array ||
                step->before[lane][0] == step->after[lane][0])
                continue;
            struct place late = {i, lane},
                         at = {load, lane_that_reads(&r->step[load], step->address[lane])};
            if (at.lane < 0 || is_same_thread(r, at, late))
                continue;
            story->lost = capital(
                format("%s read %s from %s; only then %s made %s of it: what it added is in no "
                       "sum.",
                       thread_of(r, at), before(r, at), element_of(r, at), thread_of(r, late),
                       after(r, late)));
            return true;
        }
    return false;
}

/* Where no store was overwritten, the load of the race, or another one from an array of its name, came before an
 * update that it should have seen. */
static void tell_late(const struct recording *r, struct race_story *story)
{
    const long load =
        story->second >= 0 && r->step[story->second].what == LOADED ? story->second : story->first;
    if (load < 0 || r->step[load].what != LOADED || r->step[load].array < 0)
        return;
    bool found = tell_late_for(r, load, story);
    for (long i = 0; i < (long)r->steps && !found; i++)
        found = is_access(r, i, LOADED) &&
                strcmp(r->array[r->step[i].array].name, r->array[r->step[load].array].name) == 0 &&
                tell_late_for(r, i, story);
}

/* The last update of an element before step `from`; no step when there was none lately. */
static struct place update_before(const struct recording *r, long from, int array,
                                  uintptr_t address)
{
    enum { LATELY = 4000 };
    for (long i = from - 1; i >= 0 && i > from - LATELY; i--)
        for (int lane = LANES - 1; r->step[i].array == array && lane >= 0; lane--)
            if ((is_access(r, i, STORED) || is_access(r, i, ATOMIC)) &&
                touches(&r->step[i], lane, address))
                return (struct place){i, lane};
    return (struct place){-1, 0};
}

/* A store over what another thread has left in an element of the array, in any block. */
static bool find_overwritten(const struct recording *r, struct race_story *story)
{
    const long any = story->second >= 0 ? story->second : story->first;
    if (any < 0 || r->step[any].array < 0)
        return false;
    const char *name = r->array[r->step[any].array].name;
    for (long i = 0; i < (long)r->steps; i++)
        for (int lane = 0; lane < LANES; lane++) {
            const struct recorded_step *step = &r->step[i];
            if (step->what != STORED || !step->carried_out || !(step->active >> lane & 1) ||
                step->before[lane][0] == step->after[lane][0] || step->array < 0 ||
                strcmp(r->array[step->array].name, name) != 0)
                continue;
            struct place store = {i, lane};
            struct place update = update_before(r, i, step->array, step->address[lane]);
            if (update.step < 0 || is_same_thread(r, store, update))
                continue;
            story->lost = capital(format("%s wrote %s to %s, where %s had left %s: that is lost.",
                                         thread_of(r, store), after(r, store), element_of(r, store),
                                         thread_of(r, update), before(r, store)));
            return true;
        }
    return false;
}

struct race_story story_race(const struct recording *recording, bool miscounted)
{
    const struct sim_race *race = &recording->race.race;
    struct race_story story = {-1, -1, ""};
    long last = (long)recording->race.reported_at + 1; /* the access itself may come right after */
    if (last >= (long)recording->steps)
        last = (long)recording->steps - 1;
    story.second = recording_find(recording, last, race->block, race->warp, (int)race->lane,
                                  race->pc, race->address);
    story.first =
        recording_find(recording, story.second >= 0 ? story.second : last, race->earlier_block,
                       race->earlier_warp, race->earlier_lane, race->earlier_pc, race->address);
    if (!find_lost(recording, &story) && miscounted && !find_overwritten(recording, &story))
        tell_late(recording, &story);
    return story;
}
