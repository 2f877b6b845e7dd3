/* bench.h - what the timing program (times.c) times, and how it is told.
 *
 * On a card, one command times a kernel beside its peers:
 *
 *     make chapter29 solution gpu bench OPERATION=count CELLS=505:zipf@1000000
 *     make gpu bench PART=2 CELLS=all:zipf ALSO=./mine-%.so
 *
 * A kernel under test is any function with its contract's signature (common/contract): that of a chapter below
 * FROM=folder, or that of a shared library, ALSO=./mine-%.so, whose % becomes the operation or number of bins.
 * CELLS are inputs: 505:zipf@1000000 is a million elements with skewed keys in 505 bins. Each cell is one row of a CSV file in build/gpu-bench for each of
 * plain atomics, CUB, sort and reduce, the chapters, and the library.
 *
 * An *entrant* is what is timed: a kernel under test, or a *peer* that it is measured beside. A *workload* knows
 * one contract: its inputs, how an entrant is called, and whether a result is right. A *cell* is one input of a
 * workload, on which all entrants run. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Columns of a CSV row, as lines "name=value". */
struct columns {
    char lines[512];
};

/* Adds a column. A value that has no room is cut. */
__attribute__((format(printf, 3, 4))) void columns_add(struct columns *columns, const char *name,
                                                       const char *format, ...);

/* Queues a peer's work on the default stream. It reads `units` of `input` (read_alone: bytes), and leaves a result
 * in `output`, which has `bins` bins where the contract has any. A peer allocates the memory that it needs in its
 * first call. A CUDA error ends the program with one line. */
struct peer;
typedef void run_of_peer(const struct peer *self, const void *input, size_t units, void *output,
                         size_t bins);

/* What a kernel is measured beside: reading alone, a plain kernel, CUB, Thrust. */
struct peer {
    const char *name; /* NULL ends a table */
    run_of_peer *run;
    bool counts; /* it leaves a result, which is judged */
    bool adds;   /* it adds to a result, which has to be neutral before */
    bool idle;   /* it reads nothing */
    int shapes;  /* reading alone: the fastest of so many shapes is timed, or only `shape` */
    int shape;
    size_t longest;       /* it takes at most so many bytes of input; 0: any number */
    void (*forget)(void); /* frees the memory that it keeps between calls, or NULL */
};

/* A library of peers defines one under the name "peers". */
struct peers {
    const struct peer *peer;
    const char *version; /* of a library that is not the course's: "3.0.1"; else NULL */
};

struct entrant {
    char name[64];
    struct peer peer; /* without a `run` the entrant is a kernel under test */
    void (*function[2])(
        void);    /* a kernel's functions, of the names that the workload has; or NULL */
    bool excused; /* a peer, whose wrong result does not fail the run */
};

struct cell {
    char name[128];  /* "50,000,000 elements, zipf keys, 505 bins" */
    char title[128]; /* when results are judged, all cells of one title share a line */
    struct columns columns;
    size_t units, bytes; /* of the input */
    /* These are for the workload alone. */
    size_t bins, shift;
    int kind, place;
    double number;
    const char *source;
    size_t calls; /* that are judged; 0 when the cell is timed */
};

/* What the last runs of an entrant left. */
struct verdict {
    size_t wrong, of; /* so many results are wrong, of so many */
    size_t different; /* so many differ, bit by bit */
    double error;     /* the largest error of a sum of floats, over the sum of magnitudes */
    char why[512];    /* what is wrong with the first wrong one */
};

/* One contract. */
struct workload {
    const char *function[2]; /* a kernel's library has one of these; the second may be NULL */
    void (*linked[2])(void); /* the same of a kernel that is linked in: weak, so NULL without one */
    const char *operation;   /* a folder of this name below a chapter's is no chapter; or NULL */
    const char *header;      /* the columns of the CSV file */
    const char *usage;       /* what cells look like */
    const struct peer *peers; /* they take part in every cell, before what libraries hold */
    int repetitions, fewest;  /* of a row; a row without time for the fewest is left out */
    unsigned int patience_s;  /* how long a step may take that does not end */
    bool has_latency;         /* a single call is timed, too */
    bool by_the_wall;         /* timed by the clock on the wall: a run returns when all is done */
    /* Whether an entrant runs on this cell; NULL: all do. */
    bool (*takes)(const struct cell *cell, const struct entrant *who);
};

/* That of the program. */
extern const struct workload workload;

/* Makes the cells of `first`:`second`, to be timed or, with `judged`, to be judged. Returns how many; 0 when there
 * are none of that name. */
size_t workload_cells(bool judged, const char *first, const char *second, struct cell *cells,
                      size_t room);

/* The inputs of a cell and the places of its results, ready for runs. Each workload has its own. */
struct workspace;

/* Returns NULL when there is not enough memory. May add columns that only the input knows. */
struct workspace *workspace_prepare(struct cell *cell);
void workspace_release(struct workspace *workspace);
/* Resets the places of the results of so many runs, which is not timed. */
void workspace_reset(struct workspace *workspace, const struct entrant *who, size_t runs);
/* Queues one run on so many units: the `turn`th since the reset. */
void workspace_run(struct workspace *workspace, const struct entrant *who, size_t units,
                   size_t turn);
/* Waits for the GPU, and judges what the last `runs` runs left, or the last one alone. */
struct verdict workspace_judge(struct workspace *workspace, const struct entrant *who, size_t runs);

/* reading.cu: the fastest way to read, as a peer that has `shapes` shapes, or only the one with which texts and
 * elements are compared; and the price of a launch. */
enum { READ_SHAPES = 24, ROOFLINE_SHAPE = READ_SHAPES };
run_of_peer read_alone, launch_nothing;
void read_in_shape(int shape, const void *bytes, size_t length, unsigned int *sink);
/* Returns "4 loads; strides; 1024 x 2", in a buffer that the next call overwrites. */
const char *read_shape_name(int shape);

#ifdef __cplusplus
}
#endif

#endif
