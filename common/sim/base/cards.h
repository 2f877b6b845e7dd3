/* cards.h - the cards that the simulated GPU can be: SIM_CARD chooses one of them.
 *
 * All of it is inline: the driver, which checks settings, and the rewriting step, which defines
 * __CUDA_ARCH__, are programs of their own and use it, too. What is counted goes by the rules of an H200
 * on each. Sources:
 *
 *   capability, threads, blocks, shared memory   CUDA C++ Programming Guide, technical specifications per
 *               compute capability; NVIDIA's CCCL says the same (cuda/__device/arch_traits.h)
 *   H200        cudaGetDeviceProperties on the device
 *   A100        A100 Tensor Core GPU Architecture (108 multiprocessors, 40 MB of L2 cache);
 *               cudaGetDeviceProperties of an A100-SXM4-40GB, as OpenXLA has it (a100_sxm_40.txtpb)
 *   RTX 4090    Ada GPU Architecture (128 multiprocessors, 72 MB of L2 cache, boost clock 2,520 MHz);
 *               cudaGetDeviceProperties of one (10,501 MHz, 384 bits)
 *   RTX 3060    what deviceQuery of the CUDA samples prints on a laptop's (30 multiprocessors, 3 MB of L2
 *               cache, 1,702 MHz, 7,001 MHz, 192 bits)
 *   of doubles  Programming Guide, throughput of arithmetic instructions: results of 32 bits in a clock
 *               and multiprocessor, divided by those of 64 */
#ifndef SIM_CARDS_H
#define SIM_CARDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIM_SHARED_RESERVED_PER_BLOCK = 1024 }; /* bytes of shared memory, on all cards */

struct sim_card {
    const char *name; /* in SIM_CARD */
    int capability;   /* 10 * major + minor */
    int multiprocessors;
    int threads_per_multiprocessor;
    int blocks_per_multiprocessor;
    int shared_per_multiprocessor; /* bytes; a block can ask for 1,024 less */
    int l2_bytes;
    int clock_khz, memory_clock_khz, memory_bus_bits;
    int floats_per_double; /* how many times as fast floats are */
};

/* The first is the card when nothing is chosen. */
#define SIM_CARDS(CARD)                                                                            \
    CARD(H200, 90, 132, 2048, 32, 228 << 10, 60 << 20, 1980000, 3201000, 6144, 2)                  \
    CARD(A100, 80, 108, 2048, 32, 164 << 10, 40 << 20, 1410000, 1215000, 5120, 2)                  \
    CARD(RTX4090, 89, 128, 1536, 24, 100 << 10, 72 << 20, 2520000, 10501000, 384, 64)              \
    CARD(RTX3060_LAPTOP, 86, 30, 1536, 16, 100 << 10, 3 << 20, 1702000, 7001000, 192, 64)

#define SIM_CARD_NAME(name, ...) " " #name
#define SIM_CARD_NAMES (&(SIM_CARDS(SIM_CARD_NAME))[1]) /* "H200 A100 ..." */

/* The card of this name, or NULL. */
static inline const struct sim_card *sim_card_named(const char *name)
{
#define SIM_CARD_ROW(name, ...) {#name, __VA_ARGS__},
    static const struct sim_card cards[] = {SIM_CARDS(SIM_CARD_ROW)};
#undef SIM_CARD_ROW
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++)
        if (strcmp(cards[i].name, name) == 0)
            return &cards[i];
    return NULL;
}

/* Bytes of shared memory that a block of the card can ask for. */
static inline size_t sim_shared_of_block(const struct sim_card *card)
{
    return (size_t)card->shared_per_multiprocessor - SIM_SHARED_RESERVED_PER_BLOCK;
}

/* So many blocks of so many threads, 1 or more, fit on a multiprocessor of the card, each with so many bytes of
 * shared memory: the tightest of three limits, whole warps, blocks, shared memory. Registers are not known here. */
static inline size_t sim_blocks_on_card(const struct sim_card *card, size_t threads, size_t shared)
{
    enum { LANES = 32 }; /* of a warp, on all cards */
    const size_t warps = (threads + LANES - 1) / LANES;
    const size_t by_warps = (size_t)card->threads_per_multiprocessor / LANES / warps;
    const size_t by_shared =
        (size_t)card->shared_per_multiprocessor / (shared + SIM_SHARED_RESERVED_PER_BLOCK);
    const size_t most = (size_t)card->blocks_per_multiprocessor;
    const size_t fit = by_warps < by_shared ? by_warps : by_shared;
    return fit < most ? fit : most;
}

/* Whether it is the card whose counters and times were measured: what is counted, or predicted, is its own. */
static inline bool sim_card_is_measured(const struct sim_card *card)
{
    return card->capability == 90;
}

/* The card that SIM_CARD chooses in the environment. A name of none of them ends the program with 2. */
static inline const struct sim_card *sim_card_chosen(void)
{
    const char *name = getenv("SIM_CARD");
    const struct sim_card *card = sim_card_named(name && *name ? name : "H200");
    if (!card) {
        fprintf(stderr, "SIM_CARD=%s is not one of %s\n", name, SIM_CARD_NAMES);
        exit(2);
    }
    return card;
}

#endif
