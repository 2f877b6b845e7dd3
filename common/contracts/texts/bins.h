/* bins.h - how many bins a text is counted in, by the judge and all that is compiled once for any number.
 *
 * A kernel is compiled for one number (binning.h); who calls it has to be told the same. */
#ifndef BINS_H
#define BINS_H

enum { MOST_BINS = 256 };

/* NUM_BINS of the environment, or 5 without it: 5, 26, or what divides 256. Ends the program with one
 * line when it is another. */
unsigned int num_bins(void) __attribute__((pure));

#endif
