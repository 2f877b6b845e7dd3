/* cores.c - one way of counting on all cores at once, with OpenMP. */
#include <stdlib.h>
#include <string.h>

#include "binning.h"
#include "ways.h"

#ifdef _OPENMP
#include <omp.h>
#else // one core, and nothing to measure on all
static int omp_get_max_threads(void)
{
    return 0;
}

static int omp_get_thread_num(void)
{
    return 0;
}

static int omp_get_num_threads(void)
{
    return 1;
}
#endif

int all_cores(void)
{
    return omp_get_max_threads();
}

/* The piece of the core that asks: from begin to before end. */
static void own_piece(size_t length, size_t *begin, size_t *end)
{
    const size_t cores = (size_t)omp_get_num_threads(), core = (size_t)omp_get_thread_num();
    const size_t whole = length / cores, rest = length % cores;
    *begin = core * whole + (core < rest ? core : rest);
    *end = *begin + whole + (core < rest);
}

void on_all_cores(way *count, const unsigned char *text, size_t length, unsigned int *bins)
{
#ifdef _OPENMP
#pragma omp parallel
#endif
    {
        unsigned int own_bins[NUM_BINS] = {0};
        size_t begin, end;
        own_piece(length, &begin, &end);
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
        size_t begin, end;
        own_piece(length, &begin, &end);
        memcpy(copy + begin, text + begin, end - begin);
    }
    return copy;
}
