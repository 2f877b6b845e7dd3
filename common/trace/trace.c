/* trace.c - makes the page that shows every step of a kernel on a small input.
 *
 *     trace PAGE SOURCE NUMBER NAME SUITE right|wrong VERDICT [INPUT]
 *
 * PAGE     the HTML file; a text that is counted goes beside it
 * SOURCE   the kernel's file, NUMBER and NAME of its chapter
 * SUITE    the program that judged it, for its entries; VERDICT is a file: what the judge said
 * INPUT    a file that the program input wrote; without it one is chosen that shows the kernel's
 *          story, or when it is wrong the smallest on which it is seen
 *
 * SIM_SEED is the schedule. Prints the page's name. Status 1 when there is none. */
#define _GNU_SOURCE
#include "contract.h"
#include "trace.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "verdict_log.h"
#include "grouped.h"
#include "util.h"

enum { LONGEST = 64 << 10 /* bytes */, FINE_PAGE = 400 * 1000 };

/* What the command line says. */
struct task {
    const char *page, *source, *number, *name, *verdict, *input;
    bool right;
    bool another; /* technique than the one asked for: the bins are right */
    struct wanted wanted;
};

/* An input on its way to the page. */
struct choice {
    struct trial trial;
    struct trial_outcome outcome;
    struct recording *recording;
    bool compact; /* without the barriers and the ends of idle blocks */
};

static void record(struct choice *choice)
{
    choice->recording = trial_recording();
    trial_run(&choice->trial, &choice->outcome, choice->recording);
    choice->compact = recording_compact(choice->recording);
}

/* About what the steps of a recording take in a page: bytes. */
static size_t page_bytes(const struct choice *choice, const struct task *task)
{
    const struct story story = {.source = task->source,
                                .number = task->number,
                                .name = task->name,
                                .trial = &choice->trial,
                                .outcome = &choice->outcome,
                                .recording = choice->recording};
    FILE *file = open_text();
    story_write(&story, INT_MAX, file);
    char *text = close_text(file);
    const size_t bytes = strlen(text);
    free(text);
    return bytes;
}

static void forget(struct choice *choice)
{
    trial_forget(choice->recording);
    outcome_free(&choice->outcome);
    input_free(&choice->trial.input);
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
    struct input input;
    for (size_t i = 0; traced_tale(i, &input); i++) {
        struct choice current = {.trial = {.input = input, .seed = sim_seed()}};
        record(&current);
        const bool enough = shows_enough(&current);
        const bool large = best.recording && page_bytes(&current, task) > FINE_PAGE;
        const bool better = !best.recording || (enough && !large);
        if (better && best.recording)
            forget(&best);
        if (better)
            best = current;
        else
            forget(&current);
        if (enough || large || traced_in_plain_c())
            break;
    }
    return best;
}

static struct choice choose_given(const struct task *task)
{
    struct shape of_input, of_output;
    struct choice choice = {.trial.seed = sim_seed()};
    traced_shapes(&of_input, &of_output);
    choice.trial.input = traced_read(task->input);
    if (choice.trial.input.length > LONGEST / of_input.bytes)
        fail(1,
             "%s %ss are too many for a page that shows every step: with %s or fewer there is one; "
             "SIZE=4K takes so many",
             grouped(choice.trial.input.length), traced_contract()->words.unit,
             grouped(LONGEST / of_input.bytes));
    record(&choice);
    return choice;
}

/* The smallest failing input, or, when none is found, the story. */
static struct choice choose_failing(const struct task *task, struct story *story)
{
    struct failing failing;
    if (!failing_find(&task->wanted, sim_seed(), &failing)) {
        story->note = format(
            "no short %s shows what the judge found; here the kernel is on one where it is right",
            traced_counts_text() ? "text" : "input");
        return choose_story(task);
    }
    const size_t length = failing.trial.input.length;
    failing_shrink(&failing);
    if (failing.trial.input.length < length)
        story->shrunk =
            format("from %s %ss of %s to %s", grouped(length), traced_contract()->words.unit,
                   failing.trial.input.name, grouped(failing.trial.input.length));
    outcome_free(&failing.outcome);
    struct choice choice = {.trial = failing.trial};
    record(&choice);
    return choice;
}

/* What the suite's entries say of a failure. */
static void read_entry(struct task *task, const char *entry)
{
    if (is_of_outputs(entry))
        task->wanted.kind = WRONG_BINS;
    else if (strcmp(entry, "failed stopped") == 0 && task->wanted.kind == RIGHT)
        task->wanted.kind = STOPPED;
    else if (!task->wanted.check[0] && sscanf(entry, "caught %23s", task->wanted.check) == 1)
        task->wanted.kind = REPORTED;
    else if (strcmp(entry, "failed counter") == 0)
        task->another = true;
}

/* The judge's words without what a page cannot do: all, or the sentence alone, which comes last. */
static const char *read_verdict(const char *path, bool all)
{
    FILE *words = open_text();
    const char *sentence = "";
    for (struct lines in = lines_of(path); next_line(&in);) {
        if (begins_with(in.line, "next: ") || begins_with(in.line, "every step of it") ||
            begins_with(in.line, "see it happen"))
            continue;
        sentence = format("%s\n", in.line);
        if (all)
            fputs(sentence, words);
    }
    if (!all)
        fputs(sentence, words);
    return close_text(words);
}

/* "make chapter5 solution trace BINS=26 SEED=3", or with another goal. */
static const char *command_of(const struct task *task, const char *goal, const char *input,
                              uint64_t seed)
{
    char settings[300] = "";
    traced_settings(settings, sizeof settings);
    return format("make chapter%s%s%s %s%s%s%s%s%s", task->number,
                  begins_with(task->source, "solutions/") ? " solution" : "",
                  strstr(task->source, "/further/") ? " further" : "", goal, *input ? " " : "",
                  input, *settings ? " " : "", settings,
                  seed == 1 ? "" : format(" SEED=%llu", (unsigned long long)seed));
}

/* A text that is counted, as a file beside the page. Returns its name, or "". */
static const char *write_text_file(const struct input *input, const char *page)
{
    if (!traced_counts_text())
        return "";
    const char *dot = strrchr(page, '.'),
               *name = format("%.*s.txt", dot ? (int)(dot - page) : (int)strlen(page), page);
    if (!replace_file(name, (const char *)input->elements, input->length))
        fail(1, "cannot write %s: %s", name, strerror(errno));
    return name;
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* "3 histograms, ", "2 devices, ", and how many units an input has. */
static const char *describe_size(const struct input *input)
{
    const size_t batch = input->batch > 0 ? input->batch : 1, length = input->length / batch,
                 bins = input->num_bins / batch;
    return format(
        "%s%s %s%s%s%s", input->batch > 0 ? format("%zu x ", batch) : "", grouped(length),
        traced_contract()->words.unit, plural(length),
        input->bins && input->num_bins > 1 && !traced_counts_text()
            ? format(", %zu bin%s", bins, plural(bins))
            : "",
        traced_on_devices() ? format(", %u device%s", input->devices, plural(input->devices)) : "");
}

/* The command that prints the sums of the page; or "". */
static const char *profile_of(const struct task *task, const struct trial *trial,
                              const char *text_file)
{
    const struct input *input = &trial->input;
    const bool is_text = traced_counts_text() && !traced_on_devices();
    if (input->misalignment > 0 || input->calls > 1 || trial->blocks > 0 || input->length == 0 ||
        traced_in_plain_c() || (!is_text && !input->drawn[0]))
        return "";
    return command_of(task, "profile", is_text ? format("INPUT=%s", text_file) : input->drawn,
                      trial->seed);
}

/* The input in words. */
static const char *describe(const struct trial *trial)
{
    const struct input *input = &trial->input;
    const char *words = describe_size(input);
    if (input->misalignment > 0)
        words = format("%s, %zu %s%s after a multiple of 256%s", words, input->misalignment,
                       traced_counts_text() ? "byte" : traced_contract()->words.unit,
                       plural(input->misalignment), traced_counts_text() ? "" : " bytes");
    if (input->calls > 1)
        words = format("%s, two calls", words);
    if (trial->blocks > 0)
        words = format("%s, in a grid of %u block%s", words, trial->blocks, plural(trial->blocks));
    return format("%s, schedule of seed %llu", words, (unsigned long long)trial->seed);
}

static void print_page_name(const char *page)
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

/* What the reader should know besides. */
static const char *note_of(const struct choice *choice, const char *note)
{
    if (choice->compact && !*note)
        note = "most blocks of this grid read nothing: their barriers and ends are left out";
    return note;
}

#define PARTS "common/trace/page/"

enum { MOST = 1990 * 1000, SLACK = 16 * 1024 }; /* bytes of a page; of what may follow a step */

static const char *part_named(const char *name)
{
    size_t length;
    const char *path = format(PARTS "%s", name), *text = read_file(path, &length);
    if (!text)
        fail(1, "cannot read %s: %s: run this in the folder of the course", path, strerror(errno));
    return text;
}

/* A line of the template: it may stand for a file, "<!--INLINE page.css-->", for the trace or the title. */
static void put_line(FILE *out, const struct story *story, const char *line, const char *trace)
{
    char name[32];
    if (sscanf(line, "<!--INLINE %31[a-z_.]-->", name) == 1) {
        const char *element = ends_with(name, ".css") ? "style" : "script";
        fprintf(out, "<%s>\n%s</%s>\n", element, part_named(name), element);
    } else if (strcmp(line, "<!--TRACE-->") == 0) {
        fprintf(out, "<script type=\"application/json\" id=\"trace\">\n%s</script>\n", trace);
    } else if (strcmp(line, "<!--TITLE-->") == 0) {
        fprintf(out, "<title>Chapter %s, %s, step by step</title>\n", story->number, story->name);
    } else {
        fprintf(out, "%s\n", line);
    }
}

/* The page with this trace. */
static const char *assemble(const struct story *story, const char *trace)
{
    char *template = format("%s", part_named("page.html"));
    FILE *out = open_text();
    for (char *line; (line = strsep(&template, "\n")) && template;)
        put_line(out, story, line, trace);
    return close_text(out);
}

/* Makes the page of the files in common/trace/page, at `path`. Ends the program with one line
 * on standard error when it cannot. */
static void story_page(const struct story *story, const char *path)
{
    const size_t around = strlen(assemble(story, ""));
    FILE *json = open_text();
    story_write(story, MOST - SLACK - around, json);
    const char *page = assemble(story, close_text(json));
    if (!replace_file(path, page, strlen(page)))
        fail(1, "cannot write %s: %s", path, strerror(errno));
}

static void make_page(const struct task *task)
{
    struct story story = {.source = task->source,
                          .number = task->number,
                          .name = task->name,
                          .shrunk = "",
                          .note = "",
                          .command = command_of(task, "trace", "", sim_seed()),
                          .another = !task->right && task->another};
    struct choice choice = task->input                    ? choose_given(task)
                           : task->right || task->another ? choose_story(task)
                                                          : choose_failing(task, &story);
    /* A failure that is seen has a report of its own, of the text that is shown. */
    story.words = read_verdict(task->verdict, choice.outcome.kind == RIGHT);
    story.trial = &choice.trial;
    story.outcome = &choice.outcome;
    story.recording = choice.recording;
    story.right = task->right && choice.outcome.kind == RIGHT;
    story.note = note_of(&choice, story.note);
    story.text_file = write_text_file(&choice.trial.input, task->page);
    story.input = describe(&choice.trial);
    story.profile = profile_of(task, &choice.trial, story.text_file);
    story_page(&story, task->page);
    printf("%s", story.words);
    print_page_name(task->page);
}

int main(int count, char **arguments)
{
    if (count != 8 && count != 9)
        fail(2, "usage: trace PAGE SOURCE NUMBER NAME SUITE right|wrong VERDICT [INPUT]");
    struct task task = {.page = arguments[1],
                        .source = arguments[2],
                        .number = arguments[3],
                        .name = arguments[4],
                        .right = strcmp(arguments[6], "right") == 0,
                        .verdict = arguments[7],
                        .input = count == 9 ? arguments[8] : NULL};
    char place[64];
    sim_locate((uintptr_t)main, place, sizeof place); /* once, and not in each trial */
    for (struct lines in = lines_of(format("%s.log", arguments[5])); next_line(&in);)
        read_entry(&task, in.line);
    make_page(&task);
    return 0;
}
