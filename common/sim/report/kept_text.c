/* kept_text.c - the text of the user's files, as it was when they were compiled. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

/* The text of a .cu file, or of one that it includes, as it was when it was compiled. */
struct kept_source {
    const char *file, *text;
    size_t bytes;
    struct kept_source *next;
};
static struct kept_source *kept_sources;

void sim_keep_source(const char *file, const char *text, size_t bytes)
{
    struct kept_source *kept = malloc(sizeof *kept);
    if (kept) {
        *kept = (struct kept_source){file, text, bytes, kept_sources};
        kept_sources = kept;
    }
}

/* Whether `file`, which may be told from the working directory on, is the one kept as `path`. */
static bool is_path_of(const char *path, const char *file)
{
    const size_t all = strlen(path), part = strlen(file);
    return part <= all && strcmp(path + all - part, file) == 0 &&
           (part == all || file[0] == '/' || path[all - part - 1] == '/');
}

/* What was compiled, if it was; else the file, which is one of the host's. NULL when there is none. */
static FILE *open_source(const char *file)
{
    for (const struct kept_source *kept = kept_sources; kept; kept = kept->next)
        if (is_path_of(kept->file, file))
            return kept->bytes ? fmemopen((void *)(uintptr_t)kept->text, kept->bytes, "r") : NULL;
    return fopen(file, "r");
}

char *sim_read_line(const char *file, int number)
{
    FILE *stream = open_source(file);
    char *line = NULL;
    size_t room = 0;
    ssize_t length = -1;
    for (int i = 0; stream && i < number; i++)
        if ((length = getline(&line, &room, stream)) < 0)
            break;
    if (stream)
        fclose(stream);
    if (length >= 0)
        return line;
    free(line);
    return NULL;
}

static bool has_word(const char *line, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = line; (at = strstr(at, word)); at++)
        if ((at == line || !sim_is_word_part(at[-1])) && !sim_is_word_part(at[length]))
            return true;
    return false;
}

bool sim_source_is_known(const char *file)
{
    FILE *stream = open_source(file);
    if (stream)
        fclose(stream);
    return stream != NULL;
}

bool sim_text_mentions(const char *file, int number, const char *name)
{
    char *line = sim_read_line(file, number);
    bool mentions = line && has_word(line, name);
    free(line);
    return mentions;
}

bool sim_is_declared_with(const char *file, const char *name, const char *one, const char *other)
{
    FILE *stream = open_source(file);
    char *line = NULL;
    size_t room = 0;
    bool is = false;
    while (stream && !is && getline(&line, &room, stream) >= 0)
        is = has_word(line, name) && (has_word(line, one) || has_word(line, other));
    if (stream)
        fclose(stream);
    free(line);
    return is;
}
