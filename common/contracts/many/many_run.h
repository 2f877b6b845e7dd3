/* many_run.h - one call of a function of many.h, and what was seen of it.
 *
 * The judge asks, and holds nothing of the student's. Two implementations, of which a suite is linked with
 * one: devices_run.c has histogram_many() called in the kernel's process, which has so many devices;
 * common/ranks writes the text to a file and starts so many processes under mpirun, which all call
 * histogram_file(), a device for each. Only on the simulated GPU. */
#ifndef MANY_RUN_H
#define MANY_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "letters.h"
#include "held.h"

extern const struct contract many_contract;

enum { MOST_UNITS = 8 };

/* What is wrong with a file, where many_reads_files: there is none of that name, it is a folder, one rank
 * cannot read it, or it has shrunk to a half when a rank but the first reads. */
enum many_bad_file { GOOD_FILE, NO_FILE, A_FOLDER, NOT_FOR_ONE_RANK, SHRINKS, BAD_FILES };

struct many_case {
    const char *what; /* "33 characters": for sentences */
    const unsigned char
        *text;          /* in host memory; NULL: zeros that take no room, and no kernel runs: only
                                  what is read is judged */
    size_t length;      /* in bytes; above 2^32 with a text of NULL only */
    unsigned int units; /* devices, or ranks: 1 to MOST_UNITS */
    unsigned int
        per_node; /* ranks of a node, as MPI_Comm_split_type tells them; 0: all. It is 0 for devices */
    unsigned int misalignment; /* of the text in memory, 0 to 255; in a file 0 */
    bool pinned;               /* the text, in memory */
    uint64_t held;             /* what each bin holds before; 0 unless this is what is judged */
    unsigned int calls;        /* one after the other, in the same processes; 0 is 1 */
    uint64_t seed;             /* the schedule */
    enum many_bad_file bad;    /* the file; its text and length are those of a file before that */
};

/* Bytes of the text that came to a unit: by a copy to its device, by a kernel that reads host memory, or by a rank
 * that reads a file. Each way counts by itself. */
struct many_read {
    unsigned int unit;
    uint64_t begin, end; /* offsets in the text */
};

/* Compares reads, to sort them by begin. */
static inline int many_by_begin(const void *one, const void *other)
{
    const struct many_read *a = one, *b = other;
    return a->begin != b->begin ? (a->begin > b->begin) - (a->begin < b->begin)
                                : (a->unit > b->unit) - (a->unit < b->unit);
}

/* A reduction of NCCL or MPI over several units. */
struct many_collective {
    char name[32]; /* "ncclReduce", "MPI_Reduce" */
    unsigned int members;
    uint64_t elements, bytes; /* of each member; bytes / elements is 8 for counters of 64 bits */
};

/* What a unit did in the last call, unless something else is said. */
struct many_unit {
    unsigned int device; /* on which the last of its kernels ran */
    uint64_t launches;   /* kernels that ran on its device */
    uint64_t copied;     /* bytes of the text that were copied to its device */
    uint64_t
        from_pageable; /* of these, from memory that is not pinned: nothing overlaps such a copy */
    /* Bytes of these that came by copies which need not wait for a kernel that was launched before: they may run beside
     * it. */
    uint64_t overlapped;
    uint64_t to_host; /* bytes copied from its device to the host; they are not known of ranks */
    unsigned int streams;    /* of the device, that copies of the text or kernels were put in */
    uint64_t most_on_device; /* bytes that were allocated on its device at the same time */
    uint64_t
        left_on_device; /* after the call that are not after the one before it, with calls > 1 */
    uint64_t
        narrow_sums; /* lanes' atomics of less than 8 bytes on global memory that an earlier launch
                               had added to, and nobody reset since: they overflow on a long text */
    /* What its process held before and after the last call: the first call makes what is kept. Devices are of one
     * process, and the first one has these. */
    struct held before, after;
};

struct many_seen {
    int result;               /* what histogram_file returned; 0 of histogram_many */
    bool results_differ;      /* not the same on all ranks */
    uint64_t bins[MOST_BINS]; /* as many as there are bins */
    bool others_touched;      /* bins of a rank but 0, or what is behind bins, is not what it was */
    char message[256]; /* the first line that the function wrote to standard error, "" for none */
    unsigned int message_lines; /* how many, on all ranks, reports of the simulator not counted */
    char path[128];  /* of the file, as the function was given it; "" of a text in memory */
    char error[256]; /* CUDA's or NCCL's words when something failed, "" for nothing */
    struct many_unit unit[MOST_UNITS];
    struct many_read *reads; /* by begin; of the last call */
    size_t read_count;
    uint64_t loaded;     /* bytes of a text that is there, which kernels loaded; each once */
    uint64_t host_loads; /* loads by host code, of the text or of what it was copied to */
    struct many_collective collective[16];
    size_t collectives; /* of the last call; counted on, when there are more than have a place */
    uint64_t reports;   /* of the simulator's checks, and of its NCCL */
    unsigned int device_before, device_after; /* the current one of the host thread that calls */
};

/* Calls the function as the case says. When the program was ended, hangs or cannot be started, the test fails with a
 * sentence. many_seen_free frees what `seen` holds. */
void many_run(const struct many_case *asked, struct many_seen *seen);
/* Does the same for many cases. To start ranks takes a while, so cases with the same units and per_node are run by the
 * same processes, one after the other, and some groups run at the same time. Each case is given to `judge` in the
 * order of the list, and its `seen` is freed when that returns. Where a group ended early, its cases before that are
 * judged first. */
typedef void many_judge(const struct many_case *asked, const struct many_seen *seen, void *context);
void many_run_all(const struct many_case *asked, size_t count, many_judge *judge, void *context);
static inline void many_seen_free(struct many_seen *seen)
{
    free(seen->reads);
    seen->reads = NULL;
    seen->read_count = 0;
}

/* "devices" or "ranks"; "histogram_many()" or "histogram_file()"; whether the text is a file. */
extern const char many_units[], many_function[];
extern const bool many_reads_files;

#endif
