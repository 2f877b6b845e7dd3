/* explain.c - a race, step by step: who read which value, who wrote which, and
 * what was lost.
 *
 * While it is on, the last accesses of all lanes are kept with their values. When a race is
 * found, those of its element are taken out, from before the earlier of the two accesses on,
 * and what follows is added until the later one has happened, and a little more. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks/race.h"

struct step {
    uintptr_t address, pc;
    struct sim_index thread, block;
    unsigned int bytes;
    enum stop_reason reason;
    uint64_t before, after; /* the value in memory */
    bool is_remembered;     /* else only the report knows of it, and not the values */
};

/* The last accesses of all lanes, of which the last RING are there. */
enum { RING = 1 << 18 };
static struct step *ring;
static size_t ring_used;

/* The steps of the race, in their order; `skipped` have been left out behind step `gap`. */
enum { BEFORE = 8, BETWEEN = 48, AFTER = 96, KEPT = BEFORE + BETWEEN + AFTER };
static struct {
    bool found;
    struct race race;
    struct step later; /* what is known of it before it happens */
    char element[256];
    struct step steps[KEPT];
    size_t count, at_race; /* in all, and when the race was found */
    size_t earlier;        /* index of the one of the two accesses */
    size_t gap, skipped;
    bool has_stored; /* the later one, when the race was found */
} story;

/* Of the lanes that are about to go on: the store whose value is not known yet. */
static struct step *to_store[WARP];

bool sim_explaining;

void sim_explain_start(void)
{
    if (!ring)
        ring = calloc(RING, sizeof *ring);
    sim_explaining = ring != NULL;
    ring_used = 0;
    memset(&story, 0, sizeof story);
}

void sim_explain_start_launch(void)
{
    memset(to_store, 0, sizeof to_store);
}

static uint64_t value_at(uintptr_t address, unsigned int bytes)
{
    uint64_t value = 0;
    memcpy(&value, (const void *)address, bytes > 8 ? 8 : bytes);
    return value;
}

static bool same_index(const struct sim_index *a, const struct sim_index *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static bool same_thread(const struct step *a, const struct step *b)
{
    return same_index(&a->thread, &b->thread) && same_index(&a->block, &b->block);
}

/* Whether a step belongs to the story: in shared memory an address is another element in
 * another block. */
static bool is_of_race(const struct step *step, const struct race *race)
{
    return step->address < race->address + race->bytes &&
           race->address < step->address + step->bytes &&
           (race->allocation || same_index(&step->block, &story.later.block));
}

/* Before the race all steps go round in the ring; after it only those of its element are kept. */
static struct step *next_step(const struct step *step)
{
    if (!story.found)
        return &ring[ring_used++ % RING];
    if (story.count == KEPT || !is_of_race(step, &story.race))
        return NULL;
    return &story.steps[story.count++];
}

void sim_explain_access(struct lane *lane, uintptr_t address, unsigned int bytes,
                        enum stop_reason reason, uintptr_t pc)
{
    const struct step current = {address, pc, lane->thread, lane->warp->block->index, bytes, reason,
                                 0,       0,  true};
    struct step *step = next_step(&current);
    if (!step)
        return;
    *step = current;
    step->before = step->after = value_at(address, bytes);
    if (reason != STOP_LOAD) {
        to_store[lane->number] = step;
        sim_lane_watch(lane);
    }
}

void sim_explain_stored(const struct lane *lane)
{
    struct step *step = to_store[lane->number];
    if (!step)
        return;
    step->after = value_at(step->address, step->bytes);
    to_store[lane->number] = NULL;
}

/* The earlier access, as far as the race knows it. */
static struct step earlier_step(const struct race *race)
{
    struct step step = {.address = race->address,
                        .pc = race->earlier_pc,
                        .bytes = race->bytes,
                        .reason = race->kind == RACE_WAR ? STOP_LOAD
                                  : race->earlier_atomic ? STOP_ATOMIC
                                                         : STOP_STORE};
    sim_race_earlier(race, &step.thread, &step.block);
    return step;
}

static bool is_earlier(const struct step *step, const struct step *earlier, bool lane_known)
{
    return step->pc == earlier->pc && same_index(&step->block, &earlier->block) &&
           (!lane_known || same_index(&step->thread, &earlier->thread));
}

/* Takes the steps of the race out of the ring: a few before the earlier access, that, and those
 * since then, of which the last are kept when they are too many. */
void sim_explain_race(const struct race *race, bool has_stored)
{
    if (story.found)
        return;
    const struct lane *lane = &race->warp->lane[race->lane];
    const struct step earlier = earlier_step(race);
    story.race = *race;
    story.later = (struct step){.address = race->address,
                                .pc = race->pc,
                                .thread = lane->thread,
                                .block = race->warp->block->index,
                                .bytes = race->bytes,
                                .reason = race->kind == RACE_RAW ? STOP_LOAD
                                          : race->later_atomic   ? STOP_ATOMIC
                                                                 : STOP_STORE};
    story.has_stored = has_stored;
    sim_describe_address(race->warp->block, race->allocation, race->address, race->bytes,
                         story.element, sizeof story.element);
    size_t oldest = ring_used > RING ? ring_used - RING : 0, from = ring_used, since = 0;
    while (from > oldest &&
           !(is_of_race(&ring[(from - 1) % RING], race) &&
             is_earlier(&ring[(from - 1) % RING], &earlier, race->earlier_lane >= 0)))
        since += is_of_race(&ring[--from % RING], race);
    bool remembered = from > oldest;
    size_t start = remembered ? from - 1 : ring_used, before = 0;
    for (; remembered && start > oldest && before < BEFORE; start--)
        before += is_of_race(&ring[(start - 1) % RING], race);
    story.skipped = since > BETWEEN ? since - BETWEEN : 0;
    size_t skip = story.skipped;
    for (size_t i = start; remembered && i < ring_used; i++) {
        const struct step *step = &ring[i % RING];
        if (!is_of_race(step, race) || (i >= from && skip > 0 && skip--))
            continue;
        if (i + 1 == from)
            story.earlier = story.count;
        story.steps[story.count++] = *step;
    }
    if (!remembered) {
        story.skipped = 0;
        story.steps[story.count++] = earlier;
    }
    story.gap = story.earlier;
    story.at_race = story.count;
    story.found = true;
}

/* The index of the later access; it is put at the end when it never happened. */
static size_t find_later(void)
{
    size_t i = story.has_stored ? story.count : story.at_race;
    for (; i < story.count; i++)
        if (same_thread(&story.steps[i], &story.later) && story.steps[i].pc == story.later.pc)
            return i;
    for (i = story.count; i-- > story.earlier + 1;)
        if (same_thread(&story.steps[i], &story.later) && story.steps[i].pc == story.later.pc)
            return i;
    if (story.count == KEPT)
        story.count--;
    story.steps[story.count++] = story.later;
    return story.count - 1;
}

/* The next store of the thread that made step `i`; the number of steps when there is none. */
static size_t store_after(size_t i)
{
    size_t at = i + 1;
    while (at < story.count &&
           !(same_thread(&story.steps[at], &story.steps[i]) && story.steps[at].reason != STOP_LOAD))
        at++;
    return at;
}

/* Two threads that read one value and then both write: the reads. Both racing accesses, `earlier`
 * and `later`, are among these four steps; false when the race is of another kind. */
static bool find_lost_update(size_t earlier, size_t later, size_t *first, size_t *second)
{
    for (size_t i = 0; i < story.count; i++)
        for (size_t j = i + 1; story.steps[i].reason == STOP_LOAD && j < store_after(i); j++) {
            size_t a = store_after(i), b = store_after(j);
            bool reads = story.steps[j].reason == STOP_LOAD &&
                         !same_thread(&story.steps[i], &story.steps[j]);
            if (!reads || a == story.count || b == story.count ||
                (i != earlier && j != earlier && a != earlier && b != earlier) ||
                (i != later && j != later && a != later && b != later))
                continue;
            *first = i;
            *second = j;
            return true;
        }
    return false;
}

static void print_step(FILE *out, unsigned int number, const struct step *step, bool races)
{
    char where[160], who[96], value[32] = "";
    snprintf(who, sizeof who, "thread (%u,%u,%u) of block (%u,%u,%u)", step->thread.x,
             step->thread.y, step->thread.z, step->block.x, step->block.y, step->block.z);
    if (step->is_remembered)
        snprintf(value, sizeof value, "%llu", (unsigned long long)step->after);
    fprintf(out, "%s %2u. %-34s %s %-8s at %s\n", races ? " *" : "  ", number, who,
            step->reason == STOP_LOAD    ? "reads "
            : step->reason == STOP_STORE ? "writes"
                                         : "adds: ",
            value, sim_locate(step->pc, where, sizeof where));
}

static void print_lost(FILE *out, size_t one, size_t other)
{
    const struct step *a = &story.steps[store_after(one)], *b = &story.steps[store_after(other)];
    bool a_last = a > b;
    const struct step *lost = a_last ? b : a, *last = a_last ? a : b;
    fprintf(out,
            "Both read before either wrote. The write of thread (%u,%u,%u) of block (%u,%u,%u)\n"
            "is overwritten: the element holds %llu, and one of the two counts is lost.\n",
            lost->thread.x, lost->thread.y, lost->thread.z, lost->block.x, lost->block.y,
            lost->block.z, (unsigned long long)last->after);
}

/* Both accesses with what came shortly before, between and after. */
static void print_window(FILE *out, size_t earlier, size_t later)
{
    enum { AROUND = 2 };
    unsigned int number = 0;
    size_t from = earlier > AROUND ? earlier - AROUND : 0, left_out = 0;
    for (size_t i = from; i < story.count && i <= later + AROUND; i++) {
        if (i > earlier + AROUND && i + AROUND < later) {
            left_out++;
            continue;
        }
        if (left_out > 0 || (i == story.gap + 1 && story.skipped > 0))
            fprintf(out, "      ... %zu more\n", left_out + story.skipped);
        left_out = 0;
        print_step(out, ++number, &story.steps[i], i == earlier || i == later);
    }
    fprintf(out, "Nothing orders the two that are marked: with another seed they may come the "
                 "other way round.\n");
}

int sim_explain(FILE *out)
{
    size_t first = 0, second = 0;
    unsigned int number = 0;
    if (!story.found)
        return 0;
    fprintf(out, "A race on %s:\n", story.element);
    size_t earlier = story.earlier, later = find_later();
    if (!find_lost_update(earlier, later, &first, &second)) {
        print_window(out, earlier, later);
        return 1;
    }
    for (size_t i = first; i < story.count; i++)
        if (i == first || i == second || i == store_after(first) || i == store_after(second))
            print_step(out, ++number, &story.steps[i], i == earlier || i == later);
    print_lost(out, first, second);
    return 1;
}
