/* explain.c - a race, step by step: who read which value, who wrote which, and
 * what was lost.
 *
 * While it is on, the last accesses of all lanes are kept with their values. When
 * a race is found, those of its word are kept, and a few that follow. */
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
};

enum { RING = 1 << 16, KEPT = 64, AFTER = 32 };
static struct step *ring;
static size_t ring_used; /* in all; the last RING are there */
static struct step kept[KEPT];
static size_t kept_count, after_race;
static uintptr_t story_address;
static char story_element[256];

bool sim_explaining;

void sim_explain_start(void)
{
    if (!ring)
        ring = calloc(RING, sizeof *ring);
    sim_explaining = ring != NULL;
    ring_used = kept_count = after_race = 0;
    story_address = 0;
}

static uint64_t value_at(uintptr_t address, unsigned int bytes)
{
    uint64_t value = 0;
    memcpy(&value, (const void *)address, bytes > 8 ? 8 : bytes);
    return value;
}

/* Before the race all steps go round in the ring; after it only those of its word are kept. */
static struct step *next_step(uintptr_t address)
{
    if (!story_address)
        return &ring[ring_used++ % RING];
    if (address != story_address || kept_count == KEPT || after_race++ >= AFTER)
        return NULL;
    return &kept[kept_count++];
}

void sim_explain_access(struct lane *lane, uintptr_t address, unsigned int bytes,
                        enum stop_reason reason, uintptr_t pc)
{
    struct step *step = next_step(address);
    if (!step)
        return;
    *step = (struct step){address, pc, lane->thread, lane->warp->block->index, bytes, reason, 0, 0};
    step->before = step->after = value_at(address, bytes);
    if (reason != STOP_LOAD) {
        lane->step = step;
        sim_race_watch_store(lane);
    }
}

void sim_explain_stored(struct lane *lane)
{
    if (!lane->step)
        return;
    lane->step->after = value_at(lane->step->address, lane->step->bytes);
    lane->step = NULL;
}

/* Copies from the ring what happened to the word before the race, the latest steps. */
void sim_explain_race(const struct race *race)
{
    const struct block *block = race->warp->block;
    if (story_address)
        return;
    sim_describe_address(block, race->allocation, race->address, race->bytes, story_element,
                         sizeof story_element);
    size_t first = ring_used > RING ? ring_used - RING : 0;
    for (size_t i = ring_used; i > first && kept_count < KEPT - AFTER; i--)
        kept_count += ring[(i - 1) % RING].address == race->address;
    size_t place = kept_count;
    for (size_t i = ring_used; i > first && place > 0; i--)
        if (ring[(i - 1) % RING].address == race->address)
            kept[--place] = ring[(i - 1) % RING];
    story_address = race->address;
}

static bool same_thread(const struct step *a, const struct step *b)
{
    return memcmp(&a->thread, &b->thread, sizeof a->thread) == 0 &&
           memcmp(&a->block, &b->block, sizeof a->block) == 0;
}

/* The next store of the thread that made step `i`; kept_count when there is none. */
static size_t store_after(size_t i)
{
    size_t at = i + 1;
    while (at < kept_count && !(same_thread(&kept[at], &kept[i]) && kept[at].reason != STOP_LOAD))
        at++;
    return at;
}

/* Two threads that read one value and then both write: the steps from the first
 * read to the second write. False when the race is of another kind. */
static bool find_lost_update(size_t *first, size_t *second)
{
    for (size_t i = 0; i < kept_count; i++)
        for (size_t j = i + 1; kept[i].reason == STOP_LOAD && j < store_after(i); j++)
            if (kept[j].reason == STOP_LOAD && !same_thread(&kept[i], &kept[j]) &&
                store_after(i) < kept_count && store_after(j) < kept_count) {
                *first = i;
                *second = j;
                return true;
            }
    return false;
}

static void print_step(FILE *out, unsigned int number, const struct step *step)
{
    char where[160], who[96];
    snprintf(who, sizeof who, "thread (%u,%u,%u) of block (%u,%u,%u)", step->thread.x,
             step->thread.y, step->thread.z, step->block.x, step->block.y, step->block.z);
    fprintf(out, "  %2u. %-34s %s %-8llu at %s\n", number, who,
            step->reason == STOP_LOAD    ? "reads "
            : step->reason == STOP_STORE ? "writes"
                                         : "adds: ",
            (unsigned long long)step->after, sim_locate(step->pc, where, sizeof where));
}

static void print_lost(FILE *out, size_t one, size_t other)
{
    const struct step *a = &kept[store_after(one)], *b = &kept[store_after(other)];
    bool a_last = a > b;
    const struct step *lost = a_last ? b : a, *last = a_last ? a : b;
    fprintf(out,
            "Both read before either wrote. The write of thread (%u,%u,%u) of block (%u,%u,%u)\n"
            "is overwritten: the element holds %llu, and one of the two counts is lost.\n",
            lost->thread.x, lost->thread.y, lost->thread.z, lost->block.x, lost->block.y,
            lost->block.z, (unsigned long long)last->after);
}

int sim_explain(FILE *out)
{
    enum { MOST = 12 };
    size_t first = 0, second = 0;
    unsigned int number = 0;
    if (!story_address)
        return 0;
    fprintf(out, "A race on %s:\n", story_element);
    if (!find_lost_update(&first, &second)) {
        for (size_t i = kept_count > MOST ? kept_count - MOST : 0; i < kept_count; i++)
            print_step(out, ++number, &kept[i]);
        fprintf(out,
                "Nothing orders these accesses: with another seed they come in another order.\n");
        return 1;
    }
    for (size_t i = first; i < kept_count && number < MOST; i++)
        if (i == first || i == second || i == store_after(first) || i == store_after(second))
            print_step(out, ++number, &kept[i]);
    print_lost(out, first, second);
    return 1;
}
