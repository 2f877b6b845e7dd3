/* rewrite.c - turns preprocessed CUDA C++ into C++ for the simulated GPU.
 *
 *     rewrite [--separate] [FILE]
 *
 * Reads FILE, or standard input; writes standard output. --separate: device
 * variables and functions are shared between files, as with nvcc -rdc=true. What
 * it changes is listed in passes.h; what the changed text relies on is in
 * include/sim_language.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "passes.h"

/* The whole of a file; ends the program when it cannot be read. */
static struct text read_all(FILE *file, const char *name)
{
    struct text text = {.bytes = NULL};
    size_t got = 1;
    while (got > 0) {
        if (text.capacity - text.length < 65536) {
            text.capacity = text.capacity * 2 + 65536;
            text.bytes = get_memory(text.bytes, text.capacity, 1);
        }
        got = fread(text.bytes + text.length, 1, text.capacity - text.length, file);
        text.length += got;
    }
    if (ferror(file) || text.length > UINT32_MAX / 2) {
        fprintf(stderr, "%s: error: cannot read it: %s\n", name,
                ferror(file) ? strerror(errno) : "it is too large");
        exit(1);
    }
    return text;
}

int main(int argc, char **argv)
{
    struct rewriting rewriting = {.separate = false};
    const char *name = NULL;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--separate")) {
            rewriting.separate = true;
        } else if (argv[i][0] == '-' || name) {
            fprintf(stderr, "usage: rewrite [--separate] [FILE]\n");
            return 2;
        } else {
            name = argv[i];
        }
    }
    FILE *file = name ? fopen(name, "rb") : stdin;
    if (!file) {
        fprintf(stderr, "%s: error: cannot open it: %s\n", name, strerror(errno));
        return 1;
    }
    struct text text = read_all(file, name ? name : "standard input");
    if (name)
        fclose(file);
    struct source *source = source_read(text.bytes, text.length);
    source_find_columns(source);
    rewriting.source = source;
    rewriting.edits = edits_new();
    rewrite(&rewriting);
    bool written = edits_write(rewriting.edits, source, stdout);
    edits_free(rewriting.edits);
    source_free(source);
    free(text.bytes);
    if (!written)
        fprintf(stderr, "rewrite: error: cannot write: %s\n", strerror(errno));
    return written ? 0 : 1;
}
