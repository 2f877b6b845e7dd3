/* counted_file.h - a file and what was counted in it. */
#ifndef COUNTED_FILE_H
#define COUNTED_FILE_H

#include <sys/stat.h>

#include "binning.h"

struct counted_file {
    const char *name; /* as the command line has it; of a sum "sum of 3 files" */
    struct stat seen; /* before it was counted */
    unsigned long long length, bins[NUM_BINS];
};

#endif
