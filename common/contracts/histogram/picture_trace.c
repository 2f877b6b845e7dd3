/* picture_trace.c - runs histogram() once and keeps every access of its first warp. */
#include <stdlib.h>

#include "histogram.h"
#include "picture.h"
#include "target.h"

enum array trace_array(const struct trace *trace, const struct sim_event *event)
{
    uintptr_t address = event->address[__builtin_ctz(event->active)];
    if (event->space == SIM_SHARED)
        return SHARED;
    if (address - trace->text_address < trace->text.length)
        return TEXT;
    if (address - trace->bins_address < sizeof trace->bins)
        return BINS_ARRAY;
    return COPIES;
}

static void keep(const struct sim_event *event, void *context)
{
    struct trace *trace = context;
    if (event->active == 0)
        return;
    enum array array = trace_array(trace, event);
    uintptr_t *lowest = array == SHARED ? &trace->shared_address : &trace->copies_address;
    for (unsigned int lane = 0; lane < WARP && array >= COPIES; lane++)
        if (event->active >> lane & 1 && event->address[lane] < *lowest)
            *lowest = event->address[lane];
    if (event->block == 0 && event->warp == 0 && trace->requests < MOST_REQUESTS)
        trace->request[trace->requests++] = *event;
}

void trace_run(struct trace *trace)
{
    char error[256];
    unsigned char *text = target_allocate(trace->text.length);
    unsigned int *bins = target_allocate(sizeof trace->bins);
    target_write(text, trace->text.bytes, trace->text.length);
    target_fill(bins, 0, sizeof trace->bins);
    trace->text_address = (uintptr_t)text;
    trace->bins_address = (uintptr_t)bins;
    trace->copies_address = trace->shared_address = UINTPTR_MAX;
    sim_observe(keep, trace);
    histogram(text, trace->text.length, bins);
    if (!target_finish(error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
        exit(1);
    }
    sim_observe(NULL, NULL);
    struct sim_launch_shape shape = sim_last_launch();
    trace->shared_table = shape.static_shared + shape.dynamic_shared > 2 * sizeof trace->bins;
    target_read(trace->bins, bins, sizeof trace->bins);
    target_free(text);
    target_free(bins);
}

bool trace_is_atomic(const struct sim_event *event)
{
    return event->access == SIM_RED || event->access == SIM_ATOM;
}

int trace_most_on_one_address(const struct sim_event *event)
{
    int most = 0;
    for (unsigned int one = 0; one < WARP; one++) {
        int same = 0;
        for (unsigned int lane = 0; lane < WARP && event->active >> one & 1; lane++)
            same += event->active >> lane & 1 && event->address[lane] == event->address[one];
        most = same > most ? same : most;
    }
    return most;
}

unsigned int trace_bank(const struct sim_event *event, unsigned int lane)
{
    return (unsigned int)(event->address[lane] / sizeof(unsigned int) % BANKS);
}

int trace_most_in_one_bank(const struct sim_event *event)
{
    int most = 0, lanes[BANKS] = {0};
    for (unsigned int lane = 0; lane < WARP; lane++)
        if (event->active >> lane & 1 && ++lanes[trace_bank(event, lane)] > most)
            most = lanes[trace_bank(event, lane)];
    return most;
}

/* The first request that loads the text, or NULL. */
static const struct sim_event *trace_first_load(const struct trace *trace)
{
    for (size_t i = 0; i < trace->requests; i++)
        if (trace_array(trace, &trace->request[i]) == TEXT)
            return &trace->request[i];
    return NULL;
}

struct trace_reader trace_reader_of_byte(const struct trace *trace, size_t at)
{
    unsigned int load = 0;
    for (size_t i = 0; i < trace->requests; i++) {
        const struct sim_event *event = &trace->request[i];
        if (trace_array(trace, event) != TEXT)
            continue;
        load++;
        for (unsigned int lane = 0; lane < WARP; lane++)
            if (event->active >> lane & 1 &&
                trace->text_address + at - event->address[lane] < event->bytes)
                return (struct trace_reader){load, lane, event->bytes};
    }
    return (struct trace_reader){0, 0, 1};
}

size_t trace_map_length(const struct trace *trace)
{
    enum { MOST_ROWS = 16 };
    size_t length = SECTOR;
    for (size_t at = 0; at < MOST_ROWS * SECTOR; at++) {
        unsigned int load = trace_reader_of_byte(trace, at).load;
        if (load == 1 || load == 2)
            length = at / SECTOR * SECTOR + SECTOR;
    }
    return length;
}

void trace_write_words(FILE *file, const struct trace *trace, const char *name)
{
    const struct sim_event *load = trace_first_load(trace);
    fprintf(file, "%s, on a text of %zu characters. ", name, trace->text.length);
    if (!load) {
        fprintf(file, "One loop reads the characters in order and adds one to the bin of each.");
        return;
    }
    size_t atomics = 0;
    int most = 0;
    for (size_t i = 0; i < trace->requests; i++)
        if (trace_is_atomic(&trace->request[i])) {
            int meet = trace_most_on_one_address(&trace->request[i]);
            atomics++;
            most = meet > most ? meet : most;
        }
    fprintf(file,
            "The first load of the first warp is one request and touches %u sector%s of 32 bytes. "
            "In all the warp makes %zu requests, %zu of them atomics; up to %d of its lanes meet "
            "at one address.",
            load->cost, load->cost == 1 ? "" : "s", trace->requests, atomics, most);
}
