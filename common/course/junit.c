/* junit.c - the elements and escapes of JUnit's XML: see junit.h. */
#include "junit.h"

#include <stdbool.h>
#include <stdio.h>

#include "json.h"
#include "util.h"

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
