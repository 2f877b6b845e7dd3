/* chapters.c - what other programs ask of all chapters. */
#include "chapter.h"
#include "commands.h"
#include "util.h"

/* "count,max" of "count max", or "-". */
static const char *commas(const char *operations)
{
    char *list = format("%s", *operations ? operations : "-");
    for (char *at = list; *at; at++)
        *at = *at == ' ' ? ',' : *at;
    return list;
}

/* FOLDER: a line for each chapter in it: its folder's name, its part, "ranks" for a kernel of MPI or "-", and the
 * operations that it takes, with commas between, or "-", and those of its exercise. */
int chapters_command(int count, char **arguments)
{
    struct chapter *chapters;
    const size_t found = chapters_in(arguments[count - 1], &chapters);
    for (const struct chapter *one = chapters; one < chapters + found; one++) {
        const char *further = operations_of(format("further/%s", one->stem));
        printf("%s %u %s %s %s\n", one->stem, one->part, is_for_ranks(one->file) ? "ranks" : "-",
               commas(one->operations), commas(further));
    }
    return 0;
}
