/* meetings.h - memory that ranks share, for NCCL: files of the job that were opened before anything of the
 * student's ran, for afterwards a rank can make none.
 *
 * meetings.c has shm_open and shm_unlink, which stand before the C library's: a name gets one of the files, in
 * all ranks the same. */
#ifndef MEETINGS_H
#define MEETINGS_H

#include "control.h"

/* Opens the files. Ends the program when it cannot. */
void meetings_begin(const char *folder, struct control *shared);

#endif
