/* filter.h - what the kernel's process may ask the system for. */
#ifndef FILTER_H
#define FILTER_H

#include <stdbool.h>

/* A descriptor from which the filter can be read, for bubblewrap; -1 when this machine has none. */
int filter_open(void);
/* Filters what this process asks from here on, and what it executes. */
bool filter_install(void);

#endif
