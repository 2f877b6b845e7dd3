/* results.c - hands results to the driver, a line each; and the elements and escapes of JUnit's XML: see
 * results.h. */
#define _GNU_SOURCE
#include "results.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util.h"

static enum results_shape shape;
static const char *goal = "", *file_of_driver = "";

void results_take(void)
{
    char asked_shape[16], asked_goal[16];
    int end = 0;
    if (sscanf(chosen(RESULTS), "%15s %15s %n", asked_shape, asked_goal, &end) != 2 || end == 0)
        return;
    shape = strcmp(asked_shape, "junit") == 0 ? RESULTS_JUNIT : RESULTS_JSON;
    goal = format("%s", asked_goal);
    file_of_driver = format("%s", chosen(RESULTS) + end);
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
    const int to = open(file_of_driver, O_WRONLY | O_APPEND | O_CLOEXEC);
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

/* Whether a character of UTF-8 is U+FFFE or U+FFFF, which no XML has. */
static bool is_no_character(const unsigned char *text)
{
    return text[0] == 0xef && text[1] == 0xbf && text[2] >= 0xbe;
}

/* A byte that is no part of UTF-8, or ASCII. Control bytes but for tab and line feed are not allowed in XML,
 * not even as numbers: the picture of one is shown, as of U+001B. */
static void put_byte(unsigned char byte, FILE *to)
{
    if (byte < ' ' && byte != '\t' && byte != '\n')
        fprintf(to, "&#x%x;", 0x2400 + byte);
    else if (byte < ' ' || byte > '~' || byte == '<' || byte == '>' || byte == '&' || byte == '"')
        fprintf(to, "&#%u;", byte);
    else
        putc(byte, to);
}

/* Text for an attribute or an element, on one line; what is no UTF-8 is taken for Latin-1. */
static void put_xml(const char *text, FILE *to)
{
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        const size_t length = utf8_length(at);
        if (length == 0)
            put_byte(*at, to);
        else if (is_no_character(at))
            fputs("&#xfffd;", to);
        else
            fwrite(at, 1, length, to);
        at += length > 0 ? length : 1;
    }
}

static void put_attribute(const char *name, const char *value, FILE *to)
{
    fprintf(to, " %s=\"", name);
    put_xml(value, to);
    putc('"', to);
}

static void put_case(const char *suite, const char *file, const struct junit_case *one, FILE *to)
{
    static const char *const elements[] = {
        [JUNIT_FAILURE] = "failure", [JUNIT_ERROR] = "error", [JUNIT_SKIPPED] = "skipped"};
    fputs("<testcase", to);
    put_attribute("classname", suite, to);
    put_attribute("name", one->name, to);
    if (file)
        put_attribute("file", file, to);
    fprintf(to, " time=\"%.3f\"", one->seconds);
    if (one->outcome == JUNIT_PASSED) {
        fputs("/>", to);
        return;
    }
    fprintf(to, "><%s", elements[one->outcome]);
    put_attribute("message", one->message, to);
    putc('>', to);
    put_xml(one->output, to);
    fprintf(to, "</%s></testcase>", elements[one->outcome]);
}

char *junit_suite(const char *name, const char *file, const struct junit_case *cases, size_t count)
{
    unsigned int of[JUNIT_SKIPPED + 1] = {0};
    double seconds = 0;
    FILE *to = open_text();
    for (size_t i = 0; i < count; i++) {
        of[cases[i].outcome]++;
        seconds += cases[i].seconds;
    }
    fputs("<testsuite", to);
    put_attribute("name", name, to);
    fprintf(to, " tests=\"%zu\" failures=\"%u\" errors=\"%u\" skipped=\"%u\" time=\"%.3f\">", count,
            of[JUNIT_FAILURE], of[JUNIT_ERROR], of[JUNIT_SKIPPED], seconds);
    for (size_t i = 0; i < count; i++)
        put_case(name, file, &cases[i], to);
    fputs("</testsuite>", to);
    return close_text(to);
}
