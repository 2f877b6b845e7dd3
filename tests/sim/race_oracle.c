/* race_oracle.c - racecheck against an oracle that shares nothing with it: kernels are drawn
 * at random (race_kernels.h), and run under the check; whether they race, the oracle knows
 * (race_model.h). */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "device_abi.h"
#include "memory/memory.h"
#include "race_model.h"

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
        sim_warp_intrinsic(SIM_SYNCWARP, op->mask, 0, 0);
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
    static const size_t extents[] = {WORDS, 0};
    unsigned char *shared = sim_shared_variable(&key, "words", WORDS * 4, 4, extents, 4);
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
    unsigned char *words = sim_memory_allocate(WORDS * 4, SIM_DEVICE_MEMORY, 0, 1);
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
