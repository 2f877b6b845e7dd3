/* constants.h - what micro.cu prints and how it times: a row of CSV, and the time of a kernel. For CUDA C. */
#ifndef CONSTANTS_H
#define CONSTANTS_H

#include <stdio.h>

#include "queue.h"

template <typename function> static void call(void *what)
{
    (*(function *)what)();
}

/* Milliseconds of work(), which queues kernels. */
template <typename function> static double milliseconds_of(function work)
{
    return queue_alone(call<function>, &work);
}

static inline void print_heading(void)
{
    printf("what,parameter,median,low,high,unit\n");
}

static inline void print_row(const char *what, long parameter, double median, double low,
                             double high, const char *unit)
{
    printf("%s,%ld,%.5g,%.5g,%.5g,%s\n", what, parameter, median, low, high, unit);
    fflush(stdout);
}

#endif
