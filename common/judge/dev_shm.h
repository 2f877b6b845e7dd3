/* dev_shm.h - /dev/shm, where processes of one program share memory. */
#ifndef DEV_SHM_H
#define DEV_SHM_H

/* Whether it can be used: NULL, or what keeps one from it, such as "Read-only file system". */
const char *dev_shm_lacks(void);

#endif
