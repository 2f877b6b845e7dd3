/* tree.h - the files of a version of the course, each with a hash of its content. */
#ifndef TREE_H
#define TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
