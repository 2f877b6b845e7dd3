/* file_reads.h - which bytes of a file this process reads.
 *
 * A program that is linked with file_reads.c has its own read(), pread() and so on, which do what the C
 * library's do and note it, and its own fread() and their kind; so do libraries that it calls. With mpi_reads.c
 * those of MPI_File are noted, too. What stdio reads ahead is not: only what its caller asked for. The file is known by its inode, so it
 * does not matter how it was opened, or when. */
#ifndef FILE_READS_H
#define FILE_READS_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Offsets in the file. */
struct file_read {
    uint64_t begin, end;
};

/* What is to happen in place of reading. All zero: nothing special. */
struct file_rules {
    bool refused; /* this process may not open it: EACCES */
    bool skips;   /* contents are not brought, only the numbers are right */
    const char *
        shrinks; /* cut to `shrunk` bytes, when this process first reads from the file of this name */
    uint64_t shrunk;
    void (*cut)(void); /* does so; NULL: this process itself */
};

/* From here on what is read of the file at `path` is noted, until file_reads_end. Nothing is when there is
 * no such file, or a folder. `rules` may be NULL. */
void file_reads_begin(const char *path, const struct file_rules *rules);
/* Ends it. The reads in their order, where one that goes on where the last ended is joined with it; the
 * caller frees them. Those that follow before the next file_reads_begin are as usual. */
size_t file_reads_end(struct file_read **reads);

/* Calls `saw` after each read, in the thread that read; `memory` has the bytes, or is NULL where that is not
 * known. NULL stops it. To be called before file_reads_begin. */
typedef void file_reads_saw(const void *memory, uint64_t begin, uint64_t end, void *context);
void file_reads_observe(file_reads_saw *saw, void *context);
/* The same for parts of it that are mapped into memory: that they are read there is not seen. */
void file_reads_observe_mappings(file_reads_saw *saw, void *context);

/* Parts of the file, of this one and those before, that are mapped into memory and were not unmapped since. */
uint64_t file_reads_mappings(void);

/* For what reads in another way, mpi_reads.c: that these bytes were read, or are about to be. */
void file_reads_note(const void *memory, uint64_t begin, uint64_t end);
void file_reads_before(void);
/* Between the two what this thread reads is not noted, nor ever what is read of a file that it opens. */
void file_reads_pause(void);
void file_reads_resume(void);
const struct file_rules *file_reads_rules(void); /* NULL when nothing is noted */

/* The function of the C library that one of the same name in this program stands before: LIBRARY_CALL(fread)(to, size, count, file). It must be there: the program is linked with it. */
#define LIBRARY_CALL(name)                                                                         \
    ({                                                                                             \
        static __typeof__(&name) library_call_;                                                    \
        if (!library_call_)                                                                        \
            *(void **)&library_call_ = dlsym(RTLD_NEXT, #name);                                    \
        library_call_;                                                                             \
    })

#endif
