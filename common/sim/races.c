/* races.c - what the reader sees of a race: both accesses, and what to do. */
#include <stdio.h>
#include <string.h>

#include "checks.h"

/* Pairs of lines that were told; more than this many races are only counted. */
enum { PAIRS = 1024 };
struct pair {
    uintptr_t earlier, later;
    enum race_kind kind;
    bool warned, reported;
};
static struct pair pairs[PAIRS];

void sim_races_forget(void)
{
    memset(pairs, 0, sizeof pairs);
}

static struct pair *find_pair(const struct race *race)
{
    size_t at = (size_t)((race->pc * 31 + race->earlier_pc) * 0x9e3779b97f4a7c15u >> 54);
    for (size_t tried = 0; tried < PAIRS; tried++, at = (at + 1) % PAIRS) {
        struct pair *pair = &pairs[at];
        if (!pair->later)
            *pair = (struct pair){race->earlier_pc, race->pc, race->kind, false, false};
        if (pair->later == race->pc && pair->earlier == race->earlier_pc &&
            pair->kind == race->kind)
            return pair;
    }
    return NULL;
}

static bool same_line(uintptr_t one, uintptr_t other)
{
    struct sim_source a = sim_find_source(one, true), b = sim_find_source(other, true);
    return one == other || (a.line && a.line == b.line && strcmp(a.file, b.file) == 0);
}

/* Two lines that race are one bug to the reader, whatever the kinds and whoever
 * came first. */
static bool is_told_by_line(const struct pair *pair, bool warning)
{
    for (size_t i = 0; i < PAIRS; i++) {
        const struct pair *other = &pairs[i];
        if (other == pair || !(other->reported || (warning && other->warned)))
            continue;
        if ((same_line(pair->earlier, other->earlier) && same_line(pair->later, other->later)) ||
            (same_line(pair->earlier, other->later) && same_line(pair->later, other->earlier)))
            return true;
    }
    return false;
}

static void describe_variable(const struct sim_allocation *variable, uintptr_t address,
                              unsigned int bytes, char *text, size_t size)
{
    char name[96];
    size_t offset = address - variable->base;
    sim_symbol_name(address, name, sizeof name);
    if (variable->bytes > bytes)
        snprintf(text, size, "%s[%zu]", name, offset / bytes);
    else
        snprintf(text, size, "%s", name);
}

static bool describe_shared(const struct launch *launch, const struct block *block,
                            uintptr_t address, char *text, size_t size)
{
    size_t offset = address - (uintptr_t)block->shared;
    const struct shared_variable *v = offset < SHARED_SLOT ? sim_find_shared(launch, offset) : NULL;
    if (!v)
        return false;
    if (v->element && v->size > v->element)
        snprintf(text, size, "%s[%zu]", v->name, (offset - v->offset) / v->element);
    else
        snprintf(text, size, "%s", v->name);
    return true;
}

char *sim_describe_address(const struct launch *launch, const struct block *block,
                           const struct sim_allocation *allocation, uintptr_t address,
                           unsigned int bytes, char *text, size_t size)
{
    char where[160];
    if (!allocation && describe_shared(launch, block, address, text, size))
        return text;
    if (!allocation) {
        snprintf(text, size, "address 0x%zx", (size_t)address);
    } else if (allocation->kind == SIM_DEVICE_VARIABLE) {
        describe_variable(allocation, address, bytes, text, size);
    } else {
        snprintf(text, size, "element %zu of the %zu-byte allocation made at %s",
                 (address - allocation->base) / bytes, allocation->bytes,
                 sim_locate(allocation->allocated_at, where, sizeof where));
    }
    return text;
}

/* "thread (3,0,0) in block (1,0,0)" of a lane that may be gone */
static void describe_earlier(const struct race *race, char *text, size_t size)
{
    const struct launch *launch = race->warp->block->launch;
    struct sim_index grid = launch->request->grid, block = launch->request->block;
    uint64_t b = launch->first_block + race->earlier_warp / launch->warps;
    unsigned int t = race->earlier_warp % launch->warps * WARP + (unsigned int)race->earlier_lane;
    int used = 0;
    if (race->earlier_lane >= 0)
        used = snprintf(text, size, "thread (%u,%u,%u) in ", t % block.x, t / block.x % block.y,
                        t / block.x / block.y);
    else
        used = snprintf(text, size, "a thread in ");
    snprintf(text + used, size - (size_t)used, "block (%u,%u,%u)", (unsigned int)(b % grid.x),
             (unsigned int)(b / grid.x % grid.y), (unsigned int)(b / grid.x / grid.y));
}

static const char *advice(const struct race *race)
{
    const struct block *block = race->warp->block;
    bool other_block = race->earlier_warp - block->first_warp >= block->warp_count;
    if (race->scope_only)
        return "use the atomic without _block: threads of several blocks meet here";
    if (race->earlier_atomic != race->later_atomic)
        return "make both accesses atomic, or keep them apart with a barrier or a second kernel";
    if (same_line(race->pc, race->earlier_pc) && race->space == SIM_GLOBAL &&
        race->kind != RACE_WAW)
        return "use atomicAdd, or give each block its own copy";
    if (other_block)
        return "nothing orders the blocks of a grid: use atomics, give each block its own part, "
               "or read the result in a second kernel";
    if (race->earlier_warp == race->warp->id)
        return "put __syncwarp() or __syncthreads() between the two accesses; if both update one "
               "element, use an atomic";
    return "put __syncthreads() between the two accesses; if both update one element, use an "
           "atomic";
}

static void print_access(const char *what, bool atomic, const char *who, uintptr_t pc)
{
    fprintf(stderr, "=========     %s%s by %s\n", atomic ? "atomic " : "", what, who);
    sim_print_place(pc);
}

static void print_race(const struct race *race, bool same_value)
{
    static const char *const names[] = {"RAW", "WAR", "WAW"};
    static const char *const meaning[] = {"read after write", "write after read",
                                          "write after write"};
    const struct block *block = race->warp->block;
    char element[256], who[160];
    sim_describe_address(block->launch, block, race->allocation, race->address, race->bytes,
                         element, sizeof element);
    fflush(stdout);
    fprintf(stderr, "========= %s: Race reported: %s hazard (%s) on %s in %s memory\n",
            same_value ? "Warning" : "Error", names[race->kind], meaning[race->kind], element,
            race->space == SIM_SHARED ? "shared" : "global");
    sim_describe_lane(&race->warp->lane[race->lane], who, sizeof who);
    print_access(race->kind == RACE_RAW ? "read" : "write", race->later_atomic, who, race->pc);
    describe_earlier(race, who, sizeof who);
    fprintf(stderr, "=========     and nothing orders it with the\n");
    print_access(race->kind == RACE_WAR ? "read" : "write", race->earlier_atomic, who,
                 race->earlier_pc);
    if (same_value)
        fprintf(stderr, "=========     both write the same value\n");
    fprintf(stderr, "=========     What to do: %s\n", advice(race));
}

static void report(const struct race *race, bool same_value)
{
    struct pair *pair = find_pair(race);
    bool known = !pair || pair->reported || (same_value && pair->warned);
    bool news = !known && !is_told_by_line(pair, same_value);
    if (!same_value)
        sim_count_error(news || !pair);
    if (sim_explaining && !same_value)
        sim_explain_race(race);
    if (news)
        print_race(race, same_value);
    if (known)
        return;
    pair->warned = true;
    pair->reported = !same_value;
}

bool sim_race_was_told(uintptr_t earlier_pc, uintptr_t pc)
{
    for (int kind = RACE_RAW; kind <= RACE_WAW; kind++) {
        struct race race = {.kind = (enum race_kind)kind, .pc = pc, .earlier_pc = earlier_pc};
        const struct pair *pair = find_pair(&race);
        if (pair && pair->reported)
            return true;
    }
    return false;
}

/* Stores whose lanes are about to go on: at most one in each lane of the warp. */
static struct suspect_store {
    struct race race;
    unsigned char before[16];
} suspects[WARP];

void sim_race_found(const struct race *race, bool two_stores)
{
    if (sim_swap_defers(race))
        return;
    const struct pair *pair = find_pair(race);
    struct lane *lane = (struct lane *)(uintptr_t)&race->warp->lane[race->lane];
    if (!two_stores || !pair || pair->reported) {
        report(race, false);
    } else if (!lane->suspect) {
        suspects[lane->number].race = *race;
        lane->suspect = &suspects[lane->number];
    }
}

void sim_race_before_store(struct lane *lane)
{
    struct suspect_store *suspect = lane->suspect;
    memcpy(suspect->before, (const void *)suspect->race.address, suspect->race.bytes);
}

void sim_race_after_store(struct lane *lane)
{
    struct suspect_store *suspect = lane->suspect;
    lane->suspect = NULL;
    report(&suspect->race,
           memcmp(suspect->before, (const void *)suspect->race.address, suspect->race.bytes) == 0);
}
