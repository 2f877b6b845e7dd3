/* tree.c - reads folders and records: see update.h. */
#define _GNU_SOURCE
#include "update.h"

#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool hash_file(const char *path, uint64_t *hash)
{
    struct stat status;
    unsigned char block[1 << 14];
    size_t length;
    if (lstat(path, &status) != 0)
        return false;
    errno = EINVAL;
    FILE *file = S_ISREG(status.st_mode) ? fopen(path, "rb") : NULL;
    if (!file)
        return false;
    *hash = 0xcbf29ce484222325U;
    while ((length = fread(block, 1, sizeof block, file)) > 0)
        for (size_t i = 0; i < length; i++)
            *hash = (*hash ^ block[i]) * 0x100000001b3U;
    int error = ferror(file) ? errno : 0;
    fclose(file);
    errno = error;
    return error == 0;
}

/* A path that stays below the root of the course, and can stand in a line. */
static bool is_inside(const char *path)
{
    for (const char *part = path; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL)
        if (*part == '/' || strncmp(part, "../", 3) == 0 || strcmp(part, "..") == 0)
            return false;
    return *path && !strpbrk(path, "\n\r");
}

static bool add(struct tree *tree, const char *path, uint64_t hash)
{
    if (!is_inside(path))
        return true;
    struct file *files = reallocarray(tree->files, tree->count + 1, sizeof *files);
    char *copy = strdup(path);
    if (files)
        tree->files = files;
    if (!files || !copy) {
        free(copy);
        return false;
    }
    tree->files[tree->count++] = (struct file){.path = copy, .hash = hash};
    return true;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct file *)a)->path, ((const struct file *)b)->path);
}

/* What is at the top of a folder, and of no course. */
static bool is_foreign(const FTSENT *entry)
{
    return entry->fts_level == 1 &&
           (strcmp(entry->fts_name, ".git") == 0 || strcmp(entry->fts_name, "build") == 0 ||
            strcmp(entry->fts_name, RECORD) == 0);
}

static bool read_folder(struct tree *tree, char *folder)
{
    char *roots[] = {folder, NULL};
    size_t root = strlen(folder) + 1;
    bool whole = true;
    uint64_t hash;
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    for (FTSENT *entry; walk && whole && (errno = 0, entry = fts_read(walk));) {
        if (is_foreign(entry))
            fts_set(walk, entry, FTS_SKIP);
        else if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR)
            errno = entry->fts_errno, whole = false;
        else if (entry->fts_info == FTS_F)
            whole = hash_file(entry->fts_path, &hash) && add(tree, entry->fts_path + root, hash);
    }
    int error = errno;
    if (walk)
        fts_close(walk);
    errno = error;
    return walk && whole && error == 0;
}

static bool read_record(struct tree *tree, FILE *record)
{
    char *line = NULL;
    size_t room = 0;
    uint64_t hash;
    int path;
    bool whole = true;
    while (whole && getline(&line, &room, record) > 0) {
        line[strcspn(line, "\n")] = '\0';
        path = 0;
        if (sscanf(line, "%16" SCNx64 " %n", &hash, &path) == 1 && path == 17)
            whole = add(tree, line + path, hash);
    }
    free(line);
    return whole && !ferror(record);
}

bool tree_read(struct tree *tree, const char *from)
{
    struct stat status;
    *tree = (struct tree){.count = 0};
    if (stat(from, &status) != 0)
        return false;
    char *folder = S_ISDIR(status.st_mode) ? strdup(from) : NULL;
    FILE *record = folder ? NULL : fopen(from, "r");
    bool whole = (folder && read_folder(tree, folder)) || (record && read_record(tree, record));
    int error = errno;
    free(folder);
    if (record)
        fclose(record);
    if (tree->count > 0)
        qsort(tree->files, tree->count, sizeof *tree->files, by_path);
    errno = error;
    return whole;
}

void tree_free(struct tree *tree)
{
    for (size_t i = 0; i < tree->count; i++)
        free(tree->files[i].path);
    free(tree->files);
    *tree = (struct tree){.count = 0};
}

const struct file *tree_find(const struct tree *tree, const char *path)
{
    const struct file wanted = {.path = (char *)path};
    return tree->count == 0
               ? NULL
               : bsearch(&wanted, tree->files, tree->count, sizeof *tree->files, by_path);
}

bool tree_record(const struct tree *tree)
{
    FILE *file = fopen(RECORD ".taking", "w");
    if (!file)
        return false;
    fputs("# what was installed here; make update compares your files with it\n", file);
    for (size_t i = 0; i < tree->count; i++)
        fprintf(file, "%016" PRIx64 " %s\n", tree->files[i].hash, tree->files[i].path);
    bool written = !ferror(file);
    return fclose(file) == 0 && written && rename(RECORD ".taking", RECORD) == 0;
}
