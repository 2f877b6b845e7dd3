/* beside_cores.c - the GPUs beside the cores: see count.h. */

#include <string.h>

#include "count.h"
#include "grouped.h"

/* "all 8 cores", "2 simulated GPUs". */
struct rung {
    char name[64];
    double seconds;
};

/* Of the same file the cores have to count the same. */
static bool agree(const struct counted_file *file, const unsigned long long *bins, char *why,
                  size_t size)
{
    for (int bin = 0; bin < NUM_BINS; bin++)
        if (bins[bin] != file->bins[bin]) {
            char name[32];
            name_of_bin(bin, name, sizeof name);
            snprintf(why, size,
                     "%s: the cores count %s in bin %s, the GPUs %s: one of them is wrong",
                     file->name, grouped(bins[bin]), name, grouped(file->bins[bin]));
            return false;
        }
    return true;
}

/* The seconds that so many cores take for all files, or less than 0, and why. */
static double time_cores(const struct counted_file *files, size_t count, unsigned int cores,
                         char *why, size_t size)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned long long bins[NUM_BINS] = {0};
        char reason[256];
        const double seconds =
            count_on_cores(files[i].name, files[i].length, cores, bins, reason, sizeof reason);
        if (seconds < 0)
            snprintf(why, size, "%s: %s when the cores read it", files[i].name, reason);
        if (seconds < 0 || !agree(&files[i], bins, why, size))
            return -1;
        sum += seconds;
    }
    return sum;
}

static void print_rung(FILE *out, const struct rung *rung, unsigned long long bytes)
{
    const double rate = rung->seconds > 0 ? (double)bytes / rung->seconds / 1e6 : 0;
    char words[32];
    snprintf(words, sizeof words, "%.1f", rate);
    fprintf(out, "%-28s %10.3f %12s\n", rung->name, rung->seconds,
            rate < 100 ? words : grouped((unsigned long long)(rate + 0.5)));
}

static void print_honestly(FILE *out)
{
#ifdef SIMULATED_GPU
    fprintf(out, "The GPU is simulated, by one core for each process: its time is no GPU's.\n");
#else
    fprintf(
        out,
        "The time of the GPUs holds their start; the cores read what the GPUs had read before.\n");
#endif
}

bool compare_with_cores(FILE *out, const struct counted_file *files, size_t count, double seconds,
                        int ranks, char *why, size_t size)
{
    struct rung rungs[3] = {{.seconds = seconds}};
    const unsigned int cores[3] = {0, 1, cores_here()};
    const size_t last = cores[2] > 1 ? 2 : 1;
    unsigned long long bytes = 0;
    snprintf(rungs[0].name, sizeof rungs[0].name, "%d " COUNT_DEVICE "%s", ranks,
             ranks == 1 ? "" : "s");
    snprintf(rungs[1].name, sizeof rungs[1].name, "1 core, %s", way_of_cores);
    snprintf(rungs[2].name, sizeof rungs[2].name, "all %u cores, %s", cores[2], way_of_cores);
    for (size_t i = 0; i < count; i++)
        bytes += files[i].length;
    for (size_t i = 1; i <= last; i++) {
        rungs[i].seconds = time_cores(files, count, cores[i], why, size);
        if (rungs[i].seconds < 0)
            return false;
    }
    fprintf(out, "\n%-28s %10s %12s\n", "", "seconds", "MB/s");
    for (size_t i = 0; i <= last; i++)
        print_rung(out, &rungs[i], bytes);
    print_honestly(out);
    return true;
}
