/* rank_output.c - what this rank writes to standard error. */
#define _GNU_SOURCE
#include "rank.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "control.h"

static int said = -1, caught = -1;
static off_t seen;

static int make(const char *folder, const char *name, unsigned int rank)
{
    char file[32], path[PATH_ROOM + 64];
    snprintf(file, sizeof file, "%s.%u", name, rank);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    int made = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (made < 0) {
        perror(path);
        exit(1);
    }
    return made;
}

void rank_output_begin(const char *folder, unsigned int rank)
{
    int printed = make(folder, PRINTED_FILE, rank);
    said = make(folder, SAID_FILE, rank);
    caught = make(folder, CAUGHT_FILE, rank);
    dup2(printed, STDOUT_FILENO);
    dup2(said, STDERR_FILENO);
    setvbuf(stdout, NULL, _IOLBF, 0);
}

void rank_output_caught(const char *check, const char *place)
{
    dprintf(caught, "%s %s\n", check, place);
}

unsigned int rank_output_since(char *first, size_t size)
{
    struct stat file;
    unsigned int lines = 0;
    first[0] = '\0';
    fflush(NULL);
    if (fstat(said, &file) != 0 || file.st_size <= seen)
        return 0;
    const size_t bytes = (size_t)(file.st_size - seen);
    char *text = calloc(1, bytes + 1);
    if (!text || pread(said, text, bytes, seen) < 0)
        exit(1);
    for (char *line = text, *next; *line; line = next) {
        const size_t length = strcspn(line, "\n");
        next = line + length + (line[length] == '\n');
        if (strncmp(line, "=========", 9) == 0)
            continue;
        if (lines++ == 0)
            snprintf(first, size, "%.*s", (int)length, line);
    }
    free(text);
    seen = file.st_size;
    return lines;
}
