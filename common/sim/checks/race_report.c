/* race_report.c - what the reader sees of a race: both accesses, and what to do. */
#include <stdio.h>
#include <string.h>

#include "checks/race.h"

/* A pair of instructions of which one race or more was found. */
struct pair_of_lines {
    uint64_t key;
    uintptr_t earlier, later;
    bool warned, reported;
};
static struct sim_table pairs = {.entry_bytes = sizeof(struct pair_of_lines)};

static uint64_t pair_key(uint16_t earlier, uint16_t later, enum race_kind kind)
{
    return ((uint64_t)kind + 1) << 32 | (uint64_t)earlier << 16 | later;
}

/* The entry of a race's pair; NULL when memory is out. */
static struct pair_of_lines *find_pair(const struct race *race)
{
    struct pair_of_lines *pair =
        sim_table_add(&pairs, pair_key(race->earlier_number, race->number, race->kind));
    if (pair) {
        pair->earlier = race->earlier_pc;
        pair->later = race->pc;
    }
    return pair;
}

/* Two lines that race are one bug to the reader, whatever the kinds and whoever
 * came first. */
static bool is_reported_by_line(const struct pair_of_lines *pair, bool warning)
{
    for (const struct pair_of_lines *other = sim_table_next(&pairs, NULL); other;
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

void sim_race_earlier(const struct race *race, struct sim_index *thread, struct sim_index *block)
{
    const struct launch *launch = race->warp->block->launch;
    struct sim_index grid = launch->request->grid, size = launch->request->block;
    uint64_t b = launch->first_block + race->earlier_warp / launch->warps;
    unsigned int lane = race->earlier_lane >= 0 ? (unsigned int)race->earlier_lane : 0;
    unsigned int t = race->earlier_warp % launch->warps * WARP + lane;
    *thread = (struct sim_index){t % size.x, t / size.x % size.y, t / size.x / size.y};
    *block = (struct sim_index){(unsigned int)(b % grid.x), (unsigned int)(b / grid.x % grid.y),
                                (unsigned int)(b / grid.x / grid.y)};
}

/* "thread (3,0,0) in block (1,0,0)" of a lane that may be gone */
static void describe_earlier(const struct race *race, char *text, size_t size)
{
    struct sim_index thread, block;
    char who[64] = "a thread";
    sim_race_earlier(race, &thread, &block);
    if (race->earlier_lane >= 0)
        snprintf(who, sizeof who, "thread (%u,%u,%u)", thread.x, thread.y, thread.z);
    snprintf(text, size, "%s in block (%u,%u,%u)", who, block.x, block.y, block.z);
}

static bool in_other_block(const struct race *race)
{
    const struct block *block = race->warp->block;
    return race->earlier_warp - block->first_warp >= block->warp_count;
}

/* Between which lines a barrier is missing: "lines 34 and 41", or "the two accesses" when they
 * are not of one file. The earlier access is not always the one that stands first. */
static void describe_lines(const struct race *race, char *text, size_t size)
{
    struct sim_source a = sim_find_source(race->pc, true);
    struct sim_source b = sim_find_source(race->earlier_pc, true);
    if (a.line && b.line && a.line != b.line && strcmp(a.file, b.file) == 0)
        snprintf(text, size, "lines %d and %d", a.line < b.line ? a.line : b.line,
                 a.line < b.line ? b.line : a.line);
    else
        snprintf(text, size, "the two accesses");
}

/* Of two blocks: only in a cooperative launch a barrier helps, else the question is why they meet. */
static void advise_blocks(const struct race *race, const char *element, char *text, size_t size)
{
    const struct launch *launch = race->warp->block->launch;
    uint64_t other = launch->first_block + race->earlier_warp / launch->warps;
    char lines[64];
    describe_lines(race, lines, sizeof lines);
    if (race->kind == RACE_WAW)
        snprintf(text, size,
                 "give each block a place of its own, or use an atomic: no barrier orders what "
                 "blocks %llu and %u leave in %s",
                 (unsigned long long)other, race->warp->block->linear, element);
    else if (launch->request->cooperative && !race->earlier_atomic && !race->later_atomic)
        snprintf(text, size,
                 "blocks %llu and %u have no barrier in common but that of the grid: put "
                 "grid.sync() between %s, for all threads",
                 (unsigned long long)other, race->warp->block->linear, lines);
    else
        snprintf(text, size,
                 "no barrier orders blocks %llu and %u: why do both use %s? Use atomics, give each "
                 "block its own part, or read the result in a second kernel",
                 (unsigned long long)other, race->warp->block->linear, element);
}

/* A plain read in a line before that of an atomic: perhaps it decides whether the atomic is made. */
static bool guards_atomic(const struct race *race)
{
    bool later_reads = race->earlier_atomic && race->kind == RACE_RAW;
    bool earlier_reads = race->later_atomic && race->kind == RACE_WAR;
    struct sim_source read = sim_find_source(later_reads ? race->pc : race->earlier_pc, true);
    struct sim_source atomic = sim_find_source(later_reads ? race->earlier_pc : race->pc, true);
    return (later_reads || earlier_reads) && read.line && read.line < atomic.line &&
           strcmp(read.file, atomic.file) == 0;
}

/* Such a read before an atomicCAS that is not handed what was read, or it would have been a guess. */
static bool guards_exchange(const struct race *race)
{
    const uintptr_t atomic = race->later_atomic ? race->pc : race->earlier_pc;
    return guards_atomic(race) && sim_same_function(race->pc, race->earlier_pc) &&
           sim_lines_have(atomic, atomic, 0, "atomicCAS(");
}

/* A barrier between two lines, or what serves as one. */
static void advise_barrier(const struct race *race, char *text, size_t size)
{
    char lines[64];
    bool one_atomic = race->earlier_atomic != race->later_atomic;
    describe_lines(race, lines, sizeof lines);
    if (sim_same_function(race->pc, race->earlier_pc) &&
        sim_lines_have(race->pc, race->earlier_pc, 0, "__syncthreads()"))
        snprintf(text, size,
                 "a barrier stands between %s: let all threads come to it; where the two meet in "
                 "another round or call, put __syncthreads() behind the last of them, too",
                 lines);
    else
        snprintf(text, size, "put __syncthreads() between %s%s%s", lines,
                 race->earlier_warp == race->warp->id && !one_atomic
                     ? " (or __syncwarp(), if no other warp uses these elements)"
                     : "",
                 guards_atomic(race) ? "; if the read decides about the atomic, make it atomic, too"
                 : one_atomic        ? ""
                                     : "; if both update one element, use an atomic");
}

/* How two threads that update one element on one line are kept apart; false when they do not. */
static bool advise_update(const struct race *race, const char *element, char *text, size_t size)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(element, "["), element);
    enum sim_update update = sim_line_updates(race->pc, name);
    if (!sim_same_line(race->pc, race->earlier_pc) || race->later_atomic || race->earlier_atomic ||
        race->kind == RACE_WAW || update == SIM_NO_UPDATE)
        return false;
    if (race->allocation && sim_find_source(race->pc, true).calls_given)
        snprintf(text, size,
                 "this line calls given code, which updates %s without an atomic, for a single "
                 "thread is to come to it: look at what it is called with",
                 element);
    else
        snprintf(text, size, "use %s%s", update == SIM_ADDITION ? "atomicAdd" : "an atomic",
                 in_other_block(race) ? ", or give each block its own copy" : "");
    return true;
}

/* From the most special case to the most general: the first that holds is the mistake that
 * a student makes most often when accesses meet so. */
static void advise(const struct race *race, const char *element, char *text, size_t size)
{
    bool one_line = sim_same_line(race->pc, race->earlier_pc);
    if (race->cause == RACE_NARROW && !race->scope_only)
        snprintf(text, size,
                 "what hands it over is of block scope, and these are two blocks: use "
                 "__threadfence(), and atomics without _block");
    else if (race->cause == RACE_BY_LETTER)
        snprintf(text, size,
                 "put __threadfence() before the thread's own write to the flag or lock, and "
                 "behind its own read of it");
    else if (race->in_step)
        snprintf(text, size,
                 "put __syncwarp() between the two: since Volta lanes of a warp do not go in step, "
                 "and volatile "
                 "does not make them");
    else if (race->scope_only)
        snprintf(text, size, "use the atomic without _block: threads of several blocks meet here");
    else if (sim_advise_lock(race, text, size) || advise_update(race, element, text, size) ||
             (in_other_block(race) && sim_advise_ticket(race, text, size)))
        return;
    else if (guards_exchange(race))
        snprintf(text, size,
                 "atomicCAS(address, compare, value) has to compare with what was read, if that is "
                 "a guess; if the read decides whether there is one, make it atomic, too");
    else if (in_other_block(race))
        advise_blocks(race, element, text, size);
    else if (one_line && race->earlier_atomic != race->later_atomic)
        snprintf(text, size, "make both accesses atomic");
    else if (one_line && race->kind == RACE_WAW)
        snprintf(text, size, "let one thread write %s, or give each thread its own element",
                 element);
    else
        advise_barrier(race, text, size);
}

static void print_access(const char *what, bool atomic, const char *who, uintptr_t pc)
{
    fprintf(stderr, "=========     %s%s by %s\n", atomic ? "atomic " : "", what, who);
    sim_print_place(pc);
}

/* "in line 25", or "in line 25 of other.cu" where the two are of two files. */
static char *describe_line(uintptr_t pc, uintptr_t other, char *text, size_t size)
{
    struct sim_source source = sim_find_source(pc, true);
    if (!source.line)
        snprintf(text, size, "in an unknown line");
    else if (strcmp(source.file, sim_find_source(other, true).file) == 0)
        snprintf(text, size, "in line %d", source.line);
    else
        snprintf(text, size, "in line %d of %s", source.line, source.file);
    return text;
}

/* The first line: what two threads do to which element, where. */
static void print_headline(const struct race *race, const char *element, bool warning)
{
    const bool same_value = warning && !race->in_step;
    static const char *const names[] = {"RAW", "WAR", "WAW"};
    bool one_line = sim_same_line(race->pc, race->earlier_pc), two_writes = race->kind == RACE_WAW;
    const char *verbs[] = {race->kind == RACE_RAW ? "reads" : "writes",
                           race->kind == RACE_RAW ? "writes" : "reads"};
    char later[300], earlier[300], both[160] = "";
    describe_line(race->pc, race->earlier_pc, later, sizeof later);
    describe_line(race->earlier_pc, race->pc, earlier, sizeof earlier);
    fprintf(stderr, "========= %s: Race reported: ", warning ? "Warning" : "Error");
    if (two_writes)
        fprintf(stderr, "two threads write %s%s, %s%s%s", same_value ? "the same value to " : "",
                element, one_line ? "both " : later, one_line ? "" : " and ", earlier);
    else if (one_line)
        fprintf(stderr, "a thread %s %s while another %s it, both %s", verbs[0], element, verbs[1],
                later);
    else
        fprintf(stderr, "a thread %s %s %s while another %s it %s", verbs[0], element, later,
                verbs[1], earlier);
    fprintf(stderr, " (%s hazard in %s memory)", names[race->kind],
            race->allocation ? "global" : "shared");
    if (race->allocation && sim_find_alias(race->warp->block->launch, race->allocation,
                                           race->address, both, sizeof both))
        fprintf(stderr, "; %s are the same memory", both);
    fputc('\n', stderr);
}

static sim_race_observer *observer;
static void *observer_context;

void sim_observe_races(sim_race_observer *function, void *context)
{
    observer = function;
    observer_context = context;
}

static void tell_observer(const struct race *race, const char *element)
{
    const struct block *block = race->warp->block;
    const struct launch *launch = block->launch;
    uintptr_t base = race->allocation ? 0 : (uintptr_t)block->shared;
    const struct sim_race seen = {
        .element = element,
        .address = race->address - base,
        .pc = race->pc,
        .earlier_pc = race->earlier_pc,
        .block = block->linear,
        .warp = race->warp->number,
        .lane = race->lane,
        .earlier_block = (unsigned int)(launch->first_block + race->earlier_warp / launch->warps),
        .earlier_warp = race->earlier_warp % launch->warps,
        .earlier_lane = race->earlier_lane};
    observer(&seen, observer_context);
}

static void print_race(const struct race *race, bool same_value)
{
    const struct block *block = race->warp->block;
    char element[256], text[600];
    sim_describe_address(block, race->allocation, race->address, race->bytes, element,
                         sizeof element);
    if (observer && !same_value)
        tell_observer(race, element);
    fflush(stdout);
    sim_report_begin(same_value ? 0 : CHECK_RACE); /* a warning is no finding */
    print_headline(race, element, same_value);
    sim_describe_lane(&race->warp->lane[race->lane], text, sizeof text);
    print_access(race->kind == RACE_RAW ? "read" : "write", race->later_atomic, text, race->pc);
    describe_earlier(race, text, sizeof text);
    fprintf(stderr, "=========     and nothing orders it with the\n");
    print_access(race->kind == RACE_WAR ? "read" : "write", race->earlier_atomic, text,
                 race->earlier_pc);
    if (same_value && !race->in_step && race->kind != RACE_WAW)
        fprintf(stderr, "=========     all threads that write here write the same value\n");
    if (race->cause == RACE_BY_LETTER)
        fprintf(stderr, "=========     by the letter of PTX (SIM_CHECKS=strict): a flag or lock "
                        "orders them, but a fence is missing\n");
    if (*sim_describe_origin(block, race->allocation, race->address, text, sizeof text))
        fprintf(stderr, "=========     %s\n", text);
    advise(race, element, text, sizeof text);
    fprintf(stderr, "=========     What to do: %s\n", text);
}

/* Counts each race, and tells the first of a pair of lines. A warning that becomes an error,
 * when the same pair stores different values later, is told again. */
static void report(const struct race *race, bool same_value, bool has_stored)
{
    struct pair_of_lines *pair = find_pair(race);
    bool known = !pair || pair->reported || (same_value && pair->warned);
    bool news = !known && !is_reported_by_line(pair, same_value);
    if (!same_value)
        sim_count_error(news || !pair);
    if (sim_explaining && !same_value)
        sim_explain_race(race, has_stored);
    if (news)
        print_race(race, same_value);
    if (known)
        return;
    pair->warned = true;
    pair->reported = !same_value;
}

void sim_race_tell(const struct race *race, bool warning)
{
    report(race, warning, false);
}

bool sim_race_was_reported(uint16_t earlier, uint16_t later)
{
    for (int kind = RACE_RAW; kind <= RACE_WAW; kind++) {
        const struct pair_of_lines *pair =
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
    bool is_there;
    struct race race;
    unsigned char before[16];
} suspects[WARP];

void sim_race_report_start_launch(void)
{
    for (int i = 0; i < WARP; i++)
        suspects[i].is_there = false;
    sim_explain_start_launch();
}

void sim_race_after_store(struct lane *lane)
{
    struct suspect_store *suspect = &suspects[lane->number];
    sim_explain_stored(lane);
    sim_guard_stored(lane);
    if (!suspect->is_there)
        return;
    suspect->is_there = false;
    report(&suspect->race,
           memcmp(suspect->before, (const void *)suspect->race.address, suspect->race.bytes) == 0,
           true);
}

/* Its store may write the value that is there already, which makes of an error a warning. */
void sim_race_before_store(struct lane *lane)
{
    struct suspect_store *suspect = &suspects[lane->number];
    if (suspect->is_there)
        memcpy(suspect->before, (const void *)suspect->race.address, suspect->race.bytes);
}

void sim_race_found(const struct race *race, bool two_stores)
{
    if (sim_cas_defers(race) || sim_guard_defers(race) || sim_poll_defers(race))
        return;
    if (race->in_step && !sim_options()->refuses_in_step && !sim_checks(CHECK_STRICT)) {
        report(race, true, false);
        return;
    }
    const struct pair_of_lines *pair = find_pair(race);
    struct lane *lane = (struct lane *)(uintptr_t)&race->warp->lane[race->lane];
    if (!two_stores || !pair || pair->reported) {
        report(race, false, false);
    } else if (!suspects[lane->number].is_there) {
        suspects[lane->number].race = *race;
        suspects[lane->number].is_there = true;
        sim_lane_watch(lane);
    }
}
