/* predict.c - asks the questions of a lesson, and shows the answers beside what is counted. */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "costs.h"
#include "grouped.h"
#include "lesson.h"
#include "predictions.h"
#include "util.h"

enum { WIDTH = 78, LABEL = 28, NUMBER = 13, USUAL_BINS = 5 };

/* Where an answer is typed: for a number that a question asks for, or for some words. */
struct field {
    const struct question *question;
    const struct question_count *count; /* NULL for words */
};

struct session {
    struct kernel kernel;
    struct questions questions;
    struct field fields[MOST_QUESTIONS * MOST_COUNTS];
    size_t field_count;
    struct predictions predictions;
};

/* A number as people read it: 1,280 and 0.19. */
static const char *readable(double value)
{
    if (value >= 0 && value == floor(value) && value < 1e15)
        return grouped((unsigned long long)value);
    char *text = value < 1 ? format("%.2g", value) : format("%.2f", value);
    for (char *end = text + strlen(text); value >= 1 && end[-1] == '0';)
        *--end = '\0';
    return text;
}

/* Keeps all answers. Where that cannot be the program ends with one line. */
static void keep(const struct session *session)
{
    fflush(stdout);
    if (!predictions_write(&session->predictions))
        fail(1, "%s: %s: your answers cannot be kept", session->predictions.file, strerror(errno));
}

static void find_fields(struct session *session)
{
    for (size_t i = 0; i < session->questions.count; i++) {
        const struct question *question = &session->questions.all[i];
        for (size_t j = 0; j < question->count_count || j == 0; j++)
            session->fields[session->field_count++] =
                (struct field){question, question->count_count > 0 ? &question->counts[j] : NULL};
    }
}

/* The answer in a field; NULL when there is none. */
static struct prediction *answer_in(struct session *session, const struct field *field)
{
    return prediction_of(&session->predictions, field->question->number,
                         field->count ? field->count->label : "");
}

/* Reads a line, without the blanks around it. Returns NULL at the end of the input. */
static const char *read_answer(const char *asked)
{
    char *line = NULL;
    size_t room = 0;
    printf("   %s? ", asked);
    fflush(stdout);
    if (getline(&line, &room, stdin) < 0) {
        printf("\n");
        return NULL;
    }
    for (char *at = line; *at; at++)
        if ((unsigned char)*at < ' ')
            *at = ' ';
    const char *answer = trimmed(line, line + strlen(line));
    if (!isatty(STDIN_FILENO))
        printf("%s\n", answer);
    return answer;
}

enum reply { REPLY_TAKEN, REPLY_BACK, REPLY_END };

/* Asks until there is an answer that can be kept, or nothing is typed. */
static enum reply ask(struct session *session, const struct field *field)
{
    const char *answer, *label = field->count ? field->count->label : "";
    double value = 0;
    while ((answer = read_answer(field->count ? label : "in a few words")) && *answer) {
        if (strcmp(answer, "-") == 0)
            return REPLY_BACK;
        if (field->count && (!expression_value(answer, NULL, NULL, &value) || value < 0)) {
            printf("   that is no number: 1,280 and 256 x 5 are\n");
            continue;
        }
        struct prediction *new =
            prediction_add(&session->predictions, field->question->number, label);
        if (!new)
            return REPLY_TAKEN;
        new->words = answer;
        new->predicted = value;
        if (field->count && answer[strspn(answer, "0123456789,.")])
            printf("   that is %s\n", readable(value));
        keep(session);
        return REPLY_TAKEN;
    }
    return answer ? REPLY_TAKEN : REPLY_END;
}

/* What stands above the first question that is asked. */
static void greet(const struct session *session)
{
    print_wrapped(
        format("%s, under Predict. Enter leaves an answer out, and - takes back the one before. "
               "Answers are kept in %s",
               session->kernel.chapter.lesson, session->predictions.file),
        0, WIDTH);
    if (session->questions.begin) {
        printf("\n");
        print_wrapped(session->questions.begin, 0, WIDTH);
    }
}

/* Asks what has no answer yet, field by field, and again what is taken back. */
static void ask_all(struct session *session)
{
    const struct question *asked = NULL;
    for (size_t i = 0; i < session->field_count;) {
        const struct field *field = &session->fields[i];
        const struct question *question = field->question;
        if (answer_in(session, field)) {
            i++;
            continue;
        }
        if (!asked)
            greet(session);
        if (asked != question) {
            printf("\n");
            print_wrapped(
                format("%u. %s", question->number, question->words ? question->words : ""), 0,
                WIDTH);
        }
        asked = question;
        const enum reply reply = ask(session, field);
        if (reply == REPLY_END) {
            printf("The input has ended; what you have answered is kept.\n");
            return;
        }
        if (reply == REPLY_TAKEN) {
            i++;
        } else if (i > 0) {
            struct prediction *before = answer_in(session, &session->fields[--i]);
            if (before)
                prediction_take_back(&session->predictions, before);
        }
    }
}

/* What a number is counted on: what the lesson says, or the usual. */
static struct workload place_of(const struct session *session, const struct question_count *count)
{
    struct workload on = workload_of(&session->kernel.chapter);
    if (count->bins > 0) {
        on.text = count->text;
        on.bins = count->bins;
    }
    if (*count->operation && *on.operation)
        on.operation = count->operation;
    return on;
}

/* Counts what has an answer. Returns NULL, or why there are no counts. */
static const char *count_all(struct session *session)
{
    const char *why = NULL;
    for (size_t i = 0; i < session->field_count; i++) {
        const struct field *field = &session->fields[i];
        struct prediction *predicted = answer_in(session, field);
        if (!predicted || !field->count)
            continue;
        const struct workload on = place_of(session, field->count);
        predicted->is_counted =
            count_sum(&session->kernel, field->count->sum, &on, &predicted->counted, &why);
        if (!predicted->is_counted)
            return why;
    }
    return NULL;
}

static const char *how_far_off(const struct prediction *predicted)
{
    double factor = prediction_factor(predicted);
    const char *way = predicted->predicted > predicted->counted ? "high" : "low";
    if (factor == 1)
        return "right";
    if (isinf(factor))
        return format("too %s", way);
    return format(factor < 1.095 ? "%.2f times too %s" : "%.1f times too %s", factor, way);
}

static void print_number(unsigned int question, const struct question_count *count,
                         const struct prediction *predicted)
{
    printf("%2u. %-*.*s%*s%*s%c %s\n", question, LABEL, LABEL, count->label, NUMBER,
           readable(predicted->predicted), NUMBER, readable(predicted->counted),
           is_of_kernel(count->sum) ? ' ' : '*', how_far_off(predicted));
}

/* One line for each number that was predicted. Returns whether one of them is the lesson's own. */
static bool print_numbers(struct session *session)
{
    bool own = false, headed = false;
    for (size_t i = 0; i < session->field_count; i++) {
        const struct field *field = &session->fields[i];
        const struct prediction *predicted = answer_in(session, field);
        if (!predicted || !predicted->is_counted)
            continue;
        if (!headed)
            printf("%*s%*s%*s\n", LABEL + 4, "", NUMBER, "you said", NUMBER, "it is");
        headed = true;
        own |= !is_of_kernel(field->count->sum);
        print_number(field->question->number, field->count, predicted);
    }
    return own;
}

static void print_words(const struct session *session)
{
    for (size_t i = 0; i < session->predictions.count; i++) {
        const struct prediction *predicted = &session->predictions.all[i];
        if (!*predicted->label)
            print_wrapped(format("%2u. you said: %s", predicted->question, predicted->words), 0,
                          WIDTH);
    }
}

static void print_summary(const struct session *session)
{
    double factors[MOST_PREDICTIONS] = {0};
    size_t count = predictions_factors(&session->predictions, factors);
    struct calibration is = calibration_of(factors, count);
    if (count == 0)
        return;
    if (isinf(is.median))
        printf("%zu of %zu within a factor of 2\n", is.within_two, count);
    else
        printf("%zu of %zu within a factor of 2, in the median %.1f times off\n", is.within_two,
               count, is.median);
}

/* What is counted where the lesson says nothing else. */
static unsigned int usual_length(const struct contract *contract)
{
    return contract->of_array ? contract->usual : contract->has_operations ? 1 << 16 : 1 << 20;
}

/* Runs the kernel, when it is done, and shows what has an answer. */
static void show(struct session *session)
{
    const struct chapter *chapter = &session->kernel.chapter;
    const bool reference = begins_with(chapter->file, "solutions/");
    const char *whose = reference ? "the reference" : "your kernel";
    const struct gaps gaps = gaps_in(chapter->file, USUAL_BINS);
    if (session->predictions.count == 0) {
        printf("Nothing is predicted yet, so nothing is shown.\n");
        return;
    }
    if (gaps.empty > 0 || gaps.error) { /* a missing file is an error, too */
        printf("%s: it is not done yet. Your predictions are kept; when it is done, make "
               "chapter%u predict shows the counts beside them.\n",
               chapter->file, chapter->number);
        return;
    }
    fflush(stdout);
    fprintf(stderr, "counting what %s does, on %s %s\n", whose,
            grouped(usual_length(&chapter->contract)), chapter->contract.units);
    const char *why = count_all(session);
    if (why) {
        printf("%s: %s. Your predictions are kept; make chapter%u test says more.\n", chapter->file,
               why, chapter->number);
        return;
    }
    keep(session);
    const bool own = print_numbers(session);
    print_words(session);
    print_summary(session);
    if (own)
        printf("*  by the lesson; the other numbers were counted in %s\n", whose);
    if (session->questions.answered)
        printf("why: %s, folded under Predict\n", chapter->lesson);
}

/* BUILD PLACE [solution]: asks the questions of a chapter's lesson under Predict (lesson.h), and counts what its
 * kernel in PLACE, or the reference, does. An answer is kept beside the kernel (predictions.h) as soon as it is
 * given. A question is asked again only when it was left out, and only what has an answer is shown. With a kernel
 * that is not done there are no counts yet. */
int predict_command(int count, char **arguments)
{
    static struct session session;
    struct lesson lesson;
    setvbuf(stdin, NULL, _IONBF, 0); /* what the next chapter's program shall read stays there */
    const struct chapter chapter = chapter_at(arguments[2]);
    session.kernel.build = arguments[1];
    session.kernel.chapter = count == 4 ? chapter_at(chapter.solution) : chapter;
    predictions_read(&session.predictions, chapter.file);
    if (!lesson_read(&lesson, chapter.lesson))
        fail(1, "%s: %s: without the lesson there is nothing to predict", chapter.lesson,
             strerror(errno));
    session.questions = questions_of(&lesson);
    if (session.questions.wrong_line > 0)
        fail(1, "%s:%zu: this comment does not say what is counted", chapter.lesson,
             session.questions.wrong_line);
    if (session.questions.count == 0)
        fail(1, "%s: there are no questions under Predict", chapter.lesson);
    find_fields(&session);
    ask_all(&session);
    printf("\n");
    show(&session);
    return 0;
}
