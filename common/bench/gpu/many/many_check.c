/* many_check.c - whether histogram_many() counts right on all devices that this program sees.
 *
 *     many_check NAME LENGTH...
 *
 * NAME is the chapter's. Of each length there are texts of several kinds (host_text.h) in memory that is
 * pinned and that is not, at an address that is a multiple of 256 and at the next one; each is counted
 * twice, so that the second call meets what the first has left. From LONG bytes on there is one kind, at
 * one address, once: one letter, so that a bin holds more than 32 bits can. Prints a line for each length;
 * status 1 when a bin is wrong. CUDA_VISIBLE_DEVICES says which devices it sees. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binning.h"
#include "errors.h"
#include "grouped.h"
#include "host_text.h"
#include "last_words.h"
#include "many.h"
#include "room.h"

enum { PATIENCE_S = 120, ALIGNMENT = 256 };
static const size_t long_text = (size_t)1 << 28;

/* One text, and where it lies. */
struct input {
    enum host_text kind;
    size_t length, shift;
    bool pinned;
};

struct tally {
    int right, judged;
};

static int devices;

static const char *told(const struct input *input)
{
    static char words[160];
    snprintf(words, sizeof words, "%s bytes, %s, in %s memory%s, on %d device%s",
             grouped(input->length), host_text_name(input->kind),
             input->pinned ? "pinned" : "pageable", input->shift ? " at an odd address" : "",
             devices, devices == 1 ? "" : "s");
    return words;
}

/* Returns whether the bins are those; says which is not. */
static bool are_right(const char *name, const struct input *input, int call,
                      const unsigned long long *bins, const uint64_t *truth)
{
    for (int bin = 0; bin < NUM_BINS; bin++)
        if (bins[bin] != truth[bin]) {
            printf("%s, %d bins, %s: call %d: bin %d has %s in place of %s\n", name, (int)NUM_BINS,
                   told(input), call, bin, grouped(bins[bin]), grouped(truth[bin]));
            return false;
        }
    return true;
}

/* The device that is current must be so afterwards. */
static bool is_current(const char *name, const struct input *input, int device)
{
    int now;
    must(cudaGetDevice(&now), "cudaGetDevice");
    if (now != device)
        printf("%s, %s: device %d is current in place of %d\n", name, told(input), now, device);
    return now == device;
}

static bool count_it(const char *name, const struct input *input, const unsigned char *text)
{
    const int calls = input->length < long_text ? 2 : 1, device = devices - 1;
    uint64_t truth[NUM_BINS] = {0};
    bool right = true;
    host_text_count(text, input->length, truth);
    must(cudaSetDevice(device), "cudaSetDevice");
    for (int call = 1; call <= calls && right; call++) {
        unsigned long long bins[NUM_BINS] = {0};
        being_at(PATIENCE_S, "%s, %d bins, %s", name, (int)NUM_BINS, told(input));
        histogram_many(text, input->length, bins);
        being_done();
        right = are_right(name, input, call, bins, truth) && is_current(name, input, device);
    }
    return right;
}

/* All texts of one length in one sort of memory. Returns false when there is no such memory. */
static bool check_in(const char *name, size_t length, bool pinned, struct tally *tally)
{
    const bool is_long = length >= long_text;
    struct room room;
    if (!room_take(&room, length + ALIGNMENT, pinned))
        return false;
    for (int kind = is_long ? ONE_LETTER : 0; kind < (is_long ? ONE_LETTER + 1 : HOST_TEXTS);
         kind++)
        for (size_t shift = is_long; shift < 2; shift++) {
            const struct input input = {(enum host_text)kind, length, shift, pinned};
            host_text_fill(room.bytes + shift, length, 0, input.kind);
            tally->right += count_it(name, &input, room.bytes + shift);
            tally->judged++;
        }
    room_give_back(&room);
    return true;
}

static bool check_length(const char *name, size_t length)
{
    struct tally tally = {0, 0};
    const char *left_out = "";
    if (!check_in(name, length, false, &tally))
        left_out = "; left out: there is not that much memory";
    if (!check_in(name, length, true, &tally))
        left_out = "; left out: there is not that much pinned memory";
    printf("%s, %d bins, %d device%s, %s bytes: %d of %d right%s\n", name, (int)NUM_BINS, devices,
           devices == 1 ? "" : "s", grouped(length), tally.right, tally.judged, left_out);
    fflush(stdout);
    return tally.right == tally.judged;
}

int main(int count, char **arguments)
{
    bool right = true;
    for (int i = 2; i < count; i++) {
        char *end;
        (void)strtoull(arguments[i], &end, 10);
        count = arguments[i][0] >= '0' && arguments[i][0] <= '9' && *end == '\0' ? count : 0;
    }
    if (count < 3) {
        fprintf(stderr, "usage: %s NAME LENGTH...\n", arguments[0]);
        return 2;
    }
    must(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
    for (int i = 2; i < count; i++)
        right = check_length(arguments[1], strtoull(arguments[i], NULL, 10)) && right;
    return right ? 0 : 1;
}
