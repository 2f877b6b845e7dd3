/* cores.c - one way of counting on all cores at once, with OpenMP. */
#include <stdlib.h>
#include <string.h>

#include "binning.h"
#include "ways.h"

#ifdef _OPENMP
#include <omp.h>

int all_cores(void)
{
    return omp_get_max_threads();
}

static int this_core(void)
{
    return omp_get_thread_num();
}

static int cores_at_work(void)
{
    return omp_get_num_threads();
}

#else

int all_cores(void)
{
    return 0;
}

static int this_core(void)
{
    return 0;
}

static int cores_at_work(void)
{
    return 1;
}

#endif

/* Where the piece of a core begins; that of the next one is its end. */
static size_t piece_begin(size_t length, int core, int cores)
{
    const size_t whole = length / (size_t)cores, rest = length % (size_t)cores;
    const size_t before = (size_t)core;
    return before * whole + (before < rest ? before : rest);
}

void on_all_cores(way *count, const unsigned char *text, size_t length, unsigned int *bins)
{
#ifdef _OPENMP
#pragma omp parallel
#endif
    {
        unsigned int own_bins[NUM_BINS] = {0};
        const size_t begin = piece_begin(length, this_core(), cores_at_work());
        const size_t end = piece_begin(length, this_core() + 1, cores_at_work());
        count(text + begin, end - begin, own_bins);
#ifdef _OPENMP
#pragma omp critical
#endif
        for (int bin = 0; bin < NUM_BINS; bin++)
            bins[bin] += own_bins[bin];
    }
}

unsigned char *copy_on_all_cores(const unsigned char *text, size_t length)
{
    unsigned char *copy = malloc(length > 0 ? length : 1);
    if (!copy)
        return NULL;
#ifdef _OPENMP
#pragma omp parallel
#endif
    {
        const size_t begin = piece_begin(length, this_core(), cores_at_work());
        const size_t end = piece_begin(length, this_core() + 1, cores_at_work());
        memcpy(copy + begin, text + begin, end - begin);
    }
    return copy;
}
