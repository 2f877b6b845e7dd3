/* store_buffering.cu - each side raises its own flag, and looks at that of the other: who finds the
 * other's down may go first. Wrong: both find it down, as no order of the four steps allows. */
#include "litmus.h"

/* Plain accesses: a race, of which nothing is promised. */
__global__ void look_plainly(struct words words)
{
    int *mine = side() == 0 ? words.x : words.y, *other = side() == 0 ? words.y : words.x;
    int *saw = side() == 0 ? words.first : words.second;
    for (unsigned int round = 0; round < ROUNDS; round++) {
        const unsigned int here = trial(round);
        meet(words, round);
        mine[here] = 1;
        saw[here] = other[here];
    }
}

/* No race any more, and still no order: a store may be seen after the load behind it was done. */
__global__ void look_without_a_fence(struct words words)
{
    int *mine = side() == 0 ? words.x : words.y, *other = side() == 0 ? words.y : words.x;
    int *saw = side() == 0 ? words.first : words.second;
    for (unsigned int round = 0; round < ROUNDS; round++) {
        const unsigned int here = trial(round);
        meet(words, round);
        set(&mine[here], 1);
        saw[here] = look_at(&other[here]);
    }
}

/* Two fences of this kind have an order. Release and acquire would not be enough. */
__global__ void look_behind_a_fence(struct words words)
{
    int *mine = side() == 0 ? words.x : words.y, *other = side() == 0 ? words.y : words.x;
    int *saw = side() == 0 ? words.first : words.second;
    for (unsigned int round = 0; round < ROUNDS; round++) {
        const unsigned int here = trial(round);
        meet(words, round);
        set(&mine[here], 1);
        __threadfence(); // sequentially consistent, between the store and the load
        saw[here] = look_at(&other[here]);
    }
}

static bool both_first(const struct words *left, size_t trial)
{
    return left->first[trial] == 0 && left->second[trial] == 0;
}

const struct litmus store_buffering[3] = {
    {"store buffering", "wrong", look_plainly, both_first},
    {"store buffering", "relaxed", look_without_a_fence, both_first},
    {"store buffering", "right", look_behind_a_fence, both_first},
};
