/* 60. Many GPUs: each card counts a share of the text, and one collective adds up the sums.
 *
 * One host thread feeds all cards. A share goes to its card in slices, through a ring of slots: while
 * one slice is counted, the next ones are copied. Each card counts with the kernel of chapter 13, into
 * 64-bit sums of its own. In the end one ncclReduce adds up the sums of all cards. */
#include <cuda_runtime.h>
#include <nccl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_check.h"          // CHECK(call): a call that fails ends the program with one line
#include "given/copy_on_cores.h" // copy_on_cores: memcpy on several cores
#include "given/count_slice.h"   // the kernel of chapter 13: count_slice, NUM_BINS
#include "many.h"
#include "nccl_check.h" // CHECK_NCCL(call): the same for NCCL

enum { SLOTS = 3 };

typedef unsigned long long count_t; // 64 bits: 32 hold no more than 4 GiB of one letter

/* What a card has of its own. Slots are used in turns, each for one slice at a time. */
struct card {
    cudaStream_t copying, counting;
    unsigned char *slice[SLOTS];  // in memory of the card: a slice, where it is counted
    unsigned char *staged[SLOTS]; // in pinned memory of the host, where it is needed, else NULL
    cudaEvent_t copied[SLOTS];    // what was last put into the slot has arrived
    cudaEvent_t counted[SLOTS];   // and is counted
    unsigned int turn;            // how many slices were put into slots so far
    count_t *sums;                // in memory of the card, NUM_BINS of them
    size_t next, end;             // of its share of the text: what has not been sent yet
};

/* All cards. The first call makes it, and those that follow find it. */
struct team {
    int size;    // how many cards
    size_t room; // bytes of a slot
    bool stages; // slots have pinned memory, too
    struct card *card;
    ncclComm_t *comm; // of each card
    count_t *total;   // in pinned memory of the host, NUM_BINS of them
};

static struct team the_team;

// What is made once.

static void make_card(struct card *card)
{
    CHECK(cudaStreamCreateWithFlags(&card->copying, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&card->counting, cudaStreamNonBlocking));
    for (int slot = 0; slot < SLOTS; slot++) {
        CHECK(cudaEventCreateWithFlags(&card->copied[slot], cudaEventDisableTiming));
        CHECK(cudaEventCreateWithFlags(&card->counted[slot], cudaEventDisableTiming));
    }
    CHECK(cudaMalloc((void **)&card->sums, NUM_BINS * sizeof(count_t)));
}

static void free_slots(struct card *card)
{
    for (int slot = 0; slot < SLOTS; slot++) {
        CHECK(cudaFree(card->slice[slot]));
        if (card->staged[slot])
            CHECK(cudaFreeHost(card->staged[slot]));
        card->slice[slot] = card->staged[slot] = NULL;
    }
}

static void free_card(struct card *card)
{
    free_slots(card);
    for (int slot = 0; slot < SLOTS; slot++) {
        CHECK(cudaEventDestroy(card->copied[slot]));
        CHECK(cudaEventDestroy(card->counted[slot]));
    }
    CHECK(cudaStreamDestroy(card->copying));
    CHECK(cudaStreamDestroy(card->counting));
    CHECK(cudaFree(card->sums));
}

/* Leaves the team as it was before the first call. */
static void free_team(struct team *team)
{
    for (int i = 0; i < team->size; i++) {
        CHECK_NCCL(ncclCommDestroy(team->comm[i]));
        free_card(&team->card[i]);
    }
    if (team->total)
        CHECK(cudaFreeHost(team->total));
    free(team->card);
    free(team->comm);
    memset(team, 0, sizeof *team);
}

/* All cards that there are: the team of the call before, if that has as many. */
static void make_team(struct team *team)
{
    int cards;
    CHECK(cudaGetDeviceCount(&cards));
    if (team->size == cards)
        return;
    free_team(team);
    team->card = (struct card *)calloc((size_t)cards, sizeof *team->card);
    team->comm = (ncclComm_t *)calloc((size_t)cards, sizeof *team->comm);
    if (!team->card || !team->comm) {
        fprintf(stderr, "histogram_many: no memory for a team of %d devices\n", cards);
        exit(1);
    }
    for (int i = 0; i < cards; i++) {
        CHECK(cudaSetDevice(i));
        make_card(&team->card[i]);
    }
    CHECK(cudaMallocHost((void **)&team->total, NUM_BINS * sizeof(count_t)));
    CHECK_NCCL(ncclCommInitAll(team->comm, cards, NULL));
    team->size = cards;
}

static bool is_pageable(const unsigned char *text)
{
    struct cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, text));
    return attributes.type == cudaMemoryTypeUnregistered;
}

/* Bytes of a slice, of a share of so many: there are others to copy while one is counted, and a copy is
 * long enough to be fast. */
static size_t slice_of(size_t share)
{
    const size_t least = 1 << 16, most = 1 << 25, slice = share / 16;
    return slice < least ? least : slice > most ? most : slice;
}

/* Slots that have room for a slice of so many bytes, those of the call before if they have. A text that is
 * not pinned goes through pinned memory: nothing overlaps a copy from memory that the host may move. */
static void make_slots(struct team *team, size_t bytes, bool stages)
{
    if (team->room >= bytes && team->stages >= stages)
        return;
    team->room = bytes > team->room ? bytes : team->room;
    team->stages = team->stages || stages;
    for (int i = 0; i < team->size; i++) {
        struct card *card = &team->card[i];
        CHECK(cudaSetDevice(i));
        free_slots(card);
        for (int slot = 0; slot < SLOTS; slot++) {
            CHECK(cudaMalloc((void **)&card->slice[slot], team->room));
            if (team->stages)
                CHECK(cudaMallocHost((void **)&card->staged[slot], team->room));
        }
    }
}

// What is done for each text.

/* Where the share of card i begins. That of the card behind the last one begins where the text ends. */
static size_t share_begins(size_t length, int i, int cards)
{
    size_t begin = 0;
    // TODO(60.1): Cut the text into shares that lie one behind the other, one for each card. No two
    //             differ by more than one character. There may be fewer characters than cards.
    begin = length / cards * i + length % cards * i / cards;
    // end of TODO(60.1)
    return begin;
}

/* Sends what is next of its share to the current card, a slice at most, and has it counted there. Nobody waits
 * for that; the host only waits until the pinned memory of a slot is free. */
static void send_slice(struct card *card, const unsigned char *text, size_t room, bool stages)
{
    const size_t left = card->end - card->next, length = left < room ? left : room;
    const unsigned char *from = text + card->next;
    const unsigned int slot = card->turn++ % SLOTS;
    card->next += length;
    if (stages) {
        CHECK(cudaEventSynchronize(card->copied[slot])); // the slice before it has left
        copy_on_cores(card->staged[slot], from, length);
        from = card->staged[slot];
    }
    // TODO(60.2): Copy the slice in one stream, from `from` to the slot, and count it in the other. It must not
    //             be counted before it has arrived, nor a slot be written that is still being counted.
    //             The host does not wait here. An event that was never recorded lets everybody pass.
    CHECK(cudaStreamWaitEvent(card->copying, card->counted[slot], 0));
    CHECK(cudaMemcpyAsync(card->slice[slot], from, length, cudaMemcpyDefault, card->copying));
    CHECK(cudaEventRecord(card->copied[slot], card->copying));
    CHECK(cudaStreamWaitEvent(card->counting, card->copied[slot], 0));
    count_slice(card->slice[slot], length, card->sums, card->counting);
    CHECK(cudaEventRecord(card->counted[slot], card->counting));
    // end of TODO(60.2)
}

/* Sums begin at 0, also those of a card that has nothing to count. */
static void zero_sums(const struct team *team)
{
    for (int i = 0; i < team->size; i++) {
        const struct card *card = &team->card[i];
        CHECK(cudaSetDevice(i));
        CHECK(cudaMemsetAsync(card->sums, 0, NUM_BINS * sizeof(count_t), card->counting));
    }
}

/* Has all cards count their shares: a slice of each in turn, so that none waits until another one has got
 * all of its share. */
static void count_shares(const struct team *team, const unsigned char *text, size_t length,
                         bool stages)
{
    for (int i = 0; i < team->size; i++) {
        team->card[i].next = share_begins(length, i, team->size);
        team->card[i].end = share_begins(length, i + 1, team->size);
    }
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < team->size; i++)
            if (team->card[i].next < team->card[i].end) {
                CHECK(cudaSetDevice(i));
                send_slice(&team->card[i], text, team->room, stages);
                more = true;
            }
    }
}

/* Adds up the sums of all cards, when these have counted, and adds the total to the bins. */
static void reduce_sums(const struct team *team, unsigned long long *bins)
{
    // TODO(60.3): With one collective, add up the sums of all cards in those of card 0, behind what they
    //             count. All cards join it, and this one thread calls it for all of them.
    CHECK_NCCL(ncclGroupStart());
    for (int i = 0; i < team->size; i++)
        CHECK_NCCL(ncclReduce(team->card[i].sums, team->card[i].sums, NUM_BINS, ncclUint64, ncclSum,
                              0, team->comm[i], team->card[i].counting));
    CHECK_NCCL(ncclGroupEnd());
    // end of TODO(60.3)

    const struct card *root = &team->card[0];
    CHECK(cudaSetDevice(0));
    CHECK(cudaMemcpyAsync(team->total, root->sums, NUM_BINS * sizeof(count_t),
                          cudaMemcpyDeviceToHost, root->counting));
    // TODO(60.4): Add the total to the bins. It must have come to the host.
    CHECK(cudaStreamSynchronize(root->counting));
    for (int bin = 0; bin < NUM_BINS; bin++)
        bins[bin] += team->total[bin];
    // end of TODO(60.4)
}

void histogram_many(const unsigned char *text, size_t length, unsigned long long *bins)
{
    struct team *team = &the_team;
    int device;
    CHECK(cudaGetDevice(&device));
    make_team(team);
    zero_sums(team);
    if (length > 0) {
        const bool stages = is_pageable(text);
        make_slots(team, slice_of(length / team->size), stages);
        count_shares(team, text, length, stages);
    }
    reduce_sums(team, bins);
    CHECK(cudaSetDevice(device));
}

/* The same of texts that the cards have already: for make gpu bench. */
void histogram_on_devices(const unsigned char *const *d_texts, const size_t *lengths,
                          unsigned long long *bins)
{
    struct team *team = &the_team;
    int device;
    CHECK(cudaGetDevice(&device));
    make_team(team);
    zero_sums(team);
    for (int i = 0; i < team->size; i++) {
        CHECK(cudaSetDevice(i));
        for (size_t at = 0; at < lengths[i]; at += LONGEST_SLICE) {
            const size_t left = lengths[i] - at;
            count_slice(d_texts[i] + at, left < LONGEST_SLICE ? left : LONGEST_SLICE,
                        team->card[i].sums, team->card[i].counting);
        }
    }
    reduce_sums(team, bins);
    CHECK(cudaSetDevice(device));
}
