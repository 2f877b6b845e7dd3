/* input.c - writes down the input on which all chapters of a contract are run: see input_write.
 *
 *     input OUT DEFAULT-FILE...
 *
 * What is wrong is said in one line; status 1. */
#include <errno.h>
#include <string.h>

#include "contract.h"
#include "run.h"
#include "util.h"

int main(int count, char **arguments)
{
    if (count < 3)
        fail(1, "usage: %s OUT DEFAULT-FILE...", arguments[0]);
    if (input_write(arguments[1], arguments + 2, (size_t)count - 2) != 0)
        fail(1, "cannot write %s: %s", arguments[1], strerror(errno));
    return 0;
}
