/* entrants.c - finds the functions of shared libraries, and the chapters that they are of. */
#define _GNU_SOURCE
#include "entrants.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *entrant_library(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "gpu: %s\n", dlerror());
        exit(1);
    }
    return library;
}

void entrant_function(void *library, const char *name, void *pointer)
{
    void *symbol = dlsym(library, name);
    memcpy(pointer, &symbol, sizeof symbol);
}

void entrant_chapter(const char *path, const char *operation, char *name, size_t size)
{
    char *copy = strdup(path), *part = copy, *end;
    if (copy && (end = strrchr(copy, '/'))) {
        *end = '\0';
        if ((end = strrchr(copy, '/')) && strcmp(end + 1, operation) == 0)
            *end = '\0';
        part = strrchr(copy, '/') ? strrchr(copy, '/') + 1 : copy;
    }
    snprintf(name, size, "%s", part ? part : path);
    free(copy);
}
