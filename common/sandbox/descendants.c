/* descendants.c - the processes that a process has started, and those that these have. */
#define _GNU_SOURCE
#include "reaper.h"

#include <dirent.h>
#include <stdio.h>

/* Each thread of a process has children of its own. */
static size_t of_thread(pid_t of, const char *thread, pid_t *found, size_t count, size_t most)
{
    char path[300];
    int child;
    snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)of, thread);
    FILE *children = fopen(path, "re");
    while (children && count < most && fscanf(children, "%d", &child) == 1) {
        found[count++] = child;
        count = descendants(child, found, count, most);
    }
    if (children)
        fclose(children);
    return count;
}

size_t descendants(pid_t of, pid_t *found, size_t count, size_t most)
{
    char path[64];
    const struct dirent *thread;
    snprintf(path, sizeof path, "/proc/%d/task", (int)of);
    DIR *threads = opendir(path);
    while (threads && (thread = readdir(threads)))
        if (thread->d_name[0] != '.')
            count = of_thread(of, thread->d_name, found, count, most);
    if (threads)
        closedir(threads);
    return count;
}
