/* where.c - prints the number of the chapter that the student is at; nothing when all are solved.
 *
 *     where FOLDER BINS
 *
 * FOLDER   with the student's kernels; a status of 1 and one line when there is no chapter in it */
#include <stdio.h>
#include <stdlib.h>

#include "judge_anew.h"
#include "state_words.h"

int main(int count, char **arguments)
{
    if (count != 3) {
        fprintf(stderr, "usage: where FOLDER BINS\n");
        return 2;
    }
    struct standings all =
        standings_read(arguments[1], (unsigned int)strtoul(arguments[2], NULL, 10));
    if (all.count == 0)
        return state_no_chapter(arguments[1]);
    const struct standing *current = judge_to_current(&all);
    if (current)
        printf("%u\n", current->number);
    standings_free(&all);
    return 0;
}
