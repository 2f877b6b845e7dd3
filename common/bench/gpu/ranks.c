/* ranks.c - the workload of chapters that count a file on the ranks of MPI, under mpirun. A cell is SIZE:FILE.
 *
 * Rank 0 writes FILE anew, with SIZE bytes, like 64G, or with as many as the disk takes and a minute allows. Linux keeps
 * in memory what was written. First all ranks read the file alone, each a part, piece by piece into memory that is
 * used again; then histogram_file() counts it. The clock of rank 0 times both, between barriers. FILE stays there, and
 * the next number of ranks reads the same one, when it has SIZE bytes already.
 *
 * When a chapter is judged, a cell is LENGTH:FOLDER, whose file is removed afterwards. The chapter counts it twice; a file
 * of LONG_TEXT bytes or more is one letter over and over, and is counted once. "absent" is a file that is not there,
 * and "folder" the folder itself. Rank 0 gets the bins, and nobody may touch them on other ranks. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"
#include "binning.h"
#include "clock.h"
#include "grouped.h"
#include "made_text.h"
#include "many.h"
#include "sizes.h"

enum { READ_PIECE = 1 << 23, WRITE_PIECE = 1 << 26, LONG_TEXT = 1 << 28, UNTOUCHED = 12345 };
static const double most_ms = 60000;
#pragma weak histogram_file

struct workspace {
    char path[4096];
    int rank, size, result; /* result: what histogram_file() returned */
    bool readable, taken_away;
    size_t length;
    unsigned char *piece;
    unsigned long long bins[NUM_BINS], truth[NUM_BINS];
};

static run_of_peer read_part;
static const struct peer peers[] = {
    {.name = "reading alone", .run = read_part, .shapes = 1},
    {.name = NULL},
};

static void begin(void)
{
    MPI_Init(NULL, NULL);
}

static void end(void)
{
    MPI_Finalize();
}

/* Rank 0; before MPI_Init what mpirun says in the environment. */
static bool speaks(void)
{
    int is_begun, rank = 0;
    const char *rank_set = getenv("OMPI_COMM_WORLD_RANK");
    MPI_Initialized(&is_begun);
    if (is_begun)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return is_begun || !rank_set ? rank == 0 : strcmp(rank_set, "0") == 0;
}

/* Whether it is so on all ranks. */
static bool agree(bool is_so)
{
    int here = is_so, everywhere;
    MPI_Allreduce(&here, &everywhere, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return everywhere;
}

size_t workload_cells(bool judged, const char *size, const char *path, struct cell *cells,
                      size_t room)
{
    const size_t length = size_typed(size, 0);
    const bool bad = judged && (strcmp(size, "absent") == 0 || strcmp(size, "folder") == 0);
    if ((length == 0 && !bad && !(judged && strcmp(size, "0") == 0)) || !*path || !room)
        return 0;
    *cells = (struct cell){.units = length, .bytes = length, .kind = bad, .source = path};
    cells->calls = judged ? length < LONG_TEXT && !bad ? 2 : 1 : 0;
    snprintf(cells->name, sizeof cells->name, "%d bins, %s%s", (int)NUM_BINS,
             bad ? size : grouped(length), bad ? " in place of a file" : " bytes of a file");
    snprintf(cells->title, sizeof cells->title, "%s", cells->name);
    columns_add(&cells->columns, "where", "file");
    columns_add(&cells->columns, "bins", "%d", (int)NUM_BINS);
    cells->place = bad && *size == 'a';
    return 1;
}

/* Makes the text, and counts it; writes it to the file, unless that is NULL. Returns how long it has become:
 * shorter where the disk is full, or more than a minute went by. */
static size_t make_text(FILE *file, size_t length, enum made_text kind, unsigned long long *truth)
{
    const double begun = wall_now();
    unsigned char *piece = malloc(WRITE_PIECE);
    size_t at = 0, now;
    for (; piece && at < length && (!file || wall_now() - begun < most_ms); at += now) {
        unsigned long long bins[NUM_BINS] = {0};
        now = length - at < WRITE_PIECE ? length - at : WRITE_PIECE;
        made_text_to_host(piece, now, at, kind, bins);
        if (file && fwrite(piece, 1, now, file) < now) {
            (void)!ftruncate(fileno(file), (off_t)at);
            break;
        }
        for (int bin = 0; bin < NUM_BINS; bin++)
            truth[bin] += bins[bin];
    }
    free(piece);
    return at;
}

/* On rank 0: writes the file, unless it is there. Returns its length. */
static unsigned long long make_file(struct workspace *workspace, const struct cell *cell)
{
    struct stat there;
    const enum made_text kind = cell->calls == 1 ? ONE_LETTER : MIXED;
    const bool again = cell->calls == 0 && workspace->size > 1 &&
                       stat(workspace->path, &there) == 0 && (size_t)there.st_size == cell->units;
    FILE *file = again ? NULL : fopen(workspace->path, "wb");
    if (!again && !file) {
        fprintf(stderr, "gpu: cannot write %s: %s\n", workspace->path, strerror(errno));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (file)
        setvbuf(file, NULL, _IONBF, 0); // a part that did not fit is not tried again
    const size_t length = make_text(file, cell->units, kind, workspace->truth);
    if (file)
        fclose(file);
    return length;
}

void workspace_release(struct workspace *workspace)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (workspace->rank == 0 && workspace->taken_away)
        unlink(workspace->path);
    free(workspace->piece);
    free(workspace);
}

struct workspace *workspace_prepare(struct cell *cell)
{
    struct workspace *workspace = calloc(1, sizeof *workspace);
    unsigned long long length = 0;
    const bool judged = cell->calls > 0, bad = cell->kind;
    MPI_Comm_rank(MPI_COMM_WORLD, &workspace->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &workspace->size);
    snprintf(workspace->path, sizeof workspace->path, "%s%s", cell->source,
             !judged || (bad && !cell->place) ? ""
             : bad                            ? "/no such file"
                                              : "/judged");
    workspace->piece = malloc(READ_PIECE);
    workspace->readable = !bad;
    workspace->taken_away = judged && !bad;
    if (workspace->rank == 0 && !bad)
        length = make_file(workspace, cell);
    MPI_Bcast(&length, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
    workspace->length = (size_t)length;
    const bool fits = !judged || workspace->length == cell->units;
    cell->bytes = workspace->length;
    columns_add(&cell->columns, "devices", "%d", workspace->size);
    columns_add(&cell->columns, "bytes", "%zu", cell->bytes);
    if (fits)
        return workspace;
    workspace_release(workspace);
    return NULL;
}

void workspace_reset(struct workspace *workspace, const struct entrant *who, size_t runs)
{
    (void)who, (void)runs;
    for (int bin = 0; bin < NUM_BINS; bin++)
        workspace->bins[bin] = UNTOUCHED;
    workspace->result = 0;
}

/* This rank's part of the file. */
static void read_part(const struct peer *self, const void *input, size_t units, void *output,
                      size_t bins)
{
    struct workspace *workspace = output;
    const size_t share = workspace->length / (size_t)workspace->size,
                 begin = (size_t)workspace->rank * share;
    const size_t end = workspace->rank + 1 < workspace->size ? begin + share : workspace->length;
    const int file = open(workspace->path, O_RDONLY);
    (void)self, (void)input, (void)units, (void)bins;
    for (size_t at = begin; at < end;) {
        const size_t length = end - at < READ_PIECE ? end - at : READ_PIECE;
        const ssize_t now = pread(file, workspace->piece, length, (off_t)at);
        if (now <= 0) {
            fprintf(stderr, "gpu: %s cannot be read\n", workspace->path);
            break;
        }
        at += (size_t)now;
    }
    close(file);
}

void workspace_run(struct workspace *workspace, const struct entrant *who, size_t units,
                   size_t turn)
{
    (void)turn;
    MPI_Barrier(MPI_COMM_WORLD);
    if (who->peer.run)
        who->peer.run(&who->peer, NULL, units, workspace, NUM_BINS);
    else
        workspace->result |= ((int (*)(const char *, unsigned long long *))who->function[0])(
            workspace->path, workspace->bins);
    MPI_Barrier(MPI_COMM_WORLD);
}

struct verdict workspace_judge(struct workspace *workspace, const struct entrant *who, size_t runs)
{
    struct verdict verdict = {.of = 1, .different = 1};
    bool right = (workspace->result == 0) == workspace->readable;
    (void)runs;
    if (!right)
        printf("%s, rank %d of %d: returned %d\n", who->name, workspace->rank, workspace->size,
               workspace->result);
    for (int bin = 0; bin < NUM_BINS && right; bin++) {
        const unsigned long long wanted =
            workspace->rank == 0 && workspace->readable ? workspace->truth[bin] : UNTOUCHED;
        right = workspace->bins[bin] == wanted;
        if (!right)
            printf("%s, rank %d of %d: bin %d has %s in place of %s%s\n", who->name,
                   workspace->rank, workspace->size, bin, grouped(workspace->bins[bin]),
                   grouped(wanted), wanted == UNTOUCHED ? ": nobody may touch it" : "");
    }
    fflush(stdout);
    verdict.wrong = !agree(right);
    snprintf(verdict.why, sizeof verdict.why, "the rank has said it");
    return verdict;
}

const struct workload workload = {
    .function = {"histogram_file"},
    .linked = {(void (*)(void))histogram_file},
    .header =
        "where,implementation,bins,devices,bytes,median_ms,min_ms,max_ms,runs,correct,GB_per_s",
    .usage = "CELLS are SIZE:FILE, 16G:build/text; to be judged, LENGTH:FOLDER, absent:FOLDER and "
             "folder:FOLDER.",
    .peers = peers,
    .repetitions = 5,
    .fewest = 5,
    .patience_s = 300,
    .by_the_wall = true,
    .begin = begin,
    .end = end,
    .speaks = speaks,
};
