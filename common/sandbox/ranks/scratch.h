/* scratch.h - a folder for the files of this program, which goes when it ends. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <stddef.h>
#include <stdint.h>

/* In TMPDIR, unless that is long: its name is short, for sockets are made in it. Made when it is first asked
 * for. Fails the test when it cannot be made. */
const char *scratch_folder(void);
/* A new folder in it. */
void scratch_make(char *path, size_t size);
/* Removes a folder with all that it holds. */
void scratch_remove(const char *path);
/* Writes a file of so many bytes; without any, zeros that take no room. Fails the test when it cannot. */
void scratch_write(const char *path, const void *bytes, uint64_t length);

#endif
