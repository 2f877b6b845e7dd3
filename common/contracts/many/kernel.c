/* kernel.c - calls histogram_many() on a text in host memory, and answers what of it was seen; or calls
 * histogram_file() for a trace. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "letters.h"
#include "many.h"
#include "many_run.h"
#include "measure.h"
#include "must_have.h"
#include "sim.h"
#include "target.h"
#include "text_watch.h"

/* A program has one of the two functions, and the second needs MPI. */
int MPI_Init(int *count, char ***arguments);
#pragma weak histogram_many
#pragma weak histogram_file
#pragma weak MPI_Init

enum { MARGIN = 256 }; /* what lies before and behind a text, and how it is aligned */

static void must_units(bool fine, const char *what)
{
    if (fine)
        return;
    fprintf(stderr, "the judge's text: %s failed\n", what);
    exit(1);
}

/* Memory of the host that a text lies in, with letters around it. */
struct place {
    unsigned char *memory;
    size_t bytes;
    unsigned char *text;
};

/* Reserves zeros that take no room. */
static struct place reserve(const struct many_case *asked)
{
    struct place place = {.bytes = asked->length + 3 * MARGIN};
    place.memory =
        mmap(NULL, place.bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    must_units(place.memory != MAP_FAILED, "mmap");
    place.text = place.memory + MARGIN + asked->misalignment;
    if (asked->pinned)
        must_units(cudaHostRegister(place.memory, place.bytes, cudaHostRegisterDefault) ==
                       cudaSuccess,
                   "cudaHostRegister");
    return place;
}

static struct place put(const struct many_case *asked, const unsigned char *text)
{
    struct place place = {.bytes = (asked->length + 4 * MARGIN) / MARGIN * MARGIN};
    if (asked->pinned)
        must_units(cudaMallocHost((void **)&place.memory, place.bytes) == cudaSuccess,
                   "cudaMallocHost");
    else
        must_units((place.memory = aligned_alloc(MARGIN, place.bytes)) != NULL, "malloc");
    memset(place.memory, 'a', place.bytes);
    place.text = place.memory + MARGIN + asked->misalignment;
    memcpy(place.text, text, asked->length);
    return place;
}

static void take_away(const struct many_case *asked, struct place *place)
{
    if (!asked->text) {
        if (asked->pinned)
            cudaHostUnregister(place->memory);
        munmap(place->memory, place->bytes);
    } else if (asked->pinned)
        cudaFreeHost(place->memory);
    else
        free(place->memory);
}

/* Measures how many bytes are allocated of each device, with what is pinned for it. */
static void measure_memory(unsigned int units, size_t *used)
{
    size_t left = 0, total = 0;
    for (unsigned int i = 0; i < units; i++) {
        cudaSetDevice((int)i);
        cudaMemGetInfo(&left, &total);
        used[i] = total - left;
    }
    cudaSetDevice(0);
}

/* Waits until all devices have done what they were asked to, or notes why one of them has not. */
static void finish(unsigned int units, struct many_seen *seen)
{
    cudaError_t error = cudaGetLastError();
    for (unsigned int i = 0; i < units; i++) {
        cudaSetDevice((int)i);
        const cudaError_t of_device = cudaDeviceSynchronize();
        error = error ? error : of_device;
    }
    cudaSetDevice(0);
    if (error)
        snprintf(seen->error, sizeof seen->error, "%s (%s)", cudaGetErrorString(error),
                 cudaGetErrorName(error));
}

/* One rank is a job of its own, which starts no other process, and lasts as long as this one. */
static void begin_rank(void)
{
    static bool has_begun;
    if (has_begun || !MPI_Init)
        return;
    has_begun = true;
    setenv("OMPI_MCA_ess_singleton_isolated", "1", 1);
    setenv("OMPI_MCA_btl", "self", 1);
    setenv("OMPI_MCA_pml", "ob1", 1);
    MPI_Init(NULL, NULL);
}

/* The text is a file, which has no name outside of this process. */
static void call_on_file(const void *text, size_t length, unsigned long long *bins)
{
    char path[64];
    begin_rank();
    const int file = memfd_create("text", MFD_CLOEXEC);
    must_units(file >= 0 && write(file, text, length) == (ssize_t)length, "memfd_create");
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const int refused = histogram_file(path, bins);
    close(file);
    if (!refused)
        return;
    fprintf(stderr, "histogram_file() says that the file cannot be read, and it can\n");
    exit(1);
}

/* The judge's calls of histogram_file() are made by common/ranks. */
void call_make(const struct call *call)
{
    const unsigned char *text = (const unsigned char *)(uintptr_t)call->values;
    unsigned long long *bins = (unsigned long long *)(uintptr_t)call->bins;
    if (histogram_many)
        histogram_many(text, call->length, bins);
    else
        call_on_file(text, call->length, bins);
}

static void call_once_units(const struct many_case *asked, const unsigned char *text,
                            struct many_seen *seen)
{
    unsigned long long bins[MOST_BINS];
    int device = (int)(asked->units - 1); /* the current device need not be 0 */
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        bins[bin] = asked->held;
    seen->device_before = (unsigned int)device;
    cudaSetDevice(device);
    text_watch_begin(text, asked->length, asked->units, !asked->text);
    call_make(&(struct call){
        .values = (uintptr_t)text, .length = asked->length, .bins = (uintptr_t)bins});
    cudaGetDevice(&device);
    finish(asked->units, seen);
    text_watch_end(seen);
    seen->device_after = (unsigned int)device;
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        seen->bins[bin] = bins[bin];
}

static struct many_seen call_all(const struct many_case *asked, const unsigned char *text)
{
    struct many_seen seen = {.result = 0};
    size_t before[MOST_UNITS], after[MOST_UNITS];
    struct held held = {{0}};
    const uint64_t reports = sim_error_count();
    struct place place = asked->text ? put(asked, text) : reserve(asked);
    for (unsigned int i = 0; i == 0 || i < asked->calls; i++) {
        measure_memory(asked->units, before);
        held = target_held();
        many_seen_free(&seen);
        seen = (struct many_seen){.result = 0};
        call_once_units(asked, place.text, &seen);
        measure_memory(asked->units, after);
        if (seen.error[0])
            break;
    }
    for (unsigned int i = 0; i < asked->units; i++)
        seen.unit[i].left_on_device =
            asked->calls > 1 && after[i] > before[i] ? after[i] - before[i] : 0;
    seen.unit[0].before = held;
    seen.unit[0].after = target_held();
    take_away(asked, &place);
    seen.reports = sim_error_count() - reports;
    return seen;
}

/* Answers what was seen, and behind it the reads. */
static const void *answer_units(const struct job *job, const unsigned char *bytes, size_t *size)
{
    static unsigned char *answered;
    struct many_case asked;
    (void)job;
    memcpy(&asked, bytes, sizeof asked);
    struct many_seen seen = call_all(&asked, bytes + sizeof asked);
    const size_t reads = seen.read_count * sizeof *seen.reads;
    *size = sizeof seen + reads;
    free(answered);
    answered = must_have(malloc(*size), "for what the devices have read");
    memcpy(answered, &seen, sizeof seen);
    if (reads > 0)
        memcpy(answered + sizeof seen, seen.reads, reads);
    many_seen_free(&seen);
    return answered;
}

const struct kernel_half kernel_half = {.answer = answer_units};
