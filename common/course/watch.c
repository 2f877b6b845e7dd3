/* watch.c - judges a chapter whenever one of its files is saved: `make watch`. */
#define _GNU_SOURCE
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chapter.h"
#include "commands.h"
#include "process.h"
#include "util.h"

enum { BETWEEN_LOOKS = 300000 /* microseconds */ };

/* A kernel that is watched, and when it was saved: now, and when it was judged last. */
struct watched {
    const char *path;
    struct timespec saved, judged;
};

struct watch {
    const char *folder, *pattern;
    struct watched *files;
    size_t count;
};

static bool is_same(struct timespec one, struct timespec other)
{
    return one.tv_sec == other.tv_sec && one.tv_nsec == other.tv_nsec;
}

static struct watched *find(const struct watch *watch, const char *path)
{
    for (size_t i = 0; i < watch->count; i++)
        if (strcmp(watch->files[i].path, path) == 0)
            return &watch->files[i];
    return NULL;
}

/* Whether a file has been saved since it was judged, and was found like that twice, so that the editor has come
 * to its end. What is there at the `first` look need not be judged. */
static bool was_saved(struct watch *watch, const char *path, bool first)
{
    struct stat seen;
    if (stat(path, &seen) != 0 || !S_ISREG(seen.st_mode))
        return false;
    struct watched *file = find(watch, path);
    if (!file) {
        watch->files = grow(watch->files, watch->count, 1, sizeof *watch->files);
        file = &watch->files[watch->count++];
        file->path = format("%s", path);
        if (first)
            file->judged = seen.st_mtim;
    }
    const bool settled = is_same(file->saved, seen.st_mtim);
    file->saved = seen.st_mtim;
    return settled && !is_same(file->judged, file->saved);
}

static void judge(const struct watch *watch, struct watched *file)
{
    const struct chapter chapter = chapter_at(file->path);
    const char *words[5] = {format("chapter%u", chapter.number)};
    size_t count = 1;
    if (strstr(file->path, "/further/"))
        words[count++] = "further";
    words[count++] = "test";
    words[count++] = format("CHAPTERS=%s", watch->folder);
    file->judged = file->saved;
    printf("\n%s was saved\n", file->path);
    process_make(words, NULL);
    fflush(stdout);
}

/* One look at all files; judges those that were saved. */
static void look(struct watch *watch, bool first)
{
    glob_t found = {.gl_pathc = 0};
    glob(watch->pattern, GLOB_BRACE, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (was_saved(watch, found.gl_pathv[i], first))
            judge(watch, find(watch, found.gl_pathv[i]));
    globfree(&found);
}

/* FOLDER: judges what is saved in the chapters there, one file after the other, until it is ended. It looks again and
 * again, which works on any file system. */
int watch_command(int count, char **arguments)
{
    (void)count;
    struct watch watch = {.folder = arguments[1],
                          .pattern = format("%s/[0-9]*/{,further/}*.{c,cu}", arguments[1])};
    if (!exists(watch.folder))
        fail(1, "%s: there is no such folder", watch.folder);
    look(&watch, true);
    printf("watching %s: each kernel is judged when you save it; Ctrl-C ends\n", watch.folder);
    fflush(stdout);
    for (;;) {
        usleep(BETWEEN_LOOKS);
        look(&watch, false);
    }
}
