/* place.h - puts files in their place: as a whole, or not at all. */
#ifndef PLACE_H
#define PLACE_H

#include <stdbool.h>

/* Copies a file with its rights, and makes the folders that it needs; what had its name is gone.
 * Returns false, with errno, when that cannot be done: then all is as before. */
bool place_copy(const char *from, const char *to);

/* Moves a file, and makes the folders that it needs. Returns false, with errno, on failure. */
bool place_move(const char *from, const char *to);

/* Removes a file, and the folders that are empty without it. Returns false, with errno, on failure. */
bool place_remove(const char *path);

#endif
