/* story_page.c - puts the parts of a page together: one file that needs no other. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "story.h"

#define PARTS "common/tools/trace/page/"

enum { MOST = 1990 * 1000, SLACK = 16 * 1024 }; /* bytes of a page; of what may follow a step */

/* The file's contents, to be freed; NULL, with a line on standard error, when it cannot be read. */
static char *contents(const char *name)
{
    char path[256], *text = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, PARTS "%s", name);
    FILE *file = fopen(path, "r"), *copy = open_memstream(&text, &size);
    if (!file || !copy) {
        fprintf(stderr, "cannot read %s: %s: run this in the folder of the course\n", path,
                strerror(errno));
        if (file)
            fclose(file);
        if (copy)
            fclose(copy);
        free(text);
        return NULL;
    }
    for (int c; (c = fgetc(file)) != EOF;)
        fputc(c, copy);
    fclose(file);
    fclose(copy);
    return text;
}

/* The template with its three markers, each on a line of its own, replaced. */
static void assemble(FILE *out, const char *template, const char *style, const char *script,
                     const char *trace)
{
    const struct {
        const char *marker, *before, *text, *after;
    } parts[] = {
        {"<!--STYLE-->", "<style>\n", style, "</style>"},
        {"<!--TRACE-->", "<script type=\"application/json\" id=\"trace\">\n", trace, "</script>"},
        {"<!--SCRIPT-->", "<script>\n", script, "</script>"},
    };
    while (*template) {
        size_t length = strcspn(template, "\n");
        bool replaced = false;
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            const char *at = strstr(template, parts[i].marker);
            if (!at || at >= template + length)
                continue;
            fprintf(out, "%s%s%s", parts[i].before, parts[i].text, parts[i].after);
            replaced = true;
        }
        if (!replaced)
            fwrite(template, 1, length, out);
        fputc('\n', out);
        template += length + (template[length] == '\n');
    }
}

static bool write_page(const struct story *story, const char *path, char *const parts[3])
{
    char *trace = NULL;
    size_t size = 0, around = strlen(parts[0]) + strlen(parts[1]) + strlen(parts[2]) + SLACK;
    FILE *json = open_memstream(&trace, &size), *out = fopen(path, "w");
    if (json && out) {
        story_write(story, MOST - around, json);
        fflush(json);
        assemble(out, parts[0], parts[1], parts[2], trace);
    }
    bool fine = json && out && !ferror(out);
    if (json)
        fclose(json);
    if (out && fclose(out) != 0)
        fine = false;
    if (!fine)
        fprintf(stderr, "cannot write %s: %s\n", path, strerror(errno));
    if (!fine && out)
        remove(path);
    free(trace);
    return fine;
}

bool story_page(const struct story *story, const char *path)
{
    char *parts[3] = {contents("page.html"), NULL, NULL};
    parts[1] = parts[0] ? contents("page.css") : NULL;
    parts[2] = parts[1] ? contents("page.js") : NULL;
    bool fine = parts[2] && write_page(story, path, parts);
    for (int i = 0; i < 3; i++)
        free(parts[i]);
    return fine;
}
