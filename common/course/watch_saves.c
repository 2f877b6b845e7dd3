/* watch_saves.c - judges a chapter whenever one of its files is saved: `make watch`. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "process.h"
#include "util.h"
#include "watch.h"

enum { TICK = 300 /* milliseconds between two looks */, MOST_WAITING = 64 };

/* A verdict that is wanted. */
struct wanted {
    char stem[SAVES_NAME];
    bool further;
    unsigned int look; /* at which it was asked for: the latest comes first */
};

struct watch {
    const char *folder, *make, *where;
    bool keys, clears; /* there are keys; the screen can be cleared */
    bool was_missing;  /* the folder, which has been said */
    struct saves saves;
    struct wanted waiting[MOST_WAITING];
    size_t count;
    bool saved;          /* something, at this look */
    pid_t job;           /* 0 when none is under way */
    bool judges;         /* the job is a verdict on `now` */
    struct wanted now;   /* the last that was judged, or is being judged */
    unsigned int failed; /* the number of the chapter at hand that is not solved, or 0 */
    int key;             /* that was typed while a verdict ran */
    pid_t parent;
};

static bool same(const struct wanted *one, const struct wanted *other)
{
    return strcmp(one->stem, other->stem) == 0 && one->further == other->further;
}

/* Puts a verdict among those that wait, once. */
static void want(struct watch *watch, const struct wanted *wanted)
{
    size_t i = 0;
    while (i < watch->count && !same(&watch->waiting[i], wanted))
        i++;
    if (i == MOST_WAITING)
        return;
    if (i == watch->count || wanted->look > watch->waiting[i].look)
        watch->waiting[i] = *wanted;
    if (i == watch->count)
        watch->count++;
}

/* Takes out the one that was saved last; of those that were saved together, the first chapter. */
static struct wanted take_first(struct watch *watch)
{
    size_t first = 0;
    for (size_t i = 1; i < watch->count; i++) {
        const struct wanted *best = &watch->waiting[first], *other = &watch->waiting[i];
        if (other->look > best->look ||
            (other->look == best->look && strcmp(other->stem, best->stem) < 0))
            first = i;
    }
    struct wanted wanted = watch->waiting[first];
    watch->waiting[first] = watch->waiting[--watch->count];
    return wanted;
}

/* Chapters are what has a suite: a copy of a folder has none. */
static bool has_suite(const struct wanted *wanted)
{
    char suite[SAVES_NAME + 32];
    snprintf(suite, sizeof suite, "tests/%s%s.c", wanted->further ? "further/" : "", wanted->stem);
    return access(suite, R_OK) == 0;
}

static void note_save(void *to, const struct watched *file)
{
    struct watch *watch = to;
    struct wanted wanted = {.further = file->further, .look = watch->saves.round};
    snprintf(wanted.stem, sizeof wanted.stem, "%s", file->stem);
    if (!has_suite(&wanted)) {
        printf("%s: saved, and not judged: there is no tests/%s%s.c\n", file->path,
               wanted.further ? "further/" : "", wanted.stem);
        return;
    }
    watch->saved = true;
    want(watch, &wanted);
}

static void clear_screen(const struct watch *watch)
{
    if (watch->clears)
        fputs("\033[H\033[2J", stdout);
}

static void print_keys(const struct watch *watch)
{
    if (watch->keys)
        printf("h hint, t trace, n next, Enter judge again, q quit, ? help\n");
}

static void print_help(const struct watch *watch)
{
    printf(
        "Save a file in %s/ and its chapter is judged.\n"
        "  h      the next hint        (make chapterN hint)\n"
        "  t      every step as a page (make chapterN trace)\n"
        "  n      where you are now    (make next)\n"
        "  Enter  judge once more      (make chapterN test)\n"
        "  q      leave\n"
        "h and t are about the chapter that was judged last; when it is solved, about the next.\n",
        watch->folder);
}

/* The folder of the chapter with that number, of those with a suite; "" when there is none. */
static struct wanted chapter_named(const struct watch *watch, unsigned int number)
{
    struct wanted found = {.stem = ""};
    for (size_t i = 0; i < watch->saves.count && !found.stem[0]; i++) {
        snprintf(found.stem, sizeof found.stem, "%s", watch->saves.files[i].stem);
        if (number_of(found.stem) != number || !has_suite(&found))
            found.stem[0] = '\0';
    }
    return found;
}

/* The number of the chapter to work at; 0 when nobody knows. */
static unsigned int where_we_are(const struct watch *watch)
{
    unsigned int number = 0;
    FILE *said = popen(watch->where, "r");
    if (said && fscanf(said, "%u", &number) != 1)
        number = 0;
    if (said)
        pclose(said);
    return number;
}

static void judge(struct watch *watch)
{
    char goal[64], at[32];
    time_t seconds = time(NULL);
    struct tm *clock = localtime(&seconds);
    watch->now = take_first(watch);
    snprintf(goal, sizeof goal, "chapter%u", number_of(watch->now.stem));
    strftime(at, sizeof at, "%H:%M:%S", clock);
    printf("%s: make %s %s\n\n", at, goal, watch->now.further ? "further" : "test");
    watch->job = background_start(watch->make,
                                  (char *[]){goal, watch->now.further ? "further" : "test", NULL});
    watch->judges = watch->job != 0;
}

static void finish(struct watch *watch, int status)
{
    bool judged = watch->judges;
    watch->job = 0;
    watch->judges = false;
    printf("\n");
    if (judged)
        watch->failed = status == 0 ? 0 : number_of(watch->now.stem);
    if (status > 128)
        printf("make was ended by signal %d (%s)\n", status - 128, strsignal(status - 128));
    if (watch->count > 0)
        return;
    if (judged && status == 0)
        printf("%s%s is solved. ", watch->now.stem, watch->now.further ? "/further" : "");
    printf("Waiting for a save.\n");
    print_keys(watch);
}

/* Sends for a hint, a trace, or what is next. */
static void send(struct watch *watch, const char *goal)
{
    char chapter[32];
    snprintf(chapter, sizeof chapter, "chapter%u", watch->failed);
    char *goals[] = {chapter, (char *)goal, NULL};
    bool about_a_chapter = strcmp(goal, "next") != 0 && watch->failed > 0;
    printf("\n");
    watch->job = background_start(watch->make, about_a_chapter ? goals : goals + 1);
}

static void judge_again(struct watch *watch)
{
    struct wanted wanted = watch->now;
    if (!wanted.stem[0])
        wanted = chapter_named(watch, where_we_are(watch));
    if (!wanted.stem[0]) {
        printf("which chapter? save its file, and it is judged\n");
        return;
    }
    want(watch, &wanted);
    clear_screen(watch);
}

static void act(struct watch *watch, int key)
{
    watch->key = KEY_NONE;
    if (key == 'h')
        send(watch, "hint");
    else if (key == 't')
        send(watch, "trace");
    else if (key == 'n') {
        watch->now.stem[0] = '\0';
        watch->failed = 0;
        send(watch, "next");
    } else if (key == KEY_ENTER)
        judge_again(watch);
    else if (key == '?')
        print_help(watch);
}

/* Whatever runs gives way to what was saved; a verdict comes again after that. */
static void look(struct watch *watch)
{
    watch->saved = false;
    saves_look(&watch->saves, note_save, watch);
    if (watch->saves.missing && !watch->was_missing)
        printf("%s: the folder is gone; waiting until it is there again\n", watch->folder);
    watch->was_missing = watch->saves.missing;
    if (!watch->saved)
        return;
    if (watch->job)
        background_end(watch->job);
    if (watch->judges)
        want(watch, &watch->now);
    watch->job = 0;
    watch->judges = false;
    watch->key = KEY_NONE;
    clear_screen(watch);
}

static long long milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* One turn: a look when it is time for one, the end of a job, a key. Returns false when this is
 * the end. */
static bool turn(struct watch *watch, long long *next_look)
{
    int status;
    long long left = *next_look - milliseconds();
    int key = keyboard_wait(left > 0 ? (int)left : 0);
    if (key == KEY_QUIT || keyboard_signal() || getppid() != watch->parent)
        return false;
    if (key != KEY_NONE)
        watch->key = key;
    if (milliseconds() >= *next_look) {
        look(watch);
        *next_look = milliseconds() + TICK;
    }
    if (watch->job && background_has_ended(watch->job, &status))
        finish(watch, status);
    if (!watch->job && watch->count > 0)
        judge(watch);
    else if (!watch->job && watch->key != KEY_NONE)
        act(watch, watch->key);
    fflush(stdout);
    return true;
}

static void leave(struct watch *watch)
{
    if (watch->job) {
        background_end(watch->job);
        clear_screen(watch);
        printf("the verdict was ended\n");
    }
    fflush(stdout);
    keyboard_give_back();
}

/* CHAPTERS MAKE WHERE
 *
 * CHAPTERS  the folder with the student's kernels
 * MAKE      the program that is sent for verdicts, hints, traces
 * WHERE     a command that prints the number of the chapter to work at
 *
 * It runs in the folder of the course. Keys work where standard input is a terminal; the screen is
 * cleared where standard output is one. Ends with q, Ctrl-C or a signal. */
int watch_command(int count, char **arguments)
{
    (void)count;
    const char *terminal = getenv("TERM");
    struct watch watch = {
        .folder = arguments[1], .make = arguments[2], .where = arguments[3], .parent = getppid()};
    saves_begin(&watch.saves, watch.folder);
    if (watch.saves.missing)
        fail(1, "%s: there is no such folder with chapters to watch", watch.folder);
    watch.clears = isatty(STDOUT_FILENO) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
    watch.keys = keyboard_take();
    printf("Watching %s/: save a file, and its chapter is judged.\n", watch.folder);
    print_keys(&watch);
    fflush(stdout);
    long long next_look = milliseconds() + TICK;
    while (turn(&watch, &next_look))
        ;
    leave(&watch);
    return 0;
}
