/* descendants.h - the processes that a process has started, and those that these have. */
#ifndef DESCENDANTS_H
#define DESCENDANTS_H

#include <stddef.h>
#include <sys/types.h>

/* Adds them to `found`, which holds `count` and at most `most`. Returns how many it then holds. */
size_t descendants(pid_t of, pid_t *found, size_t count, size_t most);

#endif
