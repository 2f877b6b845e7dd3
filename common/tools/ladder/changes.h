/* changes.h - what changed from one row of the ladder to the next, in words. */
#ifndef CHANGES_H
#define CHANGES_H

#include <stddef.h>

enum { MOST_CHANGES = 12 };

/* One thing that may differ between two rows, and by how much: the larger the
 * weight, the more it tells; 0 is not worth a word. */
struct change {
    char words[96];
    double weight;
};

struct change change_of(const char *what, double before, double after);

/* Prints one line: the three that tell most. */
void changes_print(struct change changes[], size_t count);

#endif
