/* story_page.c - puts the parts of a page together: one file that needs no other. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "story.h"

#define PARTS "common/trace/page/"

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

/* The name in a line "<!--INLINE name.css-->"; NULL when the line is another. */
static char *inlined(const char *line, size_t length)
{
    static const char begin[] = "<!--INLINE ", end[] = "-->";
    const size_t around = sizeof begin - 1 + sizeof end - 1;
    if (length <= around || strncmp(line, begin, sizeof begin - 1) != 0 ||
        strncmp(line + length - (sizeof end - 1), end, sizeof end - 1) != 0)
        return NULL;
    return strndup(line + sizeof begin - 1, length - around);
}

static bool is_marker(const char *line, size_t length, const char *marker)
{
    return strlen(marker) == length && strncmp(line, marker, length) == 0;
}

static bool put_file(FILE *out, const char *name)
{
    const char *element = strstr(name, ".css") ? "style" : "script";
    char *text = contents(name);
    if (text)
        fprintf(out, "<%s>\n%s</%s>\n", element, text, element);
    free(text);
    return text != NULL;
}

/* One line of the template; without a trace, its place. False when a file cannot be read. */
static bool put_line(FILE *out, const struct story *story, const char *line, size_t length,
                     const char *trace)
{
    char *name = inlined(line, length);
    bool fine = true;
    if (name)
        fine = put_file(out, name);
    else if (is_marker(line, length, "<!--TRACE-->"))
        fprintf(out, "<script type=\"application/json\" id=\"trace\">\n%s</script>\n", trace);
    else if (is_marker(line, length, "<!--TITLE-->"))
        fprintf(out, "<title>Chapter %s, %s, step by step</title>\n", story->number, story->name);
    else
        fprintf(out, "%.*s\n", (int)length, line);
    free(name);
    return fine;
}

/* The page, to be freed, with its trace; NULL when a part cannot be read. */
static char *assemble(const struct story *story, const char *trace)
{
    char *page = NULL, *template = contents("page.html");
    size_t size = 0;
    FILE *out = template ? open_memstream(&page, &size) : NULL;
    bool fine = out;
    for (const char *line = template; fine && *line;) {
        size_t length = strcspn(line, "\n");
        fine = put_line(out, story, line, length, trace);
        line += length + (line[length] == '\n');
    }
    if (out)
        fclose(out);
    free(template);
    if (fine)
        return page;
    free(page);
    return NULL;
}

static bool save(const char *page, const char *path)
{
    FILE *out = fopen(path, "w");
    bool fine = out && fputs(page, out) >= 0;
    if (out && fclose(out) != 0)
        fine = false;
    if (fine)
        return true;
    fprintf(stderr, "cannot write %s: %s\n", path, strerror(errno));
    if (out)
        remove(path);
    return false;
}

bool story_page(const struct story *story, const char *path)
{
    char *trace = NULL, *page = assemble(story, "");
    size_t size = 0;
    FILE *json = page ? open_memstream(&trace, &size) : NULL;
    if (json) {
        story_write(story, MOST - SLACK - strlen(page), json);
        fclose(json);
        free(page);
        page = assemble(story, trace);
    }
    bool fine = json && page && save(page, path);
    free(page);
    free(trace);
    return fine;
}
