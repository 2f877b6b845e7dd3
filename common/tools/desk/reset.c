/* reset.c - gives a chapter its stub anew, and keeps the file that was there beside it.
 *
 *     reset FOLDER STEM
 *
 * FOLDER   with the student's kernels, and STEM, 05_name, the chapter. The stub is the file in
 *          tests/stubs/STEM. The old file gets a number behind its name, one more than the highest
 *          that there is: histogram.cu.1, and is never changed. Nothing is asked, for nothing is
 *          lost. Status 1 when it cannot be done; then all is as it was. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folders.h"

enum { PATH = 2048 };

struct reset {
    char stub[PATH];             /* tests/stubs/05_name/histogram.cu */
    char file[PATH];             /* the student's */
    char new[PATH + 16];         /* the stub on its way there */
    char kept[PATH + 16];        /* where the old file goes */
    const char *shown, *trouble; /* a file, and what is wrong with it */
};

static bool fail(struct reset *reset, const char *file)
{
    reset->shown = file;
    reset->trouble = strerror(errno);
    return false;
}

/* The one file in tests/stubs/STEM, and the place where it goes. */
static bool find_stub(struct reset *reset, const char *folder, const char *stem)
{
    glob_t found = {.gl_pathc = 0};
    snprintf(reset->stub, sizeof reset->stub, "tests/stubs/%s/*.c*", stem);
    bool any = glob(reset->stub, 0, NULL, &found) == 0 &&
               (size_t)snprintf(reset->file, sizeof reset->file, "%s/%s%s", folder, stem,
                                strrchr(found.gl_pathv[0], '/')) < sizeof reset->file;
    if (any)
        snprintf(reset->stub, sizeof reset->stub, "%s", found.gl_pathv[0]);
    globfree(&found);
    reset->shown = reset->stub;
    reset->trouble = any ? NULL : "there is no stub of this chapter to go back to";
    return any;
}

static bool same_text(const char *one_name, const char *other_name)
{
    char one[4096], other[4096];
    FILE *first = fopen(one_name, "r"), *second = fopen(other_name, "r");
    bool same = first && second;
    for (size_t length = 1; same && length > 0;) {
        length = fread(one, 1, sizeof one, first);
        same = fread(other, 1, sizeof other, second) == length && memcmp(one, other, length) == 0 &&
               !ferror(first) && !ferror(second);
    }
    if (first)
        fclose(first);
    if (second)
        fclose(second);
    return same;
}

/* Writes the stub beside the file: when there is no room for it, nothing has happened yet. */
static bool copy_stub(struct reset *reset)
{
    char piece[4096];
    folders_make(reset->file);
    snprintf(reset->new, sizeof reset->new, "%s.new", reset->file);
    FILE *from = fopen(reset->stub, "r"), *to = from ? fopen(reset->new, "w") : NULL;
    bool fine = from && to;
    for (size_t bytes; fine && (bytes = fread(piece, 1, sizeof piece, from)) > 0;)
        fine = fwrite(piece, 1, bytes, to) == bytes;
    fine = fine && !ferror(from);
    if (to && fclose(to) != 0)
        fine = false;
    if (from)
        fclose(from);
    if (fine)
        return true;
    fail(reset, from ? reset->file : reset->stub);
    unlink(reset->new);
    return false;
}

/* The number of a kept file: 3 of histogram.cu.3. */
static unsigned long number_of(const char *path, size_t length)
{
    char *end;
    unsigned long number = strtoul(path + length + 1, &end, 10);
    return *end ? 0 : number;
}

static void choose_name(struct reset *reset)
{
    glob_t found = {.gl_pathc = 0};
    char pattern[PATH + 16];
    unsigned long highest = 0;
    snprintf(pattern, sizeof pattern, "%s.[0-9]*", reset->file);
    glob(pattern, 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        unsigned long number = number_of(found.gl_pathv[i], strlen(reset->file));
        highest = number > highest ? number : highest;
    }
    globfree(&found);
    snprintf(reset->kept, sizeof reset->kept, "%s.%lu", reset->file, highest + 1);
}

/* Moves the old file away. A name that another has taken meanwhile is left alone. */
static bool keep_old(struct reset *reset)
{
    for (unsigned int tries = 0; tries < 8; tries++) {
        choose_name(reset);
        if (renameat2(AT_FDCWD, reset->file, AT_FDCWD, reset->kept, RENAME_NOREPLACE) == 0)
            return true;
        if (errno == EINVAL || errno == ENOSYS) /* a file system that cannot say "do not replace" */
            return access(reset->kept, F_OK) != 0 && rename(reset->file, reset->kept) == 0;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

static bool put_stub(struct reset *reset)
{
    struct stat old;
    bool any = lstat(reset->file, &old) == 0;
    if (!copy_stub(reset))
        return false;
    if (any && !keep_old(reset)) {
        fail(reset, reset->file);
        unlink(reset->new);
        return false;
    }
    if (rename(reset->new, reset->file) != 0) {
        fail(reset, reset->file);
        if (any)
            rename(reset->kept, reset->file);
        return false;
    }
    printf("%s: the stub anew\n", reset->file);
    if (any)
        printf("your file is kept as %s; to get it back: mv %s %s\n", reset->kept, reset->kept,
               reset->file);
    return true;
}

int main(int count, char **arguments)
{
    struct reset reset = {.shown = ""};
    if (count != 3) {
        fprintf(stderr, "usage: reset FOLDER STEM\n");
        return 2;
    }
    bool found = find_stub(&reset, arguments[1], arguments[2]);
    if (found && same_text(reset.stub, reset.file)) {
        printf("%s: it is the stub already\n", reset.file);
        return 0;
    }
    if (found && put_stub(&reset))
        return 0;
    fprintf(stderr, "%s: %s\n", reset.shown, reset.trouble);
    return 1;
}
