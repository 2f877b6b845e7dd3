/* story_page.c - puts the parts of a page together: one file that needs no other. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "trace.h"
#include "util.h"

#define PARTS "common/trace/page/"

enum { MOST = 1990 * 1000, SLACK = 16 * 1024 }; /* bytes of a page; of what may follow a step */

static const char *part_named(const char *name)
{
    size_t length;
    const char *path = format(PARTS "%s", name), *text = read_file(path, &length);
    if (!text)
        fail(1, "cannot read %s: %s: run this in the folder of the course", path, strerror(errno));
    return text;
}

/* A line of the template: it may stand for a file, "<!--INLINE page.css-->", for the trace or the title. */
static void put_line(FILE *out, const struct story *story, const char *line, const char *trace)
{
    char name[32];
    if (sscanf(line, "<!--INLINE %31[a-z_.]-->", name) == 1) {
        const char *element = ends_with(name, ".css") ? "style" : "script";
        fprintf(out, "<%s>\n%s</%s>\n", element, part_named(name), element);
    } else if (strcmp(line, "<!--TRACE-->") == 0) {
        fprintf(out, "<script type=\"application/json\" id=\"trace\">\n%s</script>\n", trace);
    } else if (strcmp(line, "<!--TITLE-->") == 0) {
        fprintf(out, "<title>Chapter %s, %s, step by step</title>\n", story->number, story->name);
    } else {
        fprintf(out, "%s\n", line);
    }
}

/* The page with this trace. */
static const char *assemble(const struct story *story, const char *trace)
{
    char *template = format("%s", part_named("page.html"));
    FILE *out = open_text();
    for (char *line; (line = strsep(&template, "\n")) && template;)
        put_line(out, story, line, trace);
    return close_text(out);
}

void story_page(const struct story *story, const char *path)
{
    const size_t around = strlen(assemble(story, ""));
    FILE *json = open_text();
    story_write(story, MOST - SLACK - around, json);
    const char *page = assemble(story, close_text(json));
    if (!replace_file(path, page, strlen(page)))
        fail(1, "cannot write %s: %s", path, strerror(errno));
}
