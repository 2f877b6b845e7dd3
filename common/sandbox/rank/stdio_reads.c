/* stdio_reads.c - what stdio reads of the file that is watched: see file_reads.h.
 *
 * The functions below have the names of the C library's, stand before them, and call them. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "file_reads.h"
#include "library_call.h"

FILE *fopen(const char *path, const char *mode)
{
    FILE *file = LIBRARY_CALL(fopen)(path, mode);
    if (!file || file_reads_opened(fileno(file)))
        return file;
    fclose(file);
    errno = EACCES;
    return NULL;
}

/* What is skipped of a file is not brought, but for its last byte, behind which the end is seen. */
static size_t skip(FILE *file, const void *to, off_t offset, size_t size, size_t count)
{
    size_t bytes = file_reads_available(fileno(file), offset, size * count);
    fseeko(file, offset + (off_t)bytes, SEEK_SET);
    if (bytes < size * count)
        (void)LIBRARY_CALL(fgetc)(file);
    file_reads_noted(to, offset, (ssize_t)bytes);
    return size ? bytes / size : 0;
}

size_t fread(void *to, size_t size, size_t count, FILE *file)
{
    if (!file_reads_is_watched(fileno(file)))
        return LIBRARY_CALL(fread)(to, size, count, file);
    off_t offset = ftello(file);
    file_reads_before();
    if (file_reads_rules()->skips)
        return skip(file, to, offset, size, count);
    size_t got = LIBRARY_CALL(fread)(to, size, count, file);
    file_reads_noted(to, offset,
                     (ssize_t)(got < count ? ftello(file) - offset : (off_t)(size * got)));
    return got;
}

int fgetc(FILE *file)
{
    bool is = file_reads_is_watched(fileno(file));
    off_t offset = is ? ftello(file) : 0;
    if (is)
        file_reads_before();
    int character = LIBRARY_CALL(fgetc)(file);
    if (is && character != EOF)
        file_reads_noted(NULL, offset, 1);
    return character;
}

char *fgets(char *to, int size, FILE *file)
{
    bool is = file_reads_is_watched(fileno(file));
    off_t offset = is ? ftello(file) : 0;
    if (is)
        file_reads_before();
    char *line = LIBRARY_CALL(fgets)(to, size, file);
    if (is && line)
        file_reads_noted(to, offset, (ssize_t)(ftello(file) - offset));
    return line;
}

ssize_t getdelim(char **line, size_t *room, int delimiter, FILE *file)
{
    bool is = file_reads_is_watched(fileno(file));
    off_t offset = is ? ftello(file) : 0;
    if (is)
        file_reads_before();
    ssize_t got = LIBRARY_CALL(getdelim)(line, room, delimiter, file);
    return is ? file_reads_noted(NULL, offset, got) : got;
}

ssize_t getline(char **line, size_t *room, FILE *file)
{
    return getdelim(line, room, '\n', file);
}

/* Their other names. */
#define ALSO(name) __attribute__((alias(#name)))
FILE *fopen64(const char *path, const char *mode) ALSO(fopen);
ssize_t __getdelim(char **line, size_t *room, int delimiter, FILE *file) ALSO(getdelim);
#undef fread_unlocked
size_t fread_unlocked(void *to, size_t size, size_t count, FILE *file) ALSO(fread);
int fgetc_unlocked(FILE *file) ALSO(fgetc);
#undef getc
int getc(FILE *file) ALSO(fgetc);
