/* picture.h - what one warp asks of the memory: kept from the simulator's events, and drawn. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim.h"
#include "text.h"

enum {
    PICTURE_LENGTH = 4096,
    WARP = 32,
    SECTOR = 32,
    BANKS = 32,
    MOST_REQUESTS = 4096,
    COLORS = 5 /* of bins: pictures have no more */
};

/* What the picture is drawn from. */
struct trace {
    struct text text;
    unsigned int bins[COLORS]; /* the result */
    uintptr_t text_address, bins_address;
    uintptr_t copies_address;                /* lowest global address that is neither */
    uintptr_t shared_address;                /* lowest offset in shared memory */
    bool shared_table;                       /* a block shares more than one copy of the bins */
    struct sim_event request[MOST_REQUESTS]; /* of warp 0 of block 0, in order */
    size_t requests;
};

enum array { TEXT, BINS_ARRAY, COPIES, SHARED };

/* What reads a byte of the text first. */
struct trace_reader {
    unsigned int load, lane; /* load 1 is the first of the warp, and 0 none */
    unsigned int bytes;      /* that this lane loads at a time */
};

/* picture_trace.c */
/* Runs histogram() on trace->text and keeps what its first warp asks. Ends the program with one
 * line when it does not run to its end. */
void trace_run(struct trace *trace);
/* The array to which an access goes, by the address of its first lane. */
enum array trace_array(const struct trace *trace, const struct sim_event *event);
bool trace_is_atomic(const struct sim_event *event);
/* The bank of shared memory that a lane uses. */
unsigned int trace_bank(const struct sim_event *event, unsigned int lane);
/* The most lanes of a request that use one address. */
int trace_most_on_one_address(const struct sim_event *event);
/* The most lanes of a request that use one bank of shared memory. */
int trace_most_in_one_bank(const struct sim_event *event);
struct trace_reader trace_reader_of_byte(const struct trace *trace, size_t at);
/* How many bytes at the beginning of the text the map shows: up to the first two loads. */
size_t trace_map_length(const struct trace *trace);
/* The picture in words: its text equivalent. */
void trace_write_words(FILE *file, const struct trace *trace, const char *name);

/* picture_draw.c */
/* Draws it as SVG, with the words as its <desc>. False when PICTURE_STYLE cannot be read. */
#define PICTURE_STYLE "docs/pictures/style.css"
bool picture_draw(FILE *file, const struct trace *trace, const char *name);

#endif
