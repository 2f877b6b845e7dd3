/* simulator_speed.cu - how fast the simulated GPU is, and how much memory it takes.
 *
 *     bench OUT.csv
 *
 * Three kernels that count 1 MiB of letters, each run several times on one core with
 * all counters on, the last one with all checks, too; and one whose 65,536 threads are
 * alive at the same time. The table goes to standard output and to OUT.csv. None of it
 * is the time of a GPU. */
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <time.h>

#include "clock.h"
#include "errors.h"
#include "sim.h"

enum { LENGTH = 1 << 20, BLOCKS = 256, THREADS = 256, BINS_USED = 26, RUNS = 7 };

__global__ void read_only(const unsigned char *text, unsigned int length, unsigned int *bins)
{
    unsigned int sum = 0;
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length;
         i += gridDim.x * blockDim.x)
        sum += text[i];
    if (sum == 1)
        bins[0] = sum;
}

__global__ void count_in_global(const unsigned char *text, unsigned int length, unsigned int *bins)
{
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length;
         i += gridDim.x * blockDim.x)
        atomicAdd(&bins[text[i] - 'a'], 1);
}

__global__ void count_in_shared(const unsigned char *text, unsigned int length, unsigned int *bins)
{
    __shared__ unsigned int block_bins[BINS_USED];
    for (unsigned int bin = threadIdx.x; bin < BINS_USED; bin += blockDim.x)
        block_bins[bin] = 0;
    __syncthreads();
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length;
         i += gridDim.x * blockDim.x)
        atomicAdd(&block_bins[text[i] - 'a'], 1);
    __syncthreads();
    for (unsigned int bin = threadIdx.x; bin < BINS_USED; bin += blockDim.x)
        atomicAdd(&bins[bin], block_bins[bin]);
}

/* All threads of the grid are alive until the last one has come. */
__global__ void meet(unsigned int *bins)
{
    atomicAdd(&bins[0], 1);
    cooperative_groups::this_grid().sync();
    atomicAdd(&bins[1], 1);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static unsigned long long lane_accesses(void)
{
    struct sim_counters counters = sim_counters();
    unsigned long long lanes = 0;
    for (int kind = 0; kind < SIM_ACCESS_KINDS; kind++)
        lanes += counters.global[kind].lanes + counters.shared[kind].lanes;
    return lanes;
}

typedef void count_kernel(const unsigned char *text, unsigned int length, unsigned int *bins);

/* Runs a kernel RUNS times, after once for nothing, and reports the middle one. */
static void time_kernel(FILE *csv, const char *what, count_kernel *kernel,
                        const unsigned char *d_text, unsigned int *d_bins)
{
    double rate[RUNS];
    unsigned long long lanes = 0;
    for (int run = -1; run < RUNS; run++) {
        sim_reset_counters();
        double start = seconds();
        kernel<<<BLOCKS, THREADS>>>(d_text, LENGTH, d_bins);
        must(cudaDeviceSynchronize(), what);
        lanes = lane_accesses();
        if (run >= 0)
            rate[run] = (double)lanes / (seconds() - start) / 1e6;
    }
    const struct spread rates = spread_of(rate, RUNS);
    printf("%-44s %9.1f %9.1f %9.1f\n", what, rates.median, rates.least, rates.most);
    fprintf(csv, "%s,%llu,%.1f,%.1f,%.1f,million lane accesses a second\n", what, lanes,
            rates.median, rates.least, rates.most);
}

static void print_memory(FILE *csv, const char *what)
{
    double megabytes = (double)sim_peak_bytes() / 1e6;
    printf("%-44s %9.1f MB\n", what, megabytes);
    fprintf(csv, "%s,%d,%.1f,%.1f,%.1f,MB\n", what, BLOCKS * THREADS, megabytes, megabytes,
            megabytes);
}

/* The kernels before had as many threads, but only a few blocks resident at a time. In
 * a cooperative kernel all are. */
static void measure_memory(FILE *csv, unsigned int *d_bins)
{
    void *arguments[] = {&d_bins};
    print_memory(csv, "memory for a launch of 65536 threads");
    must(cudaLaunchCooperativeKernel((const void *)meet, dim3(BLOCKS), dim3(THREADS), arguments, 0,
                                     0),
         "a cooperative launch");
    must(cudaDeviceSynchronize(), "a cooperative kernel");
    print_memory(csv, "memory for 65536 threads at the same time");
}

/* Letters a to z, drawn by a generator of 31 bits (Park and Miller, 1988). */
static void fill_with_letters(unsigned char *text)
{
    unsigned long long state = 1;
    for (int i = 0; i < LENGTH; i++) {
        state = state * 48271 % 2147483647;
        text[i] = (unsigned char)('a' + state % 26);
    }
}

int main(int count, char **arguments)
{
    static unsigned char text[LENGTH];
    unsigned char *d_text;
    unsigned int *d_bins;
    FILE *csv = fopen(count == 2 ? arguments[1] : "/dev/null", "w");
    if (!csv) {
        fprintf(stderr, "cannot write %s\n", arguments[1]);
        return 1;
    }
    fill_with_letters(text);
    must(cudaMalloc(&d_text, LENGTH), "cudaMalloc");
    must(cudaMalloc(&d_bins, BINS_USED * sizeof *d_bins), "cudaMalloc");
    must(cudaMemcpy(d_text, text, LENGTH, cudaMemcpyHostToDevice), "cudaMemcpy");
    must(cudaMemset(d_bins, 0, BINS_USED * sizeof *d_bins), "cudaMemset");
    printf(
        "The speed of the simulator on one core of this machine. These are no times of a GPU.\n\n");
    printf("%-44s %9s %9s %9s\n", "million lane accesses a second, 7 runs", "median", "slowest",
           "fastest");
    fprintf(csv, "what,lane_accesses,median,lowest,highest,unit\n");
    sim_set_checks("none");
    time_kernel(csv, "loads only", read_only, d_text, d_bins);
    time_kernel(csv, "loads and atomics in global memory", count_in_global, d_text, d_bins);
    time_kernel(csv, "loads and atomics in shared memory", count_in_shared, d_text, d_bins);
    sim_set_checks("all");
    time_kernel(csv, "the last one with all checks on", count_in_shared, d_text, d_bins);
    sim_set_checks("none");
    measure_memory(csv, d_bins);
    fclose(csv);
    return 0;
}
