/* race_kernels.h - small kernels drawn at random, for race_oracle.c: up to 3 warps with a few
 * active lanes, in one block or several, with barriers, __syncwarp over all or some lanes,
 * fences, atomics and plain and volatile accesses of 1, 2 and 4 bytes. */
#ifndef RACE_KERNELS_H
#define RACE_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

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

static struct op as_volatile(struct op op)
{
    op.verb = op.verb == LOAD ? VOLATILE_LOAD : VOLATILE_STORE;
    return op;
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
    bool is_volatile = writer == 0 && reader == 0 && draw(2);
    struct op flag = {.verb = draw(2) ? VOLATILE_STORE : RED, .word = FLAG, .bytes = 4};
    struct op fence = {.verb = FENCE, .block_scope = draw(3) == 0};
    flag.block_scope = flag.verb == RED && draw(4) == 0;
    append(p, from * LANES + writer, is_volatile ? as_volatile(data) : data);
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
    append(p, to * LANES + reader, is_volatile ? as_volatile(data) : data);
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

#endif
