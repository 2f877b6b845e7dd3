/* folders.c - makes folders, level by level: see folders.h. */
#define _GNU_SOURCE
#include "folders.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void folders_make(const char *file)
{
    char *path = strdup(file);
    if (!path)
        return;
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    free(path);
}
