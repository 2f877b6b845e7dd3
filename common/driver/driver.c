/* driver.c - which make does what a command line asks for, with which variables: see driver.h.
 *
 * Goals are a set: chapterN, solution, further and gpu say what, the others what to do with it.
 * What make then does is in common/make/NAME.mk, whose head says what its variables are. */
#define _GNU_SOURCE
#include "driver.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 32 };

/* What all goals of a command share. */
struct drive {
    const struct command *command;
    struct chosen chosen;
    const char *kind, *from; /* whose kernels, and the folder they are in */
    const char *bins;        /* that was typed, or "" */
    const char *part;
    bool built; /* the programs of the desk */
};

/* A command in the making. */
struct words {
    char *word[WORDS + 1];
    size_t count;
};

__attribute__((format(printf, 2, 3))) static void say(struct words *words, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (words->count == WORDS || vasprintf(&words->word[words->count++], format, arguments) < 0)
        exit(3);
    va_end(arguments);
}

/* One make is at work in build/ at a time. Returns what holds the lock, or -1. */
static int lock(void)
{
    int file = open("build/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0) {
        puts("another make is at work here: waiting for its end");
        fflush(stdout);
        flock(file, LOCK_EX);
    }
    return file;
}

static volatile sig_atomic_t child;

static void pass_on(int signal)
{
    if (child > 0)
        kill(child, signal);
}

/* Whether make was called with an option of one letter. */
static bool has_option(char option)
{
    const char *flags = getenv("MAKEFLAGS") ? getenv("MAKEFLAGS") : "";
    return memchr(flags, option, *flags == '-' ? 0 : strcspn(flags, " "));
}

__attribute__((noreturn)) static void become(char **words)
{
    execvp(words[0], words);
    perror(words[0]);
    _exit(127);
}

/* Waits for the child. Ctrl-C reaches it from the terminal, and other signals from here. */
static int wait_for_child(void)
{
    int status = 0;
    struct sigaction passed = {.sa_handler = pass_on}, ignored = {.sa_handler = SIG_IGN};
    sigaction(SIGTERM, &passed, NULL);
    sigaction(SIGHUP, &passed, NULL);
    sigaction(SIGINT, &ignored, NULL);
    while (waitpid(child, &status, 0) != child)
        if (errno != EINTR)
            return 3;
    signal(SIGINT, SIG_DFL);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Runs a command. Returns its exit status. */
static int run(struct words *words)
{
    fflush(NULL);
    child = fork();
    if (child == 0)
        become(words->word);
    return child < 0 ? 3 : wait_for_child();
}

/* The words that call a make. */
static struct words make(const char *file)
{
    struct words words = {.count = 0};
    say(&words, "%s", getenv("MAKE") ? getenv("MAKE") : "make");
    say(&words, "-f");
    say(&words, "common/make/%s.mk", file);
    return words;
}

/* The same, told of kernels. */
static struct words make_kernels(const struct drive *drive, const char *file, const char *bins)
{
    struct words words = make(file);
    say(&words, "BINS=%s", bins ? bins : *drive->bins ? drive->bins : "5");
    say(&words, "KIND=%s", drive->kind);
    say(&words, "FROM=%s", drive->from);
    if (strchr(drive->chosen.stems, ' ')) /* one that fails keeps none from its turn */
        say(&words, "-k");
    return words;
}

/* The same while no other make is at work; and it leaves nothing behind (reaped.c). */
static int run_locked(struct words *words)
{
    if (getenv("LOCKED"))
        return run(words);
    struct words reaped = {.count = 0};
    const int held = lock();
    say(&reaped, "build/reaped");
    say(&reaped, "%s", getenv("WATCHED") ? getenv("WATCHED") : "0");
    for (size_t i = 0; i < words->count; i++)
        say(&reaped, "%s", words->word[i]);
    setenv("LOCKED", "yes", 1);
    const int status = run(&reaped);
    unsetenv("LOCKED");
    if (held >= 0)
        close(held);
    return status;
}

/* Of chapters those that count texts, then those with an operation. */
static int by_chapter(const struct drive *drive, const char *goal)
{
    static const char plain[] = "further hint trace break";
    const bool exercises = drive->command->further && !is_in(goal, plain);
    const char *const stems[] = {drive->chosen.texts, drive->chosen.keyed};
    int status = 0;
    for (int keyed = 0; keyed < 2; keyed++) {
        if (!*stems[keyed] || (status != 0 && !keyed))
            continue;
        struct words words = make_kernels(drive, "variant", keyed ? "keys" : NULL);
        say(&words, "STEMS=%s", exercises ? exercises_of(stems[keyed]) : stems[keyed]);
        say(&words, "%s", goal);
        if (status == 0)
            status = run_locked(&words);
    }
    return status;
}

/* A ladder of all chapters of a part. */
static int by_ladder(const struct drive *drive, const char *goal)
{
    const bool keyed = is_in(drive->part, "2 3"), first = !*drive->part || is_in(drive->part, "1");
    struct words words = make_kernels(drive, "variant", keyed ? "keys" : NULL);
    if (strcmp(goal, "run") == 0)
        say(&words, "LADDER=build/ladder%s%s.csv", first ? "" : "-", first ? "" : drive->part);
    say(&words, "%s", goal);
    return run_locked(&words);
}

static int on_card(const struct drive *drive, const char *goal)
{
    struct words words = make_kernels(drive, "gpu", NULL);
    if (*drive->chosen.stems)
        say(&words, "STEMS=%s",
            drive->command->further ? exercises_of(drive->chosen.stems) : drive->chosen.stems);
    if (!*drive->bins && !*drive->chosen.stems)
        say(&words, "GPU_BINS=5 26 256");
    say(&words, "%s", goal);
    return run_locked(&words);
}

/* What a student asks: the programs are built under the lock, and run without it, for some start a
 * make of their own, which is about other chapters: so what they are told is in the environment. */
static int at_desk(struct drive *drive, const char *goal)
{
    struct words words = make_kernels(drive, "goals", NULL);
    say(&words, "ready");
    int status = drive->built ? 0 : run_locked(&words);
    if (status != 0)
        return status;
    drive->built = true;
    setenv("KIND", drive->kind, 1);
    setenv("FROM", drive->from, 1);
    setenv("STEMS", drive->chosen.stems, 1);
    words = make("goals");
    say(&words, "%s", goal);
    return run(&words);
}

static int count_files(const struct drive *drive)
{
    struct words words = make_kernels(drive, "count", *drive->bins ? drive->bins : "256");
    if (*drive->chosen.stems)
        say(&words, "STEMS=%s", drive->chosen.stems);
    if (drive->command->gpu)
        say(&words, "DEVICE=gpu");
    say(&words, "count");
    return run_locked(&words);
}

static int debug(const struct drive *drive)
{
    const bool keyed = *drive->chosen.keyed;
    struct words words = make_kernels(drive, "variant", keyed ? "keys" : NULL), gdb = {.count = 0};
    say(&words, "STEMS=%s",
        drive->command->further ? exercises_of(drive->chosen.stems) : drive->chosen.stems);
    say(&words, "DEBUG=yes");
    say(&words, "debug");
    int status = run_locked(&words);
    for (const char *const *word =
             (const char *const[]){"gdb", "-q", "-iex", "set auto-load local-gdbinit off", "-x",
                                   "build/debug.gdb", NULL};
         *word; word++)
        say(&gdb, "%s", *word);
    return status || has_option('n') ? status : run(&gdb);
}

/* A make that is told of chapters alone, or of nothing. */
static int by_file(const struct drive *drive, const char *file, const char *goal)
{
    const bool of_class = strcmp(file, "teach") == 0;
    struct words words = of_class ? make_kernels(drive, file, NULL) : make(file);
    if (of_class)
        say(&words, "STEMS=%s", drive->chosen.stems);
    say(&words, "%s", goal);
    if (strcmp(goal, "selfcheck") == 0) {
        setenv("SIM_CFLAGS", "-fsanitize=address,undefined -fno-sanitize-recover", 1);
        setenv("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=0", 1);
    }
    return strcmp(file, "goals") == 0 ? run(&words) : run_locked(&words);
}

static int build(const struct drive *drive, const char *file)
{
    struct words words = make_kernels(drive, "variant", strstr(file, "-keys/") ? "keys" : NULL);
    say(&words, "STEMS=%s", drive->chosen.stems);
    say(&words, "%s", file);
    return run_locked(&words);
}

static int do_goal(struct drive *drive, const char *goal)
{
    const bool chapters = *drive->chosen.stems;
    if (strncmp(goal, "build/", 6) == 0)
        return build(drive, goal);
    if (is_in(goal, "editor update"))
        return by_file(drive, "goals", goal);
    if (is_in(goal, "grade gradescope handout book"))
        return by_file(drive, "teach", goal);
    if (strcmp(goal, "count") == 0)
        return count_files(drive);
    if (strcmp(goal, "debug") == 0)
        return debug(drive);
    if (is_in(goal, "next progress watch reset predict score") ||
        (!chapters && is_in(goal, "hint trace break")))
        return at_desk(drive, goal);
    if (is_in(goal, "experiments micro sanitize fidelity") ||
        (drive->command->gpu && is_in(goal, "test run profile replay bench")))
        return on_card(drive, goal);
    if (chapters)
        return by_chapter(drive, goal);
    return is_in(goal, "run profile") ? by_ladder(drive, goal) : by_file(drive, "prove", goal);
}

/* What programs below read in the environment, in place of what was left out. */
static void settle(const struct drive *drive)
{
    const char *seed = *setting("SEED") ? setting("SEED") : setting("SIM_SEED");
    setenv("KEY_BINS", drive->bins, 1);
    setenv("SEED", *seed ? seed : "1", 1);
    setenv("SIM_SEED", getenv("SEED"), 1);
    setenv("CHAPTERS", *setting("CHAPTERS") ? setting("CHAPTERS") : "chapters", 1);
}

int drive(const struct command *command)
{
    struct drive drive = {.command = command, .chosen = chosen_by(command)};
    const char *nothing = command->further ? "test" : "run";
    drive.bins = strdup(setting("BINS"));
    drive.part = strdup(setting("PART"));
    settle(&drive);
    const bool yours = command->chapter && !command->solution;
    drive.kind = yours ? "chapter" : "solution";
    drive.from = yours ? getenv("CHAPTERS") : "solutions";
    if (*drive.chosen.copies)
        fprintf(stderr, "make: %s: left out, for tests/ has no suite of it; %s is meant\n",
                drive.chosen.copies, drive.chosen.stems);
    const bool goes_on = has_option('k') || strchr(drive.chosen.stems, ' ');
    int failed = command->further ? by_chapter(&drive, "further") : 0;
    bool any = false;
    for (const char *const *word = command->words; *word && (!failed || goes_on); word++) {
        if (is_chapter(*word) || is_in(*word, "solution gpu further"))
            continue;
        any = true;
        int status = do_goal(&drive, strcmp(*word, "all") == 0 ? "run" : *word);
        failed = failed ? failed : status;
    }
    return any || failed ? failed : do_goal(&drive, nothing);
}
