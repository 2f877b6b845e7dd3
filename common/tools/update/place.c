/* place.c - copies beside the place, then renames: see update.h. */
#define _GNU_SOURCE
#include "update.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Makes the folders above a path. */
static bool make_folders(const char *path)
{
    char *folder = strdup(path);
    bool made = folder;
    for (char *slash = folder ? strchr(folder + 1, '/') : NULL; made && slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        made = mkdir(folder, 0777) == 0 || errno == EEXIST;
        *slash = '/';
    }
    free(folder);
    return made;
}

/* Copies what is open, to the end. */
static bool copy_content(FILE *from, FILE *to)
{
    char block[1 << 14];
    size_t length;
    while ((length = fread(block, 1, sizeof block, from)) > 0)
        if (fwrite(block, 1, length, to) != length)
            return false;
    return !ferror(from) && fflush(to) == 0 && fsync(fileno(to)) == 0;
}

/* Copies into a new file beside the place. */
static bool copy_beside(const char *from, const char *beside)
{
    struct stat status;
    FILE *in = fopen(from, "rb"), *out = in ? fopen(beside, "wb") : NULL;
    bool copied = out && copy_content(in, out) && fstat(fileno(in), &status) == 0 &&
                  fchmod(fileno(out), (status.st_mode & 0777) | S_IWUSR) == 0;
    int error = errno;
    if (in)
        fclose(in);
    if (out && fclose(out) != 0 && copied) {
        error = errno;
        copied = false;
    }
    errno = error;
    return copied;
}

bool place_copy(const char *from, const char *to)
{
    char *beside = NULL;
    if (!make_folders(to) || asprintf(&beside, "%s.taking", to) < 0)
        return false;
    bool placed = copy_beside(from, beside) && rename(beside, to) == 0;
    int error = errno;
    if (!placed)
        unlink(beside);
    free(beside);
    errno = error;
    return placed;
}

bool place_move(const char *from, const char *to)
{
    return make_folders(to) && rename(from, to) == 0;
}

bool place_remove(const char *path)
{
    char *folder = strdup(path);
    bool removed = folder && unlink(path) == 0;
    for (char *slash; removed && (slash = strrchr(folder, '/'));) {
        *slash = '\0';
        if (rmdir(folder) != 0)
            break;
    }
    free(folder);
    return removed;
}
