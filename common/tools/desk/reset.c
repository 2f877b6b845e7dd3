/* reset.c - gives a chapter its stub anew, and keeps the file that was there beside it.
 *
 *     reset FOLDER STEM
 *
 * FOLDER   with the student's kernels, and STEM, 05_name, the chapter. The stub is the solution with
 *          empty gaps; a copy of the course without solutions has its stubs in tests/stubs/STEM. The
 *          old file gets a number behind its name, one more than the highest that there is:
 *          histogram.cu.1, and is never changed. Nothing is asked, for nothing is lost. Status 1 when
 *          it cannot be done; then all is as it was. */
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
#include "gap_search.h"

enum { PATH = 2048 };

struct reset {
    char *stub;                  /* its text; from malloc */
    size_t length;               /* of it */
    char *wrong;                 /* with what it is made of, or NULL; from malloc */
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

/* The kernel's file of a chapter in `folder`; false: there is none. */
static bool find_kernel(const char *folder, const char *stem, char *path)
{
    glob_t found = {.gl_pathc = 0};
    char pattern[PATH];
    snprintf(pattern, sizeof pattern, "%s/%s/*.c*", folder, stem);
    bool any = glob(pattern, 0, NULL, &found) == 0;
    snprintf(path, PATH, "%s", any ? found.gl_pathv[0] : pattern);
    globfree(&found);
    return any;
}

/* Makes the text of the stub, and says where it goes. */
static bool make_stub(struct reset *reset, const char *folder, const char *stem)
{
    static char source[PATH];
    if (!find_kernel("solutions", stem, source) && !find_kernel("tests/stubs", stem, source)) {
        reset->shown = stem;
        reset->trouble = "neither its solution nor its stub is here, in solutions or tests/stubs: "
                         "there is nothing to go back to";
        return false;
    }
    const char *name = strrchr(source, '/');
    if ((size_t)snprintf(reset->file, sizeof reset->file, "%s/%s%s", folder, stem, name) >=
        sizeof reset->file) {
        errno = ENAMETOOLONG;
        return fail(reset, source);
    }
    FILE *out = open_memstream(&reset->stub, &reset->length);
    if (!out)
        return fail(reset, source);
    reset->wrong = gaps_write_stub(source, out);
    return fclose(out) == 0 && !reset->wrong;
}

/* Whether the student's file is the stub. */
static bool is_stub(const struct reset *reset)
{
    char piece[4096];
    size_t read = 0, bytes;
    FILE *file = fopen(reset->file, "r");
    bool same = file != NULL;
    while (same && (bytes = fread(piece, 1, sizeof piece, file)) > 0) {
        same = bytes <= reset->length - read && memcmp(piece, reset->stub + read, bytes) == 0;
        read += bytes;
    }
    same = same && !ferror(file) && read == reset->length;
    if (file)
        fclose(file);
    return same;
}

/* Writes the stub beside the file: when there is no room for it, nothing has happened yet. */
static bool write_stub(struct reset *reset)
{
    folders_make(reset->file);
    snprintf(reset->new, sizeof reset->new, "%s.new", reset->file);
    FILE *to = fopen(reset->new, "w");
    bool fine = to && fwrite(reset->stub, 1, reset->length, to) == reset->length;
    if (to && fclose(to) != 0)
        fine = false;
    if (fine)
        return true;
    fail(reset, reset->file);
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
    if (!write_stub(reset))
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
    bool done = make_stub(&reset, arguments[1], arguments[2]);
    if (done && is_stub(&reset))
        printf("%s: it is the stub already\n", reset.file);
    else if (done)
        done = put_stub(&reset);
    if (!done && reset.wrong)
        fprintf(stderr, "%s\n", reset.wrong);
    else if (!done)
        fprintf(stderr, "%s: %s\n", reset.shown, reset.trouble);
    free(reset.stub);
    free(reset.wrong);
    return !done;
}
