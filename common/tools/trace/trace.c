/* trace.c - makes the page that shows every step of a kernel on a small text.
 *
 *     trace PAGE SOURCE NUMBER NAME SUITE right|wrong VERDICT [TEXT]
 *
 * PAGE     the HTML file; the text that is counted goes beside it
 * SOURCE   the kernel's file, NUMBER and NAME of its chapter
 * SUITE    the program that judged it, for its facts; VERDICT is a file: what the judge said
 * TEXT     a file that input wrote; without it the text is chosen: one that shows the kernel's
 *          story, or when it is wrong the smallest on which it is seen
 *
 * SIM_SEED is the schedule. Prints the page's name. Status 1 when there is none. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "failing.h"
#include "gap_search.h"
#include "grouped.h"
#include "story.h"
#include "text.h"

enum { LONGEST = 64 << 10, FINE_PAGE = 400 * 1000 };

/* What the command line says. */
struct task {
    const char *page, *source, *number, *name, *suite, *verdict, *text;
    bool right;
    bool another; /* technique than the one asked for: the bins are right */
    struct wanted wanted;
    char command[128];
};

/* An input on its way to the page. */
struct choice {
    struct trial trial;
    struct outcome outcome;
    struct recording *recording;
    bool compact; /* without the barriers and the ends of idle blocks */
};

static const char tale[] =
    "many hands make light work, and many threads make a histogram; but two of them must not "
    "add to one bin at the same moment. so they take turns, or each keeps a tally of its own and "
    "they add those up at the end. which way is best depends on where the tally lies, how far "
    "away that is, and how many want the same line at once. ";

static void record(struct choice *choice)
{
    choice->recording = trial_recording();
    trial_run(&choice->trial, &choice->outcome, choice->recording);
    choice->compact = recording_compact(choice->recording);
}

/* About what the steps of a recording take in a page. */
static size_t page_bytes(const struct story *story)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return 0;
    story_write(story, INT_MAX, file);
    fclose(file);
    free(text);
    return size;
}

static size_t size_of(const struct choice *choice, const struct task *task)
{
    struct story story = {.source = task->source,
                          .number = task->number,
                          .name = task->name,
                          .command = "",
                          .words = "",
                          .trial = &choice->trial,
                          .outcome = &choice->outcome,
                          .recording = choice->recording};
    return page_bytes(&story);
}

/* A text on which two blocks have something to do, where a page of it does not get large; else
 * the shortest. */
static struct choice choose_story(const struct task *task)
{
    static const size_t lengths[] = {640, 1280, 2400, 4200, 8300};
    struct choice best = {.recording = NULL};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct text text = text_from("a tale", tale, sizeof tale - 1);
        text_resize(&text, lengths[i]);
        struct choice now = {
            .trial = {.text = text.bytes, .length = text.length, .seed = sim_seed(), .calls = 1}};
        record(&now);
        size_t blocks = recording_readers(now.recording);
        bool large = best.recording && size_of(&now, task) > FINE_PAGE;
        if (!best.recording || (blocks > 1 && !large)) {
            if (best.recording)
                trial_forget(best.recording);
            best = now;
        } else {
            trial_forget(now.recording);
        }
        if (blocks > 1 || large || is_plain_c())
            break;
    }
    return best;
}

static struct choice choose_given(const struct task *task)
{
    struct text text = text_read_input((char *)(uintptr_t)task->text);
    if (text.length > LONGEST) {
        fprintf(stderr,
                "%s characters are too many for a page that shows every step: with %s or "
                "fewer there is one; SIZE=4K cuts the text\n",
                grouped(text.length), grouped(LONGEST));
        exit(1);
    }
    struct choice choice = {
        .trial = {.text = text.bytes, .length = text.length, .seed = sim_seed(), .calls = 1}};
    record(&choice);
    return choice;
}

/* The smallest failing input, or, when none is found, the story. */
static struct choice choose_failing(const struct task *task, struct story *story)
{
    struct failing failing;
    if (!failing_find(&task->wanted, sim_seed(), &failing)) {
        snprintf(story->note, sizeof story->note,
                 "no short text shows what the judge found; here the kernel is on one that it "
                 "counts right");
        return choose_story(task);
    }
    size_t length = failing.trial.length;
    failing_shrink(&failing);
    if (failing.trial.length < length)
        snprintf(story->shrunk, sizeof story->shrunk, "from %s characters of %s to %s",
                 grouped(length), failing.what, grouped(failing.trial.length));
    struct choice choice = {.trial = failing.trial};
    record(&choice);
    return choice;
}

/* What the suite's facts say of a failure. */
static void read_fact(struct task *task, const char *fact)
{
    if (strcmp(fact, "failed bins") == 0)
        task->wanted.kind = WRONG_BINS;
    else if (strcmp(fact, "failed stopped") == 0 && task->wanted.kind == RIGHT)
        task->wanted.kind = REFUSED;
    else if (!task->wanted.check[0] && sscanf(fact, "caught %23s", task->wanted.check) == 1)
        task->wanted.kind = REPORTED;
    else if (strcmp(fact, "failed counter") == 0)
        task->another = true;
}

static void read_facts(struct task *task)
{
    char path[4096], *line = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "%s.facts", task->suite);
    FILE *facts = fopen(path, "r");
    while (facts && getline(&line, &room, facts) > 0) {
        line[strcspn(line, "\n")] = '\0';
        read_fact(task, line);
    }
    free(line);
    if (facts)
        fclose(facts);
}

/* The judge's words, the first so many lines, without what a page cannot do. To be freed. */
static char *read_verdict(const char *path, int lines)
{
    char *words = NULL, *line = NULL;
    size_t size = 0, room = 0;
    FILE *verdict = fopen(path, "r"), *out = open_memstream(&words, &size);
    while (out && verdict && lines-- > 0 && getline(&line, &room, verdict) > 0)
        if (strncmp(line, "next: ", 6) != 0 && strncmp(line, "see it happen: ", 15) != 0 &&
            strncmp(line, "every step of it", 16) != 0)
            fputs(line, out);
    free(line);
    if (verdict)
        fclose(verdict);
    if (out)
        fclose(out);
    return words;
}

static void add(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", more);
}

/* "make chapter5 solution trace BINS=26 SEED=3", or with another goal. */
static void write_command(const struct task *task, const char *goal, const char *input,
                          uint64_t seed, char *command, size_t size)
{
    char setting[300];
    snprintf(command, size, "make chapter%s%s%s %s", task->number,
             strncmp(task->source, "solutions/", 10) == 0 ? " solution" : "",
             strstr(task->source, "/further/") ? " further" : "", goal);
    if (*input) {
        snprintf(setting, sizeof setting, " INPUT=%s", input);
        add(command, size, setting);
    }
    if (NUM_BINS != 5) {
        snprintf(setting, sizeof setting, " BINS=%d", NUM_BINS);
        add(command, size, setting);
    }
    if (seed != 1) {
        snprintf(setting, sizeof setting, " SEED=%llu", (unsigned long long)seed);
        add(command, size, setting);
    }
}

/* Where nothing has been done yet there is nothing to show: says what the judge says. */
static bool is_untouched(const struct task *task)
{
    struct gaps gaps = gaps_in(task->source, NUM_BINS);
    bool untouched = gaps.error || (gaps.count > 0 && gaps.empty == gaps.count);
    if (untouched)
        gaps_print(&gaps, stderr);
    gaps_free(&gaps);
    return untouched;
}

static bool write_text(const struct trial *trial, struct story *story, const char *page)
{
    const char *dot = strrchr(page, '.');
    snprintf(story->text_file, sizeof story->text_file, "%.*s.txt",
             dot ? (int)(dot - page) : (int)strlen(page), page);
    FILE *file = fopen(story->text_file, "w");
    bool fine = file && fwrite(trial->text, 1, trial->length, file) == trial->length;
    if (file && fclose(file) != 0)
        fine = false;
    if (!fine)
        fprintf(stderr, "cannot write %s: %s\n", story->text_file, strerror(errno));
    return fine;
}

static void describe(const struct task *task, const struct trial *trial, struct story *story)
{
    char more[96];
    snprintf(story->input, sizeof story->input, "%s character%s", grouped(trial->length),
             trial->length == 1 ? "" : "s");
    if (trial->misalignment > 0) {
        snprintf(more, sizeof more, ", %zu byte%s after a multiple of 256", trial->misalignment,
                 trial->misalignment == 1 ? "" : "s");
        add(story->input, sizeof story->input, more);
    }
    if (trial->calls > 1)
        add(story->input, sizeof story->input, ", two calls");
    if (trial->blocks > 0) {
        snprintf(more, sizeof more, ", in a grid of %u block%s", trial->blocks,
                 trial->blocks == 1 ? "" : "s");
        add(story->input, sizeof story->input, more);
    }
    snprintf(more, sizeof more, ", schedule of seed %llu", (unsigned long long)trial->seed);
    add(story->input, sizeof story->input, more);
    if (trial->misalignment == 0 && trial->calls == 1 && trial->blocks == 0 && trial->length > 0 &&
        !is_plain_c())
        write_command(task, "profile", story->text_file, trial->seed, story->profile,
                      sizeof story->profile);
}

static void print_name(const char *page)
{
    char *path = realpath(page, NULL);
    printf("%s\n", page);
    if (path)
        printf("open it in a browser: file://");
    for (const char *c = path; c && *c; c++)
        if (*c > ' ' && *c < 127 && !strchr("%#?\"<>", *c))
            putchar(*c);
        else
            printf("%%%02X", (unsigned char)*c);
    if (path)
        putchar('\n');
    free(path);
}

static int make_page(struct task *task)
{
    struct story story = {.source = task->source,
                          .number = task->number,
                          .name = task->name,
                          .command = task->command,
                          .right = task->right,
                          .another = !task->right && task->another};
    struct choice choice = task->text                     ? choose_given(task)
                           : task->right || task->another ? choose_story(task)
                                                          : choose_failing(task, &story);
    write_command(task, "trace", "", sim_seed(), task->command, sizeof task->command);
    /* What is seen to fail has a report of its own, of the text that is shown. */
    char *words = read_verdict(task->verdict, choice.outcome.kind == RIGHT ? INT_MAX : 1);
    story.words = words ? words : "";
    story.trial = &choice.trial;
    story.outcome = &choice.outcome;
    story.recording = choice.recording;
    if (choice.outcome.kind != RIGHT)
        story.right = false;
    if (choice.compact && !story.note[0])
        snprintf(story.note, sizeof story.note,
                 "most blocks of this grid read nothing: their barriers and ends are left out");
    if (!write_text(&choice.trial, &story, task->page))
        return 1;
    describe(task, &choice.trial, &story);
    if (!story_page(&story, task->page))
        return 1;
    printf("%s", story.words);
    print_name(task->page);
    free(words);
    return 0;
}

int main(int count, char **arguments)
{
    if (count != 8 && count != 9) {
        fprintf(stderr, "usage: trace PAGE SOURCE NUMBER NAME SUITE right|wrong VERDICT [TEXT]\n");
        return 2;
    }
    struct task task = {.page = arguments[1],
                        .source = arguments[2],
                        .number = arguments[3],
                        .name = arguments[4],
                        .suite = arguments[5],
                        .right = strcmp(arguments[6], "right") == 0,
                        .verdict = arguments[7],
                        .text = count == 9 ? arguments[8] : NULL};
    if (is_untouched(&task))
        return 1;
    char place[64];
    sim_locate((uintptr_t)main, place, sizeof place); /* once, and not in each trial */
    read_facts(&task);
    return make_page(&task);
}
