/* watch.c - judges a chapter whenever one of its files is saved: `make watch`. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "process.h"
#include "util.h"

/* Notices that a student has saved a kernel, on any file system: it looks, again and
 * again.
 *
 * Watched are the files *.c and *.cu in FOLDER/NN_name/ and in FOLDER/NN_name/further/, also those
 * that come later. A save is a change of content: a file that was only touched, was away for a
 * while, or was put in the place of another with the same text, is not told. It is told when two
 * looks have found it alike, so that an editor has come to its end. */

/* What the system says of a file without reading it. */
struct look {
    off_t size;
    struct timespec changed;
    ino_t inode;
    dev_t device;
};

struct watched {
    const char *path, *stem; /* "chapters/05_name/further/histogram.cu", "05_name" */
    bool further;
    struct look last;
    uint64_t content;   /* a hash of what was last read */
    unsigned int quiet; /* looks since the last one that found it changed */
    unsigned int round; /* of looks, in which it was last there */
    bool known;         /* `content` is one that has been told, or was there at the start */
};

struct saves {
    const char *folder, *pattern;
    struct watched *files;
    size_t count;
    unsigned int round;
    bool missing; /* the folder, at the last look */
};

/* In looks. A file system may give two writes of one second the same time, so a file is read again
 * for a while; and an empty file is most often one that is being written. */
enum { ALIKE = 1, READ_AGAIN = 10, EMPTY = 4 };

static bool same_look(const struct look *one, const struct look *other)
{
    return one->size == other->size && one->inode == other->inode && one->device == other->device &&
           one->changed.tv_sec == other->changed.tv_sec &&
           one->changed.tv_nsec == other->changed.tv_nsec;
}

static struct watched *watched_at(struct saves *saves, const char *path)
{
    for (size_t i = 0; i < saves->count; i++)
        if (strcmp(saves->files[i].path, path) == 0)
            return &saves->files[i];
    saves->files = grow(saves->files, saves->count, 1, sizeof *saves->files);
    struct watched *file = &saves->files[saves->count++];
    const char *stem = path + strlen(saves->folder) + 1, *end = strchr(stem, '/');
    file->path = format("%s", path);
    file->stem = format("%.*s", (int)(end - stem), stem);
    file->further = strchr(end + 1, '/');
    return file;
}

/* Whether a file that was found alike long enough has another content than was known. */
static bool has_new_content(struct watched *file)
{
    uint64_t content;
    unsigned int alike = file->last.size > 0 ? ALIKE : EMPTY;
    if (file->quiet < alike || file->quiet > alike + READ_AGAIN || !hash_file(file->path, &content))
        return false;
    bool is_new = !file->known || content != file->content;
    file->content = content;
    file->known = true;
    return is_new;
}

/* One look at one file. */
static bool was_saved(struct saves *saves, const char *path, const struct stat *current,
                      struct watched **found)
{
    struct look look = {current->st_size, current->st_mtim, current->st_ino, current->st_dev};
    struct watched *file = *found = watched_at(saves, path);
    bool is_new = file->round == 0, was_there = file->round + 1 == saves->round;
    file->round = saves->round;
    if (is_new && saves->round == 1)
        file->known = hash_file(path, &file->content);
    if (is_new || !was_there || !same_look(&look, &file->last)) {
        file->last = look;
        file->quiet = 0;
        return false;
    }
    if (file->quiet <= EMPTY + READ_AGAIN)
        file->quiet++;
    return has_new_content(file);
}

/* Looks at all files. Calls `tell` for each that has been saved since. */
static void saves_look(struct saves *saves, void (*tell)(void *to, const struct watched *file),
                       void *to)
{
    struct stat current;
    struct watched *file;
    glob_t found = {.gl_pathc = 0};
    saves->missing = stat(saves->folder, &current) != 0 || !S_ISDIR(current.st_mode);
    saves->round++;
    glob(saves->pattern, GLOB_BRACE, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *path = found.gl_pathv[i];
        if (stat(path, &current) == 0 && S_ISREG(current.st_mode) &&
            was_saved(saves, path, &current, &file))
            tell(to, file);
    }
    globfree(&found);
}

static void tell_nobody(void *to, const struct watched *file)
{
    (void)to, (void)file;
}

/* Begins to watch; what is there now is known. `missing` tells that the folder is not there. */
static void saves_begin(struct saves *saves, const char *folder)
{
    *saves = (struct saves){.folder = folder,
                            .pattern = format("%s/[0-9]*/{,further/}*.{c,cu}", folder)};
    saves_look(saves, tell_nobody, NULL);
}

/* Single keys from a terminal, and signals, while other work goes on. */

enum { KEY_NONE = 0, KEY_QUIT = 'q', KEY_ENTER = '\n', CTRL_C = 3, CTRL_D = 4, ESCAPE = 27 };

static struct {
    bool taken;
    struct termios before, current;
    int wake[2]; /* a pipe: handlers write to it, keyboard_wait reads */
    volatile sig_atomic_t ended_by;
} keyboard = {.wake = {-1, -1}};

static void wake(void)
{
    int kept = errno;
    if (write(keyboard.wake[1], "", 1) < 0) /* it is full: then it wakes as well */
        errno = kept;
    errno = kept;
}

static void note_child(int signal)
{
    (void)signal;
    wake();
}

static void note_end(int signal)
{
    keyboard.ended_by = signal;
    wake();
}

static void keyboard_give_back(void)
{
    if (keyboard.taken)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &keyboard.before);
}

/* Whether the terminal listens to us, and not to a shell in which we wait in the background. */
static bool is_ours(void)
{
    return tcgetpgrp(STDIN_FILENO) == getpgrp();
}

/* Ctrl-Z: the shell shall find its terminal as it was. It may have taken it already, since make has
 * stopped before us; then it has its own way with it. */
static void pause_here(int signal)
{
    int kept = errno;
    (void)signal;
    if (is_ours())
        keyboard_give_back();
    kill(getpid(), SIGSTOP);
    errno = kept;
}

static void go_on(int signal)
{
    int kept = errno;
    (void)signal;
    if (keyboard.taken && is_ours())
        tcsetattr(STDIN_FILENO, TCSADRAIN, &keyboard.current);
    errno = kept;
}

static void on(int signal, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigaction(signal, &action, NULL);
}

/* A fault of this program itself: the terminal is given back, then the signal has its way. */
static void give_back_and_fall(int signal)
{
    keyboard_give_back();
    raise(signal);
}

static void take_signals(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    if (pipe2(keyboard.wake, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    for (size_t i = 0; i < LENGTH(ends); i++)
        on(ends[i], note_end);
    for (size_t i = 0; i < LENGTH(faults); i++) {
        struct sigaction action = {.sa_handler = give_back_and_fall, .sa_flags = (int)SA_RESETHAND};
        sigaction(faults[i], &action, NULL);
    }
    on(SIGCHLD, note_child);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGTTOU, SIG_IGN); /* or to give the terminal back could stop us */
}

/* Takes the keyboard, when standard input is a terminal that is ours: keys come at once and are not
 * shown. At every end of the program, a signal included, the terminal is as it was. Returns whether
 * there are keys. */
static bool keyboard_take(void)
{
    take_signals();
    if (!isatty(STDIN_FILENO) || !is_ours() || tcgetattr(STDIN_FILENO, &keyboard.before) != 0)
        return false;
    keyboard.current = keyboard.before;
    keyboard.current.c_lflag &= ~(tcflag_t)(ICANON | ECHO | TOSTOP);
    keyboard.current.c_cc[VINTR] =
        _POSIX_VDISABLE; /* a key like others: no word of make about it */
    keyboard.current.c_cc[VMIN] = 1;
    keyboard.current.c_cc[VTIME] = 0;
    keyboard.taken = tcsetattr(STDIN_FILENO, TCSADRAIN, &keyboard.current) == 0;
    if (keyboard.taken) {
        atexit(keyboard_give_back);
        on(SIGTSTP, pause_here);
        on(SIGCONT, go_on);
    }
    return keyboard.taken;
}

/* The key that counts among those that were typed: the first, but q before all. What follows an
 * escape is no key: arrows send such. */
static int key_among(const char *typed, ssize_t length)
{
    int key = KEY_NONE;
    for (ssize_t i = 0; i < length && typed[i] != ESCAPE; i++) {
        int one = typed[i] == '\r' ? KEY_ENTER : tolower((unsigned char)typed[i]);
        if (one == KEY_QUIT || one == CTRL_C || one == CTRL_D)
            return KEY_QUIT;
        if (key == KEY_NONE)
            key = one;
    }
    return key;
}

/* Waits until a key, a signal or the end of a child comes, or so many milliseconds have passed.
 * Returns the key, in lower case, KEY_QUIT also for Ctrl-C, Ctrl-D and a terminal that is gone, or
 * KEY_NONE. */
static int keyboard_wait(int milliseconds)
{
    char typed[64];
    struct pollfd ready[] = {{.fd = keyboard.wake[0], .events = POLLIN},
                             {.fd = keyboard.taken ? STDIN_FILENO : -1, .events = POLLIN}};
    if (poll(ready, 2, milliseconds) <= 0)
        return KEY_NONE;
    while (ready[0].revents && read(keyboard.wake[0], typed, sizeof typed) > 0)
        ;
    if (!ready[1].revents)
        return KEY_NONE;
    ssize_t length = read(STDIN_FILENO, typed, sizeof typed);
    if (length == 0 || (length < 0 && errno != EINTR && errno != EAGAIN))
        return KEY_QUIT;
    return key_among(typed, length);
}

static int keyboard_signal(void)
{
    return keyboard.ended_by;
}

enum { TICK = 300 /* milliseconds between two looks */, MOST_WAITING = 64 };

/* A verdict that is wanted. */
struct wanted {
    const char *stem; /* NULL for none */
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
    bool saved;            /* something, at this look */
    pid_t job;             /* 0 when none is under way */
    bool judges;           /* the job is a verdict on `now` */
    struct wanted current; /* the last that was judged, or is being judged */
    unsigned int failed;   /* the number of the chapter at hand that is not solved, or 0 */
    int key;               /* that was typed while a verdict ran */
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
    char *suite = format("tests/%s%s.c", wanted->further ? "further/" : "", wanted->stem);
    const bool there = exists(suite);
    free(suite);
    return there;
}

static void note_save(void *to, const struct watched *file)
{
    struct watch *watch = to;
    const struct wanted wanted = {
        .stem = file->stem, .further = file->further, .look = watch->saves.round};
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

/* The chapter with that number, of those with a suite; without a stem when there is none. */
static struct wanted chapter_named(const struct watch *watch, unsigned int number)
{
    for (size_t i = 0; i < watch->saves.count; i++) {
        const struct wanted found = {.stem = watch->saves.files[i].stem};
        if (number_of(found.stem) == number && has_suite(&found))
            return found;
    }
    return (struct wanted){.stem = NULL};
}

/* The number of the chapter to work at; 0 when nobody knows. */
static unsigned int where_we_are(const struct watch *watch)
{
    unsigned int number = 0;
    FILE *pipe = popen(watch->where, "r");
    if (pipe && fscanf(pipe, "%u", &number) != 1)
        number = 0;
    if (pipe)
        pclose(pipe);
    return number;
}

static void judge(struct watch *watch)
{
    char at[32];
    time_t seconds = time(NULL);
    struct tm *clock = localtime(&seconds);
    watch->current = take_first(watch);
    char *goal = format("chapter%u", number_of(watch->current.stem));
    strftime(at, sizeof at, "%H:%M:%S", clock);
    printf("%s: make %s %s\n\n", at, goal, watch->current.further ? "further" : "test");
    watch->job = background_start(
        watch->make, (char *[]){goal, watch->current.further ? "further" : "test", NULL});
    watch->judges = watch->job != 0;
}

static void finish(struct watch *watch, int status)
{
    bool judged = watch->judges;
    watch->job = 0;
    watch->judges = false;
    printf("\n");
    if (judged)
        watch->failed = status == 0 ? 0 : number_of(watch->current.stem);
    if (status > 128)
        printf("make was ended by signal %d (%s)\n", status - 128, strsignal(status - 128));
    if (watch->count > 0)
        return;
    if (judged && status == 0)
        printf("%s%s is solved. ", watch->current.stem, watch->current.further ? "/further" : "");
    printf("Waiting for a save.\n");
    print_keys(watch);
}

/* Sends for a hint, a trace, or what is next. */
static void send(struct watch *watch, const char *goal)
{
    char *goals[] = {format("chapter%u", watch->failed), (char *)goal, NULL};
    bool about_a_chapter = strcmp(goal, "next") != 0 && watch->failed > 0;
    printf("\n");
    watch->job = background_start(watch->make, about_a_chapter ? goals : goals + 1);
}

static void judge_again(struct watch *watch)
{
    struct wanted wanted = watch->current;
    if (!wanted.stem)
        wanted = chapter_named(watch, where_we_are(watch));
    if (!wanted.stem) {
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
        watch->current.stem = NULL;
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
        want(watch, &watch->current);
    watch->job = 0;
    watch->judges = false;
    watch->key = KEY_NONE;
    clear_screen(watch);
}

/* One turn: a look when it is time for one, the end of a job, a key. Returns false when this is
 * the end. */
static bool turn(struct watch *watch, double *next_look)
{
    int status;
    const double left = *next_look - seconds_now();
    int key = keyboard_wait(left > 0 ? (int)(1000 * left) + 1 : 0);
    if (key == KEY_QUIT || keyboard_signal() || getppid() != watch->parent)
        return false;
    if (key != KEY_NONE)
        watch->key = key;
    if (seconds_now() >= *next_look) {
        look(watch);
        *next_look = seconds_now() + TICK / 1000.0;
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
    double next_look = seconds_now() + TICK / 1000.0;
    while (turn(&watch, &next_look))
        ;
    leave(&watch);
    return 0;
}
