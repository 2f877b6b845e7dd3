/* shared_memory.h - /dev/shm, where processes of one program share memory. */
#ifndef SHARED_MEMORY_H
#define SHARED_MEMORY_H

/* Whether it can be used: NULL, or what keeps one from it, such as "Read-only file system". */
const char *shared_memory_lacks(void);

#endif
