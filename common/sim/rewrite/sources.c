/* sources.c - the text of the user's files, written into what is compiled of them.
 *
 * Reports quote lines, and some facts stand in the source alone: `#pragma unroll` above a loop, the
 * name of an array that an index leaves. They are asked for when the program runs, perhaps
 * elsewhere, or when the file is another one. So the object has the text with it, and hands
 * it to the simulator before main begins. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "passes.h"

static void write_string(FILE *file, const char *text, size_t length)
{
    fputc('"', file);
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c == '\n')
            fputs("\\n\" \"", file);
        else if (c < ' ' || c > '~' || c == '"' || c == '\\' || c == '?')
            fprintf(file, "\\%03o", c);
        else
            fputc(c, file);
    }
    fputc('"', file);
}

/* A call that hands over the file `name`; nothing where it cannot be read. */
static void write_source(FILE *file, const char *name)
{
    char here[4096], *text = NULL;
    FILE *from = fopen(name, "rb");
    if (!from)
        return;
    size_t length = 0, capacity = 0, got = 1;
    while (got > 0) {
        if (capacity - length < 65536)
            text = get_memory(text, capacity = capacity * 2 + 65536, 1);
        got = fread(text + length, 1, capacity - length, from);
        length += got;
    }
    fclose(from);
    fputs(" ::sim_keep_source(", file);
    if (name[0] != '/' && getcwd(here, sizeof here - 1)) {
        strcat(here, "/");
        write_string(file, here, strlen(here));
    }
    write_string(file, name, strlen(name));
    fputs(", ", file);
    write_string(file, text, length);
    fprintf(file, ", %zu);", length);
    free(text);
}

bool write_sources(const struct source *source, FILE *file)
{
    bool *done = get_memory(NULL, source_name_count(source), sizeof *done);
    memset(done, 0, source_name_count(source) * sizeof *done);
    fputs("\n# 1 \"<sources>\" 3\n__attribute__((__constructor__, __unused__)) static void "
          "sim_keep_sources() {",
          file);
    for (size_t i = 1; i + 1 < source->count; i++) {
        const struct token *token = token_at(source, i);
        size_t length;
        const char *name = source_name(source, token->file, &length);
        if (token->system || done[token->file])
            continue;
        done[token->file] = true;
        char path[4096];
        if (length < sizeof path && name[0] != '<') {
            snprintf(path, sizeof path, "%.*s", (int)length, name);
            write_source(file, path);
        }
    }
    fputs(" }\n", file);
    free(done);
    return fflush(file) == 0 && !ferror(file);
}
