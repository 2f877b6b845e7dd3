/* saves.h - notices that a student has saved a kernel, on any file system: it looks, again and
 * again.
 *
 * Watched are the files *.c and *.cu in FOLDER/NN_name/ and in FOLDER/NN_name/further/, also those
 * that come later. A save is a change of content: a file that was only touched, was away for a
 * while, or was put in the place of another with the same text, is not told. It is told when two
 * looks have found it alike, so that an editor has come to its end. */
#ifndef SAVES_H
#define SAVES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

enum { SAVES_PATH = 1024, SAVES_NAME = 256 };

/* What the system says of a file without reading it. */
struct look {
    off_t size;
    struct timespec changed;
    ino_t inode;
    dev_t device;
};

struct watched {
    char path[SAVES_PATH];
    char stem[SAVES_NAME]; /* of its chapter: 05_name */
    bool further;
    struct look last;
    uint64_t content;   /* a hash of what was last read */
    unsigned int quiet; /* looks since the last one that found it changed */
    unsigned int round; /* of looks, in which it was last there */
    bool known;         /* `content` is one that has been told, or was there at the start */
};

struct saves {
    const char *folder;
    struct watched *files;
    size_t count;
    unsigned int round;
    bool missing; /* the folder, at the last look */
};

/* Begins to watch; what is there now is known. `missing` tells that the folder is not there. */
void saves_begin(struct saves *saves, const char *folder);
/* Looks at all files. Calls `tell` for each that has been saved since. Ends the program with a line
 * when there is no memory. */
void saves_look(struct saves *saves, void (*tell)(void *to, const struct watched *file), void *to);

#endif
