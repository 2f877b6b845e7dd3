/* position.h - where this rank is, for the judge to see: ranks/control.h. */
#ifndef POSITION_H
#define POSITION_H

#include "control.h"

/* The control of the job in this folder, and this rank's place there. Ends the program when there is none. */
struct control *position_begin(const char *folder);
void position_is(struct control *control, unsigned int rank);

/* Something was done. */
void position_steps(void);
void position_phase(enum rank_phase phase);
/* The program is about to end itself. */
void position_ends(int status);
/* A function of MPI is entered at a place of the program, and left. Only within a call of the student's. */
void position_enters(const char *function, const void *place);
void position_leaves(void);
/* That function, and where it was called: "many.cu:12: MPI_Reduce". */
const char *position_where(void);

#endif
