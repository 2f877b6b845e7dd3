/* file_reads.h - which bytes of a file this process reads.
 *
 * A program that is linked with file_reads.c has its own read(), pread(), mmap() and fread(), which do what those of the
 * C library do and note it; libraries call them, too, as MPI for MPI_File_read_at. The file is known by its inode, so
 * it does not matter how it was opened, or when. */
#ifndef FILE_READS_H
#define FILE_READS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "many_run.h"

/* What is to happen besides reading. All zero: nothing. */
struct file_rules {
    bool skips;    /* contents are not brought, and the numbers are right */
    uint64_t most; /* so many bytes can be read, as of a file that has become shorter; 0: all */
    /* Is called after each read, in the thread that read, with the memory where the bytes are now; and for each part
     * that is mapped: that its bytes are read there is not seen. */
    void (*saw)(const void *memory, uint64_t begin, uint64_t end);
};

/* From here on what is read of the file at `path` is noted in `reads`, until file_reads_end; of a folder, or where
 * there is no file, nothing is. */
void file_reads_begin(const char *path, const struct file_rules *rules, struct many_read *reads,
                      size_t room);
/* Returns how many reads there were, in their order, where one that goes on where the last one ended is joined with
 * it. More than there was room for are counted, and not kept. */
size_t file_reads_end(void);

#endif
