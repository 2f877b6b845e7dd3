/* input.c - writes down which values all chapters reduce.
 *
 *     input OUT DEFAULT-FILE...
 *
 * TEXT_SEED and SIZE in the environment say which: the seed, the number of values; without them 1 and
 * 1,048,576. They are made by whoever reads OUT, for an operation: array_call.h. The files are for
 * contracts that count texts. What is wrong is said in one line; status 1. */
#include <errno.h>
#include <string.h>

#include "array_kind.h"
#include "asked_input.h"

enum { DEFAULT_LENGTH = 1 << 20 };

int main(int count, char **arguments)
{
    if (count < 2)
        refuse("usage: %s OUT DEFAULT-FILE...", arguments[0]);
    refuse_texts("reduces an array", "its values are drawn, with TEXT_SEED=1, and SIZE=1M of them");
    const struct array_kind kind = {.seed = asked_seed(),
                                    .length = asked_length("values", DEFAULT_LENGTH)};
    if (array_kind_write(&kind, arguments[1]) != 0)
        refuse("cannot write %s: %s", arguments[1], strerror(errno));
    return 0;
}
