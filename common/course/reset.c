/* reset.c - gives a chapter its stub anew, and keeps the file that was there beside it. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chapter.h"
#include "commands.h"
#include "util.h"

/* The text of a chapter's stub. Where there is none the program ends with one line. */
static const char *stub_of(const struct chapter *chapter)
{
    const char *source = exists(chapter->solution)
                             ? chapter->solution
                             : first_match(format("tests/stubs/%s/*.c*", chapter->stem));
    if (!source)
        fail(1,
             "%s: neither its solution nor its stub is here, in solutions or tests/stubs: "
             "there is nothing to go back to",
             chapter->stem);
    FILE *out = open_text();
    const char *wrong = gaps_write_stub(source, out), *stub = close_text(out);
    if (wrong)
        fail(1, "%s", wrong);
    return stub;
}

/* A name for the old file: its number is one more than the highest that there is, 3 of histogram.cu.3. */
static const char *name_to_keep(const char *file)
{
    unsigned int highest = 0;
    for (char **kept = matches(format("%s.[0-9]*", file)); *kept; kept++) {
        const unsigned int number = number_of(*kept + strlen(file) + 1);
        highest = number > highest ? number : highest;
    }
    return format("%s.%u", file, highest + 1);
}

/* PLACE: a chapter's folder. The stub is the solution with empty gaps; a copy of the course without solutions has
 * its stubs in tests/stubs. The old file gets a number behind its name, and is never changed. Nothing is asked,
 * for nothing is lost. */
int reset_command(int count, char **arguments)
{
    (void)count;
    size_t length;
    const struct chapter chapter = chapter_at(arguments[1]);
    const char *file = chapter.file, *stub = stub_of(&chapter), *text = read_file(file, &length),
               *kept = name_to_keep(file);
    if (text && strcmp(text, stub) == 0) {
        printf("%s: it is the stub already\n", file);
        return 0;
    }
    make_folders(file);
    const bool any = exists(file);
    if (any && rename(file, kept) != 0)
        fail(1, "%s: %s", file, strerror(errno));
    if (!replace_file(file, stub, strlen(stub)))
        fail(1, "%s: %s%s%s", file, strerror(errno), any ? "; your file is " : "", any ? kept : "");
    printf("%s: the stub anew\n", file);
    if (any)
        printf("your file is kept as %s; to get it back: mv %s %s\n", kept, kept, file);
    return 0;
}
