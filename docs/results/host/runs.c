/* runs.c - writes 64 MiB of runs of one byte, each unlike the last: texts on which the speed of
 * chapter 1's loop depends on nothing but the length of the runs. From the top directory:
 *
 *     gcc -std=c11 -O2 -Icommon -DBINS=256 docs/results/host/runs.c common/harness/of_texts/text.c -o /tmp/runs
 *     for length in 1 4 16 64 256 4096; do
 *         /tmp/runs $length >/tmp/runs-of-$length
 *         make chapter1 solution bench BINS=256 INPUT=/tmp/runs-of-$length
 *     done */
#include <stdio.h>
#include <stdlib.h>

#include "text.h"

int main(int count, char **arguments)
{
    const size_t run_length = count == 2 ? strtoul(arguments[1], NULL, 10) : 0;
    struct text text = text_of_runs(run_length, 1, (size_t)64 << 20);
    const size_t written = fwrite(text.bytes, 1, text.length, stdout);
    return written == text.length ? 0 : 1;
}
