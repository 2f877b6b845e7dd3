/* near_colors.h - the labels of colors by products, where these are sure: given code of chapter 70.
 *
 * |p - c|^2 = |p|^2 + 2 (|c|^2 / 2 - pc), and |p|^2 is the same for all c. So the least *score* |c|^2 / 2 - pc has the
 * nearest c. A score takes one instruction for each component, and a sum of squares takes two. In floats scores
 * are off. So a color is near if its score is at most a margin above the least one. If one color alone is near, its sum
 * of squares in floats is the least one, too. If several are near, sums of squares have to tell.
 *
 * The margin: let u be 2^-24, q = |p|^2, and D = |p - c|^2, so that |c|^2 <= 2q + 2D. Half of |c|^2 is off by 1.5 u|c|^2,
 * and three products and three subtractions by 3.5 u (q + |c|^2): a score is off by 5u (3q + 2D) at most. A sum of
 * squares is off by 5u of itself. So the color with the least sum of squares has a score at most
 * 2 x 5u (3q + 2D) + 5uD = 55uq + 50us above the least one, where s = (D - q) / 2 is its score. As s is not below
 * -q / 2, this is less than 64u (q + s). Numbers that are too small for a float lose far less than the 2^-100 that each
 * score has more. */
#ifndef NEAR_COLORS_H
#define NEAR_COLORS_H

#include <math.h>

#include "rows_in_lanes.h"

enum { FEW = 16 }; // colors at most

/* Copies `count` colors to shared memory, each with its half of |c|^2 behind it. Up to number FEW, colors follow that
 * are infinitely far. All threads of the block call it together, and have to wait for each other behind it. */
__device__ static void spread_colors(const float *from, unsigned int count, float4 *to)
{
    for (unsigned int c = threadIdx.x; c < FEW; c += blockDim.x) {
        float4 color = make_float4(0, 0, 0, INFINITY);
        if (c < count) {
            const float x = from[3 * c], y = from[3 * c + 1], z = from[3 * c + 2];
            color = make_float4(x, y, z, (x * x + y * y + z * z) / 2 + 0x1p-100f);
        }
        to[c] = color;
    }
}

/* Finds the near colors of four points, of which the lane has all components: bit c of near[p] is 1 if color c is near
 * to point p. Returns whether scores can tell: where one is no number, or almost too large for a float, none can. */
__device__ __forceinline__ static bool near_colors(const float *points, const float4 *colors,
                                                   unsigned int near[FOUR])
{
    float scores[FOUR][FEW], least[FOUR] = {INFINITY, INFINITY, INFINITY, INFINITY};
    bool are_numbers = true;
#pragma unroll
    for (unsigned int c = 0; c < FEW; c++) {
        const float4 color = colors[c];
#pragma unroll
        for (unsigned int p = 0; p < FOUR; p++) {
            const float *const x = points + 3 * p;
            scores[p][c] = color.w - x[0] * color.x - x[1] * color.y - x[2] * color.z;
            least[p] = fminf(least[p], scores[p][c]);
        }
    }
#pragma unroll
    for (unsigned int p = 0; p < FOUR; p++) {
        const float *const x = points + 3 * p;
        const float size = x[0] * x[0] + (x[1] * x[1] + (x[2] * x[2] + least[p]));
        const float most = 0x1p-18f * size + least[p];
        unsigned int far = 0;
#pragma unroll
        for (unsigned int c = FEW; c-- > 0;) // the sign of a difference is shifted in
            far = __funnelshift_l(__float_as_uint(most - scores[p][c]), far, 1);
        near[p] = far ^ ((1u << FEW) - 1);
        are_numbers = are_numbers && size < 0x1p120f; // a NaN is not
    }
    return are_numbers;
}

/* Of the near colors that with the least sum of squares; of equal ones that with the smaller number. */
__device__ __forceinline__ static unsigned int nearest_of(const float *x, const float4 *colors,
                                                          unsigned int near)
{
    float least = INFINITY;
    unsigned int nearest = 0;
#pragma unroll 1
    for (; near != 0; near &= near - 1) {
        const unsigned int c = (unsigned int)__ffs((int)near) - 1;
        const float4 color = colors[c];
        const float red = x[0] - color.x, green = x[1] - color.y, blue = x[2] - color.z;
        const float sum = red * red + green * green + blue * blue;
        if (sum < least) { // a NaN is not
            least = sum;
            nearest = c;
        }
    }
    return nearest;
}

/* Finds the labels of `rows` points, a multiple of FOUR, of which the lane has all components. Returns false, and no
 * labels, where a product is no number, or may be too large for one. */
__device__ __forceinline__ static bool label_by_scores(const float *points, const unsigned int rows,
                                                       const float4 *colors,
                                                       unsigned int labels[MOST_ROWS])
{
    unsigned int near[MOST_ROWS], several = 0;
    bool are_numbers = true;
#pragma unroll
    for (unsigned int p = 0; p < rows; p += FOUR)
        are_numbers = near_colors(points + 3 * p, colors, near + p) && are_numbers;
#pragma unroll
    for (unsigned int p = 0; p < rows; p++) {
        labels[p] = (unsigned int)(31 - __clz((int)near[p]));
        several |= near[p] & (near[p] - 1);
    }
    if (several != 0)
#pragma unroll
        for (unsigned int p = 0; p < rows; p++)
            labels[p] = nearest_of(points + 3 * p, colors, near[p]);
    return are_numbers;
}

#endif
