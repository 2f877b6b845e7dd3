/* trace.c - makes the page that shows every step of a kernel on a small input.
 *
 *     trace PAGE SOURCE NUMBER NAME BINS SUITE right|wrong VERDICT [INPUT]
 *
 * PAGE     the HTML file; a text that is counted goes beside it
 * SOURCE   the kernel's file, NUMBER and NAME of its chapter, BINS for which gaps are looked for
 * SUITE    the program that judged it, for its facts; VERDICT is a file: what the judge said
 * INPUT    a file that the program input wrote; without it one is chosen that shows the kernel's
 *          story, or when it is wrong the smallest on which it is seen
 *
 * SIM_SEED is the schedule. Prints the page's name. Status 1 when there is none. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "grouped.h"
#include "story.h"
#include "trial.h"

enum { LONGEST = 64 << 10 /* bytes */, FINE_PAGE = 400 * 1000 };

/* What the command line says. */
struct task {
    const char *page, *source, *number, *name, *suite, *verdict, *input;
    unsigned int bins;
    bool right;
    bool another; /* technique than the one asked for: the bins are right */
    struct wanted wanted;
    char command[400];
};

/* An input on its way to the page. */
struct choice {
    struct trial trial;
    struct outcome outcome;
    struct recording *recording;
    bool compact; /* without the barriers and the ends of idle blocks */
};

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

static void forget(struct choice *choice)
{
    trial_forget(choice->recording);
    outcome_free(&choice->outcome);
    traced_free(&choice->trial.input);
}

/* Blocks that read the input: two, or two of each device. */
static bool shows_enough(const struct choice *choice)
{
    const unsigned int devices = choice->trial.input.devices;
    return recording_readers(choice->recording) >= (devices > 1 ? devices : 2);
}

/* An input on which two blocks have something to do, where a page of it does not get large; else
 * the shortest. */
static struct choice choose_story(const struct task *task)
{
    struct choice best = {.recording = NULL};
    struct traced_input input;
    for (size_t i = 0; traced.tale(i, &input); i++) {
        struct choice now = {.trial = {.input = input, .seed = sim_seed()}};
        record(&now);
        const bool enough = shows_enough(&now);
        const bool large = best.recording && size_of(&now, task) > FINE_PAGE;
        const bool better = !best.recording || (enough && !large);
        if (better && best.recording)
            forget(&best);
        if (better)
            best = now;
        else
            forget(&now);
        if (enough || large || traced_in_plain_c())
            break;
    }
    return best;
}

static struct choice choose_given(const struct task *task)
{
    struct shape of_input, of_output;
    struct choice choice = {.trial.seed = sim_seed()};
    traced.shapes(&of_input, &of_output);
    traced.read(task->input, &choice.trial.input);
    if (choice.trial.input.length > LONGEST / of_input.bytes) {
        fprintf(stderr,
                "%s %ss are too many for a page that shows every step: with %s or "
                "fewer there is one; SIZE=4K takes so many\n",
                grouped(choice.trial.input.length), traced.unit, grouped(LONGEST / of_input.bytes));
        exit(1);
    }
    record(&choice);
    return choice;
}

/* The smallest failing input, or, when none is found, the story. */
static struct choice choose_failing(const struct task *task, struct story *story)
{
    struct failing failing;
    if (!failing_find(&task->wanted, sim_seed(), &failing)) {
        snprintf(story->note, sizeof story->note,
                 "no short %s shows what the judge found; here the kernel is on one where it "
                 "is right",
                 traced.counts_text ? "text" : "input");
        return choose_story(task);
    }
    const size_t length = failing.trial.input.length;
    failing_shrink(&failing);
    if (failing.trial.input.length < length)
        snprintf(story->shrunk, sizeof story->shrunk, "from %s %ss of %s to %s", grouped(length),
                 traced.unit, failing.trial.input.name, grouped(failing.trial.input.length));
    outcome_free(&failing.outcome);
    struct choice choice = {.trial = failing.trial};
    record(&choice);
    return choice;
}

/* What the suite's facts say of a failure. */
static void read_fact(struct task *task, const char *fact)
{
    if (strcmp(fact, "failed bins") == 0 || strcmp(fact, "failed result") == 0)
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
        snprintf(setting, sizeof setting, " %s", input);
        add(command, size, setting);
    }
    traced.settings(setting + 1, sizeof setting - 1);
    setting[0] = ' ';
    if (setting[1])
        add(command, size, setting);
    if (seed != 1) {
        snprintf(setting, sizeof setting, " SEED=%llu", (unsigned long long)seed);
        add(command, size, setting);
    }
}

static bool write_text(const struct trial *trial, struct story *story, const char *page)
{
    const char *dot = strrchr(page, '.');
    const struct traced_input *input = &trial->input;
    if (!traced.counts_text)
        return true;
    snprintf(story->text_file, sizeof story->text_file, "%.*s.txt",
             dot ? (int)(dot - page) : (int)strlen(page), page);
    FILE *file = fopen(story->text_file, "w");
    bool fine = file && fwrite(input->units, 1, input->length, file) == input->length;
    if (file && fclose(file) != 0)
        fine = false;
    if (!fine)
        fprintf(stderr, "cannot write %s: %s\n", story->text_file, strerror(errno));
    return fine;
}

/* "3 histograms, ", "2 devices, ", and how many units an input has. */
static void describe_size(const struct traced_input *input, char *text, size_t size)
{
    char rows[64] = "", bins[64] = "", devices[64] = "";
    const size_t batch = input->batch > 0 ? input->batch : 1;
    if (input->batch > 0)
        snprintf(rows, sizeof rows, "%zu x ", input->batch);
    if (input->before && input->outputs > 1)
        snprintf(bins, sizeof bins, ", %zu bin%s", input->outputs / batch,
                 input->outputs / batch == 1 ? "" : "s");
    if (traced.on_devices)
        snprintf(devices, sizeof devices, ", %u device%s", input->devices,
                 input->devices == 1 ? "" : "s");
    snprintf(text, size, "%s%s %s%s%s%s", rows, grouped(input->length / batch), traced.unit,
             input->length / batch == 1 ? "" : "s", bins, devices);
}

/* The command that prints the sums of the page. */
static void find_profile(const struct task *task, const struct trial *trial, struct story *story)
{
    const struct traced_input *input = &trial->input;
    char again[300];
    const bool is_text = traced.counts_text && !traced.on_devices;
    if (input->misalignment > 0 || input->calls > 1 || trial->blocks > 0 || input->length == 0 ||
        traced_in_plain_c() || (!is_text && !input->drawn[0]))
        return;
    snprintf(again, sizeof again, "%s%s", is_text ? "INPUT=" : "",
             is_text ? story->text_file : input->drawn);
    write_command(task, "profile", again, trial->seed, story->profile, sizeof story->profile);
}

static void describe(const struct task *task, const struct trial *trial, struct story *story)
{
    const struct traced_input *input = &trial->input;
    char more[96];
    describe_size(input, story->input, sizeof story->input);
    if (input->misalignment > 0) {
        snprintf(more, sizeof more, ", %zu %s%s after a multiple of 256%s", input->misalignment,
                 traced.counts_text ? "byte" : traced.unit, input->misalignment == 1 ? "" : "s",
                 traced.counts_text ? "" : " bytes");
        add(story->input, sizeof story->input, more);
    }
    if (input->calls > 1)
        add(story->input, sizeof story->input, ", two calls");
    if (trial->blocks > 0) {
        snprintf(more, sizeof more, ", in a grid of %u block%s", trial->blocks,
                 trial->blocks == 1 ? "" : "s");
        add(story->input, sizeof story->input, more);
    }
    snprintf(more, sizeof more, ", schedule of seed %llu", (unsigned long long)trial->seed);
    add(story->input, sizeof story->input, more);
    find_profile(task, trial, story);
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
    struct choice choice = task->input                    ? choose_given(task)
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
    if (traced.limits && *traced.limits()) {
        add(story.note, sizeof story.note, story.note[0] ? "; " : "");
        add(story.note, sizeof story.note, traced.limits());
    }
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
    if (count != 9 && count != 10) {
        fprintf(stderr,
                "usage: trace PAGE SOURCE NUMBER NAME BINS SUITE right|wrong VERDICT [INPUT]\n");
        return 2;
    }
    struct task task = {.page = arguments[1],
                        .source = arguments[2],
                        .number = arguments[3],
                        .name = arguments[4],
                        .bins = (unsigned int)atoi(arguments[5]),
                        .suite = arguments[6],
                        .right = strcmp(arguments[7], "right") == 0,
                        .verdict = arguments[8],
                        .input = count == 10 ? arguments[9] : NULL};
    char place[64];
    sim_locate((uintptr_t)main, place, sizeof place); /* once, and not in each trial */
    read_facts(&task);
    return make_page(&task);
}
