/* verdict_result.c - writes a verdict as JSON, or as a suite of JUnit: see verdict_result.h. */
#include "verdict_result.h"

#include <string.h>

#include "process.h"
#include "results.h"
#include "util.h"

/* How many tests count: those up to the first that failed. Others may have ended meanwhile, by chance. */
static size_t counted(const struct suite_run *suite)
{
    size_t count = 0;
    while (count < suite->count && suite->tests[count].state == PASSED)
        count++;
    return count < suite->count && suite->tests[count].state == FAILED ? count + 1 : count;
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
    const size_t last = counted(suite);
    json_array(json, "tests");
    for (size_t i = 0; i < suite->count; i++) {
        const struct suite_test *test = &suite->tests[i];
        const bool counts = i < last;
        json_object(json, NULL);
        json_text(json, "name", test->name);
        json_text(json, "outcome",
                  !counts                 ? "not_run"
                  : test->state == PASSED ? "passed"
                                          : "failed");
        json_seconds(json, "seconds", counts ? test->seconds : 0);
        json_text(json, "output", counts ? output_of(test) : "");
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

static struct junit_case case_of(const struct verdict_result *verdict, size_t i)
{
    const struct suite_test *test = &verdict->suite->tests[i];
    if (i >= counted(verdict->suite))
        return (struct junit_case){.name = test->name,
                                   .outcome = JUNIT_SKIPPED,
                                   .message = "an earlier test has failed",
                                   .output = ""};
    return (struct junit_case){.name = test->name,
                               .seconds = test->seconds,
                               .outcome = test->state == PASSED ? JUNIT_PASSED : JUNIT_FAILURE,
                               .message = verdict->sentence,
                               .output = output_of(test)};
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
        cases[count] = case_of(verdict, count);
        failed |= cases[count].outcome == JUNIT_FAILURE;
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
