/* progress_table.c - how far a student is: a bar, and a row for each chapter.
 *
 *     progress_table FOLDER BINS
 *
 * FOLDER   with the student's kernels. A file that looks finished and has no verdict is judged
 *          first. Colors only on a terminal, and not with NO_COLOR. Status 1 when there is no
 *          chapter in it. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "judge_anew.h"
#include "predictions.h"
#include "state_words.h"
#include "wrapped.h"

enum { BAR = 40, NAME = 17, STATE = 41, WIDTH = 78 };

static bool in_color(void)
{
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(no && *no) && !(terminal && strcmp(terminal, "dumb") == 0);
}

/* Solved green, right by another technique yellow, what is missing red, untouched faint. */
static const char *color_of(enum standing_state state)
{
    static const char *const colors[STANDING_STATES] = {"\33[31m", "\33[2m", "", "\33[33m",
                                                        "\33[32m"};
    return in_color() ? colors[state] : "";
}

static void print_bar(const struct standings *all)
{
    size_t solved = 0;
    for (size_t i = 0; i < all->count; i++)
        solved += all->chapters[i].state == STANDING_SOLVED;
    printf("[");
    for (size_t i = 0; i < BAR; i++)
        putchar(i * all->count < solved * BAR ? '#' : '.');
    printf("] %zu of %zu chapters solved\n", solved, all->count);
}

static void print_row(const struct standing *chapter)
{
    char words[STANDING_SAID + 128], when[32] = "";
    struct tm broken;
    state_words(chapter, words, sizeof words);
    bool dated = chapter->state != STANDING_MISSING && chapter->state != STANDING_UNTOUCHED;
    if (dated && localtime_r(&chapter->when, &broken))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M", &broken);
    const char *color = color_of(chapter->state), *end = *color ? "\33[0m" : "";
    printf("%2u %-*.*s %s%-*.*s%s%s%s\n", chapter->number, NAME, NAME, standing_name(chapter),
           color, when[0] ? STATE : 0, STATE, words, end, when[0] ? " " : "", when);
}

/* The factors of a chapter's predictions that have a count. Returns how many. */
static size_t factors_of(const struct standing *chapter, double factors[MOST_PREDICTIONS])
{
    static struct predictions predictions;
    char *file = predictions_file(chapter->file);
    size_t count = 0;
    predictions.count = 0;
    if (file)
        predictions_read(&predictions, file);
    free(file);
    for (size_t i = 0; i < predictions.count; i++)
        if (predictions.all[i].is_counted)
            factors[count++] = prediction_factor(&predictions.all[i]);
    return count;
}

static const char *times(double median)
{
    static char words[32];
    snprintf(words, sizeof words, isinf(median) ? "far" : "%.1f", median);
    return words;
}

/* How far off the predictions were, over the chapters, in the median; nothing without any. */
static void print_calibration(const struct standings *all)
{
    double *factors = calloc(all->count * MOST_PREDICTIONS + 1, sizeof *factors);
    char *text = NULL;
    size_t size, count = 0;
    FILE *to = factors ? open_memstream(&text, &size) : NULL;
    if (!to) {
        free(factors);
        return;
    }
    fprintf(to, "predictions, times off in the median:");
    for (size_t i = 0; i < all->count; i++) {
        size_t more = factors_of(&all->chapters[i], factors + count);
        if (more > 0)
            fprintf(to, " chapter %u: %s;", all->chapters[i].number,
                    times(calibration_of(factors + count, more).median));
        count += more;
    }
    struct calibration is = calibration_of(factors, count);
    fprintf(to, " all: %s, and %zu of %zu within a factor of 2", times(is.median), is.within_two,
            count);
    if (fclose(to) == 0 && count > 0)
        wrapped_print(text, 0, WIDTH);
    free(text);
    free(factors);
}

int main(int count, char **arguments)
{
    struct standings all;
    int status = state_asked(count, arguments, &all);
    if (status != 0)
        return status;
    judge_all_anew(&all);
    print_bar(&all);
    for (size_t i = 0; i < all.count; i++)
        print_row(&all.chapters[i]);
    print_calibration(&all);
    const struct standing *current = standings_current(&all);
    if (current)
        printf("you are at chapter %u: make next says what to do there\n", current->number);
    standings_free(&all);
    return 0;
}
