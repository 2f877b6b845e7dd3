/* job.h - ranks under mpirun, that wait for cases: one after the other. */
#ifndef JOB_H
#define JOB_H

#include "many_run.h"

struct job;

enum job_state { JOB_BUSY, JOB_ANSWERED, JOB_FAILED };

/* Starts so many ranks, of which `per_node` share a node; 0: all. Fails the test when it cannot. They end with
 * this program, or when they fail. */
struct job *job_start(unsigned int ranks, unsigned int per_node);
/* The job has room for another case. */
bool job_can_take(const struct job *job);
/* Gives it a case. It must not be busy. */
void job_ask(struct job *job, const struct many_case *asked);
/* Looks how far it is, without waiting. Answered: fills in `seen`. Failed: `*reason` says why, with the name of
 * the function and the input, and the job is over. */
enum job_state job_look(struct job *job, struct many_seen *seen, const char **reason);

#endif
