/* 60, Go further: the kernels read the text where it is, in memory of the host.
 *
 * There are no slots, no copies and no second stream: one launch for each share. Memory that is not pinned
 * is pinned for the time of the call. */
#include <cuda_runtime.h>
#include <nccl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_check.h"
#include "given/count_slice.h"
#include "many.h"
#include "nccl_check.h"

typedef unsigned long long count_t;

/* What a card has of its own. */
struct card {
    cudaStream_t stream;
    count_t *sums; // in memory of the card, NUM_BINS of them
};

/* All cards. The first call makes it, and those that follow find it. */
struct team {
    int size; // how many cards
    struct card *card;
    ncclComm_t *comm; // of each card
    count_t *total;   // in pinned memory of the host, NUM_BINS of them
};

static struct team the_team;

static void free_team(struct team *team)
{
    for (int i = 0; i < team->size; i++) {
        CHECK_NCCL(ncclCommDestroy(team->comm[i]));
        CHECK(cudaStreamDestroy(team->card[i].stream));
        CHECK(cudaFree(team->card[i].sums));
    }
    if (team->total)
        CHECK(cudaFreeHost(team->total));
    free(team->card);
    free(team->comm);
    memset(team, 0, sizeof *team);
}

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
        CHECK(cudaStreamCreateWithFlags(&team->card[i].stream, cudaStreamNonBlocking));
        CHECK(cudaMalloc((void **)&team->card[i].sums, NUM_BINS * sizeof(count_t)));
    }
    CHECK(cudaMallocHost((void **)&team->total, NUM_BINS * sizeof(count_t)));
    CHECK_NCCL(ncclCommInitAll(team->comm, cards, NULL));
    team->size = cards;
}

/* Pins memory of the host that is not pinned; returns whether it was not. */
static bool pin(const unsigned char *text, size_t length)
{
    struct cudaPointerAttributes attributes;
    if (length == 0)
        return false;
    CHECK(cudaPointerGetAttributes(&attributes, text));
    if (attributes.type != cudaMemoryTypeUnregistered)
        return false;
    CHECK(cudaHostRegister((void *)text, length, cudaHostRegisterPortable));
    return true;
}

static size_t share_begins(size_t length, int i, int cards)
{
    return length / cards * i + length % cards * i / cards;
}

/* One launch for each 16 GiB of a share: a kernel that waits for the host's memory needs no slices. */
static void count_share(const struct card *card, const unsigned char *share, size_t length)
{
    CHECK(cudaMemsetAsync(card->sums, 0, NUM_BINS * sizeof(count_t), card->stream));
    for (size_t at = 0; at < length; at += LONGEST_SLICE) {
        const size_t left = length - at;
        count_slice(share + at, left < LONGEST_SLICE ? left : LONGEST_SLICE, card->sums,
                    card->stream);
    }
}

void histogram_many(const unsigned char *text, size_t length, unsigned long long *bins)
{
    struct team *team = &the_team;
    int device;
    CHECK(cudaGetDevice(&device));
    make_team(team);
    const bool pinned_here = pin(text, length);
    for (int i = 0; i < team->size; i++) {
        const size_t begin = share_begins(length, i, team->size);
        CHECK(cudaSetDevice(i));
        count_share(&team->card[i], text + begin, share_begins(length, i + 1, team->size) - begin);
    }
    CHECK_NCCL(ncclGroupStart());
    for (int i = 0; i < team->size; i++)
        CHECK_NCCL(ncclReduce(team->card[i].sums, team->card[i].sums, NUM_BINS, ncclUint64, ncclSum,
                              0, team->comm[i], team->card[i].stream));
    CHECK_NCCL(ncclGroupEnd());

    CHECK(cudaSetDevice(0));
    CHECK(cudaMemcpyAsync(team->total, team->card[0].sums, NUM_BINS * sizeof(count_t),
                          cudaMemcpyDeviceToHost, team->card[0].stream));
    CHECK(cudaStreamSynchronize(team->card[0].stream));
    if (pinned_here)
        CHECK(cudaHostUnregister((void *)text));
    for (int bin = 0; bin < NUM_BINS; bin++)
        bins[bin] += team->total[bin];
    CHECK(cudaSetDevice(device));
}
