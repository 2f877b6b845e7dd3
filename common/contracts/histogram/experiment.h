/* experiment.h - what a student writes to expose a wrong kernel: a text and how it is counted.
 *
 *     # a comment
 *     text = "a" * 256 + "z\xff"
 *     offset = 3
 *     bins = 7
 *     multiprocessors = 1
 *     seed = 17
 *
 * In a string \n, \t, \\, \" and \xNN are one byte. What is not given is 0, and the text "". */
#ifndef EXPERIMENT_H
#define EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    EXPERIMENT_LONGEST = 1 << 20, /* characters */
    EXPERIMENT_OFFSETS = 256,     /* an offset is less than that */
    EXPERIMENT_MULTIPROCESSORS = 132
};

struct experiment {
    unsigned char *text;
    size_t length;
    unsigned int offset;          /* bytes after a multiple of 256 at which the text begins */
    unsigned int bins;            /* what each bin holds before the call */
    unsigned int multiprocessors; /* of the GPU; 0 for as many as it has */
    uint64_t seed;                /* of the schedule; 0 for several */
};

/* Reads FILE. Returns NULL, or what is wrong, with the line's number where it is about a line. */
const char *experiment_read(struct experiment *experiment, const char *file);
/* Does the same with lines that are given; `name` stands for the file in what is wrong. */
const char *experiment_parse(struct experiment *experiment, const char *lines, const char *name);

#endif
