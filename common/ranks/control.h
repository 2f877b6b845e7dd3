/* control.h - what the judge and the ranks of a job share: a file in the job's folder that all have in
 * memory. The judge asks, the ranks write where they are. */
#ifndef CONTROL_H
#define CONTROL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "many_run.h"

enum { PATH_ROOM = 128, WORDS = 64, PLACE = 256, MOST_CASES = 512 };
/* Communicators of NCCL at a time, and the memory of each: a part of a file with holes. */
enum { MEETINGS = 256, MEETING_NAME = 64, MEETING_BYTES = 9 << 20 };

/* A case, once `asked` is above its number. */
struct rank_case {
    char path[PATH_ROOM];
    uint64_t length, held, seed;
    uint32_t calls;
    uint32_t idle; /* no kernel runs, and the file is not brought */
    enum many_bad_file bad;
};

enum rank_phase {
    RANK_STARTS,
    RANK_WAITS,   /* for a case */
    RANK_CALLS,   /* the student's function */
    RANK_RETURNED /* from it, and tells what it has seen */
};

struct rank_position {
    _Atomic uint64_t steps;    /* grows with all that it does */
    _Atomic uint32_t answered; /* cases */
    _Atomic uint32_t phase;
    _Atomic uint32_t
        in_mpi; /* 1: within the function of MPI that `function` names, called at `place`, which
                                  comes after a second */
    _Atomic uint64_t ended_at; /* of a program that ended itself: nanoseconds on a clock; and how */
    _Atomic int32_t status, result;
    char function[WORDS], place[PLACE];
    _Atomic int32_t has_refused; /* it asked the system for the call `refused`, at `refused_at` */
    int32_t refused;
    char refused_at[PLACE];
};

struct control {
    uint32_t ranks, per_node;
    uint32_t filtered; /* ranks may ask for what a kernel needs, and no more: confine.h */
    _Atomic uint32_t asked, over;
    _Atomic uint32_t
        shrinks; /* 1: a rank wants the file of the case cut to a half; 2: that is done */
    _Atomic uint32_t meetings_locked;
    struct {
        char name[MEETING_NAME];
        uint32_t users;
    } meeting[MEETINGS];
    struct rank_position rank[MOST_UNITS];
    struct rank_case asked_case[MOST_CASES];
};

/* Names of files in the job's folder. */
#define CONTROL_FILE "control"
#define MEETINGS_FILE "meetings"
/* With .RANK behind it. */
#define LOG_FILE "log"          /* of the last case: rank_log_write */
#define MESSAGE_FILE "messages" /* what a rank writes to standard error */
#define PRINTED_FILE "printed"
#define CAUGHT_FILE "caught" /* "CHECK FILE:LINE" of each report */

/* The control of the job in this folder, in memory; NULL, and errno says why. */
struct control *control_of(const char *folder);

/* What the ranks of a job tell of a case, as the judge reads it: each in a file. */

/* What a rank tells: `seen` is of this rank alone, `unit` of its device. Returns false when it cannot be
 * written. */
bool rank_log_write(FILE *file, const struct many_seen *seen, const struct many_unit *unit);

/* What `seen` begins with. */
void rank_log_begin(struct many_seen *seen);
/* Adds what a rank tells in a file. Returns false when that ends early, or makes no sense. */
bool rank_log_add(FILE *file, unsigned int rank, struct many_seen *seen);
/* All ranks have told: puts the reads in order. */
void rank_log_end(struct many_seen *seen);

#endif
