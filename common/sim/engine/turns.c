/* turns.c - in what manner a launch goes on: by chance, by rank, or in turn.
 *
 * Chance alone seldom finds what needs a certain order. Few blocks of many threads are resident at
 * a time, and then the last block of the grid is nearly always the last one to end. So every fourth
 * seed is by *rank*: of two blocks the one of higher rank goes on, one of them comes first of all,
 * and another last; and ranks change at random points (S. Burckhardt and others, A Randomized
 * Scheduler with Probabilistic Guarantees of Finding Bugs, ASPLOS 2010). On every fourth one warps
 * go on *in turn*, step by step: those that take locks in a circle all have one before any has two.
 * Of seeds 1, 2, 5, 6 and so on all is left to chance, and so it is where warps have clocks. */
#include "engine/engine.h"

enum {
    SEEDS_OF_A_MANNER = 4,
    CHANGE_OF_RANK = 16,          /* one turn in so many */
    IDLE_TO_LET_OTHERS = 256,     /* steps without a change: who goes on may wait for the others */
    TURNS_TO_LET_OTHERS = 1 << 3, /* the same, where what they wait with changes something */
    CHANCE_OF_OTHERS = 2,
    STEPS_IN_TURN = 1 << 15, /* and then by chance, which is faster */
    OUT_OF_TURN = 32
};

/* Of the launch that runs. */
static struct {
    enum { BY_CHANCE, BY_RANK, IN_TURN } manner;
    bool starts_in_order;      /* blocks, by their numbers */
    uint64_t last_block;       /* to start and to end, by rank */
    uint64_t favored_block;    /* to start first, and to end */
    uint64_t turns;            /* in turn: so far; by rank: since a block has ended */
    uint32_t rank[MOST_WARPS]; /* of each resident block: the highest goes on */
} order;

void sim_choose_manner(struct launch *launch)
{
    const uint64_t seed = launch->clock ? 1 : sim_options()->seed,
                   of_manner = seed / SEEDS_OF_A_MANNER;
    order.manner = BY_CHANCE;
    order.turns = 0;
    order.starts_in_order = false;
    order.last_block = order.favored_block = 0;
    if (seed % SEEDS_OF_A_MANNER == 3)
        order.manner = BY_RANK;
    else if (seed % SEEDS_OF_A_MANNER == 0)
        order.manner = IN_TURN;
    const uint64_t blocks = launch->blocks - launch->first_block;
    if (blocks == 0) /* a trial may leave out all of them */
        return;
    order.last_block = launch->first_block + of_manner % blocks;
    order.favored_block = launch->first_block + (of_manner + blocks - 1) % blocks;
    /* Who has no room yet may be waited for by those that have it. */
    order.starts_in_order = order.manner != BY_RANK || blocks > launch->resident_limit;
}

static uint64_t exchanged(uint64_t number, uint64_t one, uint64_t other)
{
    return number == one ? other : number == other ? one : number;
}

uint64_t sim_block_to_start(const struct launch *launch, uint64_t number)
{
    if (order.starts_in_order)
        return number;
    const uint64_t first = launch->first_block, last = launch->blocks - 1;
    const uint64_t before = exchanged(first, last, order.last_block);
    return exchanged(exchanged(number, last, order.last_block), before, order.favored_block);
}

void sim_rank_block(struct block *block)
{
    struct launch *launch = block->launch;
    if (order.manner != BY_RANK)
        return;
    order.rank[block->slot] = 1 + sim_random(launch) / 2;
    if (block->linear == order.favored_block)
        order.rank[block->slot] = UINT32_MAX;
    if (block->linear == order.last_block)
        order.rank[block->slot] = 0;
}

void sim_note_block_ended(void)
{
    if (order.manner == BY_RANK)
        order.turns = 0;
}

static size_t drawn(struct launch *launch, size_t below)
{
    return (size_t)((uint64_t)sim_random(launch) * below >> 32);
}

/* Of the ready blocks the one of the highest rank. It may wait for another, whoever that is. */
static size_t highest_rank(struct launch *launch)
{
    size_t best = 0;
    if (sim_launch_waits.idle > IDLE_TO_LET_OTHERS ||
        (++order.turns > TURNS_TO_LET_OTHERS && drawn(launch, CHANCE_OF_OTHERS) == 0))
        return drawn(launch, launch->ready_count);
    for (size_t b = 1; b < launch->ready_count; b++)
        if (order.rank[launch->ready[b]->slot] > order.rank[launch->ready[best]->slot])
            best = b;
    if (drawn(launch, CHANGE_OF_RANK) == 0)
        sim_rank_block(launch->ready[best]);
    return best;
}

static bool goes_in_turn(const struct launch *launch)
{
    return order.manner == IN_TURN && launch->steps < STEPS_IN_TURN;
}

unsigned int sim_next_turn(struct launch *launch, size_t *at)
{
    const bool in_turn = goes_in_turn(launch) && drawn(launch, OUT_OF_TURN) > 0;
    if (in_turn)
        *at = order.turns++ % launch->ready_count;
    else if (order.manner == BY_RANK)
        *at = highest_rank(launch);
    else
        *at = drawn(launch, launch->ready_count);
    uint32_t warps = launch->ready[*at]->runnable;
    const size_t count = (size_t)__builtin_popcount(warps);
    for (size_t skip = in_turn ? order.turns / launch->ready_count % count : drawn(launch, count);
         skip; skip--)
        warps &= warps - 1;
    return (unsigned int)__builtin_ctz(warps);
}

/* By chance one turn in four is short, so that warps interleave closely and lost updates come out;
 * the long ones make it fast. */
uint32_t sim_steps_of_turn(struct launch *launch)
{
    const uint32_t turn = sim_random(launch);
    if (goes_in_turn(launch))
        return 1;
    return turn & 3 ? 1 + (turn >> 8 & 63) : 1 + (turn >> 8 & 3);
}
