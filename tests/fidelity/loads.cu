/* loads.cu - one wide access of a warp to shared memory at a time: how many wavefronts does it take?
 *
 *     loads OUT.csv
 *
 * A warp's load of 8 or 16 bytes a lane is served in parts, and in fewer where lanes want the same. Each launch is
 * one such load, or store, each lane at the place that a pattern gives it. OUT.csv gets a line for each launch, as
 * patterns.cu's. Under Nsight Compute the counters of the same launches lie beside it: common/bench/fidelity.py
 * loads. */
#include "requests.h"

/* What a lane that is nowhere would load is not loaded at all. The words are stored one beside the other before. */
#define LOADED(name, type, all_of_it)                                                              \
    __global__ void name(const int *place, u32 *out)                                               \
    {                                                                                              \
        __shared__ type s[SHARED_PLACES];                                                          \
        u32 *words = (u32 *)s, sum = 0;                                                            \
        for (int k = threadIdx.x; k < (int)(sizeof s / (sizeof *words)); k += blockDim.x)          \
            words[k] = place[k % LANES];                                                           \
        __syncthreads();                                                                           \
        const int p = place[threadIdx.x % LANES];                                                  \
        if (p < SHARED_PLACES) {                                                                   \
            const type x = s[p];                                                                   \
            sum = all_of_it;                                                                       \
        }                                                                                          \
        out[threadIdx.x] = sum;                                                                    \
    }

#define STORED(name, type, value)                                                                  \
    __global__ void name(const int *place, u32 *out)                                               \
    {                                                                                              \
        __shared__ type s[SHARED_PLACES];                                                          \
        const int p = place[threadIdx.x % LANES];                                                  \
        const u32 k = threadIdx.x;                                                                 \
        if (p < SHARED_PLACES) {                                                                   \
            s[p] = value;                                                                          \
        }                                                                                          \
        __syncthreads();                                                                           \
        out[threadIdx.x] = ((u32 *)s)[threadIdx.x];                                                \
    }

/* --- The requests --- */

LOADED(load_4, u32, x)
LOADED(load_8, uint2, x.x ^ x.y)
LOADED(load_16, uint4, x.x ^ x.y ^ x.z ^ x.w)
LOADED(load_12_of_16, uint4, x.x ^ x.y ^ x.z)
STORED(store_8, uint2, make_uint2(k, k))
STORED(store_16, uint4, make_uint4(k, k, k, k))

/* --- The launches --- */

/* Lanes that want the same: those whose numbers differ in the bits of `together`. */
static void patterns_of_groups(void)
{
    static const int groups[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 17, 18, 20, 24, 15, 28, 30};
    for (int together : groups) {
        PATTERN("together", together, lane & ~together);
        PATTERN("together_far", together, (lane & ~together) * 8);
        PATTERN("together_odd", together, lane % 3 == 0 ? NOWHERE : lane & ~together);
        int *random = new_pattern("together_random", together);
        for (int lane = 0; lane < LANES; lane++)
            random[lane] = lane & together ? random[lane & ~together] : draw_below(SHARED_PLACES);
    }
    for (int n = 2; n <= 16; n *= 2)
        for (int i = 0; i < 2; i++) {
            PATTERN(i ? "one_of_again" : "one_of", n, draw_below(n));
            PATTERN(i ? "one_of_far_again" : "one_of_far", n, draw_below(n) * 8);
        }
    for (int n = 1; n < 32; n += 5) {
        PATTERN("same_for_first", n, lane < n ? 0 : NOWHERE);
        PATTERN("same_for_last", n, lane < n ? NOWHERE : 5);
        PATTERN("own_for_first", n, lane < n ? lane : NOWHERE);
        PATTERN("own_for_last", n, lane < n ? NOWHERE : lane);
        PATTERN("one_lane", n, lane == n ? 7 : NOWHERE);
    }
}

int main(int count, char **arguments)
{
    if (begin(count > 1 ? arguments[1] : NULL, "loads.csv"))
        return 1;
    patterns_of_banks();
    patterns_of_groups();
    ONE(load_4);
    ONE(load_8);
    ONE(load_16);
    ONE(load_12_of_16);
    ONE(store_8);
    ONE(store_16);
    CHECK(cudaDeviceSynchronize());
    return fclose(list) != 0;
}
