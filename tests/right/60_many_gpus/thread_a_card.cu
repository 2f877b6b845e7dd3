/* A host thread for each card, which does all that its card needs, the collective included: no group. All is
 * made anew in each call. Two slots; letters are counted by a table in shared memory. */
#include <nccl.h>
#include <pthread.h>
#include <string.h>

#include "binning.h"
#include "cuda_check.h"
#include "many.h"
#include "nccl_check.h"

enum { MOST = 64, SLOT = 1 << 16, THREADS = 256, BLOCKS = 8 };

struct worker {
    pthread_t thread;
    int card, cards;
    const unsigned char *begin, *end;
    ncclComm_t comm;
    unsigned long long bins[NUM_BINS]; // of card 0, in the end
};

__global__ static void tally(const unsigned char *text, size_t length, unsigned long long *bins)
{
    __shared__ unsigned int mine[NUM_BINS];
    for (int bin = threadIdx.x; bin < NUM_BINS; bin += THREADS)
        mine[bin] = 0;
    __syncthreads();
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < length; i += BLOCKS * THREADS) {
        const int bin = bin_of(text[i]);
        if (bin >= 0)
            atomicAdd(&mine[bin], 1);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < NUM_BINS; bin += THREADS)
        if (mine[bin] > 0)
            atomicAdd(&bins[bin], (unsigned long long)mine[bin]);
}

static void *work(void *argument)
{
    struct worker *w = (struct worker *)argument;
    unsigned char *slot[2], *pinned[2];
    unsigned long long *bins;
    cudaStream_t stream[2];
    cudaEvent_t done;
    CHECK(cudaSetDevice(w->card));
    CHECK(cudaMalloc(&bins, sizeof w->bins));
    CHECK(cudaMemset(bins, 0, sizeof w->bins));
    CHECK(cudaEventCreate(&done));
    for (int s = 0; s < 2; s++) {
        CHECK(cudaMalloc(&slot[s], SLOT));
        CHECK(cudaMallocHost(&pinned[s], SLOT));
        CHECK(cudaStreamCreate(&stream[s]));
    }
    int turn = 0;
    for (const unsigned char *at = w->begin; at < w->end; at += SLOT, turn ^= 1) {
        const size_t bytes = w->end - at < SLOT ? w->end - at : SLOT;
        CHECK(cudaStreamSynchronize(stream[turn]));
        memcpy(pinned[turn], at, bytes);
        CHECK(cudaMemcpyAsync(slot[turn], pinned[turn], bytes, cudaMemcpyHostToDevice, stream[turn]));
        tally<<<BLOCKS, THREADS, 0, stream[turn]>>>(slot[turn], bytes, bins);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaEventRecord(done, stream[1]));
    CHECK(cudaStreamWaitEvent(stream[0], done, 0));
    CHECK_NCCL(ncclReduce(bins, bins, NUM_BINS, ncclUint64, ncclSum, 0, w->comm, stream[0]));
    if (w->card == 0)
        CHECK(cudaMemcpyAsync(w->bins, bins, sizeof w->bins, cudaMemcpyDeviceToHost, stream[0]));
    CHECK(cudaStreamSynchronize(stream[0]));
    for (int s = 0; s < 2; s++) {
        CHECK(cudaFree(slot[s]));
        CHECK(cudaFreeHost(pinned[s]));
        CHECK(cudaStreamDestroy(stream[s]));
    }
    CHECK(cudaEventDestroy(done));
    CHECK(cudaFree(bins));
    return NULL;
}

void histogram_many(const unsigned char *text, size_t length, unsigned long long *bins)
{
    static struct worker worker[MOST];
    ncclComm_t comm[MOST];
    int cards;
    CHECK(cudaGetDeviceCount(&cards));
    CHECK_NCCL(ncclCommInitAll(comm, cards, NULL));
    const size_t share = length / cards, longer = length % cards; // the first ones have one more
    for (int i = 0; i < cards; i++) {
        struct worker *w = &worker[i];
        w->card = i;
        w->cards = cards;
        w->begin = text + i * share + (i < longer ? i : longer);
        w->end = w->begin + share + (i < longer);
        w->comm = comm[i];
        if (pthread_create(&w->thread, NULL, work, w) != 0) {
            fprintf(stderr, "histogram_many: no thread for device %d\n", i);
            exit(1);
        }
    }
    for (int i = 0; i < cards; i++)
        pthread_join(worker[i].thread, NULL);
    for (int i = 0; i < cards; i++)
        CHECK_NCCL(ncclCommDestroy(comm[i]));
    for (int bin = 0; bin < NUM_BINS; bin++)
        bins[bin] += worker[0].bins[bin];
}
