/* verdict.c - runs a chapter's suite and says what it means.
 *
 * That is one sentence: what is wrong and where, or what is right. It comes last, behind what shows it; only
 * what is next follows a kernel that is right. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "chapter.h"
#include "commands.h"
#include "confine.h"
#include "verdict_log.h"
#include "grouped.h"
#include "process.h"
#include "reaper.h"
#include "student.h"
#include "names.h"
#include "suite.h"
#include "util.h"

enum { SHOWN = 20 }; /* lines */

/* What is judged. */
struct task {
    struct suite_run suite;
    const char *source;
    struct chapter chapter;
    bool further; /* the exercise of the chapter, which has a folder of that name */
    bool recorded;
    unsigned int bins;
    uint64_t short_before; /* of memory: what the system had ended for it before the suite began */
};

/* What the entries amount to. */
struct summary {
    unsigned int inputs, fewest, most; /* schedules of an input */
    const char *technique;
    bool unjudged; /* nobody counts accesses here */
    bool another;  /* technique than is asked for: a counter tells, the bins were right */
    bool wrong;    /* an output was */
    bool reported, raced;
    bool differs;        /* what is wrong, by schedule */
    const char *message; /* by the assertion that failed */
    const char *seed;    /* of the schedule that went wrong */
};

static void note_schedules(struct summary *sum, unsigned int schedules)
{
    if (sum->fewest == 0 || schedules < sum->fewest)
        sum->fewest = schedules;
    if (schedules > sum->most)
        sum->most = schedules;
}

static void read_entry(struct summary *sum, const char *entry)
{
    unsigned int schedules;
    if (begins_with(entry, "input "))
        sum->inputs++;
    else if (sscanf(entry, "schedules %u", &schedules) == 1)
        note_schedules(sum, schedules);
    else if (begins_with(entry, "technique ") && !sum->technique[0])
        sum->technique = format("%s", entry + 10);
    else if (strcmp(entry, "unjudged") == 0)
        sum->unjudged = true;
    else if (strcmp(entry, "failed counter") == 0)
        sum->another = true;
    else if (is_of_outputs(entry))
        sum->wrong = true;
    else if (strcmp(entry, "differs") == 0)
        sum->differs = true;
    else if (begins_with(entry, "caught ")) {
        sum->reported = true;
        sum->raced |= begins_with(entry + 7, "racecheck");
    } else if (begins_with(entry, "message ") && !sum->message[0])
        sum->message = format("%s", entry + 8);
    else if (begins_with(entry, "seed "))
        sum->seed = format("%s", entry + 5);
}

static struct summary sum_up(const struct suite_run *suite)
{
    struct summary sum = {.technique = "", .message = "", .seed = ""};
    for (struct lines in = lines_of(format("%s.log", suite->kept)); next_line(&in);)
        read_entry(&sum, in.line);
    return sum;
}

/* What to do next: the lesson and the test of the next chapter that there is. */
static void print_next_step(const struct task *task)
{
    unsigned int least = UINT_MAX;
    const char *next = NULL;
    for (char **lesson = matches("docs/[0-9]*_*.md"); *lesson; lesson++) {
        unsigned int other = number_of(base_name(*lesson));
        if (other > task->chapter.number && other < least) {
            least = other;
            next = *lesson;
        }
    }
    if (next)
        printf("next: %s, then make chapter%u test\n", next, least);
    else
        printf("next: make%s, which puts all chapters side by side\n",
               task->chapter.part > 1 ? format(" PART=%u", task->chapter.part) : "");
}

/* What a command that is quoted needs for this number of bins. */
static const char *bins_words(const struct task *task)
{
    return task->bins == 5 ? "" : format(" BINS=%u", task->bins);
}

/* "right on 41 inputs x 4 schedules" */
static const char *right_words(const struct summary *sum)
{
    const char *right = format("right on %u inputs", sum->inputs);
    if (sum->most > 1 && sum->fewest < sum->most)
        return format("%s x %u to %u schedules", right, sum->fewest, sum->most);
    return sum->most > 1 ? format("%s x %u schedules", right, sum->most) : right;
}

/* "chapter 5, 26 bins: right on 41 inputs x 4 schedules, and by its technique: ..." */
static const char *praise_of(const struct task *task, const struct summary *sum)
{
    return format("%s %u%s: %s%s%s", task->further ? "further" : "chapter", task->chapter.number,
                  task->bins == 5 ? "" : format(", %u bins", task->bins), right_words(sum),
                  sum->unjudged       ? "; only the simulated GPU judges the technique"
                  : sum->technique[0] ? ", and by its technique: "
                                      : "",
                  sum->unjudged ? "" : sum->technique);
}

/* "chapter5 solution" */
static const char *goals_of(const struct task *task)
{
    return format("chapter%u%s", task->chapter.number,
                  begins_with(task->source, "solutions/") ? " solution" : "");
}

/* A trace is of a chapter's kernel, where its contract has traces. */
static void print_trace(const struct task *task)
{
    const char *seed = chosen("SIM_SEED"), *operation = chosen("OPERATION"),
               *bins = chosen("KEY_BINS");
    const char *contract = format("common/contracts/%s", task->chapter.contract.tools);
    if (task->further || (exists(contract) && !exists(format("%s/to_run.c", contract))))
        return;
    printf("every step of it, as a page: make %s trace%s", goals_of(task), bins_words(task));
    if (*operation)
        printf(" OPERATION=%s%s%s", operation, *bins ? " BINS=" : "", bins);
    if (*seed && strcmp(seed, "1") != 0)
        printf(" SEED=%s", seed);
    printf("\n");
}

static void print_replay(const struct task *task, const struct summary *sum)
{
    const char *seed = sum->seed[0] ? sum->seed : chosen("SIM_SEED");
    if (!sum->raced ||
        task->chapter.contract.on_devices) /* a replay shows races, and nothing else */
        return;
    printf("see it happen: make %s%s replay SEED=%s%s\n", goals_of(task),
           task->further ? " further" : "", *seed ? seed : "1", bins_words(task));
}

/* The gaps are looked at first. Returns false when nothing has been done yet, or a gap has no
 * end: what the suite says would be no news. */
static bool may_run(const struct task *task, struct gaps *gaps)
{
    *gaps = gaps_in(task->source, task->bins);
    const bool judged = !gaps_untouched(gaps) && !gaps->error;
    if (!judged)
        gaps_print(gaps, stdout);
    return judged;
}

/* Of a report of the simulator: its first line, and a place that it names, in the student's file if any
 * of them is. */
struct report {
    char headline[512], place[512];
    bool is_own;
};

/* Whether a line begins a report; then it is noted. Warnings are not counted as findings. */
static bool begins_report(const char *line, struct report *report)
{
    if (!begins_with(line, "========= ") || begins_with(line, "=========  ") ||
        begins_with(line, "========= Warning: ") || begins_with(line, "========= not shown") ||
        begins_with(line, "========= ERROR SUMMARY"))
        return false;
    *report = (struct report){.is_own = false};
    return sscanf(line, "========= Error: %511[^\n]", report->headline) == 1 ||
           sscanf(line, "========= %511[^\n]", report->headline) == 1;
}

static void note_place(const char *line, const char *source, struct report *report)
{
    const char *place = begins_with(line, "=========     at ") ? strstr(line, " in ") : NULL;
    if (!place || !strchr(place, ':') || report->is_own)
        return;
    report->is_own = begins_with(place + 4, format("%s:", source));
    if (!report->place[0] || report->is_own)
        sscanf(place + 4, "%511[^\n]", report->place);
}

/* The array of the first element that a headline names: "tree" of tree[256]; "" where it names none. */
static const char *array_in(const char *headline)
{
    const char *end = strchr(headline, '['), *start = end;
    while (start > headline && start[-1] != ' ')
        start--;
    return end ? format("%.*s", (int)(end - start), start) : "";
}

/* Whether the access at `place` is one of those that a report is about: of the same line, which it has or names. */
static bool is_of_line(const struct report *report, const char *place)
{
    const char *line = strrchr(place, ':');
    return strcmp(report->place, place) == 0 ||
           (line && (strstr(report->headline, format("in line %s (", line + 1)) ||
                     strstr(report->headline, format("in line %s,", line + 1))));
}

/* A thread that does not come to a barrier races, and the report on the barrier says why. */
static bool explains(const struct report *next, const struct report *first)
{
    return begins_with(next->headline, "Barrier error") && begins_with(first->headline, "Race");
}

/* A wrong index meets elements of other threads, or elements that nobody has set, before it leaves the array. */
static bool explains_elements(const struct report *outside, const struct report *first)
{
    const char *array = array_in(outside->headline);
    return (begins_with(first->headline, "Race") || begins_with(first->headline, "Uninit")) &&
           is_of_line(first, outside->place) && *array &&
           strcmp(array, array_in(first->headline)) == 0;
}

/* What a thread has not written yet when another reads it is not initialized, and it is the race that says
 * who writes it: in another line than it is read, and before the read or after it. */
static bool explains_read(const struct report *race, const struct report *first)
{
    const char *line = strrchr(first->place, ':');
    if (!begins_with(first->headline, "Uninitialized") || !line)
        return false;
    return strstr(race->headline, " while another writes it in line ")
               ? strcmp(race->place, first->place) == 0
               : strstr(race->headline, format(" while another reads it in line %s (", line + 1)) !=
                     NULL;
}

/* "FILE:LINE: HEADLINE". A line of the course's own code, which is right, is no place to look for a mistake. */
static const char *output_of(const struct report *report, const char *source)
{
    if (begins_with(report->place, "common/"))
        return format(
            "%s: %s, in %s: this code is given, and right; look at what it is called with", source,
            report->headline, report->place);
    return format("%s%s%s", report->place, report->place[0] ? ": " : "", report->headline);
}

/* "FILE:LINE: HEADLINE" of the error in what a test printed that comes first, or explains it; of a warning
 * where there is none; or NULL. That two threads store one value makes no output wrong by itself, so that
 * such a warning is passed over unless `of_races`. */
static const char *report_in(const char *log, const char *source, bool of_races)
{
    struct report first = {.is_own = false}, warning = {.is_own = false}, next,
                  race = {.is_own = false}, outside = {.is_own = false};
    struct report *current = NULL;
    struct lines in = lines_in(log);
    while (next_line(&in))
        if (begins_report(in.line, &next)) {
            current = NULL;
            if (!first.headline[0] || explains(&next, &first))
                current = &first;
            else if (begins_with(next.headline, "Race reported") && !explains_read(&race, &first))
                current = &race;
            else if (begins_with(next.headline, "Invalid __") && !outside.headline[0])
                current = &outside;
            if (current)
                *current = next;
        } else if (begins_with(in.line, "========= Warning: ") && !first.headline[0] &&
                   !warning.headline[0] &&
                   (of_races || !begins_with(in.line, "========= Warning: Race"))) {
            sscanf(in.line, "========= %511[^\n]", warning.headline);
            current = &warning;
        } else if (current) {
            note_place(in.line, source, current);
        }
    end_lines(&in);
    const struct report *message = !first.headline[0]                    ? &warning
                                   : explains_elements(&outside, &first) ? &outside
                                   : explains_read(&race, &first)        ? &race
                                                                         : &first;
    return message->headline[0] ? output_of(message, source) : NULL;
}

/* Whether a line is of the kind "BEGIN:LINE: ..."; then `place` becomes "BEGIN:LINE". */
static bool complains(const char *line, const char *begin, char *place, size_t size)
{
    const char *number = begins_with(line, begin) ? strchr(line, ':') : NULL;
    const char *end = number ? strstr(number, ": ") : NULL;
    const bool is = end && number[1] >= '0' && number[1] <= '9';
    if (is)
        snprintf(place, size, "%.*s", (int)(end - line), line);
    return is;
}

/* The first line of the kind "SOURCE:LINE: ...": CHECK or the simulator say so why a call or a
 * launch was refused. Without one, that of a header which the kernel calls. NULL without any. */
static const char *complaint_in(const char *log, const char *source)
{
    const char *found = NULL;
    struct report given = {.is_own = false}, own;
    struct lines in = lines_in(log);
    while (!found && next_line(&in)) {
        if (complains(in.line, format("%s:", source), own.place, sizeof own.place))
            found = format("%s", in.line);
        else if (!given.place[0] &&
                 complains(in.line, "common/contract/", given.place, sizeof given.place))
            sscanf(in.line + strlen(given.place), ": %511[^\n]", given.headline);
    }
    end_lines(&in);
    return found || !given.place[0] ? found : output_of(&given, source);
}

/* "SOURCE:71: ..." of the first line that names memory which this line has freed, and the judge still needs: the
 * caller's. NULL without one. */
static const char *freed_in(const char *log, const char *source)
{
    const char *freed = format(" has been freed at %s:", source), *found = NULL;
    struct lines in = lines_in(log);
    while (!found && next_line(&in)) {
        const char *place = strstr(in.line, freed);
        if (place)
            found = format("%s:%d: this frees memory that belongs to the caller: its input, or "
                           "what the result is left in; free only what the function has allocated",
                           source, atoi(place + strlen(freed)));
    }
    end_lines(&in);
    return found;
}

/* What the compiler said of a local variable that nobody has set, "FILE:LINE: 'sum' may be used uninitialized";
 * NULL where it said nothing like that of the student's file. Where a function of a header uses it, the line is
 * that of its declaration. */
static const char *unset_in(const char *message, const char *source)
{
    const char *begin = format("%s:", source), *warning = NULL, *found = NULL;
    struct lines in = lines_of(message);
    while (!found && next_line(&in)) {
        const char *text = strstr(in.line, " warning: "), *end = strstr(in.line, " [-W");
        if (text && end && strstr(end, "uninitialized]"))
            warning = format("%.*s", (int)(end - text - 10), text + 10);
        else if (text)
            warning = NULL;
        if (warning && begins_with(in.line, begin) &&
            (text || strstr(in.line, " was declared here")))
            found = format("%s%d: %s", begin, atoi(in.line + strlen(begin)), warning);
    }
    end_lines(&in);
    return found;
}

/* The same of the kernel, or of those of the chapter's operations. */
static const char *unset_local(const struct task *task)
{
    const char *found = unset_in(beside(task->suite.kept, "kernel.log"), task->source);
    for (char **message = matches(beside(task->suite.kept, "*/kernel.log")); !found && *message;
         message++)
        found = unset_in(*message, task->source);
    return found;
}

/* One sentence, of what is wrong. */
static const char *sentence_of(const struct task *task, const struct suite_test *failure,
                               const struct summary *sum)
{
    const char *report = sum->reported || sum->differs
                             ? report_in(failure->output, task->source, sum->reported)
                             : NULL;
    report = report ? report : complaint_in(failure->output, task->source);
    report = report ? report : freed_in(failure->output, task->source);
    if (report)
        return report;
    if (sum->message[0] && sum->another && sum->inputs > 0)
        return format("%s: %s, but by another technique than the one asked for: %s", task->source,
                      right_words(sum), sum->message);
    const char *unset = sum->message[0] && sum->wrong ? unset_local(task) : NULL;
    if (unset)
        return format("%s: a local variable holds rubbish until it is set; %s", unset,
                      sum->message);
    if (sum->message[0])
        return format("%s: %s", task->source, sum->message);
    return format("%s: the test %s %s", task->source, base_name(failure->name),
                  out_of_memory_ends() > task->short_before
                      ? "was ended by the system: out of memory"
                      : "ended without a word");
}

static void keep(const struct task *task, enum outcome outcome, const char *message)
{
    if (task->recorded)
        record_add(task->source, task->bins, outcome, message);
}

/* Prints the sentence: green for what is right, yellow where the technique is another, else red. */
static void conclude(enum outcome outcome, const char *sentence)
{
    static const char *const colors[OUTCOMES] = {RED, YELLOW, GREEN};
    print_in_color(colors[outcome], sentence);
    printf("\n");
}

static void print_failure(const struct task *task, const struct suite_test *failure,
                          const struct gaps *gaps)
{
    gaps_print(gaps, stdout);
    if (!failure) {
        conclude(OUTCOME_WRONG, format("%s: the suite ended before it had run a test: see %s.err",
                                       task->source, task->suite.kept));
        return;
    }
    const struct summary sum = sum_up(&task->suite);
    const char *sentence = sentence_of(task, failure, &sum);
    const bool another = sum.message[0] && sum.another && sum.inputs > 0;
    const enum outcome outcome = another ? OUTCOME_ANOTHER : OUTCOME_WRONG;
    keep(task, outcome, another ? sum.message : sentence);
    process_repeat(lines_in(failure->output), stdout);
    print_replay(task, &sum);
    print_trace(task);
    conclude(outcome, sentence);
}

/* What the kernel printed while it passed: the first lines of it. */
static void print_output(const struct suite_run *suite)
{
    unsigned long long shown = 0, more = 0, cut;
    FILE *all = open_text();
    for (size_t i = 0; i < suite->count; i++)
        process_repeat(lines_in(suite->tests[i].output), all);
    char *rest = close_text(all);
    for (char *line; (line = strsep(&rest, "\n")) && rest;)
        if (sscanf(line, "(and %llu more line", &cut) == 1)
            more += cut;
        else if (shown++ < SHOWN)
            printf("%s\n", line);
        else
            more++;
    if (more > 0)
        printf("(and %s more lines that it printed)\n", grouped(more));
}

/* Of the student's object, which lies in the kernel's folder. On a GPU it is in the suite itself, without
 * a program of its own, and has the names that nvcc gives it. */
static bool has_fine_names(const struct task *task)
{
    const char *suite = task->suite.kept;
    if (access(beside(suite, "kernel"), X_OK) != 0)
        return true;
    const char *wrong = wrong_names(beside(suite, "kernel.o"), task->chapter.contract.on_devices);
    if (wrong) {
        keep(task, OUTCOME_WRONG, wrong);
        conclude(OUTCOME_WRONG, wrong);
    }
    return !wrong;
}

/* Whether the student's file is the one that was compiled: in its folder lies a copy of that. */
static bool is_as_compiled(const struct task *task)
{
    const char *compiled = beside(task->suite.kept, "kernel.seen");
    if (!exists(compiled) || !exists(task->source) || same_content(compiled, task->source))
        return true;
    conclude(OUTCOME_WRONG,
             format("%s: has changed since it was compiled: make it once more", task->source));
    return false;
}

/* Ends the program when a setting of the suite that is a number is none. */
static void check_numbers(void)
{
    static const char *const settings[][2] = {{"DRAW", "DRAW"}, {"SEED", "SIM_SEED"}};
    uint64_t number;
    for (size_t i = 0; i < LENGTH(settings); i++)
        if (*chosen(settings[i][1]) && !read_number(chosen(settings[i][1]), &number))
            fail(1, "%s=%s is not a whole number", settings[i][0], chosen(settings[i][1]));
}

/* The number from which the suite draws inputs of its own: another in each run, unless it is
 * chosen. A message that depends on it names it. */
static void draw(void)
{
    uint16_t drawn;
    if (!*chosen("DRAW") && getrandom(&drawn, sizeof drawn, 0) == sizeof drawn)
        setenv("DRAW", format("%u", 1 + (unsigned int)drawn), 1);
}

/* Takes what begins with two dashes. Returns how many arguments that were. */
static int take_options(struct task *task, int count, char **arguments)
{
    int taken = 1;
    for (; taken < count && strncmp(arguments[taken], "--", 2) == 0; taken++)
        if (strcmp(arguments[taken], "--record") == 0)
            task->recorded = true;
        else if (strcmp(arguments[taken], "--jobs") == 0 && taken + 1 < count)
            task->suite.jobs = number_of(arguments[++taken]);
        else
            task->suite.jobs = 0;
    return taken - 1;
}

/* What the suite's tests come to. Returns the status. */
static int judge(struct task *task, const struct gaps *gaps)
{
    setenv("NUM_BINS", format("%u", task->bins), 1);
    setenv("JUDGE_SANDBOX", confine_how(), 1); /* found out once, not for each test */
    task->short_before = out_of_memory_ends();
    const struct suite_test *failure = suite_run_tests(&task->suite);
    suite_gather(&task->suite, failure);
    if (failure || task->suite.count == 0) {
        print_failure(task, failure, gaps);
        return 1;
    }
    const struct summary sum = sum_up(&task->suite);
    if (sum.inputs == 0) {
        conclude(OUTCOME_WRONG,
                 format("%s: no input was counted, so nothing is known of it", task->source));
        return 1;
    }
    if (!sum.unjudged)
        keep(task, OUTCOME_SOLVED, sum.technique);
    print_output(&task->suite);
    conclude(OUTCOME_SOLVED, praise_of(task, &sum));
    print_next_step(task);
    return 0;
}

/* As many tests at a time as there are cores; and one more, if there is memory, since each waits now and then until
 * the system has set up a process for its kernel. */
static unsigned int usual_jobs(void)
{
    enum { OF_A_JOB = 1 << 29 }; /* bytes: a kernel that asks for them, and its suite */
    const long cores = sysconf(_SC_NPROCESSORS_ONLN), pages = sysconf(_SC_PHYS_PAGES);
    const bool fit = pages / (cores + 1) >= OF_A_JOB / sysconf(_SC_PAGESIZE);
    return (unsigned int)(cores + fit);
}

/* The number of bins that a kernel was compiled for, which its folder is called after: "26" of 05_name/26. */
static unsigned int bins_of(const char *folder)
{
    uint64_t bins;
    return read_number(base_name(folder), &bins) && bins <= 256 ? (unsigned int)bins : 5;
}

/* The chapter of a kernel. Where no folder of its path is called as one, the suite's name tells. */
static struct chapter chapter_of(const char *source, const char *suite)
{
    struct chapter chapter = chapter_at(source);
    if (chapter.number == 0)
        chapter = chapter_at(base_name(suite));
    chapter.contract = contract_of(source);
    return chapter;
}

/* [--jobs N] [--record] SUITE SOURCE [FOLDER]
 *
 * SUITE    the program that judges a kernel
 * SOURCE   the file in which the student works, for its gaps; below further/, it is the exercise
 * FOLDER   with the kernel that SOURCE was compiled to, 05_name/26; without it SUITE is linked with that, and lies
 *          in such a folder
 *
 * N tests run at a time; without --jobs as usual_jobs() says, and more of ranks, which wait for each other
 * most of the time. What they printed up to the first that failed stays in FOLDER/test.out, what they told
 * (verdict_log.h) in FOLDER/test.log, or in SUITE.out and SUITE.log. Status 0 when all pass. With --record the
 * verdict is kept (student.h), unless nobody judges the technique here.
 * DRAW in the environment is the number from which this run's own inputs are drawn. */
int verdict_command(int count, char **arguments)
{
    enum { WHILE_RANKS_WAIT = 3 };
    struct task task = {.suite.jobs = usual_jobs()};
    const int options = take_options(&task, count, arguments);
    arguments += options;
    count -= options;
    if (count < 3 || count > 4 || task.suite.jobs == 0)
        fail(2, "usage: ladder verdict [--jobs N] [--record] SUITE SOURCE [FOLDER]");
    reaper_begin();
    task.suite.program = arguments[1];
    task.source = arguments[2];
    task.suite.kernel = count == 4 ? arguments[3] : NULL;
    const char *folder =
        format("%.*s", (int)(base_name(arguments[1]) - arguments[1]) - 1, arguments[1]);
    task.suite.kept = task.suite.kernel ? format("%s/test", task.suite.kernel) : arguments[1];
    task.suite.jobs *= is_for_ranks(task.source) ? WHILE_RANKS_WAIT : 1;
    task.chapter = chapter_of(task.source, task.suite.program);
    task.further = strstr(task.source, "/further/");
    task.bins = bins_of(task.suite.kernel ? task.suite.kernel : folder);
    check_numbers();
    draw();
    struct gaps gaps;
    const bool judged = may_run(&task, &gaps) && is_as_compiled(&task) && has_fine_names(&task);
    return judged ? judge(&task, &gaps) : 1;
}
