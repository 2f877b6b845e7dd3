/* bin_plot.h - what was counted, as a picture: by gnuplot, where there is one. */
#ifndef BIN_PLOT_H
#define BIN_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "counted_file.h"

/* Whether there is a gnuplot: else false, and a sentence in `why`. */
bool can_plot(char *why, size_t size);

/* Draws a bar for each bin into an SVG file, which replaces what is there when it is complete. Else false, and a
 * sentence in `why`. */
bool plot_bins(const char *path, const struct counted_file *counted, char *why, size_t size);

#endif
