/* Style: a pointer that walks to an end pointer, as in K&R; the guard is a macro. */
#include "histogram.h"
#include "binning.h"

#include <stdio.h>
#include <stdlib.h>

#define TOO_LONG(n) ((n) > 4294967295u)

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
	const unsigned char *p = d_text, *end = d_text + length;

	if (TOO_LONG(length)) {
		fputs("too long\n", stderr);
		exit(EXIT_FAILURE);
	}
	while (p != end) {
		int b = bin_of(*p++);
		if (b < 0)
			continue;
		++*(d_bins + b);
	}
}
