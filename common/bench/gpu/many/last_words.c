/* last_words.c - a line about what a program was at, whatever ends it. */
#define _GNU_SOURCE
#include "last_words.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char words[256];

static void say(const char *what)
{
    const char *const parts[] = {"gpu: ", words, ": ", what, "\n"};
    for (size_t i = 0; words[0] != '\0' && i < sizeof parts / sizeof *parts; i++)
        if (write(STDERR_FILENO, parts[i], strlen(parts[i])) < 0)
            return;
}

static void at_signal(int number)
{
    say(number == SIGALRM ? "did not return in time: it hangs"
                          : "ended by a signal, as by an address that is none");
    _exit(1);
}

static void at_exit(void)
{
    if (words[0] == '\0')
        return;
    say("the program was ended there");
    fflush(NULL);
    _exit(1);
}

void being_at(unsigned int seconds, const char *format, ...)
{
    static const int signals[] = {SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL};
    static int is_listening;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (!is_listening++) {
        atexit(at_exit);
        for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
            signal(signals[i], at_signal);
    }
    alarm(seconds);
}

void being_done(void)
{
    words[0] = '\0';
    alarm(0);
}
