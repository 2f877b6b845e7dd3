/* race_model.h - which of the kernels of race_kernels.h race, for race_oracle.c.
 *
 * The oracle walks through every order in which the accesses that can pass knowledge on may
 * happen, and keeps for each lane the plain set of all accesses that happened before: no
 * clocks, no cells. A kernel has a race when two accesses that may race do not know of each
 * other in any of these orders. */
#ifndef RACE_MODEL_H
#define RACE_MODEL_H

#include <string.h>

#include "race_kernels.h"

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

#endif
