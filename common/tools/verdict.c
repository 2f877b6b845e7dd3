/* verdict.c - runs a chapter's suite and says what it means.
 *
 *     verdict [--jobs N] [--record] [--kernel FOLDER] SUITE SOURCE NUMBER BINS
 *
 * SUITE    the program that judges a kernel
 * FOLDER   with the kernel that SOURCE was compiled to; without it SUITE is linked with that
 * SOURCE   the file in which the student works, for its gaps; below further/, it is the exercise
 * NUMBER   of the chapter, and BINS, with which it was built
 *
 * N tests run at a time, as many as there are cores without --jobs. What they printed up to the
 * first that failed stays in FOLDER/test.out, what they told (facts.h) in FOLDER/test.facts, or
 * SUITE.out and SUITE.facts. Status 0 when
 * all pass. With --record the verdict is kept (desk/record.h), unless nobody
 * judges the technique here. DRAW in the environment is the number from which this run's own
 * inputs are drawn.
 *
 * The first line is one sentence: what is wrong and where, or what is right. What shows it follows,
 * and when that is long, the sentence stands at the end once more. */
#define _GNU_SOURCE
#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "by_operation.h"
#include "child.h"
#include "complaints.h"
#include "confine.h"
#include "gap_search.h"
#include "grouped.h"
#include "object_names.h"
#include "out_of_memory.h"
#include "reaper.h"
#include "record.h"
#include "suite_run.h"

enum { A_SCREEN = 8, SHOWN = 20 }; /* lines */

struct chapter {
    struct suite_run suite;
    const char *source;
    bool further; /* the exercise of the chapter, which has a folder of that name */
    bool recorded;
    unsigned int number, bins;
    uint64_t short_before; /* of memory: what the system had ended for it before the suite began */
};

/* What the facts amount to. */
struct summary {
    unsigned int inputs, fewest, most; /* schedules of an input */
    char technique[512];
    bool unjudged; /* nobody counts accesses here */
    bool another;  /* technique than is asked for: a counter tells, the bins were right */
    bool reported, raced;
    char said[512]; /* by the assertion that failed */
    char seed[32];  /* of the schedule that went wrong */
};

static void note_schedules(struct summary *sum, unsigned int schedules)
{
    if (sum->fewest == 0 || schedules < sum->fewest)
        sum->fewest = schedules;
    if (schedules > sum->most)
        sum->most = schedules;
}

static void read_fact(struct summary *sum, const char *fact)
{
    unsigned int schedules;
    if (strncmp(fact, "input ", 6) == 0)
        sum->inputs++;
    else if (sscanf(fact, "schedules %u", &schedules) == 1)
        note_schedules(sum, schedules);
    else if (strncmp(fact, "technique ", 10) == 0 && !sum->technique[0])
        snprintf(sum->technique, sizeof sum->technique, "%s", fact + 10);
    else if (strcmp(fact, "unjudged") == 0)
        sum->unjudged = true;
    else if (strcmp(fact, "failed counter") == 0)
        sum->another = true;
    else if (strncmp(fact, "caught ", 7) == 0) {
        sum->reported = true;
        sum->raced |= strncmp(fact + 7, "racecheck", 9) == 0;
    } else if (strncmp(fact, "said ", 5) == 0 && !sum->said[0])
        snprintf(sum->said, sizeof sum->said, "%s", fact + 5);
    else if (strncmp(fact, "seed ", 5) == 0)
        snprintf(sum->seed, sizeof sum->seed, "%s", fact + 5);
}

static struct summary sum_up(const struct suite_run *suite)
{
    struct summary sum = {.inputs = 0};
    char name[SUITE_PATH], *line = NULL;
    size_t room = 0;
    snprintf(name, sizeof name, "%s.facts", suite->kept);
    FILE *facts = fopen(name, "r");
    while (facts && getline(&line, &room, facts) > 0) {
        line[strcspn(line, "\n")] = '\0';
        read_fact(&sum, line);
    }
    free(line);
    if (facts)
        fclose(facts);
    return sum;
}

/* What to do next: the lesson and the test of the next chapter that there is. */
static void print_next_step(const struct chapter *chapter)
{
    glob_t lessons = {.gl_pathc = 0};
    unsigned int least = UINT_MAX;
    const char *next = NULL;
    glob("docs/[0-9]*_*.md", 0, NULL, &lessons);
    for (size_t i = 0; i < lessons.gl_pathc; i++) {
        unsigned int other = (unsigned int)strtoul(lessons.gl_pathv[i] + 5, NULL, 10);
        if (other > chapter->number && other < least) {
            least = other;
            next = lessons.gl_pathv[i];
        }
    }
    if (next)
        printf("next: %s, then make chapter%u test\n", next, least);
    else
        printf("next: make%s, which puts all chapters side by side\n",
               counts_on_many(chapter->source)  ? " PART=4"
               : reduces_array(chapter->source) ? " PART=3"
               : has_operation(chapter->source) ? " PART=2"
                                                : "");
    globfree(&lessons);
}

/* "right on 41 inputs x 4 schedules" */
static void print_right(const struct summary *sum, FILE *to)
{
    fprintf(to, "right on %u inputs", sum->inputs);
    if (sum->most > 1 && sum->fewest < sum->most)
        fprintf(to, " x %u to %u schedules", sum->fewest, sum->most);
    else if (sum->most > 1)
        fprintf(to, " x %u schedules", sum->most);
}

static void print_praise(const struct chapter *chapter, const struct summary *sum)
{
    printf("%s %u", chapter->further ? "further" : "chapter", chapter->number);
    if (chapter->bins != 5)
        printf(", %u bins", chapter->bins);
    printf(": ");
    print_right(sum, stdout);
    if (sum->unjudged)
        printf("; only the simulated GPU judges the technique");
    else if (sum->technique[0])
        printf(", and by its technique: %s", sum->technique);
    printf("\n");
}

/* A trace is of a chapter's kernel. */
static void print_trace(const struct chapter *chapter)
{
    const char *chosen = getenv("SIM_SEED");
    if (chapter->further)
        return;
    const char *operation = getenv("OPERATION"), *bins = getenv("KEY_BINS");
    printf("every step of it, as a page: make chapter%u%s trace", chapter->number,
           strncmp(chapter->source, "solutions/", 10) == 0 ? " solution" : "");
    if (chapter->bins != 5)
        printf(" BINS=%u", chapter->bins);
    if (operation && *operation)
        printf(" OPERATION=%s%s%s", operation, bins && *bins ? " BINS=" : "", bins ? bins : "");
    if (chosen && *chosen && strcmp(chosen, "1") != 0)
        printf(" SEED=%s", chosen);
    printf("\n");
}

static void print_replay(const struct chapter *chapter, const struct summary *sum)
{
    const char *chosen = getenv("SIM_SEED");
    if (!sum->raced || counts_on_many(chapter->source)) /* a replay shows races, and nothing else */
        return;
    printf("see it happen: make chapter%u%s%s replay SEED=%s", chapter->number,
           strncmp(chapter->source, "solutions/", 10) == 0 ? " solution" : "",
           chapter->further ? " further" : "",
           sum->seed[0]        ? sum->seed
           : chosen && *chosen ? chosen
                               : "1");
    if (chapter->bins != 5)
        printf(" BINS=%u", chapter->bins);
    printf("\n");
}

/* The gaps are looked at first. Returns false when nothing has been done yet, or a gap has no
 * end: what the suite says would be no news. */
static bool may_run(const struct chapter *chapter, struct gaps *gaps)
{
    *gaps = gaps_in(chapter->source, chapter->bins);
    bool untouched = gaps->count > 0 && gaps->empty == gaps->count;
    if (untouched || gaps->error)
        gaps_print(gaps, stdout);
    return !untouched && !gaps->error;
}

static void write_sentence(const struct chapter *chapter, const struct suite_test *failure,
                           const struct summary *sum, char *sentence, size_t size)
{
    if ((sum->reported && complaint_of_simulator(failure->output, sentence, size)) ||
        complaint_in(failure->output, chapter->source, sentence, size))
        return;
    const char *name = strchr(failure->name, '/');
    FILE *to = fmemopen(sentence, size, "w");
    if (!to)
        return;
    fprintf(to, "%s: ", chapter->source);
    if (sum->said[0] && sum->another && sum->inputs > 0) {
        print_right(sum, to);
        fprintf(to, ", but by another technique than the one asked for: %s", sum->said);
    } else if (sum->said[0])
        fputs(sum->said, to);
    else
        fprintf(to, "the test %s %s", name ? name + 1 : failure->name,
                out_of_memory_ends() > chapter->short_before
                    ? "was ended by the system: out of memory"
                    : "ended without a word");
    fclose(to);
}

static void keep(const struct chapter *chapter, enum outcome outcome, const char *said)
{
    if (chapter->recorded)
        record_add(chapter->source, chapter->bins, outcome, said);
}

static void print_failure(const struct chapter *chapter, const struct suite_test *failure,
                          const struct gaps *gaps)
{
    char sentence[1024];
    gaps_print(gaps, stdout);
    if (!failure) {
        printf("%s: the suite ended before it had run a test\n", chapter->source);
        return;
    }
    struct summary sum = sum_up(&chapter->suite);
    write_sentence(chapter, failure, &sum, sentence, sizeof sentence);
    if (sum.said[0] && sum.another && sum.inputs > 0)
        keep(chapter, OUTCOME_ANOTHER, sum.said);
    else
        keep(chapter, OUTCOME_WRONG, sentence);
    printf("%s\n", sentence);
    unsigned int lines = child_repeat(failure->output, stdout);
    print_replay(chapter, &sum);
    print_trace(chapter);
    if (lines > A_SCREEN)
        printf("%s\n", sentence);
}

/* What the kernel printed while it passed: the first lines of it. */
static void print_output(const struct suite_run *suite)
{
    char *text = NULL, *line, *rest;
    size_t size;
    unsigned long long shown = 0, more = 0, cut;
    FILE *all = open_memstream(&text, &size);
    for (size_t i = 0; all && i < suite->count; i++)
        child_repeat(suite->tests[i].output, all);
    if (!all || fclose(all) != 0)
        return;
    for (rest = text; (line = strsep(&rest, "\n")) && rest;)
        if (sscanf(line, "(and %llu more line", &cut) == 1)
            more += cut;
        else if (shown++ < SHOWN)
            printf("%s\n", line);
        else
            more++;
    if (more > 0)
        printf("(and %s more lines that it printed)\n", grouped(more));
    free(text);
}

/* The path of a file that lies in the kernel's folder. */
static void beside(const struct chapter *chapter, const char *name, char path[SUITE_PATH])
{
    const char *slash = strrchr(chapter->suite.kept, '/');
    int folder = slash ? (int)(slash - chapter->suite.kept) : 0;
    snprintf(path, SUITE_PATH, "%.*s/%s", folder, chapter->suite.kept, name);
}

/* Whether the function of its contract works on many devices, which host threads may feed. */
static bool has_many_devices(const struct chapter *chapter)
{
    const char *slash = strrchr(chapter->source, '/');
    return strcmp(slash ? slash + 1 : chapter->source, "many.cu") == 0;
}

/* Of the student's object, which lies in the kernel's folder. On a GPU it is in the suite itself, without
 * a program of its own, and has the names that nvcc gives it. */
static bool has_fine_names(const struct chapter *chapter)
{
    char object[SUITE_PATH], program[SUITE_PATH], sentence[1024];
    beside(chapter, "kernel.o", object);
    beside(chapter, "kernel", program);
    if (access(program, X_OK) != 0)
        return true;
    bool fine = names_are_fine(object, has_many_devices(chapter), sentence, sizeof sentence);
    if (!fine) {
        keep(chapter, OUTCOME_WRONG, sentence);
        printf("%s\n", sentence);
    }
    return fine;
}

/* Whether the student's file is the one that was compiled: in its folder lies a copy of that. */
static bool is_as_compiled(const struct chapter *chapter)
{
    char path[SUITE_PATH], one[4096], other[4096];
    beside(chapter, "kernel.seen", path);
    FILE *compiled = fopen(path, "r"), *now = fopen(chapter->source, "r");
    bool same = true;
    for (size_t length = 1; compiled && now && same && length > 0;) {
        length = fread(one, 1, sizeof one, compiled);
        same = fread(other, 1, sizeof other, now) == length && memcmp(one, other, length) == 0;
    }
    if (compiled)
        fclose(compiled);
    if (now)
        fclose(now);
    if (!same)
        printf("%s: has changed since it was compiled: make it once more\n", chapter->source);
    return same;
}

/* The number from which the suite draws inputs of its own: another in each run, unless it is
 * chosen. A message that depends on it names it. */
static void draw(void)
{
    const char *chosen = getenv("DRAW");
    char number[16];
    uint16_t drawn;
    if ((chosen && *chosen) || getrandom(&drawn, sizeof drawn, 0) != sizeof drawn)
        return;
    snprintf(number, sizeof number, "%u", 1 + (unsigned int)drawn);
    setenv("DRAW", number, 1);
}

static unsigned int whole(const char *text)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || number > UINT_MAX) {
        fprintf(stderr, "verdict: %s is not a whole number\n", text);
        exit(2);
    }
    return (unsigned int)number;
}

/* Takes what begins with two dashes. Returns how many arguments that were. */
static int take_options(struct chapter *chapter, int count, char **arguments)
{
    int taken = 1;
    for (; taken < count && strncmp(arguments[taken], "--", 2) == 0; taken++)
        if (strcmp(arguments[taken], "--record") == 0)
            chapter->recorded = true;
        else if (strcmp(arguments[taken], "--jobs") == 0 && taken + 1 < count)
            chapter->suite.jobs = whole(arguments[++taken]);
        else if (strcmp(arguments[taken], "--kernel") == 0 && taken + 1 < count)
            chapter->suite.kernel = arguments[++taken];
        else
            chapter->suite.jobs = 0;
    return taken - 1;
}

/* With what the names of the suite's files begin. */
static const char *kept_in(const char *folder, const char *program)
{
    static char path[SUITE_PATH / 2];
    snprintf(path, sizeof path, "%s/test", folder ? folder : "");
    return folder ? path : program;
}

int main(int count, char **arguments)
{
    struct chapter chapter = {.suite.jobs = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN)};
    int options = take_options(&chapter, count, arguments);
    arguments += options;
    if (count - options != 5 || chapter.suite.jobs == 0) {
        fprintf(stderr, "usage: verdict [--jobs N] [--record] [--kernel FOLDER] SUITE SOURCE NUMBER BINS\n");
        return 2;
    }
    reaper_begin(0);
    chapter.suite.program = arguments[1];
    chapter.suite.kept = kept_in(chapter.suite.kernel, arguments[1]);
    chapter.source = arguments[2];
    chapter.further = strstr(chapter.source, "/further/");
    chapter.number = whole(arguments[3]);
    chapter.bins = whole(arguments[4]);
    draw();
    struct gaps gaps;
    if (!may_run(&chapter, &gaps) || !is_as_compiled(&chapter) || !has_fine_names(&chapter))
        return 1;
    setenv("JUDGE_SANDBOX", confine_how(), 1); /* found out once, not for each test */
    chapter.short_before = out_of_memory_ends();
    suite_list(&chapter.suite);
    const struct suite_test *failure = suite_run_tests(&chapter.suite);
    suite_gather(&chapter.suite, failure);
    if (failure || chapter.suite.count == 0) {
        print_failure(&chapter, failure, &gaps);
        return 1;
    }
    struct summary sum = sum_up(&chapter.suite);
    if (sum.inputs == 0) {
        printf("%s: no input was counted, so nothing is known of it\n", chapter.source);
        return 1;
    }
    if (!sum.unjudged)
        keep(&chapter, OUTCOME_SOLVED, sum.technique);
    print_praise(&chapter, &sum);
    print_output(&chapter.suite);
    print_next_step(&chapter);
    return 0;
}
