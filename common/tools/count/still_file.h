/* still_file.h - whether a file can be counted, and whether it held still meanwhile. */
#ifndef STILL_FILE_H
#define STILL_FILE_H

#include <stddef.h>
#include <sys/stat.h>

/* Looks at a file before it is counted. Writes to `why` what is in the way, "no such file", or "" when
 * it is a regular file that this process can read; then *seen tells its length. */
void look_at_file(const char *path, struct stat *seen, char *why, size_t size);

/* Looks again after it has been counted. Writes to `why` what became of it, "shrank while it was read, from
 * 20 to 10 bytes", or "" when it is the same. */
void look_again(const char *path, const struct stat *before, char *why, size_t size);

#endif
