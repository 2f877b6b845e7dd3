/* exact_pairs.c - counts pairs one after the other, and compares: see exact_pairs.h. */
#include "exact_pairs.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "grouped.h"

float edge_of(const struct oracle *oracle, size_t edge)
{
    return (float)float_at(oracle->input.bins + oracle->at.edges * WORD, edge);
}

double chord_between(const float *p, const float *q)
{
    double squares = 0;
    for (size_t i = 0; i < 3; i++)
        squares += ((double)p[i] - (double)q[i]) * ((double)p[i] - (double)q[i]);
    return squares > (double)FLT_MAX ? (double)INFINITY : squares;
}

uint32_t edges_up_to(const struct oracle *oracle, double distance)
{
    uint32_t edges = 0;
    while (edges <= oracle->at.bins && (double)edge_of(oracle, edges) <= distance)
        edges++;
    return isnan(distance) ? UINT32_MAX : edges;
}

uint32_t counter_exactly(const struct oracle *oracle, const float *p, const float *q)
{
    return edges_up_to(oracle, chord_between(p, q));
}

static bool is_float(double number)
{
    return (double)(float)number == number;
}

/* Whether floats hold each step to the distance, in whatever order. */
static bool is_exact(const float *p, const float *q)
{
    double square[3];
    for (size_t i = 0; i < 3; i++) {
        const double apart = (double)p[i] - (double)q[i];
        square[i] = apart * apart;
        if (!is_float(apart) || !is_float(square[i]))
            return false;
    }
    const double x = square[0], y = square[1], z = square[2];
    return is_float(x + y) && is_float(y + z) && is_float(x + z) && is_float(x + y + z);
}

/* Counts a pair on either side of the edges that it is near to. */
static void note_near(const struct oracle *oracle, uint64_t *near_edge, double lost, const float *p,
                      const float *q)
{
    static const double smallest = 1e-44, part = 1.0 / (1 << 20);
    const double distance = chord_between(p, q), off = distance * part + smallest + lost;
    const uint32_t counter = edges_up_to(oracle, distance);
    if (counter == UINT32_MAX || (lost == 0 && is_exact(p, q)))
        return;
    for (uint32_t e = counter; e > 0 && (double)edge_of(oracle, e - 1) >= distance - off; e--)
        near_edge[e]++;
    for (uint32_t e = counter + 1;
         e < oracle->at.counters && (double)edge_of(oracle, e - 1) <= distance + off; e++)
        near_edge[e]++;
}

struct counting {
    struct oracle *oracle;
    counter_of_pair *counter;
    double lost;
};

static void count_pair(const struct counting *how, enum pair_kind kind, const float *p,
                       const float *q)
{
    struct oracle *oracle = how->oracle;
    const size_t begin = kind * oracle->at.counters;
    const uint32_t counter = how->counter(oracle, p, q);
    if (counter == UINT32_MAX)
        oracle->not_counted[kind]++;
    else
        oracle->added[begin + counter]++;
    note_near(oracle, oracle->near_edge + begin, how->lost, p, q);
}

/* Of one set, which is the data or a random one. */
static void count_set(const struct counting *how, size_t set)
{
    const size_t points = how->oracle->at.points;
    const float *data = (const float *)(const void *)how->oracle->input.elements;
    const float *own = data + set * points * COMPONENTS;
    for (size_t i = 0; i < points; i++)
        for (size_t j = 0; j < points; j++) {
            const float *other = own + j * COMPONENTS;
            if (j > i)
                count_pair(how, set == 0 ? DD : RR, own + i * COMPONENTS, other);
            if (set > 0)
                count_pair(how, DR, data + i * COMPONENTS, other);
        }
}

static void *copy_of(struct oracle *oracle, const void *from, size_t bytes)
{
    return memcpy(oracle_room(oracle, bytes, 1), from, bytes);
}

struct oracle *oracle_by(const struct input *input, counter_of_pair *counter, double lost)
{
    struct oracle *oracle = oracle_room(NULL, 1, sizeof *oracle);
    const struct counting how = {oracle, counter, lost};
    oracle->at = outputs_of(input->length, input->more);
    oracle->input = *input;
    oracle->input.elements =
        copy_of(oracle, input->elements, input->length * COMPONENTS * sizeof(float));
    oracle->input.bins = copy_of(oracle, input->bins, oracle->at.end * WORD);
    oracle->added = oracle_room(oracle, oracle->at.edges, WORD);
    oracle->near_edge = oracle_room(oracle, oracle->at.edges, WORD);
    for (size_t set = 0; set <= oracle->at.sets; set++)
        count_set(&how, set);
    return oracle;
}

struct oracle *oracle_of(const struct input *input)
{
    return oracle_by(input, counter_exactly, 0);
}

static uint64_t should_hold(const struct oracle *oracle, size_t i)
{
    return wide_word_at(oracle->input.bins, i) + (i < oracle->at.edges ? oracle->added[i] : 0);
}

int64_t counter_off(const struct oracle *oracle, size_t i, uint64_t holds)
{
    return (int64_t)(holds - should_hold(oracle, i));
}

static uint64_t near_below(const struct oracle *oracle, size_t i)
{
    return i < oracle->at.edges && i % oracle->at.counters > 0 ? oracle->near_edge[i] : 0;
}

static bool is_at_most(int64_t number, uint64_t most)
{
    return (number < 0 ? -(uint64_t)number : (uint64_t)number) <= most;
}

bool oracle_may_hold(const struct oracle *oracle, size_t i, const unsigned char *held)
{
    return is_at_most(counter_off(oracle, i, wide_word_at(held, 0)),
                      near_below(oracle, i) + near_below(oracle, i + 1));
}

/* Counters one by one; and where these are right what is counted from each edge on. */
bool oracle_compare(struct difference *d)
{
    d->wrong = wrong_outputs(d->oracle, d->held, d->oracle->at.end, &d->first);
    int64_t sum = 0;
    for (size_t i = d->oracle->at.edges; i-- > 0 && d->wrong == 0;) {
        sum += counter_off(d->oracle, i, wide_word_at(d->held, i));
        d->wrong = !is_at_most(sum, near_below(d->oracle, i));
        d->first = i;
    }
    return d->wrong == 0;
}

static void say_word(const struct oracle *oracle, size_t i, uint64_t word, char *text, size_t size)
{
    float edges[2];
    memcpy(edges, &word, sizeof edges);
    if (i < oracle->at.edges)
        snprintf(text, size, "%s", grouped(word));
    else
        snprintf(text, size, "%.6g, and %.6g behind it", (double)edges[0], (double)edges[1]);
}

void oracle_say(const struct oracle *oracle, size_t i, const unsigned char *held, char *should,
                char *holds, size_t size)
{
    say_word(oracle, i, should_hold(oracle, i), should, size);
    say_word(oracle, i, wide_word_at(held, 0), holds, size);
}
