/* watch.c - make watch, in a terminal of its own and without one: what it judges, its keys, its end.
 *
 * The course it works in is a folder with two chapters and a Makefile, whose `test` runs the saved
 * file as a shell script: a verdict can be right, wrong, slow or long. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

enum { PATIENCE = 60 /* seconds, on a busy machine */ };

static char folder[64], program[4096];
static pid_t watch;
static int terminal = -1; /* its other side; or the read end of a pipe */
static struct termios before;

/* What it has printed, and from where on it has not been looked at. */
static char said[1 << 20];
static size_t length, seen;

static const char makefile[] =
    "MAKEFLAGS += --no-print-directory -j2\n.SILENT:\n"
    "%: ; @:\n"
    "chapter5 chapter6: ; @:\n"
    "N = $(patsubst chapter%,%,$(filter chapter%,$(MAKECMDGOALS)))\n"
    "test further: ; echo \"judged $N $@ bins=$(BINS) cc=$(CC)\"; sh chapters/0$N_a/k.cu\n"
    "hint trace next: ; echo \"asked $(MAKECMDGOALS)\"\n"
    "watch: ; exec $(WATCH) watch chapters make ./where\n";

__attribute__((format(printf, 1, 2))) static void run(const char *format, ...)
{
    char command[8192], words[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    snprintf(command, sizeof command, "cd %s && %s", folder, words);
    cr_assert(system(command) == 0, "%s", command);
}

static void save(const char *name, const char *content)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs(content, file) >= 0 && fclose(file) == 0, "%s", path);
}

static void nap(int milliseconds)
{
    usleep((useconds_t)milliseconds * 1000);
}

static void make_course(void)
{
    char root[2048];
    snprintf(folder, sizeof folder, "/tmp/histogram-ladder-XXXXXX");
    cr_assert(mkdtemp(folder) && getcwd(root, sizeof root) && getenv("BUILD"));
    snprintf(program, sizeof program, "%s%s%s/tools/ladder", getenv("BUILD")[0] == '/' ? "" : root,
             getenv("BUILD")[0] == '/' ? "" : "/", getenv("BUILD"));
    run("mkdir -p chapters/05_a/further chapters/06_a tests/further && "
        "touch tests/05_a.c tests/06_a.c tests/further/05_a.c && "
        "echo 'echo 6' >where && chmod +x where");
    save("Makefile", makefile);
    save("chapters/05_a/k.cu", "echo untouched; exit 1\n");
    save("chapters/06_a/k.cu", "echo untouched; exit 1\n");
    unsetenv("MAKEFLAGS");
    unsetenv("MAKELEVEL");
    setenv("TERM", "xterm", 1);
}

static void remove_course(void)
{
    if (watch > 0) {
        kill(watch, SIGKILL);
        waitpid(watch, NULL, 0);
    }
    run("cd / && rm -r %s", folder);
}

TestSuite(watch, .init = make_course, .fini = remove_course);

/* Becomes `make watch` of the course, with these words on its command line; or, without a make
 * around it, the program that this starts. */
static bool alone;

static void become_watch(const char *words)
{
    char command[8192];
    if (chdir(folder) != 0)
        _exit(127);
    if (alone)
        execl(program, program, "watch", "chapters", "make", "./where", (char *)NULL);
    snprintf(command, sizeof command, "exec make WATCH='%s' watch %s", program, words);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Reads what is there, waiting for so long. */
static bool hear(int milliseconds)
{
    struct pollfd ready = {.fd = terminal, .events = POLLIN};
    if (poll(&ready, 1, milliseconds) <= 0)
        return true;
    ssize_t more = read(terminal, said + length, sizeof said - 1 - length);
    if (more <= 0)
        return false;
    length += (size_t)more;
    said[length] = '\0';
    return true;
}

/* Waits until it has printed this, after what was awaited before. */
static void await(const char *words)
{
    double begun = now();
    char *found;
    while (!(found = strstr(said + seen, words)) && now() - begun < PATIENCE && hear(100))
        ;
    cr_assert(found, "waited for \"%s\"; it said:\n%s", words, said + seen);
    seen = (size_t)(found - said) + strlen(words);
}

static size_t times_said(const char *words)
{
    size_t times = 0;
    for (const char *at = said; (at = strstr(at, words)); at++)
        times++;
    return times;
}

static void start(const char *words)
{
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    int slave;
    cr_assert(openpty(&terminal, &slave, NULL, NULL, &size) == 0);
    tcgetattr(slave, &before);
    watch = fork();
    cr_assert(watch >= 0);
    if (watch == 0) {
        close(terminal);
        login_tty(slave);
        become_watch(words);
    }
    fcntl(terminal, F_SETFD, FD_CLOEXEC); /* the slave stays open here: its mode is asked for */
    await("quit, ? help");
}

/* Without a terminal on any side. */
static void start_without(const char *input)
{
    int ends[2];
    char words[256];
    cr_assert(pipe(ends) == 0);
    watch = fork();
    if (watch == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        snprintf(words, sizeof words, "<%s", input);
        become_watch(words);
    }
    close(ends[1]);
    terminal = ends[0];
    await("its chapter is judged.\n");
}

static void type(const char *keys)
{
    cr_assert(write(terminal, keys, strlen(keys)) == (ssize_t)strlen(keys));
}

/* Waits for its end. Returns the status of make, and expects the terminal to be as it was. */
static int end_of_watch(void)
{
    int status;
    double begun = now();
    pid_t ended;
    struct termios after;
    while ((ended = waitpid(watch, &status, WNOHANG)) == 0 && now() - begun < PATIENCE)
        hear(50);
    cr_assert(ended == watch, "it does not end; it said:\n%s", said);
    watch = 0;
    if (tcgetattr(terminal, &after) == 0) {
        cr_expect(after.c_lflag == before.c_lflag);
        cr_expect(memcmp(after.c_cc, before.c_cc, sizeof after.c_cc) == 0);
    }
    return status;
}

static void leave(void)
{
    type("q");
    cr_expect(end_of_watch() == 0, "it said:\n%s", said);
}

Test(watch, judges_what_was_written)
{
    start("");
    save("chapters/05_a/k.cu", "echo wrong bins; exit 1\n");
    await("\033[H\033[2J");
    await("make chapter5 test");
    await("judged 5 test");
    await("wrong bins");
    await("Waiting for a save.");
    save("chapters/06_a/k.cu", "echo right\n");
    await("judged 6 test");
    await("right");
    await("06_a is solved. Waiting for a save.");
    leave();
}

/* As vim does: a new file takes the place of the old one. */
Test(watch, judges_what_was_renamed)
{
    start("");
    save("chapters/05_a/4913", "");
    run("mv chapters/05_a/k.cu chapters/05_a/k.cu~");
    save("chapters/05_a/.k.cu.swp", "echo renamed\n");
    run("mv chapters/05_a/.k.cu.swp chapters/05_a/k.cu && rm chapters/05_a/4913");
    await("judged 5 test");
    await("renamed");
    await("is solved.");
    cr_expect(times_said("judged 5 ") == 1);
    leave();
}

/* Some empty the file first, or write it in two parts: the last content is judged. */
Test(watch, judges_the_second_of_two_writes)
{
    start("");
    save("chapters/05_a/k.cu", "");
    nap(400);
    save("chapters/05_a/k.cu", "echo fir");
    nap(50);
    save("chapters/05_a/k.cu", "echo second\n");
    await("second");
    await("is solved.");
    leave();
}

/* Same size, and a time and an inode that are kept: content is what counts. */
Test(watch, sees_a_write_that_kept_size_and_time)
{
    start("");
    save("chapters/05_a/k.cu", "echo one\n");
    run("touch -d '2020-01-01' chapters/05_a/k.cu");
    await("one\r\n");
    save("chapters/05_a/k.cu", "echo two\n");
    run("touch -d '2020-01-01' chapters/05_a/k.cu");
    await("two\r\n");
    leave();
}

Test(watch, waits_for_a_file_that_is_away)
{
    start("");
    run("rm chapters/05_a/k.cu");
    nap(1000);
    save("chapters/05_a/k.cu", "echo back\n");
    await("back");
    await("is solved.");
    cr_expect(times_said("judged 5 ") == 1);
    leave();
}

Test(watch, judges_nothing_without_a_change)
{
    start("");
    run("touch chapters/05_a/k.cu");
    nap(1000);
    run("mv chapters/06_a/k.cu k && sleep 0.7 && cp k chapters/06_a/k.cu");
    nap(1000);
    save("chapters/06_a/notes.txt", "not a kernel\n");
    save("chapters/06_a/.k.cu", "hidden\n");
    nap(1000);
    save("chapters/05_a/k.cu", "echo changed\n");
    await("changed");
    await("is solved.");
    cr_expect(times_said("judged 5 ") == 1, "it said:\n%s", said);
    leave();
}

/* The whole tree of processes ends, and nothing of it speaks any more. */
Test(watch, ends_a_verdict_when_its_file_is_saved_again)
{
    char seconds[64], command[128];
    snprintf(seconds, sizeof seconds, "99%d", (int)getpid());
    start("");
    snprintf(command, sizeof command, "echo slow; sh -c 'sleep %s; echo over'\n", seconds);
    save("chapters/05_a/k.cu", command);
    await("slow");
    save("chapters/05_a/k.cu", "echo fast\n");
    await("fast");
    await("is solved.");
    snprintf(command, sizeof command, "! pgrep -f '[s]leep %s'", seconds);
    run("%s", command);
    leave();
}

/* Another chapter comes first, and then the one that gave way. */
Test(watch, comes_back_to_a_verdict_that_gave_way)
{
    start("");
    save("chapters/05_a/k.cu", "echo slow; [ -e again ] || { touch again; sleep 60; }\n");
    await("slow");
    save("chapters/06_a/k.cu", "echo fast\n");
    await("judged 6 test");
    await("judged 5 test");
    await("05_a is solved.");
    leave();
}

Test(watch, keys_ask_about_the_chapter_at_hand)
{
    start("");
    type("h");
    await("asked hint");
    save("chapters/05_a/k.cu", "exit 1\n");
    await("judged 5 test");
    await("Waiting");
    type("h");
    await("asked chapter5 hint");
    await("Waiting");
    type("T");
    await("asked chapter5 trace");
    await("Waiting");
    type("\r");
    await("judged 5 test");
    await("Waiting");
    type("?");
    await("  q      leave");
    type("\033[A\033OHx");
    nap(500);
    type("n");
    await("asked next");
    await("Waiting");
    type("t");
    await("asked trace");
    await("Waiting");
    cr_expect(times_said("asked") == 5);
    leave();
}

/* Before the first save, the chapter is that which `where` names. */
Test(watch, enter_judges_the_chapter_at_hand)
{
    start("");
    type("\n");
    await("judged 6 test");
    await("Waiting");
    leave();
}

Test(watch, restores_the_terminal_when_it_is_interrupted)
{
    start("");
    type("\003");
    cr_expect(end_of_watch() == 0);
}

Test(watch, restores_the_terminal_when_it_is_ended)
{
    start("");
    save("chapters/05_a/k.cu", "echo slow; sleep 1000\n");
    await("slow");
    kill(watch, SIGTERM);
    cr_expect(end_of_watch() != 0);
}

/* Whether the terminal is, or comes to be, as it was before. */
static bool is_as_before(bool wanted)
{
    struct termios mode;
    double begun = now();
    while (tcgetattr(terminal, &mode) == 0 && (mode.c_lflag == before.c_lflag) != wanted &&
           now() - begun < PATIENCE)
        nap(50);
    return mode.c_lflag == before.c_lflag;
}

/* Ctrl-Z, and later fg. */
Test(watch, can_be_stopped_and_goes_on)
{
    int status = 0;
    alone = true;
    start("");
    cr_expect(is_as_before(false) == false);
    kill(watch, SIGTSTP);
    for (double begun = now(); !WIFSTOPPED(status) && now() - begun < PATIENCE; nap(50))
        waitpid(watch, &status, WUNTRACED | WNOHANG);
    cr_expect(WIFSTOPPED(status) && is_as_before(true));
    kill(watch, SIGCONT);
    cr_expect(is_as_before(false) == false);
    type("?");
    await("  q      leave");
    leave();
}

Test(watch, outlives_a_verdict_that_crashes)
{
    start("");
    save("chapters/05_a/k.cu", "kill -9 $(ps -o ppid= $PPID) $PPID\n");
    await("judged 5 test");
    await("Waiting");
    struct winsize size = {.ws_row = 3, .ws_col = 7};
    ioctl(terminal, TIOCSWINSZ, &size);
    save("chapters/05_a/k.cu", "echo alive\n");
    await("alive");
    await("is solved.");
    leave();
}

Test(watch, shows_all_of_a_long_verdict)
{
    start("");
    save("chapters/05_a/k.cu", "for i in $(seq 10000); do echo line $i.; done\n");
    await("line 10000.");
    cr_expect(times_said("line ") == 10000);
    await("is solved.");
    leave();
}

Test(watch, hands_on_what_make_was_given)
{
    start("BINS=26 CC='my cc' CHAPTERS=chapters -j1");
    save("chapters/05_a/k.cu", "echo \"$MAKELEVEL: $MAKEFLAGS\" | grep -c 'jobs'\n");
    await("judged 5 test bins=26 cc=my cc");
    await("Waiting");
    leave();
}

Test(watch, sees_new_chapters_and_misses_none)
{
    start("");
    run("mkdir 07 && echo 'echo seven' >07/k.cu && touch tests/07_a.c && mv 07 chapters/07_a");
    await("judged 7 test");
    await("07_a is solved.");
    run("rm -r chapters/07_a chapters/06_a");
    save("chapters/05_a/further/k.cu", "exit 1\n");
    await("judged 5 further");
    await("Waiting");
    run("mkdir chapters/05_backup && cp chapters/05_a/k.cu chapters/05_backup");
    await("chapters/05_backup/k.cu: saved, and not judged: there is no tests/05_backup.c");
    run("mv chapters elsewhere");
    await("chapters: the folder is gone; waiting until it is there again");
    run("mv elsewhere chapters");
    save("chapters/05_a/k.cu", "echo again\n");
    await("again");
    leave();
}

Test(watch, says_that_the_folder_is_missing)
{
    run("rm -r chapters");
    watch = fork();
    if (watch == 0)
        become_watch(">said 2>&1");
    cr_expect(end_of_watch() != 0);
    run("grep -qx 'chapters: there is no such folder with chapters to watch' said");
}

/* No keys, no escape codes; it works on. */
static void works_without_a_terminal(const char *input)
{
    start_without(input);
    save("chapters/05_a/k.cu", "echo right\n");
    await("judged 5 test");
    await("05_a is solved. Waiting for a save.\n");
    cr_expect(times_said("\033") == 0 && times_said("quit") == 0, "it said:\n%s", said);
    kill(watch, SIGTERM);
    cr_expect(end_of_watch() != 0);
}

Test(watch, works_without_a_terminal)
{
    works_without_a_terminal("/dev/null");
}

Test(watch, works_behind_a_pipe)
{
    run("mkfifo pipe");
    char path[128];
    snprintf(path, sizeof path, "%s/pipe", folder);
    int open_end = open(path, O_RDWR);
    works_without_a_terminal("pipe");
    close(open_end);
}

static double seconds_used(pid_t process)
{
    clockid_t clock;
    struct timespec used;
    cr_assert(clock_getcpuclockid(process, &clock) == 0 && clock_gettime(clock, &used) == 0);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

/* As many files as the course has, with exercises: under 1% of a core (measured: 0.07%). */
Test(watch, looks_cheaply)
{
    enum { SECONDS = 8 };
    run("for i in $(seq 10 23); do mkdir -p chapters/${i}_a/further; "
        "seq 1000 >chapters/${i}_a/k.cu; seq 1000 >chapters/${i}_a/further/k.cu; done");
    alone = true;
    watch = fork();
    if (watch == 0) {
        int output = open("/dev/null", O_RDWR);
        dup2(output, STDIN_FILENO);
        dup2(output, STDOUT_FILENO);
        become_watch("");
    }
    nap(1000);
    double began = now(), used = seconds_used(watch);
    nap(SECONDS * 1000);
    double share = (seconds_used(watch) - used) / (now() - began);
    fprintf(stderr, "watching 30 files takes %.2f%% of a core\n", 100 * share);
    cr_expect(share < 0.01, "%.2f%%", 100 * share);
    kill(watch, SIGTERM);
    cr_expect(end_of_watch() == 0);
}
