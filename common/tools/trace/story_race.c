/* story_race.c - a race as the page tells it: two steps, and the update that got lost. */
#include <stdio.h>
#include <string.h>

#include "story.h"

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
static void name_element(const struct recording *r, struct place at, char *text, size_t size)
{
    const struct recorded_step *step = &r->step[at.step];
    const struct recorded_array *array = &r->array[step->array];
    const size_t index = (size_t)(step->address[at.lane] - array->base) / array->element;
    if (array->row > 0)
        snprintf(text, size, "%s[%zu][%zu]", array->name, index / array->row, index % array->row);
    else
        snprintf(text, size, "%s[%zu]", array->name, index);
}

static void name_thread(const struct recording *r, struct place at, char *text, size_t size)
{
    const struct recorded_step *step = &r->step[at.step];
    snprintf(text, size, "thread %u of block %u", step->warp * LANES + (unsigned int)at.lane,
             step->block);
}

static void tell(const struct recording *r, struct place load, struct place store,
                 struct place other, char *lost, size_t size)
{
    char one[64], another[64];
    name_thread(r, store, one, sizeof one);
    name_thread(r, other, another, sizeof another);
    snprintf(lost, size,
             "%s read %llu from %s and then wrote %llu; in between %s had written %llu, and that "
             "update is lost.",
             one, (unsigned long long)r->step[load.step].before[load.lane][0], r->race.element,
             (unsigned long long)r->step[store.step].after[store.lane][0], another,
             (unsigned long long)r->step[other.step].after[other.lane][0]);
    lost[0] = 'T';
}

/* The first store whose thread had read before another one stored. */
static bool find_lost(const struct recording *r, struct told_race *told)
{
    const uintptr_t address = r->race.race.address;
    const long any = told->second >= 0 ? told->second : told->first;
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
            tell(r, load, store, other, told->lost, sizeof told->lost);
            if (told->first < 0)
                told->first = other.step;
            if (told->second < 0)
                told->second = store.step;
            return true;
        }
    return false;
}

/* The lane that reads in a step what lies at an address; -1 when none does. */
static int reader_of(const struct recorded_step *load, uintptr_t address)
{
    for (int lane = 0; lane < LANES; lane++)
        if (touches(load, lane, address))
            return lane;
    return -1;
}

static void tell_late(const struct recording *r, struct place load, struct place late, char *lost,
                      size_t size)
{
    char one[64], another[64], element[128];
    name_thread(r, load, one, sizeof one);
    name_thread(r, late, another, sizeof another);
    name_element(r, load, element, sizeof element);
    snprintf(lost, size,
             "%s read %llu from %s; only then %s made %llu of it: what it added is in no sum.", one,
             (unsigned long long)r->step[load.step].before[load.lane][0], element, another,
             (unsigned long long)r->step[late.step].after[late.lane][0]);
    lost[0] = 'T';
}

/* Without a store that was overwritten: the load of the race came before an update that it, or
 * another lane of it, should have seen. */
static void find_late(const struct recording *r, struct told_race *told)
{
    const long load =
        told->second >= 0 && r->step[told->second].what == LOADED ? told->second : told->first;
    if (load < 0 || r->step[load].what != LOADED || r->step[load].array < 0)
        return;
    for (long i = load + 1; i < (long)r->steps; i++)
        for (int lane = 0; lane < LANES; lane++) {
            const struct recorded_step *step = &r->step[i];
            if (!(is_access(r, i, STORED) || is_access(r, i, ATOMIC)) ||
                !(step->active >> lane & 1) || step->array != r->step[load].array ||
                step->before[lane][0] == step->after[lane][0])
                continue;
            struct place late = {i, lane},
                         at = {load, reader_of(&r->step[load], step->address[lane])};
            if (at.lane < 0 || is_same_thread(r, at, late))
                continue;
            tell_late(r, at, late, told->lost, sizeof told->lost);
            return;
        }
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

static void tell_overwritten(const struct recording *r, struct place store, struct place update,
                             char *lost, size_t size)
{
    const struct recorded_step *step = &r->step[store.step];
    char one[64], another[64], element[128];
    name_thread(r, store, one, sizeof one);
    name_thread(r, update, another, sizeof another);
    name_element(r, store, element, sizeof element);
    snprintf(lost, size, "%s wrote %llu to %s, where %s had left %llu: that is lost.", one,
             (unsigned long long)step->after[store.lane][0], element, another,
             (unsigned long long)step->before[store.lane][0]);
    lost[0] = 'T';
}

/* A store over what another thread has left in an element of the array, in any block. */
static bool find_overwritten(const struct recording *r, struct told_race *told)
{
    const long any = told->second >= 0 ? told->second : told->first;
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
            tell_overwritten(r, store, update, told->lost, sizeof told->lost);
            return true;
        }
    return false;
}

struct told_race story_race(const struct recording *recording, bool miscounted)
{
    const struct sim_race *race = &recording->race.race;
    struct told_race told = {-1, -1, ""};
    long last = (long)recording->race.told_at + 1; /* the access itself may come right after */
    if (last >= (long)recording->steps)
        last = (long)recording->steps - 1;
    told.second = recording_find(recording, last, race->block, race->warp, (int)race->lane,
                                 race->pc, race->address);
    told.first =
        recording_find(recording, told.second >= 0 ? told.second : last, race->earlier_block,
                       race->earlier_warp, race->earlier_lane, race->earlier_pc, race->address);
    if (!find_lost(recording, &told) && miscounted && !find_overwritten(recording, &told))
        find_late(recording, &told);
    return told;
}
