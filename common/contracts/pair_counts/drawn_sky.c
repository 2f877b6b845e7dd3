/* drawn_sky.c - draws points on the sphere, the same on every machine: see drawn_sky.h. */
#include "drawn_sky.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "drawn_input.h"
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
    const struct outputs at = outputs_of(input->length, input->more);
    memcpy(input->bins + at.edges * WORD + edge * sizeof value, &value, sizeof value);
}

void input_set_coordinate(struct input *input, size_t point, size_t component, float value)
{
    input_set_float(input, point * COMPONENTS + component, value);
}

/* In (-1, 1). */
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

/* Uniform on the sphere: uniform in the ball, without its middle. */
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

/* Around one of eight centers: a sum of four numbers is nearly Gaussian. */
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

static void draw_point(enum sky kind, bool is_data, uint64_t *state, double point[3])
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

/* Squared chords of 1 to 10,000 arc minutes; or numbers that are distances. */
static float drawn_edge(enum sky kind, size_t edge, size_t bins)
{
    const double pi = 3.14159265358979323846;
    if (kind == SKY_AXES || kind == SKY_EQUAL)
        return (float)(2 * (edge % 3 + 3 * (edge / 6)));
    if (kind == SKY_LATTICE)
        return (float)(5 + 8 * (edge - edge % 3 / 2)) / 64;
    const double minutes = pow(10, 4.0 * (double)edge / (bins > 0 ? (double)bins : 1));
    const double half = sin(minutes / 60 * pi / 180 / 2);
    return (float)(4 * half * half);
}

static int in_order(const void *one, const void *other)
{
    const float a = *(const float *)one, b = *(const float *)other;
    return (a > b) - (a < b);
}

static void draw_outputs(struct input *input, enum sky kind, uint64_t *state)
{
    enum { SOON = 300, MOST_TIMES = 4 };
    const struct outputs at = outputs_of(input->length, input->more);
    for (size_t i = 0; i < at.edges; i++) {
        const uint64_t times = i % 3 == 2 ? 0 : 1 + random_below(state, MOST_TIMES);
        const uint64_t before = (times << 32) + SOON - random_below(state, 2 * SOON * (times > 0));
        memcpy(input->bins + i * WORD, &before, WORD);
    }
    for (size_t e = 0; e <= at.bins; e++)
        input_set_edge(input, e, drawn_edge(kind, e, at.bins));
    qsort(input->bins + at.edges * WORD, at.bins + 1, sizeof(float), in_order);
    if (at.bins % 2 == 0) /* nobody's, behind the last edge */
        input_set_edge(input, at.bins + 1, -1);
}

/* What w holds is nobody's business. */
static void draw_points(struct input *input, enum sky kind, uint64_t *state)
{
    const struct outputs at = outputs_of(input->length, input->more);
    double point[3];
    for (size_t i = 0; i < input->length; i++) {
        draw_point(kind, i < at.points, state, point);
        for (size_t c = 0; c < 3; c++)
            input_set_coordinate(input, i, c, (float)point[c]);
        input_set_coordinate(input, i, 3, i % 2 ? NAN : 7);
    }
}

static struct input blank(size_t length, struct sky_sizes sizes)
{
    struct input input = {.length = length, .more = {sizes.sets, sizes.bins}};
    input.num_bins = outputs_of(input.length, input.more).end;
    input.elements = room_for(length, COMPONENTS * sizeof(float), "for points");
    input.bins = room_for(input.num_bins, WORD, "for counters");
    return input;
}

struct input input_of(enum sky kind, uint64_t seed, struct sky_sizes sizes)
{
    struct input input = blank(sizes.points * (sizes.sets + 1), sizes);
    snprintf(input.name, sizeof input.name, "%s %s, %zu random set%s, %u bin%s",
             grouped(sizes.points), words[kind], sizes.sets, sizes.sets == 1 ? "" : "s", sizes.bins,
             sizes.bins == 1 ? "" : "s");
    draw_points(&input, kind, &seed);
    draw_outputs(&input, kind, &seed);
    return input;
}

/* With so many random sets, in so many bins. */
static struct input draw(const struct drawn_case *drawn, uint64_t seed)
{
    return input_of((enum sky)drawn->kind, seed,
                    (struct sky_sizes){drawn->units, drawn->numbers[0], drawn->numbers[1]});
}

/* As many as in "Compiling Generalized Histograms for GPU" (SC20). A set has 162 million pairs. */
static const struct timed_shape timed[] = {
    {"paper", {1, 100}, 2, {SKY_CLUSTERS, 10391, {ASKED, 20}}}, {.name = NULL}};

static void tell(const struct input *input, char *text, size_t size)
{
    snprintf(text, size, " (data and %u random sets in %u bins)",
             (unsigned int)input->more[NUMBER_OF_SETS], (unsigned int)input->more[NUMBER_OF_BINS]);
}

const struct drawn_input drawn_input = {.kind = "sky",
                                        .units = "points",
                                        .does = "counts pairs of points",
                                        .instead =
                                            "they are drawn, with TEXT_SEED=1, and SIZE=1K of them",
                                        .usual = 1 << 9,
                                        .most_simulated = 1 << 14,
                                        .draw = draw,
                                        .few = {SKY_CLUSTERS, 0, {1, 4}},
                                        .many = {SKY_CLUSTERS, 0, {2, 20}},
                                        .traced = {SKY_CLUSTERS, 0, {1, ASKED}},
                                        .timed = timed,
                                        .called = "points",
                                        .tell = tell};
