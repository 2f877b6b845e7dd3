/* C++. No shares: slice k of the text is for card k % cards, so that one thread deals them like playing cards. The
 * slots and streams are a vector of objects; all cards get the sums, by ncclAllReduce. */
#include <nccl.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "binning.h"
#include "cuda_check.h"
#include "given/count_slice.h"
#include "many.h"
#include "nccl_check.h"

using sum = unsigned long long;
constexpr size_t slot_bytes = size_t(1) << 16;

struct Slot {
    unsigned char *device = nullptr, *host = nullptr;
    cudaStream_t stream = nullptr; // copies and counts this slot; the other slot has its own
    sum *sums = nullptr;

    Slot()
    {
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        CHECK(cudaMalloc(&device, slot_bytes));
        CHECK(cudaHostAlloc((void **)&host, slot_bytes, cudaHostAllocPortable));
        CHECK(cudaMalloc(&sums, 2 * NUM_BINS * sizeof(sum)));
    }

    void count(const unsigned char *text, size_t bytes, sum *into)
    {
        CHECK(cudaStreamSynchronize(stream));
        std::memcpy(host, text, bytes);
        CHECK(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream));
        count_slice(device, bytes, into, stream);
    }

    ~Slot()
    {
        cudaFree(device);
        cudaFreeHost(host);
        cudaFree(sums);
        cudaStreamDestroy(stream);
    }
};

struct Card {
    Slot slot[2];
    ncclComm_t comm = nullptr;
    sum *sums() { return slot[0].sums; }
};

void histogram_many(const unsigned char *text, size_t length, unsigned long long *bins)
{
    int before = 0, count = 0;
    CHECK(cudaGetDevice(&before));
    CHECK(cudaGetDeviceCount(&count));
    std::vector<std::unique_ptr<Card>> cards;
    std::vector<ncclComm_t> comms(count);
    CHECK_NCCL(ncclCommInitAll(comms.data(), count, nullptr));
    for (int i = 0; i < count; i++) {
        CHECK(cudaSetDevice(i));
        cards.push_back(std::make_unique<Card>());
        CHECK(cudaMemset(cards[i]->sums(), 0, 2 * NUM_BINS * sizeof(sum)));
    }
    size_t turn = 0;
    for (size_t at = 0; at < length; at += slot_bytes, turn++) {
        Card &card = *cards[turn % count];
        CHECK(cudaSetDevice(int(turn % count)));
        card.slot[turn / count % 2].count(text + at, std::min(slot_bytes, length - at), card.sums());
    }
    CHECK_NCCL(ncclGroupStart());
    for (int i = 0; i < count; i++) {
        CHECK(cudaSetDevice(i));
        CHECK(cudaStreamSynchronize(cards[i]->slot[1].stream));
        CHECK_NCCL(ncclAllReduce(cards[i]->sums(), cards[i]->sums() + NUM_BINS, NUM_BINS, ncclUint64,
                                 ncclSum, comms[i], cards[i]->slot[0].stream));
    }
    CHECK_NCCL(ncclGroupEnd());
    std::vector<sum> total(NUM_BINS);
    for (int i = 0; i < count; i++)
        CHECK(cudaStreamSynchronize(cards[i]->slot[0].stream));
    CHECK(cudaMemcpy(total.data(), cards[0]->sums() + NUM_BINS, NUM_BINS * sizeof(sum),
                     cudaMemcpyDeviceToHost));
    for (int bin = 0; bin < NUM_BINS; bin++)
        bins[bin] += total[bin];
    for (ncclComm_t comm : comms)
        CHECK_NCCL(ncclCommDestroy(comm));
    cards.clear();
    CHECK(cudaSetDevice(before));
}
