/* student.c - keeps verdicts and finds them again, and looks at the files of the chapters: see student.h. */
#define _GNU_SOURCE
#include "student.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lesson.h"
#include "util.h"

enum { LONGEST = 511 }; /* of what was said */
static const char *const names[OUTCOMES] = {"wrong", "another", "solved"};

static char *path_of(const char *source)
{
    return beside(source, "verdicts.txt");
}

static bool read_line(const char *line, struct verdict *verdict)
{
    long long when;
    char name[16];
    int end = 0;
    if (sscanf(line, "%lld %u %15s %16" SCNx64 " %n", &when, &verdict->bins, name, &verdict->hash,
               &end) != 4 ||
        end == 0)
        return false;
    verdict->message = format("%.*s", LONGEST, line + end);
    for (verdict->outcome = 0; verdict->outcome < OUTCOMES; verdict->outcome++)
        if (strcmp(name, names[verdict->outcome]) == 0)
            return true;
    return false;
}

struct record record_read(const char *source)
{
    struct record record = {.count = 0};
    for (struct lines in = lines_of(path_of(source)); next_line(&in);) {
        record.verdicts = grow(record.verdicts, record.count, 1, sizeof *record.verdicts);
        record.count += read_line(in.line, &record.verdicts[record.count]);
    }
    return record;
}

static const struct verdict *last_with(const struct record *record, uint64_t hash,
                                       unsigned int bins)
{
    for (size_t i = record->count; i-- > 0;)
        if (record->verdicts[i].hash == hash && record->verdicts[i].bins == bins)
            return &record->verdicts[i];
    return NULL;
}

const struct verdict *record_best(const struct record *record, uint64_t hash)
{
    const struct verdict *best = NULL;
    for (size_t i = 0; i < record->count; i++) {
        const struct verdict *one = &record->verdicts[i];
        if (one->hash == hash && one == last_with(record, hash, one->bins) &&
            (!best || one->outcome > best->outcome))
            best = one;
    }
    return best;
}

void record_add(const char *source, unsigned int bins, enum outcome outcome, const char *message)
{
    uint64_t hash;
    if (!hash_file(source, &hash))
        return;
    const char *path = path_of(source);
    const struct record record = record_read(source);
    const struct verdict *last = last_with(&record, hash, bins);
    if (last && last->outcome == outcome && strncmp(last->message, message, LONGEST) == 0)
        return;
    FILE *file = fopen(path, "a");
    if (!file)
        return;
    fprintf(file, "%lld %u %s %016" PRIx64 " %.*s\n", (long long)time(NULL), bins, names[outcome],
            hash, (int)strcspn(message, "\n"), message);
    fclose(file);
}

static void look_at_gaps(struct progress *progress, unsigned int bins)
{
    const struct gaps all = gaps_in(progress->chapter.file, 0),
                      wanted = gaps_in(progress->chapter.file, bins);
    progress->gaps = wanted.count;
    progress->empty = wanted.empty;
    if (all.error)
        progress->error = all.error;
    progress->state = all.error || !gaps_untouched(&all) ? STATE_IN_WORK : STATE_UNTOUCHED;
}

/* What an item of common/teach/points.txt weighs; 0 where it is not there. make grade reads the same file. */
static double weight_of(const char *item)
{
    double weight = 0;
    const char *begin = format("%s ", item);
    for (struct lines in = lines_of("common/teach/points.txt"); next_line(&in);)
        if (begins_with(in.line, begin))
            weight = strtod(in.line + strlen(begin), NULL);
    return weight;
}

/* A kernel that is right by another technique has no report either: a report is a mistake. */
double points_of(enum state state)
{
    if (state != STATE_SOLVED && state != STATE_ANOTHER)
        return 0;
    const double right = weight_of("right") + weight_of("no-report");
    return state == STATE_SOLVED ? right + weight_of("technique") : right;
}

static void look_at_record(struct progress *progress, uint64_t hash)
{
    static const enum state states[OUTCOMES] = {STATE_IN_WORK, STATE_ANOTHER, STATE_SOLVED};
    const struct record record = record_read(progress->chapter.file);
    const struct verdict *best = record_best(&record, hash);
    for (size_t i = 0; i < record.count; i++)
        progress->solved_before |=
            record.verdicts[i].hash != hash && record.verdicts[i].outcome == OUTCOME_SOLVED;
    if (!best || progress->state != STATE_IN_WORK)
        return;
    progress->wrong = best->outcome == OUTCOME_WRONG;
    progress->state = states[best->outcome];
}

static struct progress look(const struct course *course, struct chapter chapter)
{
    struct stat seen;
    struct lesson lesson;
    uint64_t hash = 0;
    struct progress progress = {.chapter = chapter, .state = STATE_MISSING, .error = ""};
    const bool there = lesson_read(&lesson, chapter.lesson);
    progress.optional = there && lesson.optional;
    progress.minutes = there ? lesson.minutes : 0;
    if (stat(chapter.file, &seen) != 0 || !hash_file(chapter.file, &hash)) {
        progress.error = strerror(errno);
        return progress;
    }
    progress.when = seen.st_mtime;
    look_at_gaps(&progress, course->bins);
    look_at_record(&progress, hash);
    progress.points = points_of(progress.state);
    return progress;
}

struct course course_read(const char *folder, unsigned int bins)
{
    struct course course = {.folder = folder, .bins = bins};
    struct chapter *chapters;
    struct stat seen;
    course.count = chapters_in(folder, &chapters);
    course.chapters = grow(NULL, 0, course.count + 1, sizeof *course.chapters);
    for (size_t i = 0; i < course.count; i++)
        course.chapters[i] = look(&course, chapters[i]);
    if (course.count == 0)
        fail(1, "%s: %s", folder,
             stat(folder, &seen) != 0 ? "there is no such folder"
             : S_ISDIR(seen.st_mode)  ? "there is no chapter in it, no folder like NN_name that "
                                        "has a suite in tests/"
                                      : "this is no folder");
    return course;
}

struct totals course_totals(const struct course *course)
{
    struct totals totals = {.most_points = points_of(STATE_SOLVED) * (double)course->count};
    for (size_t i = 0; i < course->count; i++) {
        const struct progress *progress = &course->chapters[i];
        const bool solved = progress->state == STATE_SOLVED;
        totals.solved += solved;
        totals.points += progress->points;
        totals.minutes += progress->minutes;
        totals.minutes_done += solved ? progress->minutes : 0;
    }
    return totals;
}

struct progress *course_current(const struct course *course)
{
    for (size_t i = 0; i < course->count; i++) {
        struct progress *progress = &course->chapters[i];
        bool passed_over = progress->optional &&
                           (progress->state == STATE_UNTOUCHED || progress->state == STATE_MISSING);
        if (progress->state != STATE_SOLVED && !passed_over)
            return progress;
    }
    return NULL;
}

/* What there is to say of a file that is in work. */
static const char *more_of_work(const struct progress *progress)
{
    const char *before = progress->solved_before ? "; once solved" : "";
    if (progress->empty > 0)
        return format(", %u of %u gaps empty%s", progress->empty, progress->gaps, before);
    if (progress->wrong)
        return progress->solved_before ? ", wrong; an earlier one was right" : ", wrong";
    return format("%s%s", progress->error[0] ? "" : ", not judged yet", before);
}

const char *progress_words(const struct progress *progress)
{
    switch (progress->state) {
    case STATE_MISSING:
        return format("missing: %s", progress->error);
    case STATE_UNTOUCHED:
        return progress->optional ? "untouched (optional)" : "untouched";
    case STATE_IN_WORK:
        return format("in work%s", more_of_work(progress));
    case STATE_ANOTHER:
        return "right, by another technique";
    default:
        return "solved";
    }
}

const char *settings_words(const struct course *course, const struct progress *progress)
{
    const bool with_bins = course->bins != 5 && !progress->chapter.contract.has_operations,
               usual = strcmp(course->folder, "chapters") == 0;
    return format("%s%s%s", with_bins ? format(" BINS=%u", course->bins) : "",
                  usual ? "" : " CHAPTERS=", usual ? "" : course->folder);
}
