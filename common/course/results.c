/* results.c - hands results to the driver, a line each: see results.h. */
#define _GNU_SOURCE
#include "results.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util.h"

static enum results_shape shape;
static const char *goal = "", *file = "";

void results_take(void)
{
    char asked_shape[16], asked_goal[16];
    int end = 0;
    if (sscanf(chosen(RESULTS), "%15s %15s %n", asked_shape, asked_goal, &end) != 2 || end == 0)
        return;
    shape = strcmp(asked_shape, "junit") == 0 ? RESULTS_JUNIT : RESULTS_JSON;
    goal = format("%s", asked_goal);
    file = format("%s", chosen(RESULTS) + end);
    unsetenv(RESULTS);
}

enum results_shape results_shape(void)
{
    return shape;
}

const char *results_goal(void)
{
    return goal;
}

struct result result_begin(const char *key)
{
    struct result result = {.key = key, .json = {.to = open_text()}};
    json_object(&result.json, NULL);
    json_text(&result.json, "goal", goal);
    return result;
}

void result_end(struct result *result)
{
    json_end(&result->json);
    results_add(result->key, close_text(result->json.to));
}

/* One write to the end of the file: results of several programs come whole, one after the other. */
void results_add(const char *key, const char *line)
{
    const char *text = format("%s\t%s\n", key, line);
    const size_t length = strlen(text);
    const int to = open(file, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (to < 0 || write(to, text, length) != (ssize_t)length)
        fprintf(stderr, "a result is lost: %s\n", strerror(errno));
    if (to >= 0)
        close(to);
}

const char *key_of(const char *source)
{
    const char *folder = format("%.*s", (int)(base_name(source) - source), source);
    const bool further = ends_with(folder, "/further/");
    const size_t length = strlen(folder) - (further ? strlen("/further/") : strlen("/"));
    const char *above = format("%.*s", (int)length, folder);
    return format("%s%s", base_name(above), further ? "/further" : "");
}

void result_chapter(struct json *json, const char *key)
{
    json_count(json, "chapter", number_of(key));
    json_text(json, "stem", key);
}
