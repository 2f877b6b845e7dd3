/* verdict_result.c - writes a verdict as JSON, or as a suite of JUnit: see verdict_result.h. */
#include "verdict_result.h"

#include <string.h>

#include "junit.h"
#include "process.h"
#include "results.h"
#include "util.h"

static bool has_run(const struct suite_test *test)
{
    return test->state == PASSED || test->state == FAILED;
}

/* What a test printed, without lines that sum up. */
static char *output_of(const struct suite_test *test)
{
    FILE *text = open_text();
    process_repeat(test->output, text);
    return close_text(text);
}

static const char *or_null(const char *text)
{
    return text && text[0] ? text : NULL;
}

static void put_tests(struct json *json, const struct suite_run *suite)
{
    static const char *const outcomes[] = {[WAITS] = "not_run",
                                           [RUNS] = "not_run",
                                           [PASSED] = "passed",
                                           [FAILED] = "failed",
                                           [STOPPED] = "not_run"};
    json_array(json, "tests");
    for (size_t i = 0; i < suite->count; i++) {
        const struct suite_test *test = &suite->tests[i];
        json_object(json, NULL);
        json_text(json, "name", test->name);
        json_text(json, "outcome", outcomes[test->state]);
        json_seconds(json, "seconds", has_run(test) ? test->seconds : 0);
        json_text(json, "output", has_run(test) ? output_of(test) : "");
        json_end(json);
    }
    json_end(json);
}

static void write_json(const struct verdict_result *verdict)
{
    const char *key = key_of(verdict->source);
    struct result result = result_begin(key);
    struct json *json = &result.json;
    result_chapter(json, key);
    json_count(json, "bins", verdict->bins);
    json_text(json, "outcome", verdict->outcome);
    json_text(json, "sentence", verdict->sentence);
    json_place(json, verdict->sentence, verdict->source);
    json_count(json, "inputs", verdict->inputs);
    json_count(json, "least_schedules", verdict->fewest);
    json_count(json, "most_schedules", verdict->most);
    json_text(json, "technique", or_null(verdict->technique));
    json_text(json, "seed", or_null(verdict->seed));
    gaps_put(json, verdict->gaps);
    put_tests(json, verdict->suite);
    result_end(&result);
}

static struct junit_case case_of(const struct verdict_result *verdict,
                                 const struct suite_test *test)
{
    const bool ran = has_run(test);
    return (struct junit_case){.name = test->name,
                               .seconds = ran ? test->seconds : 0,
                               .outcome = test->state == PASSED   ? JUNIT_PASSED
                                          : test->state == FAILED ? JUNIT_FAILURE
                                                                  : JUNIT_SKIPPED,
                               .message = ran ? verdict->sentence : "an earlier test has failed",
                               .output = ran ? output_of(test) : ""};
}

/* The cases are the tests of the suite. Where none of them failed, and yet the kernel is not right, one more
 * says why: what has gaps is not judged. */
static void write_junit(const struct verdict_result *verdict)
{
    const struct suite_run *suite = verdict->suite;
    struct junit_case *cases = grow(NULL, 0, suite->count + 1, sizeof *cases);
    bool failed = false;
    size_t count = 0;
    for (; count < suite->count; count++) {
        cases[count] = case_of(verdict, &suite->tests[count]);
        failed |= suite->tests[count].state == FAILED;
    }
    if (!failed && strcmp(verdict->outcome, "solved") != 0)
        cases[count++] = (struct junit_case){.name = "verdict",
                                             .outcome = JUNIT_FAILURE,
                                             .message = verdict->sentence,
                                             .output = ""};
    const char *key = key_of(verdict->source);
    results_add(key, junit_suite(key, verdict->source, cases, count));
}

void verdict_result_write(const struct verdict_result *verdict)
{
    if (results_shape() == RESULTS_JSON)
        write_json(verdict);
    else if (results_shape() == RESULTS_JUNIT)
        write_junit(verdict);
}
