/* race_oracle.c - racecheck against an oracle that shares nothing with it.
 *
 * Small kernels are drawn at random: up to 3 warps with a few active lanes, in one
 * block or several, with barriers, __syncwarp over all or some lanes, fences,
 * atomics and plain and volatile accesses of 1, 2 and 4 bytes. The oracle walks
 * through every order in which the accesses that can pass knowledge on may
 * happen, and keeps for each lane the plain set of all accesses that happened
 * before: no clocks, no cells. A kernel has a race when two accesses that may
 * race do not know of each other in any of these orders. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "device_abi.h"
#include "memory/memory.h"
#include "memory.h"

enum { LANES = 3, WARPS = 3, THREADS = WARPS * LANES, STEPS = 64, ACCESSES = 100 };
enum { PLAIN_WORDS = 3, DATA = PLAIN_WORDS, FLAG, WORDS };

enum verb {
    LOAD,
    STORE,
    VOLATILE_LOAD,
    VOLATILE_STORE,
    RED,   /* an atomic whose result is not used */
    ATOM,  /* one whose result is */
    AWAIT, /* a volatile load, again and again until the word is not 0 */
    FENCE,
    SYNCWARP,
    BARRIER
};

struct op {
    enum verb verb;
    bool shared;      /* the word is in shared memory */
    bool block_scope; /* of an atomic or a fence */
    unsigned int word, first, bytes;
    uint32_t mask; /* SYNCWARP */
    int access;    /* its number, for the oracle; also the value that it stores */
};

/* What the active lanes of the grid do; the other lanes only meet at barriers. */
struct program {
    unsigned int blocks, warps; /* warps in a block */
    unsigned int length[THREADS];
    struct op op[THREADS][STEPS];
    int accesses;
};

static uint64_t state;

static unsigned int draw(unsigned int below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned int)((state >> 33) % below);
}

/* Drawing programs */

static void append(struct program *p, unsigned int thread, struct op op)
{
    if (op.verb < FENCE)
        op.access = ++p->accesses;
    p->op[thread][p->length[thread]++] = op;
}

/* Only the first lane of a warp takes part in passing knowledge on by loads: the
 * order of lanes in a warp is not drawn as freely as that of warps. */
static enum verb draw_verb(bool first_lane)
{
    static const enum verb verbs[] = {LOAD,           STORE,         LOAD, STORE, RED,  FENCE,
                                      VOLATILE_STORE, VOLATILE_LOAD, ATOM, AWAIT, FENCE};
    return verbs[draw(first_lane ? 11 : 6)];
}

static struct op draw_op(bool first_lane)
{
    struct op op = {.verb = draw_verb(first_lane), .bytes = 4};
    op.shared = draw(2);
    op.word = draw(PLAIN_WORDS);
    op.block_scope = draw(4) == 0;
    if (op.verb <= STORE && draw(3) == 0) {
        op.bytes = 1 + draw(2);
        op.first = op.bytes * draw(4 / op.bytes);
    }
    if (op.verb == AWAIT || op.verb == VOLATILE_STORE || op.verb == ATOM)
        op.word = draw(2); /* meet more often */
    return op;
}

static void draw_meeting(struct program *p, unsigned int block, unsigned int kind)
{
    for (unsigned int w = 0; w < p->warps; w++) {
        unsigned int first = (block * p->warps + w) * LANES;
        uint32_t some = draw(3) ? UINT32_MAX : 3u << draw(2);
        bool meets = draw(2);
        for (unsigned int i = 0; i < LANES; i++) {
            if (kind == 0)
                append(p, first + i, (struct op){.verb = BARRIER});
            else if (meets && kind < 3 && some >> i & 1)
                append(p, first + i, (struct op){.verb = SYNCWARP, .mask = some});
        }
    }
}

/* The lanes of a warp meet, or those of its block, or nobody. */
static void meet_others(struct program *p, unsigned int warp, unsigned int lane)
{
    unsigned int kind = draw(4), first = warp * LANES, count = LANES;
    uint32_t mask = draw(2) ? UINT32_MAX : 1u << lane | 1u;
    if (kind == 0) {
        count = p->warps * LANES;
        first = warp / p->warps * count;
    }
    for (unsigned int t = first; t < first + count && kind < 3; t++)
        if (kind == 0)
            append(p, t, (struct op){.verb = BARRIER});
        else if (mask >> (t - first) & 1)
            append(p, t, (struct op){.verb = SYNCWARP, .mask = mask});
}

/* One warp hands a word to another by way of a flag: rightly, or with a fence or a
 * meeting that is missing or too narrow. */
static void draw_message(struct program *p)
{
    unsigned int warps = p->blocks * p->warps, from = draw(warps);
    unsigned int to = (from + 1 + draw(warps - 1)) % warps;
    unsigned int writer = draw(LANES), reader = draw(LANES), fencer = draw(2) ? writer : 0;
    bool shared = p->blocks == 1 && draw(2);
    struct op data = {.verb = draw(3) ? STORE : LOAD, .shared = shared, .word = DATA, .bytes = 4};
    struct op flag = {.verb = draw(2) ? VOLATILE_STORE : RED, .word = FLAG, .bytes = 4};
    struct op fence = {.verb = FENCE, .block_scope = draw(3) == 0};
    flag.block_scope = flag.verb == RED && draw(4) == 0;
    append(p, from * LANES + writer, data);
    if (fencer == writer && draw(5))
        append(p, from * LANES + fencer, fence);
    if (writer != 0)
        meet_others(p, from, writer);
    if (fencer != writer && draw(5))
        append(p, from * LANES + fencer, fence);
    append(p, from * LANES, flag);
    append(p, to * LANES, (struct op){.verb = AWAIT, .word = FLAG, .bytes = 4});
    data.verb = data.verb == STORE && draw(2) ? LOAD : STORE;
    if (reader != 0)
        meet_others(p, to, reader);
    append(p, to * LANES + reader, data);
}

/* Lanes of a warp or a block store and load their own bytes of one word. */
static void draw_bytes(struct program *p)
{
    unsigned int threads = p->blocks * p->warps * LANES, bytes = 1 + draw(2);
    unsigned int word = draw(PLAIN_WORDS), wrong = draw(3) ? 4 : draw(4);
    for (unsigned int byte = 0; byte < 4; byte += bytes) {
        unsigned int thread = draw(threads);
        struct op op = {.verb = STORE, .word = word, .first = byte, .bytes = bytes};
        append(p, thread, op);
        if (byte / bytes == wrong)
            op.first = (op.first + bytes) % 4;
        op.verb = draw(2) ? LOAD : STORE;
        append(p, thread, op);
    }
    if (draw(3) == 0)
        append(p, draw(threads), (struct op){.verb = LOAD, .word = word, .bytes = 4});
}

static void draw_program(struct program *p)
{
    memset(p, 0, sizeof *p);
    p->blocks = draw(2) ? 1 : 3;
    p->warps = p->blocks == 1 ? 1 + draw(3) : 1;
    unsigned int phases = 1 + draw(4), threads = p->blocks * p->warps * LANES;
    unsigned int busy = 1 + draw(3);
    for (unsigned int phase = 0; phase < phases; phase++) {
        for (unsigned int t = 0; t < threads; t++)
            for (unsigned int n = draw(busy) & draw(2); n; n--)
                append(p, t, draw_op(t % LANES == 0));
        if (p->blocks * p->warps > 1 && draw(3) == 0)
            draw_message(p);
        if (draw(4) == 0)
            draw_bytes(p);
        for (unsigned int b = 0; b < p->blocks && phase + 1 < phases; b++)
            draw_meeting(p, b, draw(4));
    }
}

/* The oracle */

typedef unsigned __int128 set; /* of accesses */

struct published {
    set known;
    unsigned int block;
    bool block_scope;
};
enum { CHAIN = 40 };

struct world {
    unsigned int at[THREADS];
    set before[THREADS];    /* what happened before this lane's next access */
    set fenced[THREADS][2]; /* what its stores to flags publish: in the block, to all */
    struct published chain[2][WARPS][WORDS][CHAIN]; /* shared memory by block */
    unsigned int chain_length[2][WARPS][WORDS];
    bool written[2][WARPS][WORDS];
    int stored[2][WARPS][WORDS];     /* the last store, if it was volatile */
    int observed[2][WORDS][THREADS]; /* what the lane's last strong load saw of it */
    bool stuck;
};

struct oracle {
    const struct program *program;
    const struct op *access[ACCESSES];
    unsigned int thread[ACCESSES];
    bool race, stuck;
    unsigned long orders;
};
enum { MOST_ORDERS = 4000 };

static unsigned int block_of(const struct program *p, unsigned int thread)
{
    return thread / (p->warps * LANES);
}

static bool writes(enum verb verb)
{
    return verb == STORE || verb == VOLATILE_STORE || verb == RED || verb == ATOM;
}

static bool is_atomic(enum verb verb)
{
    return verb == RED || verb == ATOM;
}

static bool overlap(const struct op *a, const struct op *b, bool one_block)
{
    return a->shared == b->shared && (!a->shared || one_block) && a->word == b->word &&
           a->first < b->first + b->bytes && b->first < a->first + a->bytes;
}

static bool may_race(const struct oracle *o, const struct op *a, const struct op *b)
{
    unsigned int one = o->thread[a->access], other = o->thread[b->access];
    bool one_block = block_of(o->program, one) == block_of(o->program, other);
    if (one == other || !overlap(a, b, one_block) || !(writes(a->verb) || writes(b->verb)))
        return false;
    if (a->verb <= STORE || b->verb <= STORE)
        return true;
    if (is_atomic(a->verb) || is_atomic(b->verb)) {
        bool narrow =
            (is_atomic(a->verb) && a->block_scope) || (is_atomic(b->verb) && b->block_scope);
        return narrow && !one_block;
    }
    return a->verb == VOLATILE_STORE && b->verb == VOLATILE_STORE;
}

/* The access happens now: does it know of all that it may race with? `done` is
 * all that has happened. */
static void judge(struct oracle *o, const struct op *op, set known, set done)
{
    for (int i = 1; i < ACCESSES; i++)
        if (done >> i & 1 && !(known >> i & 1) && may_race(o, op, o->access[i]))
            o->race = true;
}

static bool strong(enum verb verb)
{
    return verb >= VOLATILE_LOAD && verb <= AWAIT;
}

static void publish(struct oracle *o, struct world *w, unsigned int thread, const struct op *op)
{
    unsigned int block = block_of(o->program, thread), home = op->shared ? block : 0;
    unsigned int *length = &w->chain_length[op->shared][home][op->word];
    struct published *chain = w->chain[op->shared][home][op->word];
    bool block_scope = is_atomic(op->verb) && op->block_scope;
    if (op->verb == VOLATILE_STORE)
        *length = 0;
    for (int wide = 0; wide < (block_scope ? 1 : 2); wide++)
        if (w->fenced[thread][wide] && *length < CHAIN)
            chain[(*length)++] = (struct published){w->fenced[thread][wide], block, !wide};
    w->written[op->shared][home][op->word] = true;
}

static void learn(struct oracle *o, struct world *w, unsigned int thread, const struct op *op)
{
    unsigned int block = block_of(o->program, thread), home = op->shared ? block : 0;
    const struct published *chain = w->chain[op->shared][home][op->word];
    bool block_scope = is_atomic(op->verb) && op->block_scope;
    for (unsigned int i = 0; i < w->chain_length[op->shared][home][op->word]; i++)
        if (chain[i].block == block || (!block_scope && !chain[i].block_scope))
            w->before[thread] |= chain[i].known;
}

static void happen(struct oracle *o, struct world *w, unsigned int thread, set *done)
{
    const struct op *op = &o->program->op[thread][w->at[thread]++];
    if (op->verb == FENCE) {
        w->fenced[thread][0] = w->before[thread];
        if (!op->block_scope)
            w->fenced[thread][1] = w->before[thread];
        return;
    }
    int *stored = &w->stored[op->shared][op->shared ? block_of(o->program, thread) : 0][op->word];
    int *observed = &w->observed[op->shared][op->word][thread];
    set excused =
        op->verb == VOLATILE_STORE && *stored && *observed == *stored ? (set)1 << *stored : 0;
    judge(o, op, w->before[thread] | excused, *done);
    if (op->verb == VOLATILE_LOAD || op->verb == AWAIT || is_atomic(op->verb))
        *observed = *stored;
    if (op->verb == STORE || op->verb == VOLATILE_STORE)
        *stored = op->verb == VOLATILE_STORE ? op->access : 0;
    *done |= (set)1 << op->access;
    w->before[thread] |= (set)1 << op->access;
    if (writes(op->verb) && strong(op->verb))
        publish(o, w, thread, op);
    else if (writes(op->verb) && (op->verb == STORE))
        w->written[op->shared][op->shared ? block_of(o->program, thread) : 0][op->word] = true;
    if (op->verb == VOLATILE_LOAD || op->verb == ATOM || op->verb == AWAIT)
        learn(o, w, thread, op);
}

static const struct op *next_op(const struct oracle *o, const struct world *w, unsigned int thread)
{
    return w->at[thread] < o->program->length[thread] ? &o->program->op[thread][w->at[thread]]
                                                      : NULL;
}

/* Lets a barrier or __syncwarp open when all its lanes stand there. */
static bool meet(const struct oracle *o, struct world *w, unsigned int thread)
{
    const struct op *op = next_op(o, w, thread);
    const struct program *p = o->program;
    unsigned int first = thread / LANES * LANES, count = LANES;
    set all = 0, fenced[2] = {0, 0};
    if (op->verb == BARRIER) {
        count = p->warps * LANES;
        first = thread / count * count;
    }
    for (unsigned int t = first; t < first + count; t++) {
        if (op->verb == SYNCWARP && !(op->mask >> (t - first) & 1))
            continue;
        const struct op *other = next_op(o, w, t);
        if (!other || other->verb != op->verb || other->mask != op->mask)
            return false;
        all |= w->before[t];
        fenced[0] |= w->fenced[t][0];
        fenced[1] |= w->fenced[t][1];
    }
    for (unsigned int t = first; t < first + count; t++) {
        if (op->verb == SYNCWARP && !(op->mask >> (t - first) & 1))
            continue;
        w->at[t]++;
        w->before[t] = all;
        w->fenced[t][0] = fenced[0];
        w->fenced[t][1] = fenced[1];
    }
    return true;
}

/* Everything that does not pass knowledge on happens at once: when, is no matter. */
static void run_ahead(struct oracle *o, struct world *w, set *done)
{
    unsigned int threads = o->program->blocks * o->program->warps * LANES;
    for (bool moved = true; moved;) {
        moved = false;
        for (unsigned int t = 0; t < threads; t++) {
            const struct op *op = next_op(o, w, t);
            if (!op || strong(op->verb))
                continue;
            if (op->verb < FENCE || op->verb == FENCE) {
                happen(o, w, t, done);
                moved = true;
            } else if (meet(o, w, t)) {
                moved = true;
            }
        }
    }
}

static bool is_enabled(const struct oracle *o, const struct world *w, unsigned int thread)
{
    const struct op *op = next_op(o, w, thread);
    unsigned int home = op && op->shared ? block_of(o->program, thread) : 0;
    if (!op || !strong(op->verb))
        return false;
    return op->verb != AWAIT || w->written[op->shared][home][op->word];
}

static void explore(struct oracle *o, const struct world *before, set done)
{
    struct world w = *before;
    unsigned int threads = o->program->blocks * o->program->warps * LANES;
    bool moved = false, over = true;
    run_ahead(o, &w, &done);
    for (unsigned int t = 0; t < threads && !o->stuck && o->orders < MOST_ORDERS; t++) {
        over = over && !next_op(o, &w, t);
        if (!is_enabled(o, &w, t))
            continue;
        moved = true;
        struct world next = w;
        set after = done;
        happen(o, &next, t, &after);
        explore(o, &next, after);
    }
    if (!moved && !over)
        o->stuck = true;
    if (!moved)
        o->orders++;
}

/* Whether some order of the program shows a race. */
static void consult(struct oracle *o, const struct program *p)
{
    static struct world start;
    *o = (struct oracle){.program = p};
    for (unsigned int t = 0; t < p->blocks * p->warps * LANES; t++)
        for (unsigned int i = 0; i < p->length[t]; i++)
            if (p->op[t][i].access) {
                o->access[p->op[t][i].access] = &p->op[t][i];
                o->thread[p->op[t][i].access] = t;
            }
    explore(o, &start, 0);
}

/* The same program on the simulator */

void __tsan_read1(void *);
void __tsan_read2(void *);
void __tsan_read4(void *);
void __tsan_write1(void *);
void __tsan_write2(void *);
void __tsan_write4(void *);
void __tsan_volatile_read4(void *);
void __tsan_volatile_write4(void *);

struct arguments {
    const struct program *program;
    unsigned char *words;
    bool *cleared; /* by block: shared memory is 0 at the start */
};

static void load(unsigned char *at, unsigned int bytes)
{
    if (bytes == 1)
        __tsan_read1(at);
    else if (bytes == 2)
        __tsan_read2(at);
    else
        __tsan_read4(at);
}

static void store(unsigned char *at, const struct op *op)
{
    unsigned char values[4] = {(unsigned char)op->access, (unsigned char)op->access,
                               (unsigned char)op->access, (unsigned char)op->access};
    if (op->bytes == 1)
        __tsan_write1(at);
    else if (op->bytes == 2)
        __tsan_write2(at);
    else
        __tsan_write4(at);
    memcpy(at, values, op->bytes);
}

static void volatile_store(unsigned char *at, const struct op *op)
{
    uint32_t value = (uint32_t)op->access;
    __tsan_volatile_write4(at);
    memcpy(at, &value, 4);
}

static void await_word(unsigned char *at)
{
    for (uint32_t value = 0; !value;) {
        __tsan_volatile_read4(at);
        memcpy(&value, at, 4);
    }
}

static void run_op(const struct op *op, unsigned char *at)
{
    unsigned int scope = op->block_scope ? SIM_SCOPE_BLOCK : SIM_SCOPE_DEVICE;
    switch (op->verb) {
    case LOAD:
        load(at, op->bytes);
        break;
    case STORE:
        store(at, op);
        break;
    case VOLATILE_LOAD:
        __tsan_volatile_read4(at);
        break;
    case VOLATILE_STORE:
        volatile_store(at, op);
        break;
    case RED:
    case ATOM:
        sim_atomic(SIM_ATOMIC_ADD, SIM_U32, at, 1, 0, scope);
        if (op->verb == ATOM) {
            volatile uint64_t used = sim_atomic_result();
            (void)used;
        }
        break;
    case AWAIT:
        await_word(at);
        break;
    case FENCE:
        sim_fence(op->block_scope ? SIM_FENCE_BLOCK : SIM_FENCE_DEVICE);
        break;
    case SYNCWARP:
        sim_warp_collective(SIM_SYNCWARP, op->mask, 0, 0);
        break;
    default:
        sim_syncthreads();
    }
}

static void interpret(const void *closure)
{
    const struct arguments *a = closure;
    const struct program *p = a->program;
    static const char key;
    unsigned char *shared = sim_shared_variable(&key, "words", WORDS * 4, 4, 4);
    unsigned int x = sim_thread_index().x, lane = x % 32, block = sim_block_index().x;
    unsigned int thread = (block * p->warps + x / 32) * LANES + (lane < LANES ? lane : 0);
    if (!a->cleared[block])
        memset(shared, 0, WORDS * 4);
    a->cleared[block] = true;
    for (unsigned int i = 0; i < p->length[thread]; i++) {
        const struct op *op = &p->op[thread][i];
        bool with_all = op->verb == BARRIER || (op->verb == SYNCWARP && op->mask == UINT32_MAX);
        if (lane < LANES || with_all)
            run_op(op, (op->shared ? shared : a->words) + op->word * 4 + op->first);
    }
}

/* Whether racecheck reports a race in a run of the program with this seed. */
static bool run_reports(const struct program *p, unsigned char *words, uint64_t seed)
{
    bool cleared[WARPS] = {false};
    struct arguments arguments = {p, words, cleared};
    struct sim_launch launch = {.entry = interpret,
                                .closure = &arguments,
                                .closure_bytes = sizeof arguments,
                                .name = "interpret",
                                .grid = {p->blocks, 1, 1},
                                .block = {p->warps * 32, 1, 1}};
    sim_reset_errors();
    sim_memory_fill(words, 0, WORDS * 4);
    sim_set_seed(seed);
    cr_assert_eq(sim_launch(&launch), 0);
    return sim_error_count() != 0;
}

static void print_program(const struct program *p)
{
    static const char *const verbs[] = {"load",     "store",  "volatile load", "volatile store",
                                        "red",      "atom",   "await",         "fence",
                                        "syncwarp", "barrier"};
    unsigned int threads = p->blocks * p->warps * LANES;
    for (unsigned int t = 0; t < threads; t++) {
        printf("  block %u warp %u lane %u:", block_of(p, t), t / LANES % p->warps, t % LANES);
        for (unsigned int i = 0; i < p->length[t]; i++) {
            const struct op *op = &p->op[t][i];
            printf(" %s%s", verbs[op->verb], op->block_scope ? "_block" : "");
            if (op->verb < FENCE)
                printf("(%s%u+%u:%u)", op->shared ? "s" : "g", op->word, op->first, op->bytes);
            if (op->verb == SYNCWARP)
                printf("(%x)", op->mask);
            printf(";");
        }
        printf("\n");
    }
}

enum { KERNELS = 3000, CLEAN_SEEDS = 4, RACY_SEEDS = 400 };

struct tally {
    unsigned int clean, racy, skipped, false_alarms, missed;
};

static void compare(const struct program *p, unsigned char *words, struct tally *tally)
{
    struct oracle oracle;
    bool reported = false;
    consult(&oracle, p);
    if (oracle.stuck || (oracle.orders >= MOST_ORDERS && !oracle.race)) {
        tally->skipped++;
        return;
    }
    for (uint64_t seed = 1; seed <= (oracle.race ? RACY_SEEDS : CLEAN_SEEDS) && !reported; seed++)
        reported = run_reports(p, words, seed);
    tally->clean += !oracle.race;
    tally->racy += oracle.race;
    tally->false_alarms += reported && !oracle.race;
    tally->missed += oracle.race && !reported;
    if (reported != oracle.race) {
        printf("%s:\n", reported ? "false alarm" : "missed");
        print_program(p);
    }
}

Test(race_oracle, agrees_on_small_kernels)
{
    static struct capture capture;
    static struct program program;
    struct tally tally = {0};
    unsigned char *words = sim_memory_allocate(WORDS * 4, SIM_DEVICE_MEMORY, 1);
    sim_set_checks("racecheck");
    capture_start(&capture);
    for (unsigned int kernel = 0; kernel < KERNELS; kernel++) {
        state = kernel * 2654435761u + 12345;
        draw_program(&program);
        compare(&program, words, &tally);
    }
    capture_end(&capture);
    sim_reset_errors();
    printf("%u clean, %u racy, %u left out, %u false alarms, %u missed\n", tally.clean, tally.racy,
           tally.skipped, tally.false_alarms, tally.missed);
    cr_expect_eq(tally.false_alarms, 0);
    cr_expect_eq(tally.missed, 0);
    cr_expect_gt(tally.clean, 500);
    cr_expect_gt(tally.racy, 500);
    cr_expect_gt(tally.clean + tally.racy, 2000);
}
