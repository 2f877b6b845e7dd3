/* now.h - where this rank is, for the judge to see: ranks/control.h. */
#ifndef NOW_H
#define NOW_H

#include "control.h"

/* The control of the job in this folder, and this rank's place there. Ends the program when there is none. */
struct control *now_begin(const char *folder);
void now_is(struct control *control, unsigned int rank);

/* Something was done. */
void now_steps(void);
void now_phase(enum rank_phase phase);
/* The program is about to end itself. */
void now_ends(int status);
/* A function of MPI is entered at a place of the program, and left. Only within a call of the student's. */
void now_enters(const char *function, const void *place);
void now_leaves(void);
/* That function, and where it was called: "many.cu:12: MPI_Reduce". */
const char *now_where(void);

#endif
