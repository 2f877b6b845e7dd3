/* rewrite.c - turns preprocessed CUDA C++ into C++ for the simulated GPU.
 *
 *     rewrite [--separate] [--relaxed] [--sources] [--headers TEXT] [FILE]
 *     rewrite --device DEVICE FILE
 *     rewrite --arch
 *
 * Reads FILE, or standard input; writes standard output. --separate: device
 * variables and functions are shared between files, as with nvcc -rdc=true.
 * --relaxed: kernels may call constexpr functions of the host. What it changes is
 * listed in passes.h; what the changed text relies on is in include/sim_language.h.
 * A line `#pragma sim by_value` behind the text asks simcc for copies of arguments (by_value.c).
 * --sources: what is compiled of the text has the user's files with it (sources.c).
 * --headers: where FILE names precompiled headers, TEXT is what they are made of:
 * it is read for what it declares, and not written.
 * --device makes a text to be rewritten of two: FILE, and DEVICE, which is the same
 * file preprocessed with __CUDA_ARCH__ (sides.c). --arch prints what that is on the card of SIM_CARD. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../base/cards.h"
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

/* What gcc's preprocessor writes in the place of headers that are precompiled, before all else but lines of its
 * own: the bytes from `begin` to `end`, then those of the headers, and the line itself. */
struct precompiled {
    size_t begin, end;
    char *line;
};

/* Puts the headers' text in the place of that line, and leaves in `precompiled` where. There may be none. */
static void put_headers(struct text *text, struct text headers, struct precompiled *precompiled)
{
    static const char named[] = "#pragma GCC pch_preprocess ";
    size_t at = 0;
    const char *end = NULL;
    while (at + 2 < text->length && !memcmp(text->bytes + at, "# ", 2) &&
           (end = memchr(text->bytes + at, '\n', text->length - at)))
        at = (size_t)(end - text->bytes) + 1;
    if (at + sizeof named > text->length || memcmp(text->bytes + at, named, sizeof named - 1) ||
        !(end = memchr(text->bytes + at, '\n', text->length - at)))
        return;
    size_t line = (size_t)(end - text->bytes) + 1 - at, rest = text->length - at - line;
    precompiled->line = get_memory(NULL, line + 1, 1);
    memcpy(precompiled->line, text->bytes + at, line);
    precompiled->line[line] = '\0';
    text->bytes = get_memory(text->bytes, text->length + headers.length + 1, 1);
    memmove(text->bytes + at + headers.length, text->bytes + at + line, rest);
    memcpy(text->bytes + at, headers.bytes, headers.length);
    text->length = at + headers.length + rest;
    precompiled->begin = at;
    precompiled->end = at + headers.length;
}

/* A file as read_all gives it, or standard input when `name` is NULL. */
static struct text read_file(const char *name)
{
    FILE *file = name ? fopen(name, "rb") : stdin;
    if (!file) {
        fprintf(stderr, "%s: error: cannot open it: %s\n", name, strerror(errno));
        exit(1);
    }
    struct text text = read_all(file, name ? name : "standard input");
    if (name)
        fclose(file);
    return text;
}

/* The tokens of a file, or of standard input when `name` is NULL; with the text of another one for the headers
 * that it names, unless that is NULL. */
static struct source *read_source(const char *name, const char *headers,
                                  struct precompiled *precompiled)
{
    struct text text = read_file(name);
    if (headers) {
        struct text of_headers = read_file(headers);
        put_headers(&text, of_headers, precompiled);
        free(of_headers.bytes);
    }
    return source_read(text.bytes, text.length);
}

/* Releases a source and its text. */
static void close_source(struct source *source)
{
    char *text = source->text;
    source_free(source);
    free(text);
}

/* What the command line asks for: --separate, --relaxed, --sources. */
struct wishes {
    bool separate, relaxed, sources;
};

static bool rewrite_to(FILE *file, struct source *source, const struct precompiled *precompiled,
                       struct wishes wishes)
{
    struct rewriting rewriting = {.source = source,
                                  .edits = edits_new(),
                                  .separate = wishes.separate,
                                  .relaxed = wishes.relaxed};
    source_find_columns(source);
    refuse_open_braces(source);
    rewrite(&rewriting);
    edits_shorten(rewriting.edits, precompiled->begin, precompiled->end, precompiled->line);
    bool written = edits_write(rewriting.edits, source, file) &&
                   (!rewriting.by_value || fputs("\n#pragma sim by_value\n", file) >= 0) &&
                   (!wishes.sources || write_sources(source, file));
    edits_free(rewriting.edits);
    return written;
}

int main(int argc, char **argv)
{
    struct wishes wishes = {.separate = false};
    bool wrong = false;
    const char *name = NULL, *for_device = NULL, *headers = NULL;
    if (argc == 2 && !strcmp(argv[1], "--arch"))
        return printf("%d\n", 10 * sim_card_chosen()->capability) < 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--separate"))
            wishes.separate = true;
        else if (!strcmp(argv[i], "--relaxed"))
            wishes.relaxed = true;
        else if (!strcmp(argv[i], "--sources"))
            wishes.sources = true;
        else if (!strcmp(argv[i], "--device") && i + 1 < argc)
            for_device = argv[++i];
        else if (!strcmp(argv[i], "--headers") && i + 1 < argc)
            headers = argv[++i];
        else if (argv[i][0] == '-' || name)
            wrong = true;
        else
            name = argv[i];
    }
    if (wrong) {
        fprintf(stderr,
                "usage: rewrite [--separate] [--relaxed] [--sources] [--headers FILE] [FILE] | "
                "rewrite --device FILE FILE | rewrite --arch\n");
        return 2;
    }
    struct precompiled precompiled = {.line = NULL};
    struct source *source = read_source(name, headers, &precompiled);
    bool written;
    if (for_device) {
        struct source *device = read_source(for_device, NULL, NULL);
        written = merge_sides(source, device, stdout);
        close_source(device);
    } else {
        written = rewrite_to(stdout, source, &precompiled, wishes);
    }
    close_source(source);
    free(precompiled.line);
    if (!written)
        fprintf(stderr, "rewrite: error: cannot write: %s\n", strerror(errno));
    return written ? 0 : 1;
}
