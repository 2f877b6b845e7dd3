/* message_passing.cu - one side stores a message and raises a flag; the other sees the flag and reads
 * the message. Wrong: the flag is up, and the message is the old one. */
#include "litmus.h"

enum { LOOKS = 8 };

/* Nothing orders the two stores, nor the two loads. */
__global__ void message_without_fences(struct words words)
{
    int *message = words.x, *flag = words.y, *saw_flag = words.first, *saw_message = words.second;
    for (unsigned int round = 0; round < ROUNDS; round++) {
        const unsigned int here = trial(round);
        meet(words, round);
        if (side() == 0) {
            message[here] = 1;
            set(&flag[here], 1);
        } else {
            int up = 0;
            for (int look = 0; look < LOOKS && !up; look++)
                up = look_at(&flag[here]);
            saw_flag[here] = up;
            if (up)
                saw_message[here] = message[here];
        }
    }
}

/* A fence on each side. */
__global__ void message_with_fences(struct words words)
{
    int *message = words.x, *flag = words.y, *saw_flag = words.first, *saw_message = words.second;
    for (unsigned int round = 0; round < ROUNDS; round++) {
        const unsigned int here = trial(round);
        meet(words, round);
        if (side() == 0) {
            message[here] = 1;
            __threadfence(); // who sees the flag sees the message
            set(&flag[here], 1);
        } else {
            int up = 0;
            for (int look = 0; look < LOOKS && !up; look++)
                up = look_at(&flag[here]);
            __threadfence(); // the message is read after the flag
            saw_flag[here] = up;
            if (up)
                saw_message[here] = message[here];
        }
    }
}

static bool old_message(const struct words *left, size_t trial)
{
    return left->first[trial] == 1 && left->second[trial] == 0;
}

const struct litmus message_passing[2] = {
    {"message passing", "wrong", message_without_fences, old_message},
    {"message passing", "right", message_with_fences, old_message},
};
