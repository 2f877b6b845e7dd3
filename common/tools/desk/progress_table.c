/* progress_table.c - how far a student is: a bar, and a row for each chapter.
 *
 *     progress_table FOLDER BINS
 *
 * FOLDER   with the student's kernels. A file that looks finished and has no verdict is judged
 *          first. Colors only on a terminal, and not with NO_COLOR. Status 1 when there is no
 *          chapter in it. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "judge_anew.h"
#include "state_words.h"

enum { BAR = 40, NAME = 18, STATE = 40 };

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

int main(int count, char **arguments)
{
    if (count != 3) {
        fprintf(stderr, "usage: progress_table FOLDER BINS\n");
        return 2;
    }
    struct standings all =
        standings_read(arguments[1], (unsigned int)strtoul(arguments[2], NULL, 10));
    if (all.count == 0)
        return state_no_chapter(arguments[1]);
    judge_all_anew(&all);
    print_bar(&all);
    for (size_t i = 0; i < all.count; i++)
        print_row(&all.chapters[i]);
    const struct standing *current = standings_current(&all);
    if (current)
        printf("you are at chapter %u: make next says what to do there\n", current->number);
    standings_free(&all);
    return 0;
}
