/* timed.c - writes one of the texts that are timed to a file, for the simulated GPU.
 *
 *     kind KIND SIZE OUT      and its name to OUT.name, as input.c does */
#include <stdio.h>

#include "timed_text.h"
#include "util.h"

int main(int count, char **arguments)
{
    uint64_t length;
    if (count != 4 || !read_length(arguments[2], &length)) {
        fprintf(stderr, "usage: %s KIND SIZE OUT\n", arguments[0]);
        return 2;
    }
    struct text text = timed_text(arguments[1], length);
    if (text_write(&text, arguments[3]) != 0) {
        fprintf(stderr, "cannot write %s\n", arguments[3]);
        return 1;
    }
    text_free(&text);
    return 0;
}
