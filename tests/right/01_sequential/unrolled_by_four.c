/* Style: unrolled by four with a switch for the rest; the bins of bytes stand in a static table. */
#include "binning.h"
#include "histogram.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static signed short bin_table[256];
static int ready;

static void make_table(void)
{
  for (unsigned i = 0; i < 256; ++i) bin_table[i] = (signed short)bin_of((unsigned char)i);
  ready = 1;
}

#define ONE(k) do { int b_ = bin_table[text[i + (k)]]; if (b_ >= 0) bins[b_]++; } while (0)

void histogram(const unsigned char *text, size_t length, unsigned int *bins)
{
  size_t i = 0;
  if (length > UINT32_MAX) { fprintf(stderr, "length\n"); exit(1); }
  if (!ready) make_table();
  for (; i + 4 <= length; i += 4) { ONE(0); ONE(1); ONE(2); ONE(3); }
  switch (length - i) {
    case 3: ONE(2); /* fall through */
    case 2: ONE(1); /* fall through */
    case 1: ONE(0);
  }
}
