/* control.h - what the judge and the ranks of a job share: a file in the job's folder that all of them map. The judge
 * writes the case there, and the ranks write where they are and what they have seen. */
#ifndef CONTROL_H
#define CONTROL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "many_run.h"

enum { PATH_ROOM = 128, WORDS = 64, PLACE = 256, CAUGHT = 4096, MOST_READS = 1 << 19 };
/* Communicators of NCCL that a job may make, and the memory of each: a part of a file with holes. */
enum { MEETINGS = 512, MEETING_BYTES = 9 << 20 };

enum rank_phase {
    RANK_STARTS,
    RANK_WAITS,   /* for a case */
    RANK_CALLS,   /* the student's function */
    RANK_RETURNED /* from it, and tells what it has seen */
};

struct rank_position {
    _Atomic uint64_t steps;    /* grows with each read and each call of MPI */
    _Atomic uint32_t answered; /* cases */
    _Atomic uint32_t phase;
    _Atomic uint32_t
        in_mpi; /* 1: it is within the function of MPI that `function` names, called at `place`, which is
                                filled in after a second */
    _Atomic int32_t result;
    char function[WORDS], place[PLACE];
};

/* What a rank has seen of a case. The process of a student wrote it, so the judge checks what it reads. */
struct rank_told {
    struct many_seen seen; /* of this rank alone */
    struct many_unit unit; /* its device */
    char caught[CAUGHT];   /* a line "CHECK FILE:LINE" for each report of the simulator */
    struct many_read reads[MOST_READS];
};

/* How a rank ended its program: by exit(), or by a call of the system that no kernel needs. */
enum rank_end { RANK_EXITED, RANK_REFUSED };

struct control {
    uint32_t ranks, per_node;
    uint32_t filtered; /* ranks may ask the system for what a kernel needs and no more: filter.h */
    _Atomic uint32_t asked; /* cases so far, the last of which is `given` */
    struct {
        _Atomic uint32_t by; /* 1 + the first rank that ended itself; 0: none has */
        enum rank_end how;
        int32_t number; /* the exit status, or the call of the system */
        char place[PLACE];
    } ended;
    _Atomic uint64_t meeting[MEETINGS]; /* what their names come to; 0 from the first free one on */
    struct many_case given;             /* of what it points to a rank has nothing */
    char path[PATH_ROOM];               /* of the file of this case */
    struct rank_position rank[MOST_UNITS];
    struct rank_told told[MOST_UNITS];
};

/* Names of files in the job's folder; the last two have .RANK behind them. */
#define CONTROL_FILE "control"
#define LAUNCHED_FILE "mpirun"  /* what that prints */
#define MESSAGE_FILE "messages" /* what a rank writes to standard error */
#define PRINTED_FILE "printed"

/* Where the meetings begin in the file. */
#define MEETINGS_AT ((sizeof(struct control) + 0xffff) & ~(size_t)0xffff)

/* The control of the job in this folder, in memory; NULL, and errno says why. */
struct control *control_of(const char *folder);

/* Adds what a rank has told to `seen`, which is all 0 before the first one. Returns false when that makes
 * no sense. */
bool control_add(const struct rank_told *told, unsigned int rank, struct many_seen *seen);

#endif
