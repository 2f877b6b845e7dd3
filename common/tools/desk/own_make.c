/* own_make.c - starts make without what another make has put into the environment: see own_make.h. */
#define _GNU_SOURCE
#include "own_make.h"

#include <stdio.h>
#include <stdlib.h>

#include "child.h"
#include "folders.h"

enum { MOST_WORDS = 32 };

int own_make(const char *const words[], const char *log)
{
    static const char *const foreign[] = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES",
                                          "BINS"};
    char *arguments[MOST_WORDS + 3] = {"/usr/bin/env", "make"};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        unsetenv(foreign[i]);
    for (size_t i = 0; words[i] && i < MOST_WORDS; i++)
        arguments[i + 2] = (char *)words[i];
    folders_make(log);
    pid_t pid = child_start(arguments, log, CHILD_EVERYTHING);
    return child_wait(&pid);
}
