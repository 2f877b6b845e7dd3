/* saves.c - looks for files that have been saved: see saves.h. */
#define _GNU_SOURCE
#include "saves.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "util.h"

/* In looks. A file system may give two writes of one second the same time, so a file is read again
 * for a while; and an empty file is most often one that is being written. */
enum { ALIKE = 1, READ_AGAIN = 10, EMPTY = 4 };

static bool is_kernel(const char *name)
{
    const char *dot = strrchr(name, '.');
    return name[0] != '.' && dot && (strcmp(dot, ".c") == 0 || strcmp(dot, ".cu") == 0);
}

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

struct listener {
    struct saves *saves;
    const char *stem;
    bool further;
    void (*tell)(void *to, const struct watched *file);
    void *to;
};

static void look_at_file(const struct listener *listener, const char *path)
{
    struct stat now;
    struct watched *file;
    if (stat(path, &now) != 0 || !S_ISREG(now.st_mode))
        return;
    bool saved = was_saved(listener->saves, path, &now, &file);
    snprintf(file->stem, sizeof file->stem, "%s", listener->stem);
    file->further = listener->further;
    if (saved)
        listener->tell(listener->to, file);
}

static void look_at_folder(const struct listener *listener, const char *folder)
{
    char path[SAVES_PATH];
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (is_kernel(entry->d_name) &&
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < SAVES_PATH)
            look_at_file(listener, path);
    if (directory)
        closedir(directory);
}

void saves_look(struct saves *saves, void (*tell)(void *to, const struct watched *file), void *to)
{
    char folder[SAVES_PATH];
    struct listener listener = {.saves = saves, .tell = tell, .to = to};
    DIR *directory = opendir(saves->folder);
    saves->missing = !directory;
    saves->round++;
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        listener.stem = entry->d_name;
        listener.further = false;
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9' ||
            snprintf(folder, sizeof folder, "%s/%s", saves->folder, entry->d_name) >=
                SAVES_PATH - 16)
            continue;
        look_at_folder(&listener, folder);
        strcat(folder, "/further");
        listener.further = true;
        look_at_folder(&listener, folder);
    }
    if (directory)
        closedir(directory);
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
