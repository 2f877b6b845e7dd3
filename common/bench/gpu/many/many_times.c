/* many_times.c - times the chapter that counts on several devices, on all that this program sees.
 *
 *     many_times OUT.csv NAME WHERE=SIZE...
 *
 *     each=16G       so much text lies on each card: reading alone, no text at all, the chapter
 *     all=1G         so much in all, in equal shares on the cards: the same
 *     pinned=8G      so much in pinned memory of the host: the copies alone, the chapter
 *     pageable=8G    the same in memory that is not pinned
 *
 * NAME is the chapter's; CUDA_VISIBLE_DEVICES says which devices it sees. What is timed is a call, by the
 * clock on the wall, from an idle machine until the bins are complete in host memory: launches, collective
 * and all. What lies on the cards is counted by histogram_on_devices() (many.h), if the chapter has it; no
 * text at all takes what launches and collective take, and reading alone is the fastest of several shapes,
 * on all cards at the same time. With all= each run counts another of PARTS parts of what
 * each card holds, which caches have not. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binning.h"
#include "card_text.h"
#include "copies_alone.h"
#include "errors.h"
#include "grouped.h"
#include "host_text.h"
#include "last_words.h"
#include "many.h"
#include "read_shapes.h"
#include "room.h"
#include "row_file.h"
#include "wall_clock.h"

enum {
    MOST_DEVICES = 64,
    PATIENCE_S = 300,
    FEW_RUNS = 5,
    BYTE_VALUES = 256,
    ALIGNMENT = 256,
    PARTS = 8
};

#pragma weak histogram_on_devices

/* Text on all devices; a run counts `share` bytes of each, from `at` on. */
struct cards {
    int devices;
    unsigned char *room[MOST_DEVICES];
    unsigned int *sink[MOST_DEVICES];
    size_t room_bytes, share, at;
    int shape; /* of who only reads */
    unsigned long long bins[NUM_BINS];
};

struct bench {
    FILE *csv;
    const char *name, *where;
    int devices;
    bool anything_wrong;
};

static void write_row(const struct bench *bench, const char *who, size_t bytes, const char *correct,
                      struct wall_times times)
{
    wall_write(bench->csv, &(struct wall_row){bench->where, who, correct, NUM_BINS, bench->devices,
                                              bytes, times});
}

/* Returns "yes" or "NO", and says which bin is wrong. */
static const char *judged(struct bench *bench, const unsigned long long *bins,
                          const uint64_t *truth)
{
    for (int bin = 0; bin < NUM_BINS; bin++)
        if (bins[bin] != truth[bin]) {
            fprintf(stderr, "%s, %s, %d cards, %d bins: bin %d has %s in place of %s\n",
                    bench->name, bench->where, bench->devices, (int)NUM_BINS, bin,
                    grouped(bins[bin]), grouped(truth[bin]));
            bench->anything_wrong = true;
            return "NO";
        }
    return "yes";
}

/* Gives back what the devices hold. */
static void cards_free(struct cards *cards)
{
    for (int device = 0; device < cards->devices; device++) {
        must(cudaSetDevice(device), "cudaSetDevice");
        must(cudaFree(cards->room[device]), "cudaFree");
        must(cudaFree(cards->sink[device]), "cudaFree");
    }
    must(cudaSetDevice(0), "cudaSetDevice");
}

/* Returns false when a device has not that much memory. */
static bool cards_fill(struct cards *cards, int devices, size_t room_bytes)
{
    *cards = (struct cards){.devices = devices, .room_bytes = room_bytes};
    for (int device = 0; device < devices; device++) {
        must(cudaSetDevice(device), "cudaSetDevice");
        must(cudaMalloc((void **)&cards->sink[device], sizeof(unsigned int)), "cudaMalloc");
        const cudaError_t error = cudaMalloc((void **)&cards->room[device], room_bytes);
        if (error == cudaErrorMemoryAllocation) {
            (void)cudaGetLastError(); // it is told, and no news for the next call
            cards_free(cards);
            return false;
        }
        must(error, "cudaMalloc of the text");
        card_text_fill(cards->room[device], room_bytes, (unsigned int)device);
    }
    for (int device = 0; device < devices; device++) {
        must(cudaSetDevice(device), "cudaSetDevice");
        must(cudaDeviceSynchronize(), "fill_text_kernel");
    }
    must(cudaSetDevice(0), "cudaSetDevice");
    return true;
}

/* The next part of what each card holds, if there is more than one. */
static void next_part(struct cards *cards)
{
    cards->at += cards->share;
    if (cards->at + cards->share > cards->room_bytes)
        cards->at = 0;
}

/* A wall_run of struct cards. */
static void read_cards(void *what)
{
    struct cards *cards = what;
    next_part(cards);
    for (int device = 0; device < cards->devices; device++) {
        must(cudaSetDevice(device), "cudaSetDevice");
        read_in_shape(cards->shape, cards->room[device] + cards->at, cards->share,
                      cards->sink[device]);
    }
    for (int device = 0; device < cards->devices; device++) {
        must(cudaSetDevice(device), "cudaSetDevice");
        must(cudaDeviceSynchronize(), "reading alone");
    }
    must(cudaSetDevice(0), "cudaSetDevice");
}

static void count_parts(struct cards *cards, size_t share)
{
    const unsigned char *texts[MOST_DEVICES];
    size_t lengths[MOST_DEVICES];
    for (int device = 0; device < cards->devices; device++) {
        texts[device] = cards->room[device] + cards->at;
        lengths[device] = share;
    }
    memset(cards->bins, 0, sizeof cards->bins);
    histogram_on_devices(texts, lengths, cards->bins);
}

/* Two more wall_runs of it. */
static void count_cards(void *what)
{
    struct cards *cards = what;
    next_part(cards);
    count_parts(cards, cards->share);
}

static void count_no_text(void *what)
{
    count_parts(what, 0);
}

static void choose_shape(struct cards *cards)
{
    enum { TO_CHOOSE = 3 };
    double least = 0;
    int best = 0;
    for (cards->shape = 0; cards->shape < READ_SHAPES; cards->shape++) {
        double ms = 0;
        for (int run = 0; run < TO_CHOOSE; run++) {
            const double before = wall_now();
            read_cards(cards);
            const double took = wall_now() - before;
            ms = run == 0 || took < ms ? took : ms;
        }
        if (cards->shape == 0 || ms < least) {
            least = ms;
            best = cards->shape;
        }
    }
    cards->shape = best;
}

/* What the bins of the last run must be. */
static void truth_of_cards(const struct cards *cards, uint64_t *truth)
{
    memset(truth, 0, NUM_BINS * sizeof *truth);
    for (int device = 0; device < cards->devices; device++) {
        unsigned long long values[BYTE_VALUES], *d_values;
        must(cudaSetDevice(device), "cudaSetDevice");
        must(cudaMalloc((void **)&d_values, sizeof values), "cudaMalloc");
        must(cudaMemset(d_values, 0, sizeof values), "cudaMemset");
        card_text_count(cards->room[device] + cards->at, cards->share, d_values);
        must(cudaMemcpy(values, d_values, sizeof values, cudaMemcpyDeviceToHost), "the truth");
        must(cudaFree(d_values), "cudaFree");
        for (int value = 0; value < BYTE_VALUES; value++)
            if (bin_of((unsigned char)value) >= 0)
                truth[bin_of((unsigned char)value)] += values[value];
    }
    must(cudaSetDevice(0), "cudaSetDevice");
}

/* Parts of `share` bytes on each card, out of `room_bytes` there. */
static void time_cards(struct bench *bench, size_t share, size_t room_bytes)
{
    struct cards cards;
    uint64_t truth[NUM_BINS];
    const size_t bytes = share * (size_t)bench->devices;
    if (!cards_fill(&cards, bench->devices, room_bytes)) {
        printf("%s: left out: a card has not %s bytes free\n", bench->where, grouped(room_bytes));
        return;
    }
    cards.share = share;
    choose_shape(&cards);
    write_row(bench, "reading alone", bytes, "-", wall_time(read_cards, &cards, FEW_RUNS));
    if (histogram_on_devices) {
        being_at(PATIENCE_S, "%s, %s, %s bytes", bench->name, bench->where, grouped(bytes));
        write_row(bench, "no text", 0, "-", wall_time(count_no_text, &cards, FEW_RUNS));
        const struct wall_times times = wall_time(count_cards, &cards, FEW_RUNS);
        being_done();
        truth_of_cards(&cards, truth);
        write_row(bench, bench->name, bytes, judged(bench, cards.bins, truth), times);
    } else {
        printf("%s has no histogram_on_devices(): it is timed from host memory alone\n",
               bench->name);
    }
    cards_free(&cards);
}

/* A text in host memory. */
struct host {
    const unsigned char *text;
    size_t length;
    struct copies_alone *copies;
    unsigned long long bins[NUM_BINS];
};

/* Two wall_runs of it. */
static void copy_text(void *what)
{
    const struct host *host = what;
    copies_alone_run(host->copies, host->text, host->length);
}

static void count_text(void *what)
{
    struct host *host = what;
    memset(host->bins, 0, sizeof host->bins);
    histogram_many(host->text, host->length, host->bins);
}

static void time_host(struct bench *bench, size_t length, bool pinned)
{
    struct room room;
    struct host host = {.length = length};
    uint64_t truth[NUM_BINS] = {0};
    if (!room_take(&room, length, pinned)) {
        printf("%s: left out: the machine has not %s bytes free\n", bench->where, grouped(length));
        return;
    }
    host_text_fill(room.bytes, length, 0, MIXED);
    host_text_count(room.bytes, length, truth);
    host.text = room.bytes;
    host.copies = copies_alone_make(bench->devices);
    write_row(bench, "copies alone", length, "-", wall_time(copy_text, &host, FEW_RUNS));
    copies_alone_free(host.copies);
    must(cudaSetDevice(0), "cudaSetDevice");
    being_at(PATIENCE_S, "%s, %s, %s bytes", bench->name, bench->where, grouped(length));
    const struct wall_times times = wall_time(count_text, &host, FEW_RUNS);
    being_done();
    write_row(bench, bench->name, length, judged(bench, host.bins, truth), times);
    room_give_back(&room);
}

static bool is_place(const char *word, const char *where)
{
    const size_t length = strlen(where);
    return strncmp(word, where, length) == 0 && word[length] == '=';
}

/* Shares on the cards are multiples of ALIGNMENT, so that they can be read by 16 bytes. */
static void time_place(struct bench *bench, const char *word, size_t size)
{
    const size_t share = size / (size_t)bench->devices / ALIGNMENT * ALIGNMENT;
    char where[16];
    snprintf(where, sizeof where, "%.*s", (int)strcspn(word, "="), word);
    bench->where = where;
    if (is_place(word, "each"))
        time_cards(bench, size / ALIGNMENT * ALIGNMENT, size / ALIGNMENT * ALIGNMENT);
    else if (is_place(word, "all"))
        time_cards(bench, share, PARTS * share);
    else
        time_host(bench, size, is_place(word, "pinned"));
}

/* Returns whether it is "each=16G" and the like. */
static bool is_task(const char *word)
{
    return (is_place(word, "each") || is_place(word, "all") || is_place(word, "pinned") ||
            is_place(word, "pageable")) &&
           size_typed(strchr(word, '=') + 1) >= MOST_DEVICES * ALIGNMENT;
}

int main(int count, char **arguments)
{
    struct bench bench = {.name = count > 2 ? arguments[2] : ""};
    bool fine = count > 3;
    for (int i = 3; i < count; i++)
        fine = fine && is_task(arguments[i]);
    if (!fine) {
        fprintf(stderr,
                "usage: %s OUT.csv NAME WHERE=SIZE...\n"
                "WHERE is each, all, pinned or pageable; SIZE like 50000000, 64M or 16G: at least "
                "16K.\n",
                arguments[0]);
        return 2;
    }
    must(cudaGetDeviceCount(&bench.devices), "cudaGetDeviceCount");
    bench.devices = bench.devices < MOST_DEVICES ? bench.devices : MOST_DEVICES;
    bench.csv = report_open(arguments[1], wall_columns);
    for (int i = 3; i < count; i++)
        time_place(&bench, arguments[i], size_typed(strchr(arguments[i], '=') + 1));
    fclose(bench.csv);
    return bench.anything_wrong ? 1 : 0;
}
