/* kind.c - writes one of the texts that are timed to a file, for the simulated GPU.
 *
 *     kind KIND SIZE OUT      and its name to OUT.name, as input.c does */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kinds.h"

static void write_file(const char *name, const void *bytes, size_t length)
{
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0) {
        fprintf(stderr, "cannot write %s\n", name);
        exit(1);
    }
}

int main(int count, char **arguments)
{
    size_t length;
    char name_file[4096];
    if (count != 4 || text_parse_size(arguments[2], &length) != 0) {
        fprintf(stderr, "usage: %s KIND SIZE OUT\n", arguments[0]);
        return 2;
    }
    struct text text = kind_of_text(arguments[1], length);
    snprintf(name_file, sizeof name_file, "%s.name", arguments[3]);
    write_file(arguments[3], text.bytes, text.length);
    write_file(name_file, text.name, strlen(text.name));
    text_free(&text);
    return 0;
}
