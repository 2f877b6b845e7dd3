/* ask.c - asks the questions of a lesson, and shows the answers beside what is counted.
 *
 *     ask BUILD FOLDER STEM [solution]
 *
 * BUILD    the folder of the build, build/sim-gcc
 * FOLDER   with the student's kernels; STEM, 05_name, is the chapter. With `solution` the counts are
 *          those of the reference.
 *
 * The questions are those under Predict (questions.h). An answer is kept beside the kernel
 * (predictions.h) as soon as it is given, and stands: a question is asked again only when it was
 * left out, and only what has an answer is shown. With a kernel that is not done there are no
 * counts yet. Status 1 when there are no questions, or an answer cannot be kept. */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "by_operation.h"
#include "counted.h"
#include "expression.h"
#include "gap_search.h"
#include "grouped.h"
#include "predictions.h"
#include "questions.h"
#include "standing.h"
#include "wrapped.h"

enum { WIDTH = 78, ANSWER = 256, USUAL_BINS = 5 };

struct session {
    struct standing *chapter;
    struct kernel kernel;
    struct questions questions;
    struct predictions predictions;
    char *file; /* with the predictions */
    bool ended; /* the reader has closed the input */
};

/* A number as people read it: 1,280 and 0.19. One of eight buffers in turn. */
static const char *readable(double value)
{
    static char buffers[8][40];
    static unsigned int turn;
    char *buffer = buffers[turn++ % 8];
    if (value >= 0 && value == floor(value) && value < 1e15)
        return grouped((unsigned long long)value);
    snprintf(buffer, sizeof buffers[0], value < 1 ? "%.2g" : "%.2f", value);
    for (char *end = buffer + strlen(buffer); value >= 1 && end[-1] == '0';)
        *--end = '\0';
    return buffer;
}

/* Keeps all answers. Returns false, having said so, when that cannot be. */
static bool keep(const struct session *session)
{
    if (predictions_write(&session->predictions, session->file))
        return true;
    fflush(stdout);
    fprintf(stderr, "%s: %s: your answers cannot be kept\n", session->file, strerror(errno));
    return false;
}

/* Reads a line, without the blanks around it. Returns false at the end of the input. */
static bool read_answer(struct session *session, const char *asked, char answer[ANSWER])
{
    char *line = NULL;
    size_t room = 0;
    printf("   %s? ", asked);
    fflush(stdout);
    if (getline(&line, &room, stdin) < 0) {
        printf("\n");
        session->ended = true;
    } else {
        const char *begin = line + strspn(line, " \t\r\n");
        snprintf(answer, ANSWER, "%s", begin);
        size_t length = strlen(answer);
        while (length > 0 && (unsigned char)answer[length - 1] <= ' ')
            answer[--length] = '\0';
        for (char *at = answer; *at; at++)
            if ((unsigned char)*at < ' ')
                *at = ' ';
        if (!isatty(STDIN_FILENO))
            printf("%s\n", answer);
    }
    free(line);
    return !session->ended;
}

/* Asks for a number until there is one, or nothing is answered. Returns whether all is kept. */
static bool ask_number(struct session *session, unsigned int question, const char *label)
{
    char answer[ANSWER];
    double value;
    while (read_answer(session, label, answer) && *answer) {
        if (!expression_value(answer, NULL, NULL, &value) || value < 0) {
            printf("   that is no number: 1,280 and 12k and 2^20 and 256 x 5 are, Enter leaves it "
                   "out\n");
            continue;
        }
        struct prediction *new = prediction_add(&session->predictions, question, label);
        if (!new)
            return true;
        new->said = value;
        if (answer[strspn(answer, "0123456789,.")])
            printf("   that is %s\n", readable(value));
        return keep(session);
    }
    return true;
}

static bool ask_words(struct session *session, unsigned int question)
{
    char answer[ANSWER];
    if (!read_answer(session, "in a few words", answer) || !*answer)
        return true;
    struct prediction *new = prediction_add(&session->predictions, question, "");
    if (!new)
        return true;
    snprintf(new->words, sizeof new->words, "%s", answer);
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
    char *words = NULL;
    bool kept = true;
    if (asprintf(&words, "%u. %s", question->number, question->words ? question->words : "") < 0)
        return true;
    printf("\n");
    wrapped_print(words, 0, WIDTH);
    free(words);
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
        if (!greeted) {
            printf("%s, under Predict. Enter leaves a question out; answers are kept in %s\n\n",
                   session->chapter->lesson, session->file);
            if (session->questions.begin)
                wrapped_print(session->questions.begin, 0, WIDTH);
        }
        greeted = true;
        kept = ask_question(session, question);
    }
    if (session->ended)
        printf("The input has ended; what you have answered is kept.\n");
    return kept;
}

/* What a number is counted on: what the lesson says, or the usual. */
static struct counted_on place_of(const struct session *session, const struct question_count *count)
{
    struct counted_on on = counted_usually(&session->kernel);
    if (count->bins > 0) {
        on.text = count->text;
        on.bins = count->bins;
    }
    if (count->operation[0] && on.operation[0])
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
            struct prediction *said =
                prediction_of(&session->predictions, question->number, count->label);
            if (!said)
                continue;
            const struct counted_on on = place_of(session, count);
            said->is_counted = counted_sum(&session->kernel, count->sum, &on, &said->counted, &why);
            if (!said->is_counted)
                return why;
        }
    }
    return NULL;
}

static void print_off(const struct prediction *said)
{
    double factor = prediction_factor(said);
    const char *way = said->said > said->counted ? "high" : "low";
    if (factor == 1)
        printf("right");
    else if (isinf(factor))
        printf("too %s", way);
    else
        printf(factor < 1.095 ? "%.2f times too %s" : "%.1f times too %s", factor, way);
}

/* One line for each number that was predicted. Returns whether one of them is the lesson's own. */
static bool print_numbers(struct session *session)
{
    bool own = false, headed = false;
    for (size_t i = 0; i < session->questions.count; i++) {
        const struct question *question = &session->questions.all[i];
        for (size_t j = 0; j < question->count_count; j++) {
            const struct question_count *count = &question->counts[j];
            const struct prediction *said =
                prediction_of(&session->predictions, question->number, count->label);
            if (!said || !said->is_counted)
                continue;
            if (!headed)
                printf("%-32s%13s%13s\n", "", "you said", "it is");
            headed = true;
            bool lessons = !counted_is_of_kernel(count->sum);
            own |= lessons;
            printf("%2u. %-28.28s%13s%13s%c ", question->number, count->label, readable(said->said),
                   readable(said->counted), lessons ? '*' : ' ');
            print_off(said);
            printf("\n");
        }
    }
    return own;
}

static void print_words(const struct session *session)
{
    for (size_t i = 0; i < session->predictions.count; i++) {
        const struct prediction *said = &session->predictions.all[i];
        char *line = NULL;
        if (!said->label[0] &&
            asprintf(&line, "%2u. you said: %s", said->question, said->words) >= 0)
            wrapped_print(line, 0, WIDTH);
        free(line);
    }
}

static void print_summary(const struct session *session)
{
    double factors[MOST_PREDICTIONS] = {0};
    size_t count = 0;
    for (size_t i = 0; i < session->predictions.count; i++)
        if (session->predictions.all[i].is_counted)
            factors[count++] = prediction_factor(&session->predictions.all[i]);
    struct calibration is = calibration_of(factors, count);
    if (count == 0)
        return;
    if (isinf(is.median))
        printf("%zu of %zu within a factor of 2\n", is.within_two, count);
    else
        printf("%zu of %zu within a factor of 2, in the median %.1f times off\n", is.within_two,
               count, is.median);
}

static bool has_empty_gap(const char *file)
{
    struct gaps gaps = gaps_in(file, USUAL_BINS);
    bool any = gaps.empty > 0 || gaps.error; /* a missing file is an error, too */
    gaps_free(&gaps);
    return any;
}

/* Runs the kernel, when it is done, and shows what has an answer. Returns the status. */
static int show(struct session *session)
{
    const char *whose = session->kernel.solution ? "the reference" : "your kernel", *why;
    bool waits = !session->kernel.solution && has_empty_gap(session->chapter->file);
    printf("\n");
    if (session->predictions.count == 0) {
        printf("Nothing is predicted yet, so nothing is shown.\n");
        return 0;
    }
    if (waits) {
        printf("%s: it is not done yet. Your predictions are kept; when it is done, make "
               "chapter%u predict shows the counts beside them.\n",
               session->chapter->file, session->chapter->number);
        return 0;
    }
    fflush(stdout);
    fprintf(stderr, "counting what %s does, on %s\n", whose,
            reduces_array(session->kernel.file)   ? "1,048,576 values"
            : has_operation(session->kernel.file) ? "65,536 keys"
                                                  : "1,048,576 characters");
    why = count_all(session);
    if (why) {
        printf("%s: %s. Your predictions are kept; make chapter%u test says more.\n",
               session->kernel.file, why, session->chapter->number);
        return 0;
    }
    bool kept = keep(session), own = print_numbers(session);
    print_words(session);
    print_summary(session);
    if (own)
        printf("*  by the lesson; the other numbers were counted in %s\n", whose);
    if (session->questions.answered)
        printf("why: %s, folded under Predict\n", session->chapter->lesson);
    return kept ? 0 : 1;
}

/* Asks, counts and shows. Returns the status. */
static int predict(struct session *session)
{
    struct lesson lesson;
    if (!lesson_read(&lesson, session->chapter->lesson)) {
        fprintf(stderr, "%s: %s: without the lesson there is nothing to predict\n",
                session->chapter->lesson, strerror(errno));
        return 1;
    }
    session->questions = questions_of(&lesson);
    lesson_free(&lesson);
    int status = 1;
    if (session->questions.wrong_line > 0)
        fprintf(stderr, "%s:%zu: this comment does not say what is counted\n",
                session->chapter->lesson, session->questions.wrong_line);
    else if (session->questions.count == 0)
        fprintf(stderr, "%s: there are no questions under Predict\n", session->chapter->lesson);
    else if (ask_all(session))
        status = show(session);
    questions_free(&session->questions);
    return status;
}

static struct standing *chapter_named(const struct standings *all, const char *stem)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->chapters[i].stem, stem) == 0)
            return &all->chapters[i];
    return NULL;
}

int main(int count, char **arguments)
{
    bool solution = count == 5 && strcmp(arguments[4], "solution") == 0;
    if (count != 4 && !solution) {
        fprintf(stderr, "usage: ask BUILD FOLDER STEM [solution]\n");
        return 2;
    }
    setvbuf(stdin, NULL, _IONBF, 0); /* what the next chapter's program shall read stays there */
    struct standings all = standings_read(arguments[2], USUAL_BINS);
    static struct session session;
    session.chapter = chapter_named(&all, arguments[3]);
    if (!session.chapter) {
        fprintf(stderr, "%s/%s: there is no such chapter\n", arguments[2], arguments[3]);
        return 1;
    }
    session.file = predictions_file(session.chapter->file);
    char *reference = NULL;
    if (!session.file || asprintf(&reference, "solutions/%s%s", arguments[3],
                                  strrchr(session.chapter->file, '/')) < 0)
        return 1;
    session.kernel = (struct kernel){.build = arguments[1],
                                     .solution = solution,
                                     .folder = arguments[2],
                                     .file = solution ? reference : session.chapter->file,
                                     .stem = arguments[3]};
    predictions_read(&session.predictions, session.file);
    int status = predict(&session);
    free(reference);
    free(session.file);
    standings_free(&all);
    return status;
}
