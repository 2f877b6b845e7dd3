/* keyboard.c - the terminal's keys, and signals: see watch.h. */
#define _GNU_SOURCE
#include "watch.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { CTRL_C = 3, CTRL_D = 4, ESCAPE = 27 };

static struct {
    bool taken;
    struct termios before, now;
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

void keyboard_give_back(void)
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
        tcsetattr(STDIN_FILENO, TCSADRAIN, &keyboard.now);
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
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        on(ends[i], note_end);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct sigaction action = {.sa_handler = give_back_and_fall, .sa_flags = (int)SA_RESETHAND};
        sigaction(faults[i], &action, NULL);
    }
    on(SIGCHLD, note_child);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGTTOU, SIG_IGN); /* or to give the terminal back could stop us */
}

bool keyboard_take(void)
{
    take_signals();
    if (!isatty(STDIN_FILENO) || !is_ours() || tcgetattr(STDIN_FILENO, &keyboard.before) != 0)
        return false;
    keyboard.now = keyboard.before;
    keyboard.now.c_lflag &= ~(tcflag_t)(ICANON | ECHO | TOSTOP);
    keyboard.now.c_cc[VINTR] = _POSIX_VDISABLE; /* a key like others: no word of make about it */
    keyboard.now.c_cc[VMIN] = 1;
    keyboard.now.c_cc[VTIME] = 0;
    keyboard.taken = tcsetattr(STDIN_FILENO, TCSADRAIN, &keyboard.now) == 0;
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

int keyboard_wait(int milliseconds)
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

int keyboard_signal(void)
{
    return keyboard.ended_by;
}
