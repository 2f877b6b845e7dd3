/* reset.c - gives a chapter its stub anew, and keeps the file that was there beside it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chapter.h"
#include "commands.h"
#include "util.h"

struct reset {
    const char *stub; /* its text */
    const char *file; /* the student's */
    const char *new;  /* the stub on its way there */
    char *kept;       /* where the old file goes */
};

/* Makes the text of the stub, and says where it goes. */
static struct reset make_stub(const char *folder, const char *stem)
{
    struct reset reset;
    char *source = first_match(format("solutions/%s/*.c*", stem));
    source = source ? source : first_match(format("tests/stubs/%s/*.c*", stem));
    if (!source)
        fail(1,
             "%s: neither its solution nor its stub is here, in solutions or tests/stubs: "
             "there is nothing to go back to",
             stem);
    reset.file = format("%s/%s/%s", folder, stem, base_name(source));
    reset.new = format("%s.new", reset.file);
    FILE *out = open_text();
    const char *wrong = gaps_write_stub(source, out);
    reset.stub = close_text(out);
    if (wrong)
        fail(1, "%s", wrong);
    return reset;
}

static bool is_stub(const struct reset *reset)
{
    size_t length = 0;
    const char *text = read_file(reset->file, &length);
    return text && length == strlen(reset->stub) && memcmp(text, reset->stub, length) == 0;
}

/* Writes the stub beside the file: when there is no room for it, nothing has happened yet. */
static bool write_stub(const struct reset *reset)
{
    make_folders(reset->file);
    FILE *to = fopen(reset->new, "w");
    bool fine = to && fputs(reset->stub, to) >= 0;
    return to && fclose(to) == 0 && fine;
}

/* The number of a kept file, one more than the highest that there is: 3 of histogram.cu.3. */
static void choose_name(struct reset *reset)
{
    unsigned long highest = 0;
    for (char **kept = matches(format("%s.[0-9]*", reset->file)); *kept; kept++) {
        char *end;
        unsigned long number = strtoul(*kept + strlen(reset->file) + 1, &end, 10);
        highest = !*end && number > highest ? number : highest;
    }
    reset->kept = format("%s.%lu", reset->file, highest + 1);
}

/* Moves the old file away. A name that another has taken meanwhile is left alone. */
static bool keep_old(struct reset *reset)
{
    for (unsigned int tries = 0; tries < 8; tries++) {
        choose_name(reset);
        if (renameat2(AT_FDCWD, reset->file, AT_FDCWD, reset->kept, RENAME_NOREPLACE) == 0)
            return true;
        if (errno == EINVAL || errno == ENOSYS) /* a file system that cannot say "do not replace" */
            return !exists(reset->kept) && rename(reset->file, reset->kept) == 0;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

/* Ends the program with what the system says; all is as it was. */
__attribute__((noreturn)) static void give_up(const struct reset *reset)
{
    const int error = errno;
    unlink(reset->new);
    fail(1, "%s: %s", reset->file, strerror(error));
}

static void put_stub(struct reset *reset)
{
    struct stat old;
    bool any = lstat(reset->file, &old) == 0;
    if (!write_stub(reset) || (any && !keep_old(reset)))
        give_up(reset);
    if (rename(reset->new, reset->file) != 0) {
        const int error = errno;
        if (any)
            rename(reset->kept, reset->file);
        errno = error;
        give_up(reset);
    }
    printf("%s: the stub anew\n", reset->file);
    if (any)
        printf("your file is kept as %s; to get it back: mv %s %s\n", reset->kept, reset->kept,
               reset->file);
}

/* FOLDER STEM: the stub is the solution with empty gaps; a copy of the course without solutions
 * has its stubs in tests/stubs/STEM. The old file gets a number behind its name, and is never
 * changed. Nothing is asked, for nothing is lost. */
int reset_command(int count, char **arguments)
{
    (void)count;
    struct reset reset = make_stub(arguments[1], arguments[2]);
    if (is_stub(&reset))
        printf("%s: it is the stub already\n", reset.file);
    else
        put_stub(&reset);
    return 0;
}
