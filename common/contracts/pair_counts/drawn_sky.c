/* drawn_sky.c - draws points on the sphere, the same on every machine: see drawn_sky.h. */
#include "contract.h"
#include "drawn_sky.h"

#include <math.h>
#include <stdio.h>

#include "grouped.h"
#include "must_have.h"
#include "random_numbers.h"

static const char *const words[SKY_KINDS] = {
    [SKY_UNIFORM] = "uniform points",    [SKY_CLUSTERS] = "points in clusters",
    [SKY_AXES] = "points on the axes",   [SKY_LATTICE] = "points on a lattice",
    [SKY_EQUAL] = "points at one place",
};

void input_set_edge(struct input *input, size_t edge, float value)
{
    const struct outputs at = sky_outputs(input->length, input->more);
    memcpy(input->bins + at.edges * WORD + edge * sizeof value, &value, sizeof value);
}

/* Draws a number in (-1, 1). */
static double fraction(uint64_t *state)
{
    return (random_below(state, 1u << 24) + 0.5) / 8388608.0 - 1;
}

static void normalize(double point[3])
{
    const double length = sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2]);
    for (size_t i = 0; i < 3; i++)
        point[i] /= length;
}

/* Draws a point on the sphere, uniformly: a point in the ball, outside of its middle. */
static void draw_direction(uint64_t *state, double point[3])
{
    double square;
    do {
        square = 0;
        for (size_t i = 0; i < 3; i++) {
            point[i] = fraction(state);
            square += point[i] * point[i];
        }
    } while (square > 1 || square < 0.01);
    normalize(point);
}

/* Draws a point around one of eight centers. A sum of four numbers is nearly Gaussian. */
static void draw_in_cluster(uint64_t *state, double point[3])
{
    enum { CENTERS = 8, SUMMED = 4 };
    static const double width = 0.003;
    uint64_t center = 1 + random_below(state, CENTERS);
    draw_direction(&center, point);
    for (size_t i = 0; i < 3 * SUMMED; i++)
        point[i % 3] += width * fraction(state);
    normalize(point);
}

static void draw_point(unsigned int kind, bool is_data, uint64_t *state, double point[3])
{
    for (size_t i = 0; i < 3; i++)
        point[i] = kind == SKY_LATTICE ? (random_below(state, 17) - 8.0) / 8 : 0;
    if (kind == SKY_AXES)
        point[random_below(state, 3)] = random_below(state, 2) ? 1 : -1;
    else if (kind == SKY_EQUAL)
        point[1] = 1;
    else if (kind == SKY_CLUSTERS && is_data)
        draw_in_cluster(state, point);
    else if (kind != SKY_LATTICE)
        draw_direction(state, point);
}

/* Edges are squared chords of 1 to 10,000 arc minutes, or numbers that are distances. */
static float drawn_edge(unsigned int kind, size_t edge, size_t bins)
{
    const double pi = 3.14159265358979323846;
    if (kind == SKY_AXES || kind == SKY_EQUAL)
        return (float)((edge + 1) / 2 * 2);
    if (kind == SKY_LATTICE)
        return (float)(5 + 8 * (edge - edge % 3 / 2)) / 64;
    const double minutes = pow(10, 4.0 * (double)edge / (bins > 0 ? (double)bins : 1));
    const double half = sin(minutes / 60 * pi / 180 / 2);
    return (float)(4 * half * half);
}

static void draw_outputs(struct input *input, unsigned int kind, uint64_t *state)
{
    enum { SOON = 300, MOST_TIMES = 4 };
    const struct outputs at = sky_outputs(input->length, input->more);
    for (size_t i = 0; i < at.edges; i++) {
        const uint64_t times = i % 3 == 2 ? 0 : 1 + random_below(state, MOST_TIMES);
        const uint64_t before = (times << 32) + SOON - random_below(state, 2 * SOON * (times > 0));
        memcpy(input->bins + i * WORD, &before, WORD);
    }
    for (size_t e = 0; e <= at.bins; e++)
        input_set_edge(input, e, drawn_edge(kind, e, at.bins));
    if (at.bins % 2 == 0) /* this word behind the last edge is nobody's */
        input_set_edge(input, at.bins + 1, -1);
}

/* Draws the points. What w holds is nobody's business. */
static void draw_points_sky(struct input *input, unsigned int kind, uint64_t *state)
{
    const struct outputs at = sky_outputs(input->length, input->more);
    double point[3];
    for (size_t i = 0; i < input->length; i++) {
        draw_point(kind, i < at.points, state, point);
        for (size_t c = 0; c < 3; c++)
            input_set_float(input, COMPONENTS * i + c, (float)point[c]);
        input_set_float(input, COMPONENTS * i + 3, i % 2 ? NAN : 7);
    }
}

struct input sky_drawn(const struct drawn_case *drawn, uint64_t seed)
{
    const unsigned int sets = drawn->numbers[NUMBER_OF_SETS], bins = drawn->numbers[NUMBER_OF_BINS];
    struct input input = input_for(&pair_counts_contract);
    input.length = drawn->units * ((size_t)sets + 1);
    input.more[NUMBER_OF_SETS] = sets;
    input.more[NUMBER_OF_BINS] = bins;
    const struct outputs at = sky_outputs(input.length, input.more);
    input.num_bins = at.end;
    input.only_read = at.end - at.edges;
    input.elements = room_for(input.length, COMPONENTS * sizeof(float), "for points");
    input.bins = room_for(input.num_bins, WORD, "for counters");
    snprintf(input.name, sizeof input.name, "%s %s, %u random set%s, %u bin%s",
             grouped(drawn->units), words[drawn->kind], sets, sets == 1 ? "" : "s", bins,
             bins == 1 ? "" : "s");
    draw_points_sky(&input, drawn->kind, &seed);
    draw_outputs(&input, drawn->kind, &seed);
    return input;
}
