/* watch.h - what make watch looks at: files that are saved, and keys. */
#ifndef WATCH_H
#define WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

/* Notices that a student has saved a kernel, on any file system: it looks, again and
 * again.
 *
 * Watched are the files *.c and *.cu in FOLDER/NN_name/ and in FOLDER/NN_name/further/, also those
 * that come later. A save is a change of content: a file that was only touched, was away for a
 * while, or was put in the place of another with the same text, is not told. It is told when two
 * looks have found it alike, so that an editor has come to its end. */

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

/* Single keys from a terminal, and signals, while other work goes on. */

enum { KEY_NONE = 0, KEY_QUIT = 'q', KEY_ENTER = '\n' };

/* Takes the keyboard, when standard input is a terminal that is ours: keys come at once and are not
 * shown. At every end of the program, a signal included, the terminal is as it was. Returns whether
 * there are keys. */
bool keyboard_take(void);
/* Waits until a key, a signal or the end of a child comes, or so many milliseconds have passed.
 * Returns the key, in lower case, KEY_QUIT also for Ctrl-C, Ctrl-D and a terminal that is gone, or
 * KEY_NONE. */
int keyboard_wait(int milliseconds);
/* The signal that asked for the end, or 0. */
int keyboard_signal(void);
/* Gives the terminal back. */
void keyboard_give_back(void);

#endif
