/* hypotheses.c - which units would have to be left out, so that an output were what it is. In most kernels
 * thread t of a block gets the units whose index has the rest t. */
#include "hypotheses.h"

enum { WARP = 32 };

struct hypothesis hypothesis_of(const struct difference *d, uint64_t number)
{
    return (struct hypothesis){.length = d->input->length,
                               .blocks = d->blocks,
                               .threads = d->threads_per_block,
                               .number = number};
}

bool keep_prefix(size_t i, const void *context)
{
    const struct hypothesis *hypothesis = context;
    return i < hypothesis->number;
}

bool keep_but_block(size_t i, const void *context)
{
    const struct hypothesis *hypothesis = context;
    return i / hypothesis->threads % hypothesis->blocks != hypothesis->number;
}

bool keep_but_section(size_t i, const void *context)
{
    const struct hypothesis *hypothesis = context;
    const uint64_t section = (hypothesis->length + hypothesis->blocks - 1) / hypothesis->blocks;
    return i / section != hypothesis->number;
}

/* Whether each launch keeps it that reduces the results of the one before, with number 0; or only the
 * first, with number 1. */
static bool every_launch(size_t i, const struct hypothesis *hypothesis,
                         bool (*keeps)(uint64_t thread, uint64_t threads))
{
    bool kept = true;
    const uint64_t threads = hypothesis->threads > 1 ? hypothesis->threads : 2;
    for (uint64_t left = hypothesis->length; left > 1; left = (left + threads - 1) / threads) {
        kept = kept && keeps(i % threads, threads);
        i /= threads;
        if (hypothesis->number == 1)
            break;
    }
    return kept;
}

static bool is_lane_0(uint64_t thread, uint64_t threads)
{
    (void)threads;
    return thread % WARP == 0;
}

static bool is_in_warp_0(uint64_t thread, uint64_t threads)
{
    (void)threads;
    return thread < WARP;
}

static bool is_in_full_warp(uint64_t thread, uint64_t threads)
{
    return thread < threads / WARP * WARP;
}

static bool is_in_halves(uint64_t thread, uint64_t threads)
{
    for (uint64_t half = threads / 2; half > 0; half /= 2) {
        if (thread >= 2 * half)
            return false;
        thread %= half;
    }
    return thread == 0;
}

bool keep_lane_0(size_t i, const void *context)
{
    return every_launch(i, context, is_lane_0);
}

bool keep_warp_0(size_t i, const void *context)
{
    return every_launch(i, context, is_in_warp_0);
}

bool keep_full_warps(size_t i, const void *context)
{
    return every_launch(i, context, is_in_full_warp);
}

bool keep_halves(size_t i, const void *context)
{
    return every_launch(i, context, is_in_halves);
}
