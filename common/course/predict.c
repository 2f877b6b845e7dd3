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
#include "student.h"
#include "util.h"

enum { WIDTH = 78, LABEL = 28, NUMBER = 13, USUAL_BINS = 5 };

struct session {
    const struct chapter *chapter;
    struct kernel kernel;
    struct questions questions;
    struct predictions predictions;
    bool ended; /* the reader has closed the input */
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

/* Keeps all answers. Returns false, having said so, when that cannot be. */
static bool keep(const struct session *session)
{
    if (predictions_write(&session->predictions))
        return true;
    fflush(stdout);
    fprintf(stderr, "%s: %s: your answers cannot be kept\n", session->predictions.file,
            strerror(errno));
    return false;
}

/* Reads a line, without the blanks around it. Returns NULL at the end of the input. */
static const char *read_answer(struct session *session, const char *asked)
{
    char *line = NULL;
    size_t room = 0;
    printf("   %s? ", asked);
    fflush(stdout);
    if (getline(&line, &room, stdin) < 0) {
        printf("\n");
        session->ended = true;
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

/* Asks for a number until there is one, or nothing is answered. Returns whether all is kept. */
static bool ask_number(struct session *session, unsigned int question, const char *label)
{
    const char *answer;
    double value;
    while ((answer = read_answer(session, label)) && *answer) {
        if (!expression_value(answer, NULL, NULL, &value) || value < 0) {
            printf("   that is no number: 1,280 and 12k and 2^20 and 256 x 5 are, Enter leaves it "
                   "out\n");
            continue;
        }
        struct prediction *new = prediction_add(&session->predictions, question, label);
        if (!new)
            return true;
        new->predicted = value;
        if (answer[strspn(answer, "0123456789,.")])
            printf("   that is %s\n", readable(value));
        return keep(session);
    }
    return true;
}

static bool ask_words(struct session *session, unsigned int question)
{
    const char *answer = read_answer(session, "in a few words");
    struct prediction *new =
        answer &&*answer ? prediction_add(&session->predictions, question, "") : NULL;
    if (!new)
        return true;
    new->words = answer;
    return keep(session);
}

/* Whether a question has all its answers. */
static bool is_answered(struct session *session, const struct question *question)
{
    for (size_t i = 0; i < question->count_count; i++)
        if (!prediction_of(&session->predictions, question->number, question->counts[i].label))
            return false;
    return question->count_count > 0 || prediction_of(&session->predictions, question->number, "");
}

static bool ask_question(struct session *session, const struct question *question)
{
    bool kept = true;
    printf("\n");
    print_wrapped(format("%u. %s", question->number, question->words ? question->words : ""), 0,
                  WIDTH);
    if (question->count_count == 0)
        return ask_words(session, question->number);
    for (size_t i = 0; i < question->count_count && kept && !session->ended; i++) {
        const char *label = question->counts[i].label;
        if (!prediction_of(&session->predictions, question->number, label))
            kept = ask_number(session, question->number, label);
    }
    return kept;
}

/* Returns false when an answer could not be kept. */
static bool ask_all(struct session *session)
{
    bool kept = true, greeted = false;
    for (size_t i = 0; i < session->questions.count && kept && !session->ended; i++) {
        const struct question *question = &session->questions.all[i];
        if (is_answered(session, question))
            continue;
        if (!greeted)
            printf("%s, under Predict. Enter leaves a question out; answers are kept in %s\n\n",
                   session->chapter->lesson, session->predictions.file);
        if (!greeted && session->questions.begin)
            print_wrapped(session->questions.begin, 0, WIDTH);
        greeted = true;
        kept = ask_question(session, question);
    }
    if (session->ended)
        printf("The input has ended; what you have answered is kept.\n");
    return kept;
}

/* What a number is counted on: what the lesson says, or the usual. */
static struct workload place_of(const struct session *session, const struct question_count *count)
{
    struct workload on = workload_of(session->chapter);
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
    for (size_t i = 0; i < session->questions.count; i++) {
        const struct question *question = &session->questions.all[i];
        for (size_t j = 0; j < question->count_count; j++) {
            const struct question_count *count = &question->counts[j];
            struct prediction *predicted =
                prediction_of(&session->predictions, question->number, count->label);
            if (!predicted)
                continue;
            const struct workload on = place_of(session, count);
            predicted->is_counted =
                count_sum(&session->kernel, count->sum, &on, &predicted->counted, &why);
            if (!predicted->is_counted)
                return why;
        }
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
    for (size_t i = 0; i < session->questions.count; i++) {
        const struct question *question = &session->questions.all[i];
        for (size_t j = 0; j < question->count_count; j++) {
            const struct question_count *count = &question->counts[j];
            const struct prediction *predicted =
                prediction_of(&session->predictions, question->number, count->label);
            if (!predicted || !predicted->is_counted)
                continue;
            if (!headed)
                printf("%*s%*s%*s\n", LABEL + 4, "", NUMBER, "you said", NUMBER, "it is");
            headed = true;
            own |= !is_of_kernel(count->sum);
            print_number(question->number, count, predicted);
        }
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

/* Runs the kernel, when it is done, and shows what has an answer. Returns the status. */
static int show(struct session *session)
{
    const struct chapter *chapter = session->chapter;
    const bool solution = session->kernel.solution;
    const char *whose = solution ? "the reference" : "your kernel", *why;
    const struct gaps gaps = gaps_in(chapter->file, USUAL_BINS);
    printf("\n");
    if (session->predictions.count == 0) {
        printf("Nothing is predicted yet, so nothing is shown.\n");
        return 0;
    }
    if (!solution && (gaps.empty > 0 || gaps.error)) { /* a missing file is an error, too */
        printf("%s: it is not done yet. Your predictions are kept; when it is done, make "
               "chapter%u predict shows the counts beside them.\n",
               chapter->file, chapter->number);
        return 0;
    }
    fflush(stdout);
    const char *on = chapter->contract.of_array ? format("%s %s", grouped(chapter->contract.usual),
                                                         chapter->contract.units)
                     : chapter->contract.has_operations ? "65,536 keys"
                                                        : "1,048,576 characters";
    fprintf(stderr, "counting what %s does, on %s\n", whose, on);
    why = count_all(session);
    if (why) {
        printf("%s: %s. Your predictions are kept; make chapter%u test says more.\n",
               solution ? chapter->solution : chapter->file, why, chapter->number);
        return 0;
    }
    bool kept = keep(session), own = print_numbers(session);
    print_words(session);
    print_summary(session);
    if (own)
        printf("*  by the lesson; the other numbers were counted in %s\n", whose);
    if (session->questions.answered)
        printf("why: %s, folded under Predict\n", chapter->lesson);
    return kept ? 0 : 1;
}

/* BUILD FOLDER STEM [solution]: asks the questions of the chapter's lesson under Predict
 * (lesson.h), and counts what its kernel in FOLDER, or the reference, does. An answer is kept
 * beside the kernel (predictions.h) as soon as it is given, and stands: a question is asked again
 * only when it was left out, and only what has an answer is shown. With a kernel that is not done
 * there are no counts yet. */
int predict_command(int count, char **arguments)
{
    static struct session session;
    struct lesson lesson;
    setvbuf(stdin, NULL, _IONBF, 0); /* what the next chapter's program shall read stays there */
    const struct course course = course_read(arguments[2], USUAL_BINS);
    session.chapter = &course_chapter(&course, arguments[3])->chapter;
    session.kernel =
        (struct kernel){.build = arguments[1],
                        .solution = count == 5 && strcmp(arguments[4], "solution") == 0,
                        .folder = arguments[2],
                        .chapter = session.chapter};
    predictions_read(&session.predictions, session.chapter->file);
    if (!lesson_read(&lesson, session.chapter->lesson))
        fail(1, "%s: %s: without the lesson there is nothing to predict", session.chapter->lesson,
             strerror(errno));
    session.questions = questions_of(&lesson);
    if (session.questions.wrong_line > 0)
        fail(1, "%s:%zu: this comment does not say what is counted", session.chapter->lesson,
             session.questions.wrong_line);
    if (session.questions.count == 0)
        fail(1, "%s: there are no questions under Predict", session.chapter->lesson);
    return ask_all(&session) ? show(&session) : 1;
}
