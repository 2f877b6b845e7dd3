/* input.c - writes down which elements all chapters reduce.
 *
 *     input OUT DEFAULT-FILE...
 *
 * KEYS, TEXT_SEED and SIZE in the environment say which: how keys crowd, the seed, the number of
 * elements; without them uniform keys, 1 and 65,536. They are made by whoever reads OUT, for an
 * operation and a number of bins: key_kinds.h. The files are for contracts that count texts. What is
 * wrong is said in one line; status 1. */
#include <errno.h>
#include <string.h>

#include "asked_input.h"
#include "key_kinds.h"

enum { DEFAULT_LENGTH = 1 << 16 };

int main(int count, char **arguments)
{
    if (count < 2)
        refuse("usage: %s OUT DEFAULT-FILE...", arguments[0]);
    const char *keys = setting("KEYS");
    refuse_texts("reduces elements by key",
                 "choose KEYS=uniform, single, stride63, zipf, ninety or sorted");
    struct key_kind kind = {.keys = keys ? keys_named(keys) : KEYS_UNIFORM,
                            .seed = asked_seed(),
                            .length = asked_length("elements", DEFAULT_LENGTH)};
    if (kind.keys == KEYS_KINDS)
        refuse("KEYS=%s is unknown: choose uniform, single, stride63, zipf, ninety or sorted",
               keys);
    if (key_kind_write(&kind, arguments[1]) != 0)
        refuse("cannot write %s: %s", arguments[1], strerror(errno));
    return 0;
}
