/* copies.c - what host code copies while a contract's function runs. */
#include "copies.h"

#include "sim.h"

static struct {
    struct host_copies *copies;
    uintptr_t input, bins;
    size_t input_bytes, bins_bytes;
} seen;

/* Bytes that two ranges have in common. */
static uint64_t common_bytes(uintptr_t one, size_t bytes, uintptr_t other, size_t others)
{
    uintptr_t begin = one > other ? one : other;
    uintptr_t end = one + bytes < other + others ? one + bytes : other + others;
    return begin < end ? end - begin : 0;
}

static void note(const struct sim_copy_seen *copy, void *unused)
{
    (void)unused;
    struct host_copies *copies = seen.copies;
    const void *const to = copy->to, *const from = copy->from;
    const size_t bytes = copy->bytes;
    if (from && sim_host_can_read((uintptr_t)to)) {
        copies->from_input += common_bytes((uintptr_t)from, bytes, seen.input, seen.input_bytes);
        if (!sim_host_can_read((uintptr_t)from))
            copies->to_host += bytes;
    }
    copies->to_device += !sim_host_can_read((uintptr_t)to);
    copies->into_bins += common_bytes((uintptr_t)to, bytes, seen.bins, seen.bins_bytes);
}

void copies_begin(struct host_copies *copies, uintptr_t input, size_t input_bytes, uintptr_t bins,
                  size_t bins_bytes)
{
    *copies = (struct host_copies){.to_host = 0};
    seen.copies = copies;
    seen.input = input;
    seen.input_bytes = input_bytes;
    seen.bins = bins;
    seen.bins_bytes = bins_bytes;
    sim_observe_copies(note, NULL);
}

void copies_end(void)
{
    sim_observe_copies(NULL, NULL);
}
