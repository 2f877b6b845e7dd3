/* report.c - what a command line comes to, as one object for other programs: see driver.h.
 *
 * All that goals print goes to standard error. What they have to tell, each in a line of its own, is kept in a file
 * without a name (results.h). What ended before it could tell anything is told here, from what was printed:
 * a kernel that does not compile, a chapter that is left out. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver.h"
#include "json.h"
#include "results.h"
#include "util.h"

enum { VERSION = 1, MOST_OUTPUT = 1 << 20 }; /* of the schema; bytes that are kept */

static struct {
    enum results_shape shape;
    const struct command *command;
    int output, results; /* standard output as it was; the file in which results are told */
    size_t taken;        /* bytes of it */
    char *printed;       /* what was printed since the goal began, and its length */
    size_t length;
    const char *goal;   /* that is being done; NULL for one that has no results */
    struct list values; /* the results, as they are printed */
    const char *error;  /* of a goal that failed without any result: what was said; or NULL */
} report;

bool report_wanted(void)
{
    return report.shape != RESULTS_NONE;
}

void report_begin(const struct command *command)
{
    const char *format_asked = setting("FORMAT");
    unsetenv(RESULTS);
    report.command = command;
    if (!is_in(format_asked, "json junit") || !is_setting_used("FORMAT", command))
        return;
    fflush(stdout);
    report.output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    report.results = memfd_create("results", MFD_CLOEXEC);
    if (report.output < 0 || report.results < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        fprintf(stderr, "FORMAT=%s: %s\n", format_asked, strerror(errno));
        exit(3);
    }
    report.shape = strcmp(format_asked, "junit") == 0 ? RESULTS_JUNIT : RESULTS_JSON;
}

void report_goal(const char *goal)
{
    if (!report_wanted())
        return;
    report.goal = is_in(goal, "test run profile progress score") ? goal : NULL;
    report.length = 0;
    unsetenv(RESULTS);
    if (report.goal)
        setenv(RESULTS,
               format("%s %s /proc/%ld/fd/%d", report.shape == RESULTS_JUNIT ? "junit" : "json",
                      goal, (long)getpid(), report.results),
               1);
}

static void keep(const char *bytes, size_t count)
{
    if (report.length + count >= MOST_OUTPUT)
        return;
    report.printed = grow(report.printed, report.length, count + 1, 1);
    memcpy(report.printed + report.length, bytes, count);
    report.length += count;
    report.printed[report.length] = '\0';
}

void report_listen(int from)
{
    char bytes[1 << 12];
    for (ssize_t count; (count = read(from, bytes, sizeof bytes)) != 0;)
        if (count > 0) {
            fwrite(bytes, 1, (size_t)count, stderr);
            keep(bytes, (size_t)count);
        } else if (errno != EINTR) {
            break;
        }
    close(from);
}

/* Whether a line tells of an error in a kernel's folder; with `any`, of anything there but warnings. */
static bool is_error_in(const char *line, const char *folder, bool any)
{
    if (!begins_with(line, folder))
        return false;
    return strstr(line, ": error: ") || strstr(line, ": fatal error: ") ||
           (any && !strstr(line, ": warning: ") && !strstr(line, ": note: ") &&
            line[strlen(line) - 1] != ':');
}

/* Make tells of every failure once more, in words that are about its files. */
static bool is_of_make(const char *line)
{
    return begins_with(line, "make") && strstr(line, "***");
}

/* A line without what a program puts before and behind its own words: "common/make/variant.mk:11: *** WORDS.  Stop.",
 * "simcc: error: WORDS". */
static char *words_in(char *line)
{
    static const char simcc[] = "simcc: error: ", stars[] = " *** ", stop[] = ".  Stop.";
    char *words = begins_with(line, simcc) ? line + strlen(simcc) : line;
    if (begins_with(line, "common/make/") && strstr(line, stars))
        words = strstr(line, stars) + strlen(stars);
    if (ends_with(words, stop))
        words[strlen(words) - strlen(stop)] = '\0';
    return words;
}

/* Of what was said the line that matters most: the first error in a folder, else the first that is about it. Without a
 * folder, and where there is none, the last line of all that is not make's. */
static const char *reason_in(const char *folder, bool *is_of_kernel)
{
    const char *first = NULL, *last = "it has ended without a word";
    char *rest = report.length > 0 ? format("%s", report.printed) : NULL;
    *is_of_kernel = true;
    for (char *printed; rest && (printed = strsep(&rest, "\n"));) {
        const char *line = words_in(printed);
        if (folder && is_error_in(line, folder, false))
            return line;
        if (folder && !first && is_error_in(line, folder, true))
            first = line;
        if (*line && !is_of_make(line))
            last = line;
    }
    *is_of_kernel = first;
    return first ? first : last;
}

/* "chapter 61 needs Open MPI: ...", or NULL. */
static const char *lack_of(const char *key)
{
    const char *words = format("chapter %u needs ", number_of(key)),
               *found = report.length > 0 ? strstr(report.printed, words) : NULL;
    return found ? format("%.*s", (int)strcspn(found, "\n"), found) : NULL;
}

/* What a chapter has not told itself. */
static char *reported_for(const char *key, const char *from)
{
    bool is_of_kernel = false;
    const char *lack = lack_of(key), *folder = format("%s/%s/", from, key),
               *sentence = lack ? lack : reason_in(folder, &is_of_kernel),
               *outcome = lack           ? "left_out"
                          : is_of_kernel ? "unbuilt"
                                         : "failed";
    if (report.shape == RESULTS_JUNIT)
        return junit_suite(key, NULL,
                           &(struct junit_case){.name = "build",
                                                .outcome = lack ? JUNIT_SKIPPED : JUNIT_ERROR,
                                                .message = sentence,
                                                .output = ""},
                           1);
    struct json json = {.to = open_text()};
    json_object(&json, NULL);
    json_text(&json, "goal", report.goal);
    result_chapter(&json, key);
    json_text(&json, "outcome", outcome);
    json_text(&json, "sentence", sentence);
    json_place(&json, sentence, NULL);
    json_end(&json);
    return close_text(json.to);
}

/* The results since the last goal, as lines "KEY<tab>VALUE". */
static struct list lines_reported(void)
{
    struct list lines = {.count = 0};
    char bytes[1 << 12];
    FILE *text = open_text();
    for (ssize_t count;
         (count = pread(report.results, bytes, sizeof bytes, (off_t)report.taken)) > 0;) {
        fwrite(bytes, 1, (size_t)count, text);
        report.taken += (size_t)count;
    }
    char *rest = close_text(text);
    for (char *line; (line = strsep(&rest, "\n")) && *line;)
        list_add(&lines, line);
    return lines;
}

static bool has_key(const struct list *lines, const char *key)
{
    const char *begin = format("%s\t", key);
    for (size_t i = 0; i < lines->count; i++)
        if (begins_with(lines->item[i], begin))
            return true;
    return false;
}

void report_goal_ended(int status, const char *keys, const char *from)
{
    if (!report_wanted() || !report.goal)
        return;
    struct list lines = lines_reported();
    for (const char **key = words_of(keys ? keys : ""); *key && status != 0; key++)
        if (!has_key(&lines, *key))
            list_add(&lines, format("%s\t%s", *key, reported_for(*key, from)));
    bool of_kernel;
    if (lines.count == 0 && status != 0 && !report.error)
        report.error = format("%s", reason_in(NULL, &of_kernel));
    list_sort(&lines);
    for (size_t i = 0; i < lines.count; i++)
        list_add(&report.values, strchr(lines.item[i], '\t') + 1);
}

static void put_json_report(FILE *out, int status)
{
    struct json json = {.to = out};
    json_object(&json, NULL);
    json_count(&json, "version", VERSION);
    json_array(&json, "command");
    for (const char *const *word = report.command->words; *word; word++)
        json_text(&json, NULL, *word);
    json_end(&json);
    json_count(&json, "status", status ? 2 : 0); /* make's */
    json_array(&json, "results");
    for (size_t i = 0; i < report.values.count; i++) {
        json_break(&json);
        json_value(&json, NULL, report.values.item[i]);
    }
    json_end(&json);
    if (report.error) {
        json_object(&json, "error");
        json_text(&json, "sentence", report.error);
        json_place(&json, report.error, NULL);
        json_end(&json);
    } else {
        json_text(&json, "error", NULL);
    }
    json_end(&json);
    putc('\n', out);
}

static void put_junit_report(FILE *out)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"make", out);
    for (const char *const *word = report.command->words; *word; word++)
        fprintf(out, " %s", *word);
    fputs("\">\n", out);
    for (size_t i = 0; i < report.values.count; i++)
        fprintf(out, "%s\n", report.values.item[i]);
    if (report.error)
        fprintf(out, "%s\n",
                junit_suite("make", NULL,
                            &(struct junit_case){.name = "make",
                                                 .outcome = JUNIT_ERROR,
                                                 .message = report.error,
                                                 .output = ""},
                            1));
    fputs("</testsuites>\n", out);
}

int report_end(int status)
{
    if (!report_wanted())
        return status;
    FILE *out = fdopen(report.output, "w");
    if (out && report.shape == RESULTS_JUNIT)
        put_junit_report(out);
    else if (out)
        put_json_report(out, status);
    if (out && fclose(out) == 0)
        return status;
    fprintf(stderr, "the results cannot be written: %s\n", strerror(errno));
    return status ? status : 3;
}
