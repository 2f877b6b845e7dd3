/* update.h - files of the course, and the folders that they are in, for the update. */
#ifndef UPDATE_H
#define UPDATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Puts files in their place: as a whole, or not at all. */

/* Copies a file with its rights, and makes the folders that it needs; what had its name is gone.
 * Returns false, with errno, when that cannot be done: then all is as before. */
bool place_copy(const char *from, const char *to);

/* Moves a file, and makes the folders that it needs. Returns false, with errno, on failure. */
bool place_move(const char *from, const char *to);

/* Removes a file, and the folders that are empty without it. Returns false, with errno, on failure. */
bool place_remove(const char *path);

/* The files of a version of the course, each with a hash of its content. */

/* The record of what is installed: "HASH PATH" in each line, HASH in 16 hexadecimal digits. */
#define RECORD ".course"

struct file {
    char *path; /* from the root of the course */
    uint64_t hash;
};

struct tree {
    struct file *files; /* sorted by path */
    size_t count;
};

/* Reads a folder, without .git, build and the record at its top, or a record. Returns false, with
 * errno, when it cannot be read. Free the tree with tree_free either way. */
bool tree_read(struct tree *tree, const char *from);
void tree_free(struct tree *tree);

/* The file of this path, or NULL. */
const struct file *tree_find(const struct tree *tree, const char *path);

/* Makes the record of a tree, as a whole or not at all. Returns false, with errno, on failure. */
bool tree_record(const struct tree *tree);

/* The hash of a file's content: FNV-1a, 64 bits. Returns false, with errno, when it is no regular
 * file (EINVAL) or cannot be read. */
bool hash_file(const char *path, uint64_t *hash);

#endif
