/* progress_result.c - writes how far a student is as JSON: see progress_result.h. */
#define _GNU_SOURCE
#include "progress_result.h"

#include "predictions.h"
#include "results.h"
#include "util.h"

/* "2026-11-26T19:41:07Z", of a file that has been begun; else NULL. */
static const char *since(const struct progress *progress)
{
    char when[32];
    struct tm broken;
    if (progress->state == STATE_MISSING || progress->state == STATE_UNTOUCHED ||
        !gmtime_r(&progress->when, &broken))
        return NULL;
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &broken);
    return format("%s", when);
}

static void put_chapter(struct json *json, const struct progress *progress)
{
    static const char *const states[STATES] = {[STATE_MISSING] = "missing",
                                               [STATE_UNTOUCHED] = "untouched",
                                               [STATE_IN_WORK] = "in_work",
                                               [STATE_ANOTHER] = "another",
                                               [STATE_SOLVED] = "solved"};
    static struct predictions predictions;
    double factors[MOST_PREDICTIONS];
    predictions_read(&predictions, progress->chapter.file);
    const size_t count = predictions_factors(&predictions, factors);
    json_object(json, NULL);
    result_chapter(json, progress->chapter.stem);
    json_text(json, "file", progress->chapter.file);
    json_text(json, "state", states[progress->state]);
    json_text(json, "sentence", progress_words(progress));
    json_truth(json, "optional", progress->optional);
    json_count(json, "gaps", progress->gaps);
    json_count(json, "empty_gaps", progress->empty);
    json_number(json, "points", progress->points);
    json_count(json, "minutes", progress->minutes);
    json_text(json, "since", since(progress));
    if (count > 0)
        json_number(json, "times_off", calibration_of(factors, count).median);
    else
        json_text(json, "times_off", NULL);
    json_end(json);
}

void progress_result_write(const struct course *course)
{
    const struct progress *current = course_current(course);
    const struct totals totals = course_totals(course);
    if (results_shape() != RESULTS_JSON)
        return;
    struct result result = result_begin("");
    struct json *json = &result.json;
    json_text(json, "folder", course->folder);
    json_count(json, "bins", course->bins);
    json_array(json, "chapters");
    for (size_t i = 0; i < course->count; i++)
        put_chapter(json, &course->chapters[i]);
    json_end(json);
    json_count(json, "solved", totals.solved);
    json_number(json, "points", totals.points);
    json_number(json, "most_points", totals.most_points);
    json_count(json, "minutes_done", totals.minutes_done);
    json_count(json, "minutes", totals.minutes);
    if (current)
        json_count(json, "current", current->chapter.number);
    else
        json_text(json, "current", NULL);
    result_end(&result);
}
