/* bench.h - what the timing program (times.c) times, and what it is told about it.
 *
 * An *entrant* is what is timed: a chapter's function in a shared library, or one of the *peers* that
 * it is measured against. A *workload* knows one contract: its inputs, how an entrant is called, and
 * whether a result is right. A *cell* is one input of a workload, on which all entrants run. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Columns of a row: lines "name=value". */
struct fields {
    char lines[512];
};

/* Adds one; what has no room is cut. */
__attribute__((format(printf, 3, 4))) void fields_add(struct fields *fields, const char *name,
                                                      const char *format, ...);

/* Queues a peer's work on the default stream: takes `units` of `input`, of reading alone bytes, and leaves a
 * result in `output`, which has `bins` bins where the contract has any. Memory that it needs it allocates in
 * its first call. A CUDA error ends the program with one line. */
struct peer;
typedef void run_of_peer(const struct peer *self, const void *input, size_t units, void *output,
                         size_t bins);

/* What is no chapter: a kernel that only reads, CUB, Thrust, a variant of a kernel. */
struct peer {
    const char *name; /* NULL ends a table */
    run_of_peer *run;
    bool counts; /* leaves a result to be judged */
    bool adds;   /* to a result that has to be neutral before */
    bool idle;   /* reads nothing */
    int shapes;  /* reading alone: of so many shapes the fastest is timed, or only `shape` */
    int shape;
    int parameter[3];
    size_t longest;       /* so many bytes of input at most; 0: any */
    bool needs_bins;      /* each of its elements has to have a bin */
    void (*forget)(void); /* gives back the memory that it keeps between calls, or NULL */
    struct fields fields; /* more columns of its rows */
};

/* What a library of peers holds, under the name "peers" or another that is asked for. */
struct peers {
    const struct peer *peer;
    const char *version; /* of a library that is not the course's: "3.0.1"; else NULL */
    const char *columns; /* of the CSV, in place of the workload's: then nobody else takes part */
};

#ifdef __cplusplus
}
/* A peer that leaves a result; without a name the end of a table. */
static inline struct peer peer_of(const char *name, run_of_peer *run, int parameter)
{
    struct peer peer = {};
    peer.name = name;
    peer.run = run;
    peer.counts = run != NULL;
    peer.parameter[0] = parameter;
    return peer;
}
extern "C" {
#endif

struct entrant {
    char name[64];
    struct peer peer;          /* without a `run` it is a chapter */
    void (*function[2])(void); /* a chapter's, of the names that the workload has; or NULL */
    bool excused;              /* a wrong result is no fault of the course */
};

struct cell {
    char name[128];  /* "50,000,000 elements, zipf keys, 505 bins" */
    char title[128]; /* of results that are judged: those of one title are told in one line */
    struct fields fields;
    size_t units, bytes; /* of the input */
    size_t bins, shift;  /* for the workload alone, as are these */
    int kind, place;
    double number;
    const char *source;
    size_t calls; /* of an entrant that is judged, and not timed */
};

/* What the last runs of an entrant have left. */
struct verdict {
    size_t wrong, of; /* so many results */
    size_t different; /* of them, bit by bit */
    double error;     /* of floats the largest, over the sum of magnitudes */
    char why[512];    /* of the first wrong one */
};

/* One contract. */
struct workload {
    const char *function
        [2]; /* what a chapter's library has, one of them at least; the second may be NULL */
    void (*linked[2])(
        void);             /* the same of a chapter that is linked in: weak, so NULL without one */
    const char *operation; /* a folder of this name below a chapter's is no name; or NULL */
    const char *columns;   /* of the CSV */
    const char *usage;     /* what cells look like */
    const struct peer *peers; /* who takes part in every cell, before what libraries hold */
    int repetitions, fewest;  /* of a row; with less time than for the fewest it is left out */
    unsigned int patience_s;  /* for a step that does not end */
    bool has_latency;         /* a single call is timed, too */
    bool by_the_wall;         /* timed by the clock on the wall: a run returns when all is done */
    void (*begin)(void), (*end)(void); /* around everything, or NULL */
    bool (*speaks)(void);              /* whether this process prints and writes; NULL: it does */
    /* Whether an entrant runs on this cell; NULL: all do. */
    bool (*takes)(const struct cell *cell, const struct entrant *who);
};

/* That of the program. */
extern const struct workload workload;

/* The cells of `first`:`second`, to be timed or, with `judged`, to be judged. Returns how many;
 * 0 when there are none of that name. */
size_t workload_cells(bool judged, const char *first, const char *second, struct cell *cells,
                      size_t room);

/* What lies ready for the runs of a cell: inputs, places for results. Each workload has its own. */
struct field;

/* NULL when there is not that much memory. May add what only the input tells of the cell. */
struct field *field_prepare(struct cell *cell);
void field_release(struct field *field);
/* Makes places for the results of so many runs new, which is not timed. */
void field_afresh(struct field *field, const struct entrant *who, size_t runs);
/* Queues one run on so many units, the `turn`th since they were made new. */
void field_run(struct field *field, const struct entrant *who, size_t units, size_t turn);
/* Of the last `runs` runs, or of the last alone; waits for the GPU. */
struct verdict field_judge(struct field *field, const struct entrant *who, size_t runs);

/* reading.cu: the fastest way to read, as a peer that has `shapes` shapes, or only the one with which
 * texts and elements are compared; and the price of a launch. */
enum { READ_SHAPES = 24, ROOFLINE_SHAPE = READ_SHAPES };
run_of_peer read_alone, launch_nothing;
void read_in_shape(int shape, const void *bytes, size_t length, unsigned int *sink);
/* "4 loads; strides; 1024 x 2", in a buffer that the next call overwrites. */
const char *read_shape_name(int shape);

#ifdef __cplusplus
}
#endif

#endif
