/* further.c - begins the exercise of a lesson's "Go further": a copy of the student's kernel. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "chapter.h"
#include "commands.h"
#include "lesson.h"
#include "util.h"

enum { WIDTH = 98 };

/* Whether the chapter's own file is complete; says so when it is not. */
static bool is_solved(const char *source, unsigned int bins)
{
    const struct gaps gaps = gaps_in(source, bins);
    if (gaps.error)
        printf("%s\n", gaps.error);
    else if (gaps.empty > 0)
        printf("%s: %u of its gaps %s empty: solve the chapter first, for the exercise begins "
               "with a copy of it\n",
               source, gaps.empty, gaps.empty == 1 ? "is" : "are");
    return gaps.empty == 0 && !gaps.error;
}

static bool make_copy(const char *source, const char *file)
{
    size_t length;
    const char *text = read_file(source, &length);
    make_folders(file);
    if (text && replace_file(file, text, length))
        return true;
    printf("%s: cannot be made: %s\n", file, strerror(errno));
    return false;
}

/* SOURCE STEM NUMBER BINS: makes SOURCE's folder/further/histogram.cu, unless it is there, as a
 * copy of SOURCE, if that has no gap with so many BINS that is empty, and says what to do there.
 * docs/STEM.md has the exercise, tests/further/STEM.c its suite. */
int further_command(int count, char **arguments)
{
    (void)count;
    const char *source = arguments[1], *stem = arguments[2],
               *suite = format("tests/further/%s.c", stem), *page = format("docs/%s.md", stem),
               *file = beside(source, format("further/%s", base_name(source)));
    struct lesson lesson;
    if (!exists(suite)) {
        printf("chapter %u has no exercise to go further with: there is no %s\n",
               number_of(arguments[3]), suite);
        return 1;
    }
    if (exists(file))
        return 0;
    if (begins_with(source, "solutions/")) { /* of which no copy is made */
        printf("there is no %s\n", file);
        return 1;
    }
    if (!is_solved(source, number_of(arguments[4])) || !make_copy(source, file))
        return 1;
    const char *task = lesson_read(&lesson, page) ? lesson_paragraph(&lesson, "Go further") : NULL;
    printf("%s: made, a copy of %s, which stays as it is\n", file, source);
    printf("what to change in it: %s, under Go further%s\n", page, task ? ":" : "");
    if (task)
        print_wrapped(task, 2, WIDTH);
    return 0;
}
