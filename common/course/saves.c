/* saves.c - looks for files that have been saved: see watch.h. */
#define _GNU_SOURCE
#include "watch.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "util.h"

/* In looks. A file system may give two writes of one second the same time, so a file is read again
 * for a while; and an empty file is most often one that is being written. */
enum { ALIKE = 1, READ_AGAIN = 10, EMPTY = 4 };

static bool same_look(const struct look *one, const struct look *other)
{
    return one->size == other->size && one->inode == other->inode && one->device == other->device &&
           one->changed.tv_sec == other->changed.tv_sec &&
           one->changed.tv_nsec == other->changed.tv_nsec;
}

static struct watched *watched_at(struct saves *saves, const char *path)
{
    for (size_t i = 0; i < saves->count; i++)
        if (strcmp(saves->files[i].path, path) == 0)
            return &saves->files[i];
    saves->files = grow(saves->files, saves->count, 1, sizeof *saves->files);
    struct watched *file = &saves->files[saves->count++];
    snprintf(file->path, sizeof file->path, "%s", path);
    return file;
}

/* Whether a file that was found alike long enough has another content than was known. */
static bool has_new_content(struct watched *file)
{
    uint64_t content;
    unsigned int alike = file->last.size > 0 ? ALIKE : EMPTY;
    if (file->quiet < alike || file->quiet > alike + READ_AGAIN || !hash_file(file->path, &content))
        return false;
    bool is_new = !file->known || content != file->content;
    file->content = content;
    file->known = true;
    return is_new;
}

/* One look at one file. */
static bool was_saved(struct saves *saves, const char *path, const struct stat *now,
                      struct watched **found)
{
    struct look look = {now->st_size, now->st_mtim, now->st_ino, now->st_dev};
    struct watched *file = *found = watched_at(saves, path);
    bool is_new = file->round == 0, was_there = file->round + 1 == saves->round;
    file->round = saves->round;
    if (is_new && saves->round == 1)
        file->known = hash_file(path, &file->content);
    if (is_new || !was_there || !same_look(&look, &file->last)) {
        file->last = look;
        file->quiet = 0;
        return false;
    }
    if (file->quiet <= EMPTY + READ_AGAIN)
        file->quiet++;
    return has_new_content(file);
}

/* "05_name" of chapters/05_name/histogram.cu, and of chapters/05_name/further/histogram.cu. */
static void name_chapter(struct watched *file, const char *folder)
{
    const char *stem = file->path + strlen(folder) + 1, *end = strchr(stem, '/');
    snprintf(file->stem, sizeof file->stem, "%.*s", (int)(end - stem), stem);
    file->further = strchr(end + 1, '/');
}

void saves_look(struct saves *saves, void (*tell)(void *to, const struct watched *file), void *to)
{
    char pattern[SAVES_PATH];
    struct stat now;
    struct watched *file;
    glob_t found = {.gl_pathc = 0};
    saves->missing = stat(saves->folder, &now) != 0 || !S_ISDIR(now.st_mode);
    saves->round++;
    snprintf(pattern, sizeof pattern, "%s/[0-9]*/{,further/}*.{c,cu}", saves->folder);
    glob(pattern, GLOB_BRACE, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *path = found.gl_pathv[i];
        if (strlen(path) >= SAVES_PATH || stat(path, &now) != 0 || !S_ISREG(now.st_mode))
            continue;
        bool saved = was_saved(saves, path, &now, &file);
        name_chapter(file, saves->folder);
        if (saved)
            tell(to, file);
    }
    globfree(&found);
}

static void tell_nobody(void *to, const struct watched *file)
{
    (void)to, (void)file;
}

void saves_begin(struct saves *saves, const char *folder)
{
    *saves = (struct saves){.folder = folder};
    saves_look(saves, tell_nobody, NULL);
}
