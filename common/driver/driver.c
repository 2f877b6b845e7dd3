/* driver.c - which make does what a command line asks for, with which variables: see driver.h.
 *
 * Goals are a set: chapterN, solution, further and gpu say what, the others what to do with it.
 * What make then does is in common/make/NAME.mk, whose head says what its variables are. */
#define _GNU_SOURCE
#include "driver.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reaper.h"
#include "util.h"

/* What all goals of a command share. */
struct drive {
    const struct command *command;
    struct chosen chosen;
    const char *kind, *from; /* whose kernels, and the folder they are in */
    const char *bins;        /* that was typed, or "" */
    const char *part;
    bool built; /* the programs of the session */
};

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

void run_reaped(const char *watched, char **words)
{
    reaper_begin(atoi(watched));
    become(words);
}

/* Waits for the child, and listens to it until then. Ctrl-C reaches it from the terminal, and other signals from
 * here. */
static int wait_for_child(int output)
{
    int status = 0;
    struct sigaction passed = {.sa_handler = pass_on}, ignored = {.sa_handler = SIG_IGN};
    sigaction(SIGTERM, &passed, NULL);
    sigaction(SIGHUP, &passed, NULL);
    sigaction(SIGINT, &ignored, NULL);
    if (output >= 0)
        report_listen(output);
    while (waitpid(child, &status, 0) != child)
        if (errno != EINTR)
            return 3;
    signal(SIGINT, SIG_DFL);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Runs a command. Returns its exit status. */
static int run(const struct list *words)
{
    int output[2] = {-1, -1};
    fflush(NULL);
    if (report_wanted() && pipe2(output, O_CLOEXEC) != 0)
        return 3;
    child = fork();
    if (child == 0) {
        if (report_wanted() &&
            (dup2(output[1], STDOUT_FILENO) < 0 || dup2(output[1], STDERR_FILENO) < 0))
            _exit(127);
        become((char **)words->item);
    }
    if (report_wanted())
        close(output[1]);
    return child < 0 ? 3 : wait_for_child(output[0]);
}

/* The words that call a make. */
static struct list make(const char *file)
{
    struct list words = {.count = 0};
    list_add(&words, getenv("MAKE") ? getenv("MAKE") : "make");
    list_add(&words, "-f");
    list_add(&words, format("common/make/%s.mk", file));
    return words;
}

/* Runs a command while no other make is at work; and it leaves nothing behind (run_reaped). */
static int run_locked(const struct list *words)
{
    if (getenv("LOCKED"))
        return run(words);
    struct list reaped = {.count = 0};
    const int held = lock();
    list_add(&reaped, "build/driver");
    list_add(&reaped, "--reap");
    list_add(&reaped, getenv("WATCHED") ? getenv("WATCHED") : "0");
    for (size_t i = 0; i < words->count; i++)
        list_add(&reaped, words->item[i]);
    setenv("LOCKED", "yes", 1);
    const int status = run(&reaped);
    unsetenv("LOCKED");
    if (held >= 0)
        close(held);
    return status;
}

/* Runs a make that is told of kernels: of so many bins, NULL for those that were typed; of these
 * chapters, NULL for all. `more` is a setting, or NULL. */
static int run_kernels(const struct drive *drive, const char *file, const char *bins,
                       const char *stems, const char *more, const char *goal)
{
    struct list words = make(file);
    list_add(&words, format("BINS=%s", bins ? bins : *drive->bins ? drive->bins : "5"));
    list_add(&words, format("KIND=%s", drive->kind));
    list_add(&words, format("FROM=%s", drive->from));
    if (strchr(drive->chosen.stems, ' ')) /* one that fails keeps none from its turn */
        list_add(&words, "-k");
    if (stems)
        list_add(&words, format("STEMS=%s", stems));
    if (more)
        list_add(&words, more);
    list_add(&words, goal);
    return run_locked(&words);
}

/* The chapters that were named, or their exercises; NULL without any. */
static const char *named(const struct drive *drive)
{
    const char *stems = drive->chosen.stems;
    return !*stems ? NULL : drive->command->further ? exercises_of(stems) : stems;
}

/* Of chapters those that count texts, then those with an operation. */
static int by_chapter(const struct drive *drive, const char *goal)
{
    const bool exercises =
        drive->command->further && !is_in(goal, "further hint lesson trace break");
    const char *const stems[] = {drive->chosen.texts, drive->chosen.keyed};
    int status = 0;
    for (int keyed = 0; keyed < 2; keyed++)
        if (*stems[keyed] && status == 0)
            status = run_kernels(drive, "variant", keyed ? "keys" : NULL,
                                 exercises ? exercises_of(stems[keyed]) : stems[keyed], NULL, goal);
    return status;
}

/* A ladder of all chapters of a part. */
static int by_ladder(const struct drive *drive, const char *goal)
{
    const bool keyed = is_in(drive->part, "2 3 5"),
               first = !*drive->part || is_in(drive->part, "1");
    const char *ladder =
        format("LADDER=build/ladder%s%s.csv", first ? "" : "-", first ? "" : drive->part);
    return run_kernels(drive, "variant", keyed ? "keys" : NULL, NULL,
                       strcmp(goal, "run") == 0 ? ladder : NULL, goal);
}

static int on_card(const struct drive *drive, const char *goal)
{
    const char *stems = named(drive);
    return run_kernels(drive, "gpu", NULL, stems,
                       *drive->bins || stems ? NULL : "GPU_BINS=5 26 256", format("gpu-%s", goal));
}

/* What a student asks: the programs are built under the lock, and run without it, for some start a
 * make of their own, which is about other chapters: so what they are told is in the environment. */
static int in_session(struct drive *drive, const char *goal)
{
    int status = drive->built ? 0 : run_kernels(drive, "goals", NULL, NULL, NULL, "ready");
    if (status != 0)
        return status;
    drive->built = true;
    setenv("KIND", drive->kind, 1);
    setenv("FROM", drive->from, 1);
    setenv("STEMS", drive->chosen.stems, 1);
    struct list words = make("goals");
    list_add(&words, goal);
    return run(&words);
}

/* build/count has a bin for each byte; other programs call kernels with an operation. */
static const char *bins_of(const struct drive *drive, const char *program)
{
    return strcmp(program, "count") != 0 ? "keys" : *drive->bins ? NULL : "256";
}

static int debug(const struct drive *drive)
{
    static const char *gdb[] = {
        "gdb", "-q", "-iex", "set auto-load local-gdbinit off", "-x", "build/debug.gdb", NULL};
    int status = run_kernels(drive, "variant", *drive->chosen.keyed ? "keys" : NULL, named(drive),
                             "DEBUG=yes", "debug");
    return status || has_option('n') ? status : run(&(struct list){.item = gdb});
}

/* A make that is told of nothing. */
static int by_file(const char *file, const char *goal)
{
    struct list words = make(file);
    list_add(&words, goal);
    if (strcmp(goal, "selfcheck") == 0) {
        setenv("SIM_CFLAGS", "-fsanitize=address,undefined -fno-sanitize-recover", 1);
        /* Threads have the simulator's stack for signals: AddressSanitizer would unmap it as its own. */
        setenv("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=0:use_sigaltstack=0",
               1);
    }
    return is_in(goal, "editor update") ? run(&words) : run_locked(&words);
}

static int do_goal(struct drive *drive, const char *goal)
{
    const struct chosen *chosen = &drive->chosen;
    const char *stems = *chosen->stems ? chosen->stems : NULL;
    const bool gpu = drive->command->gpu;
    if (begins_with(goal, "build/"))
        return run_kernels(drive, "variant", strstr(goal, "-keys/") ? "keys" : NULL, chosen->stems,
                           NULL, goal);
    if (is_in(goal, "editor update exam"))
        return by_file("goals", goal);
    if (is_in(goal, "grade gradescope handout book"))
        return run_kernels(drive, "goals", NULL, chosen->stems, NULL, goal);
    if (strcmp(goal, "count") == 0 || is_program(goal))
        return run_kernels(drive, "program", bins_of(drive, goal), stems, gpu ? "DEVICE=gpu" : NULL,
                           goal);
    if (strcmp(goal, "debug") == 0)
        return debug(drive);
    if (is_in(goal, "next progress watch reset predict score") ||
        (!stems && is_in(goal, "hint lesson trace break")))
        return in_session(drive, goal);
    if (is_in(goal, "sweep experiments micro sanitize fidelity") ||
        (gpu && is_in(goal, "test run profile replay bench")))
        return on_card(drive, goal);
    if (stems)
        return by_chapter(drive, goal);
    return is_in(goal, "run profile") ? by_ladder(drive, goal) : by_file("prove", goal);
}

static int do_and_report(struct drive *drive, const char *goal)
{
    report_goal(goal);
    const int status = do_goal(drive, goal);
    report_goal_ended(status, named(drive), drive->from);
    return status;
}

/* What programs below read in the environment, in place of what was left out. */
static void settle(const struct drive *drive)
{
    const char *seed = *setting("SEED") ? setting("SEED") : setting("SIM_SEED");
    setenv("KEY_BINS", drive->bins, 1);
    setenv("SEED", *seed ? seed : "1", 1);
    setenv("SIM_SEED", getenv("SEED"), 1);
    setenv("CHAPTERS", *setting("CHAPTERS") ? setting("CHAPTERS") : "chapters", 1);
    if (!is_setting_used("SIM_CARD", drive->command))
        unsetenv("SIM_CARD"); // kernels would be built for it, and compared with those of an H200
}

int drive(const struct command *command)
{
    struct drive drive = {.command = command, .chosen = chosen_by(command)};
    const char *nothing = command->further ? "test" : "run";
    if (!has_option('n'))
        report_begin(command);
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
        if (is_chapter(*word) || is_in(*word, "solution gpu further everything"))
            continue;
        any = true;
        int status = do_and_report(&drive, strcmp(*word, "all") == 0 ? "run" : *word);
        failed = failed ? failed : status;
    }
    return report_end(any || failed ? failed : do_and_report(&drive, nothing));
}
