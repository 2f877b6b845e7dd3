/* race_report.c - what the reader sees of a race: both accesses, and what to do. */
#include <stdio.h>
#include <string.h>

#include "checks/race.h"

/* A pair of instructions of which one race or more was found. */
struct pair {
    uint64_t key;
    uintptr_t earlier, later;
    bool warned, reported;
};
static struct sim_table pairs = {.entry_bytes = sizeof(struct pair)};

static uint64_t pair_key(uint16_t earlier, uint16_t later, enum race_kind kind)
{
    return ((uint64_t)kind + 1) << 32 | (uint64_t)earlier << 16 | later;
}

/* The entry of a race's pair; NULL when memory is out. */
static struct pair *find_pair(const struct race *race)
{
    struct pair *pair =
        sim_table_add(&pairs, pair_key(race->earlier_number, race->number, race->kind));
    if (pair) {
        pair->earlier = race->earlier_pc;
        pair->later = race->pc;
    }
    return pair;
}

/* Two lines that race are one bug to the reader, whatever the kinds and whoever
 * came first. */
static bool is_told_by_line(const struct pair *pair, bool warning)
{
    for (const struct pair *other = sim_table_next(&pairs, NULL); other;
         other = sim_table_next(&pairs, other)) {
        if (other == pair || !(other->reported || (warning && other->warned)))
            continue;
        if ((sim_same_line(pair->earlier, other->earlier) &&
             sim_same_line(pair->later, other->later)) ||
            (sim_same_line(pair->earlier, other->later) &&
             sim_same_line(pair->later, other->earlier)))
            return true;
    }
    return false;
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

/* From the most special case to the most general: the first that holds is the mistake that
 * a student makes most often when accesses meet so. */
static const char *advice(const struct race *race)
{
    const struct block *block = race->warp->block;
    bool other_block = race->earlier_warp - block->first_warp >= block->warp_count;
    if (race->cause == RACE_NARROW && !race->scope_only)
        return "what hands it over is of block scope, and these are two blocks: use "
               "__threadfence(), and atomics without _block";
    if (race->cause == RACE_BY_LETTER)
        return "put __threadfence() before the thread's own write to the flag or lock, and behind "
               "its own read of it";
    if (race->scope_only)
        return "use the atomic without _block: threads of several blocks meet here";
    if (race->earlier_atomic != race->later_atomic)
        return "make both accesses atomic, or keep them apart with a barrier or a second kernel";
    if (sim_same_line(race->pc, race->earlier_pc) && race->allocation && race->kind != RACE_WAW)
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
    sim_describe_address(block, race->allocation, race->address, race->bytes, element,
                         sizeof element);
    fflush(stdout);
    sim_report_begin(same_value ? 0 : CHECK_RACE); /* a warning is no finding */
    fprintf(stderr, "========= %s: Race reported: %s hazard (%s) on %s in %s memory\n",
            same_value ? "Warning" : "Error", names[race->kind], meaning[race->kind], element,
            race->allocation ? "global" : "shared");
    sim_describe_lane(&race->warp->lane[race->lane], who, sizeof who);
    print_access(race->kind == RACE_RAW ? "read" : "write", race->later_atomic, who, race->pc);
    describe_earlier(race, who, sizeof who);
    fprintf(stderr, "=========     and nothing orders it with the\n");
    print_access(race->kind == RACE_WAR ? "read" : "write", race->earlier_atomic, who,
                 race->earlier_pc);
    if (same_value && race->kind == RACE_WAW)
        fprintf(stderr, "=========     both write the same value\n");
    else if (same_value)
        fprintf(stderr, "=========     all threads that write here write the same value\n");
    if (race->cause == RACE_BY_LETTER)
        fprintf(stderr, "=========     by the letter of PTX (SIM_CHECKS=strict): a flag or lock "
                        "orders them, but a fence is missing\n");
    fprintf(stderr, "=========     What to do: %s\n", advice(race));
}

/* Counts each race, and tells the first of a pair of lines. A warning that becomes an error,
 * when the same pair stores different values later, is told again. */
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

void sim_race_tell(const struct race *race, bool warning)
{
    report(race, warning);
}

bool sim_race_was_told(uint16_t earlier, uint16_t later)
{
    for (int kind = RACE_RAW; kind <= RACE_WAW; kind++) {
        const struct pair *pair =
            sim_table_find(&pairs, pair_key(earlier, later, (enum race_kind)kind));
        if (pair && pair->reported)
            return true;
    }
    return false;
}

/* In sim.h; the pairs that were told are forgotten, too. */
void sim_reset_errors(void)
{
    sim_forget_reports();
    sim_table_clear(&pairs);
}

/* Stores whose lanes are about to go on: at most one in each lane of the warp. */
static struct suspect_store {
    struct race race;
    unsigned char before[16];
} suspects[WARP];

/* The lane's after_store. */
static void after_store(struct lane *lane)
{
    struct suspect_store *suspect = lane->suspect;
    sim_explain_stored(lane);
    sim_guard_stored(lane);
    if (!suspect)
        return;
    lane->suspect = NULL;
    report(&suspect->race,
           memcmp(suspect->before, (const void *)suspect->race.address, suspect->race.bytes) == 0);
}

/* The lane's before_store: its store may write the value that is there already, which makes
 * of an error a warning. */
static void before_store(struct lane *lane)
{
    struct suspect_store *suspect = lane->suspect;
    memcpy(suspect->before, (const void *)suspect->race.address, suspect->race.bytes);
}

void sim_race_watch_store(struct lane *lane)
{
    sim_lane_watch(lane, lane->suspect ? before_store : NULL, after_store);
}

void sim_race_found(const struct race *race, bool two_stores)
{
    if (sim_cas_defers(race) || sim_guard_defers(race) || sim_poll_defers(race))
        return;
    const struct pair *pair = find_pair(race);
    struct lane *lane = (struct lane *)(uintptr_t)&race->warp->lane[race->lane];
    if (!two_stores || !pair || pair->reported) {
        report(race, false);
    } else if (!lane->suspect) {
        suspects[lane->number].race = *race;
        lane->suspect = &suspects[lane->number];
        sim_race_watch_store(lane);
    }
}
