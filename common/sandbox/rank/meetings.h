/* meetings.h - memory that ranks share, for NCCL: parts of a file of the job that was opened before anything of
 * the student's ran, for afterwards a rank can open none.
 *
 * meetings.c has what the simulated NCCL asks for, sim_nccl_share and sim_nccl_forget: a name gets one of the
 * parts, in all ranks the same. */
#ifndef MEETINGS_H
#define MEETINGS_H

#include "control.h"

/* Opens the file. Ends the program when it cannot. */
void meetings_begin(const char *folder, struct control *shared);

#endif
