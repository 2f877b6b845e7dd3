/* traced.c - what make trace asks of histogram_many() and histogram_file(): see traced_contract.h.
 *
 * Of ranks there is one: what MPI starts as several processes cannot be followed step by step from
 * here. It is a job of its own, which needs no mpirun. */
#define _GNU_SOURCE
#include "traced_contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "many.h"
#include "must_have.h"
#include "sim.h"
#include "text_traced.h"

/* A program has one of the two functions, and the second needs MPI. */
int MPI_Init(int *count, char ***arguments);
int MPI_Finalize(void);
#pragma weak MPI_Init
#pragma weak MPI_Finalize
#pragma weak histogram_many
#pragma weak histogram_file

typedef unsigned long long count_t;

/* histogram_many() adds, histogram_file() sets. */
static bool is_of_ranks(void)
{
    return histogram_many == NULL;
}

static const char *function_of_units(void)
{
    return is_of_ranks() ? "histogram_file()" : "histogram_many()";
}

static const char *limits(void)
{
    return is_of_ranks()
               ? "one rank, a job of MPI by itself: what several ranks do to each other is "
                 "not in it"
               : "";
}

/* As many devices as are asked for, or two: several, and few enough for a page. */
static unsigned int devices(unsigned int of_case)
{
    const char *asked = getenv("SIM_DEVICES");
    const int typed = asked && *asked ? atoi(asked) : 2;
    return is_of_ranks() || (of_case == 0 && typed < 1) ? 1
           : of_case > 0                                ? of_case
                                                        : (unsigned int)typed;
}

static void settings_of_units(char *text, size_t size)
{
    const char *asked = getenv("SIM_DEVICES");
    text_settings(text, size);
    const size_t used = strlen(text);
    if (asked && *asked && !is_of_ranks())
        snprintf(text + used, size - used, "%sSIM_DEVICES=%s", used ? " " : "", asked);
}

static const struct traced_case cases[] = {
    {TEXT_UNIFORM, 0, 0, 0, 0, 1, 2},          {TEXT_UNIFORM, 0, 1, 0, 0, 1, 1},
    {TEXT_UNIFORM, 0, 1, 0, 0, 1, 2},          {TEXT_UNIFORM, 0, 2, 0, 0, 1, 2},
    {TEXT_UNIFORM, 0, 3, 0, 0, 1, 2},          {TEXT_UNIFORM, 0, 7, 0, 0, 1, 3},
    {TEXT_UNIFORM, 0, 33, 0, 0, 1, 2},         {TEXT_UNIFORM, 0, 33, 0, 0, 2, 2},
    {TEXT_UNIFORM, 0, 257, 0, 1, 1, 3},        {TEXT_UNIFORM, 0, 999, 0, 3, 1, 4},
    {CONTENT_ALL_VALUES, 0, 4099, 0, 0, 1, 2}, {TEXT_ENGLISH, 0, 4099, 0, 0, 1, 8},
    {TEXT_RUNS, 0, 10007, 0, 0, 2, 3},         {TEXT_UNIFORM, 0, 40009, 0, 0, 1, 2},
    {TEXT_UNIFORM, 0, 131071, 0, 0, 1, 2},     {TEXT_UNIFORM, 0, 300007, 0, 0, 1, 1},
    {TEXT_SINGLE, 0, 600011, 0, 0, 1, 2},      {0},
};

/* A job of one rank that starts no other process, and leaves nothing behind. */
static void begin_rank(void)
{
    if (!MPI_Init)
        return;
    setenv("OMPI_MCA_ess_singleton_isolated", "1", 1);
    setenv("OMPI_MCA_btl", "self", 1);
    setenv("OMPI_MCA_pml", "ob1", 1);
    MPI_Init(NULL, NULL);
}

/* Of ranks the text is a file, which has no name outside of this process. */
static void place_traced(const struct input *input, struct traced_memory *memory)
{
    unsigned char *space =
        must_have(malloc(input->misalignment + input->length + 1), "for a trace");
    memory->on_host = true;
    memory->units = space + input->misalignment;
    memory->outputs = must_have(calloc(input->num_bins, sizeof(count_t)), "for a trace");
    memcpy(memory->units, input->elements, input->length);
    sim_set_devices(input->devices);
    if (is_of_ranks())
        begin_rank();
}

static const char *call_on_file(const struct input *input, void *bins)
{
    char path[64];
    const int file = memfd_create("text", MFD_CLOEXEC);
    if (file < 0 || write(file, input->elements, input->length) != (ssize_t)input->length)
        must_have(NULL, "for a trace");
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const int refused = histogram_file(path, bins);
    close(file);
    return refused ? "histogram_file() says that the file cannot be read, and it can" : NULL;
}

static const char *call_traced(const struct input *input, const struct traced_memory *memory)
{
    if (is_of_ranks())
        return call_on_file(input, memory->outputs);
    histogram_many(memory->units, input->length, memory->outputs);
    return NULL;
}

static void end_traced_rank(void)
{
    if (is_of_ranks() && MPI_Finalize)
        MPI_Finalize();
}

extern const struct contract many_contract;
const struct traced_contract traced = {.contract = &many_contract,
                                       .outputs = "bins",
                                       .on_devices = true,
                                       .function = function_of_units,
                                       .limits = limits,
                                       .settings = settings_of_units,
                                       .name_output = text_name_bin,
                                       .cases = cases,
                                       .tale = CONTENT_TALE,
                                       .tales = {640, 1280, 2400, 4200, 8300},
                                       .make = text_made,
                                       .read = text_asked,
                                       .devices = devices,
                                       .simplify = text_simplify,
                                       .place = place_traced,
                                       .call = call_traced,
                                       .end = end_traced_rank,
                                       .sets = is_of_ranks};
