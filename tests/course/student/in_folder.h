/* in_folder.h - an empty folder of its own for each test of the program `ladder`, and files in it. */
#ifndef IN_FOLDER_H
#define IN_FOLDER_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util.h"

/* Goes into a new folder; it is left behind in the system's folder for such things. */
static inline void enter_folder(void)
{
    char *name = format("%s/ladder-XXXXXX", *chosen("TMPDIR") ? chosen("TMPDIR") : "/tmp");
    cr_assert(mkdtemp(name) && chdir(name) == 0);
}

static inline void write_text(const char *file, const char *text)
{
    make_folders(file);
    cr_assert(replace_file(file, text, strlen(text)), "%s", file);
}

/* What is in a file; "" where it is not there. */
static inline const char *text_of_file(const char *file)
{
    size_t length;
    const char *text = read_file(file, &length);
    return text ? text : "";
}

#endif
