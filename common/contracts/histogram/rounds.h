/* rounds.h - how many loads of a thread come in a round of its loop, told by their instructions.
 *
 * A loop that loads one word a round executes its load once for each word. A loop whose round has
 * several loads, each counted before the next, makes the same accesses in the same order; but its
 * threads stop at whole rounds, and another instruction loads what is left. */
#ifndef ROUNDS_H
#define ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

/* The loads of one thread. */
struct thread_rounds {
    uintptr_t first; /* the instruction of the first */
    uint64_t loads;
    uint64_t by_first; /* of these, by that instruction */
    uint64_t before;   /* until that instruction came again */
};

/* The threads of a grid that began with the instruction with which the one began that has most
 * loads. */
struct rounds {
    uintptr_t first;
    uint64_t most;    /* loads of one thread */
    uint64_t divisor; /* the greatest of all their by_first */
    uint64_t before;  /* the least of them */
};

static inline void rounds_note(struct thread_rounds *thread, uintptr_t instruction)
{
    if (thread->loads++ == 0)
        thread->first = instruction;
    thread->by_first += instruction == thread->first;
    thread->before += thread->by_first == 1;
}

static inline uint64_t rounds_divisor(uint64_t a, uint64_t b)
{
    return b == 0 ? a : rounds_divisor(b, a % b);
}

/* Adds a thread to its grid. All threads come twice: first to find the one with most loads
 * (`comparing` false), then to be compared. */
static inline void rounds_add(struct rounds *grid, const struct thread_rounds *thread,
                              bool comparing)
{
    if (!comparing && thread->loads > grid->most) {
        grid->most = thread->loads;
        grid->first = thread->first;
    } else if (comparing && thread->loads > 0 && thread->first == grid->first) {
        grid->divisor = rounds_divisor(grid->divisor, thread->by_first);
        if (grid->before == 0 || thread->before < grid->before)
            grid->before = thread->before;
    }
}

/* The loads of a round, as far as that tells: 1 where a loop loads one word a round. */
static inline uint64_t rounds_loads(const struct rounds *grid)
{
    return grid->divisor > grid->before ? grid->divisor : grid->before;
}

#endif
