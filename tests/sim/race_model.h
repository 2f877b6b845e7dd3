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
    set known, whatever_scope;
    unsigned int block;
    bool block_scope;
};
enum { CHAIN = 40 };

struct world {
    unsigned int at[THREADS];
    set before[THREADS];         /* what happened before this lane's next access */
    set whatever_scope[THREADS]; /* the same, were all fences and atomics wide */
    set fenced_whatever[THREADS][2];
    set fenced[THREADS][2]; /* what its stores to flags publish: in the block, to all */
    struct published chain[2][WARPS][WORDS][CHAIN]; /* shared memory by block */
    unsigned int chain_length[2][WARPS][WORDS];
    bool written[2][WARPS][WORDS];
    int stored[2][WARPS][WORDS];     /* the last store, if it was volatile */
    int observed[2][WORDS][THREADS]; /* what the lane's last strong load saw of it */
    set atomics[2][2][WARPS][WORDS]; /* all so far, by scope; the last one that is wide */
    int last_atomic[2][WARPS][WORDS];
    int observed_atomic[2][WORDS][THREADS];
    set observes[ACCESSES];  /* the atomics before an atomic, which are behind whoever knows it */
    bool fences[THREADS][2]; /* it, or somebody it met, has fenced */
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

/* What the access is behind, though nothing hands it on: what its own lane has read of the
 * word, what an atomic that it knows has read, and volatile stores where it fences itself. */
static set excused(const struct oracle *o, const struct world *w, unsigned int thread,
                   const struct op *op)
{
    unsigned int block = block_of(o->program, thread), home = op->shared ? block : 0;
    int stored = w->stored[op->shared][home][op->word];
    int atomic = w->last_atomic[op->shared][home][op->word];
    set all = 0;
    for (int i = 1; i < ACCESSES; i++) {
        if (w->before[thread] >> i & 1)
            all |= w->observes[i];
        if (op->verb == VOLATILE_STORE && o->access[i] && o->access[i]->verb == VOLATILE_STORE &&
            w->fences[thread][block_of(o->program, o->thread[i]) != block])
            all |= (set)1 << i;
    }
    if (is_atomic(op->verb))
        return all;
    if (stored && w->observed[op->shared][op->word][thread] == stored)
        all |= (set)1 << stored;
    if (atomic && w->observed_atomic[op->shared][op->word][thread] == atomic)
        all |= (set)1 << atomic | w->observes[atomic];
    return all;
}

/* The access has happened: what it has read of its word. */
static void observe(const struct oracle *o, struct world *w, unsigned int thread,
                    const struct op *op)
{
    unsigned int home = op->shared ? block_of(o->program, thread) : 0;
    int *stored = &w->stored[op->shared][home][op->word];
    int *last = &w->last_atomic[op->shared][home][op->word];
    set *atomics = &w->atomics[op->block_scope][op->shared][home][op->word];
    if (op->verb == VOLATILE_LOAD || op->verb == AWAIT || is_atomic(op->verb)) {
        w->observed[op->shared][op->word][thread] = *stored;
        w->observed_atomic[op->shared][op->word][thread] = *last;
    }
    if (is_atomic(op->verb)) {
        w->observes[op->access] = *atomics;
        *atomics |= (set)1 << op->access;
        *last = op->block_scope ? *last : op->access;
    }
    if (op->verb == STORE || op->verb == VOLATILE_STORE)
        *stored = op->verb == VOLATILE_STORE ? op->access : 0;
}

static bool is_volatile(enum verb verb)
{
    return verb == VOLATILE_LOAD || verb == VOLATILE_STORE || verb == AWAIT;
}

/* Volatile accesses of two blocks that somebody tried to order, but for one block only. */
static bool is_too_narrow(const struct oracle *o, const struct world *w, const struct op *a,
                          const struct op *b)
{
    unsigned int thread = o->thread[a->access], other = o->thread[b->access];
    if (!is_volatile(a->verb) || !is_volatile(b->verb) || a->shared || a->word != b->word ||
        !(a->verb == VOLATILE_STORE || b->verb == VOLATILE_STORE) ||
        block_of(o->program, thread) == block_of(o->program, other))
        return false;
    if (b->verb == VOLATILE_STORE &&
        (w->stored[0][0][b->word] != b->access || w->observed[0][b->word][thread] == b->access))
        return false;
    return w->whatever_scope[thread] >> b->access & 1;
}

/* The access happens now: does it know of all that it may race with? `done` is
 * all that has happened. */
static void judge(struct oracle *o, const struct world *w, const struct op *op, set excuse,
                  set done)
{
    set known = w->before[o->thread[op->access]];
    for (int i = 1; i < ACCESSES; i++)
        if (done >> i & 1 && !(known >> i & 1))
            o->race |= (!(excuse >> i & 1) && may_race(o, op, o->access[i])) ||
                       is_too_narrow(o, w, op, o->access[i]);
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
            chain[(*length)++] = (struct published){w->fenced[thread][wide],
                                                    w->fenced_whatever[thread][wide], block, !wide};
    w->written[op->shared][home][op->word] = true;
}

static void learn(struct oracle *o, struct world *w, unsigned int thread, const struct op *op)
{
    unsigned int block = block_of(o->program, thread), home = op->shared ? block : 0;
    const struct published *chain = w->chain[op->shared][home][op->word];
    bool block_scope = is_atomic(op->verb) && op->block_scope;
    for (unsigned int i = 0; i < w->chain_length[op->shared][home][op->word]; i++) {
        w->whatever_scope[thread] |= chain[i].whatever_scope;
        if (chain[i].block == block || (!block_scope && !chain[i].block_scope))
            w->before[thread] |= chain[i].known;
    }
}

static void happen(struct oracle *o, struct world *w, unsigned int thread, set *done)
{
    const struct op *op = &o->program->op[thread][w->at[thread]++];
    if (op->verb == FENCE) {
        for (int wide = 0; wide < (op->block_scope ? 1 : 2); wide++) {
            w->fenced[thread][wide] = w->before[thread];
            w->fenced_whatever[thread][wide] = w->whatever_scope[thread];
            w->fences[thread][wide] = true;
        }
        return;
    }
    judge(o, w, op, excused(o, w, thread, op), *done);
    observe(o, w, thread, op);
    *done |= (set)1 << op->access;
    w->before[thread] |= (set)1 << op->access;
    w->whatever_scope[thread] |= (set)1 << op->access;
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
    set all = 0, whatever = 0, fenced[2] = {0, 0}, fenced_whatever[2] = {0, 0};
    bool fences[2] = {false, false};
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
        whatever |= w->whatever_scope[t];
        for (int wide = 0; wide < 2; wide++) {
            fenced[wide] |= w->fenced[t][wide];
            fenced_whatever[wide] |= w->fenced_whatever[t][wide];
            fences[wide] |= w->fences[t][wide];
        }
    }
    for (unsigned int t = first; t < first + count; t++) {
        if (op->verb == SYNCWARP && !(op->mask >> (t - first) & 1))
            continue;
        w->at[t]++;
        w->before[t] = all;
        w->whatever_scope[t] = whatever;
        memcpy(w->fenced[t], fenced, sizeof fenced);
        memcpy(w->fenced_whatever[t], fenced_whatever, sizeof fenced_whatever);
        memcpy(w->fences[t], fences, sizeof fences);
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
