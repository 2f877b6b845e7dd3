/* whole_file.c - writes a file beside the old one: see count.h. */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700
#include "count.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder of a path, to be freed; NULL without memory. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return !slash          ? strdup(".")
           : slash == path ? strdup("/")
                           : strndup(path, (size_t)(slash - path));
}

/* Whether a file can be made in the folder of a path; otherwise why not. */
static void look_at_folder(const char *path, char *why, size_t size)
{
    struct stat seen;
    char *folder = folder_of(path);
    if (!folder || stat(folder, &seen) != 0 || !S_ISDIR(seen.st_mode))
        snprintf(why, size, "%s: there is no folder %s", path, folder ? folder : "");
    else if (access(folder, W_OK | X_OK) != 0)
        snprintf(why, size, "%s: cannot be written: the folder %s: %s", path, folder,
                 strerror(errno));
    free(folder);
}

bool whole_file_possible(const char *path, char *why, size_t size)
{
    struct stat seen;
    char *real = realpath(path, NULL);
    const bool is_there = stat(path, &seen) == 0;
    *why = '\0';
    if (*path == '\0')
        snprintf(why, size, "--output and --plot want the name of a file, and not an empty one");
    else if (is_there && S_ISDIR(seen.st_mode))
        snprintf(why, size, "%s: is a folder, not a file", path);
    else if (!is_there || S_ISREG(seen.st_mode))
        look_at_folder(real ? real : path, why, size);
    else if (access(path, W_OK) != 0)
        snprintf(why, size, "%s: cannot be written: %s", path, strerror(errno));
    free(real);
    return *why == '\0';
}

static bool begin_beside(struct whole_file *file)
{
    const size_t size = strlen(file->path) + sizeof ".XXXXXX";
    file->written = malloc(size);
    if (!file->written)
        return false;
    snprintf(file->written, size, "%s.XXXXXX", file->path);
    const int descriptor = mkstemp(file->written);
    const mode_t mask = umask(0);
    umask(mask);
    if (descriptor >= 0)
        fchmod(descriptor, 0666 & ~mask);
    file->stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    return file->stream != NULL;
}

bool whole_file_begin(struct whole_file *file, const char *path, char *why, size_t size)
{
    struct stat seen;
    char *real = realpath(path, NULL);
    *file = (struct whole_file){.path = real ? real : strdup(path)};
    const bool plain = !real || (stat(real, &seen) == 0 && S_ISREG(seen.st_mode));
    const bool begun =
        file->path && (plain ? begin_beside(file) : (file->stream = fopen(real, "w")) != NULL);
    if (!begun) {
        snprintf(why, size, "%s: cannot be written: %s", path, strerror(errno));
        free(file->path);
        free(file->written);
    }
    return begun;
}

bool whole_file_end(struct whole_file *file, char *why, size_t size)
{
    errno = 0;
    bool good = fflush(file->stream) == 0 && !ferror(file->stream);
    good = good && (!file->written || fsync(fileno(file->stream)) == 0);
    const int error = errno;
    good = fclose(file->stream) == 0 && good;
    if (good && file->written)
        good = rename(file->written, file->path) == 0;
    if (!good)
        snprintf(why, size, "%s: cannot be written: %s", file->path,
                 strerror(error ? error : errno));
    if (!good && file->written)
        remove(file->written);
    free(file->written);
    free(file->path);
    return good;
}

void whole_file_drop(struct whole_file *file)
{
    fclose(file->stream);
    if (file->written)
        remove(file->written);
    free(file->written);
    free(file->path);
}
