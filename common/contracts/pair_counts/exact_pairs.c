/* exact_pairs.c - counts pairs one after the other, and compares: see exact_pairs.h. */
#include "exact_pairs.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "grouped.h"
#include "must_have.h"

enum { COMPONENTS = 4 };

static uint64_t word_at(const unsigned char *words, size_t i)
{
    uint64_t word;
    memcpy(&word, words + i * sizeof word, sizeof word);
    return word;
}

static void *copy_of(const void *from, size_t count, size_t size)
{
    void *copy = must_have(calloc(count + 1, size), "to count pairs");
    memcpy(copy, from, count * size);
    return copy;
}

double oracle_chord(const float *p, const float *q)
{
    double squares = 0;
    for (size_t i = 0; i < 3; i++) {
        const double apart = (double)p[i] - (double)q[i];
        squares += apart * apart;
    }
    return squares > (double)FLT_MAX ? (double)INFINITY : squares;
}

/* Whether floats hold each step to it, in whatever order. */
static bool is_exact(const float *p, const float *q)
{
    double square[3];
    for (size_t i = 0; i < 3; i++) {
        const double apart = (double)p[i] - (double)q[i];
        square[i] = apart * apart;
        if ((double)(float)apart != apart || (double)(float)square[i] != square[i])
            return false;
    }
    const double x = square[0], y = square[1], z = square[2];
    return (double)(float)(x + y) == x + y && (double)(float)(y + z) == y + z &&
           (double)(float)(x + z) == x + z && (double)(float)(x + y + z) == x + y + z;
}

uint32_t counter_exactly(const struct oracle *oracle, const float *p, const float *q)
{
    const double distance = oracle_chord(p, q);
    size_t least = 0, most = oracle->at.bins + 1;
    while (least < most) {
        const size_t middle = (least + most) / 2;
        if ((double)oracle->edges[middle] <= distance)
            least = middle + 1;
        else
            most = middle;
    }
    return isnan(distance) ? UINT32_MAX : (uint32_t)least;
}

struct counting {
    struct oracle *oracle;
    counter_of_pair *counter;
    double lost;
};

/* Edges on either side of a pair that is `counter` edges up. */
static void note_near(const struct counting *how, enum pair_kind kind, uint32_t counter,
                      const float *p, const float *q)
{
    static const double smallest = 1e-44, part = 1.0 / (1 << 20);
    const struct oracle *oracle = how->oracle;
    const double distance = oracle_chord(p, q);
    const double may_lose = distance * part + smallest + how->lost;
    uint64_t *near_edge = oracle->near_edge + kind * oracle->at.counters;
    if (how->lost == 0 && is_exact(p, q))
        return;
    for (uint32_t e = counter; e > 0 && (double)oracle->edges[e - 1] >= distance - may_lose; e--)
        near_edge[e]++;
    for (uint32_t e = counter + 1;
         e < oracle->at.counters && (double)oracle->edges[e - 1] <= distance + may_lose; e++)
        near_edge[e]++;
}

static void count_pair(const struct counting *how, enum pair_kind kind, const float *p,
                       const float *q)
{
    struct oracle *oracle = how->oracle;
    const uint32_t counter = how->counter(oracle, p, q);
    if (counter == UINT32_MAX) {
        oracle->not_counted[kind]++;
        return;
    }
    oracle->added[kind * oracle->at.counters + counter]++;
    note_near(how, kind, counter, p, q);
}

/* Of one set, which is the data or a random one. */
static void count_set(const struct counting *how, size_t set)
{
    const size_t points = how->oracle->at.points;
    const float *data = how->oracle->points, *own = data + set * points * COMPONENTS;
    for (size_t i = 0; i < points; i++)
        for (size_t j = 0; j < points; j++) {
            const float *other = own + j * COMPONENTS;
            if (j > i)
                count_pair(how, set == 0 ? DD : RR, own + i * COMPONENTS, other);
            if (set > 0)
                count_pair(how, DR, data + i * COMPONENTS, other);
        }
}

void oracle_count(struct oracle *oracle, counter_of_pair *counter, double lost)
{
    const struct counting how = {oracle, counter, lost};
    memset(oracle->added, 0, oracle->at.edges * sizeof *oracle->added);
    memset(oracle->near_edge, 0, oracle->at.edges * sizeof *oracle->near_edge);
    memset(oracle->not_counted, 0, sizeof oracle->not_counted);
    for (size_t set = 0; set <= oracle->at.sets; set++)
        count_set(&how, set);
}

struct oracle *oracle_of(const struct input *input)
{
    struct oracle *oracle = must_have(calloc(1, sizeof *oracle), "to count pairs");
    oracle->at = outputs_of(input->length, input->more);
    oracle->length = input->length;
    oracle->points = copy_of(input->elements, input->length * COMPONENTS, sizeof(float));
    oracle->before = copy_of(input->bins, oracle->at.end, sizeof(uint64_t));
    oracle->edges = copy_of(oracle->before + oracle->at.edges, oracle->at.bins + 1, sizeof(float));
    oracle->added = copy_of(oracle->before, oracle->at.edges, sizeof(uint64_t));
    oracle->near_edge = copy_of(oracle->before, oracle->at.edges, sizeof(uint64_t));
    oracle_count(oracle, counter_exactly, 0);
    return oracle;
}

void oracle_free(struct oracle *oracle)
{
    free(oracle->points);
    free(oracle->edges);
    free(oracle->before);
    free(oracle->added);
    free(oracle->near_edge);
    free(oracle);
}

static int64_t off(const struct oracle *oracle, size_t i, uint64_t holds)
{
    return (int64_t)(holds - oracle->before[i] - oracle->added[i]);
}

static uint64_t near_below(const struct oracle *oracle, size_t i)
{
    return i < oracle->at.edges && i % oracle->at.counters > 0 ? oracle->near_edge[i] : 0;
}

static bool is_at_most(int64_t number, uint64_t most)
{
    return (number < 0 ? -(uint64_t)number : (uint64_t)number) <= most;
}

static bool is_right(const struct oracle *oracle, size_t i, uint64_t holds)
{
    if (i >= oracle->at.edges)
        return holds == oracle->before[i];
    return is_at_most(off(oracle, i, holds), near_below(oracle, i) + near_below(oracle, i + 1));
}

bool oracle_may_hold(const struct oracle *oracle, size_t i, const unsigned char *held)
{
    return is_right(oracle, i, word_at(held, 0));
}

/* Of one kind, from each edge on. */
static size_t wrong_from_edges(const struct oracle *oracle, const unsigned char *held,
                               enum pair_kind kind, size_t *first)
{
    const size_t begin = kind * oracle->at.counters;
    uint64_t sum = 0;
    size_t wrong = 0;
    for (size_t i = begin + oracle->at.counters; i-- > begin;) {
        sum += (uint64_t)off(oracle, i, word_at(held, i));
        if (is_at_most((int64_t)sum, near_below(oracle, i)))
            continue;
        wrong++;
        *first = i;
    }
    return wrong;
}

size_t oracle_wrong(const struct oracle *oracle, const unsigned char *held, size_t *first)
{
    size_t wrong = 0;
    for (size_t i = oracle->at.end; i-- > 0;)
        if (!is_right(oracle, i, word_at(held, i))) {
            wrong++;
            *first = i;
        }
    for (enum pair_kind kind = RR + 1; kind-- > DD && wrong == 0;)
        wrong = wrong_from_edges(oracle, held, kind, first);
    return wrong;
}

int64_t oracle_off(const struct oracle *oracle, const unsigned char *held, enum pair_kind kind)
{
    uint64_t sum = 0;
    for (size_t i = kind * oracle->at.counters; i < (kind + 1) * oracle->at.counters; i++)
        sum += (uint64_t)off(oracle, i, word_at(held, i));
    return (int64_t)sum;
}

enum pair_kind oracle_kind(const struct oracle *oracle, size_t output)
{
    return output < oracle->at.edges ? (enum pair_kind)(output / oracle->at.counters) : PAIR_KINDS;
}

void oracle_name(const struct oracle *oracle, size_t i, char *name, size_t size)
{
    static const char *const arrays[] = {"d_dd", "d_dr", "d_rr", "d_edges"};
    const enum pair_kind kind = oracle_kind(oracle, i);
    snprintf(name, size, "%s[%zu]", arrays[kind],
             kind < PAIR_KINDS ? i % oracle->at.counters : 2 * (i - oracle->at.edges));
}

static void say_word(bool is_counter, uint64_t word, char *text, size_t size)
{
    float edges[2];
    memcpy(edges, &word, sizeof edges);
    if (is_counter)
        snprintf(text, size, "%s", grouped(word));
    else
        snprintf(text, size, "%.6g, and %.6g behind it", (double)edges[0], (double)edges[1]);
}

void oracle_say(const struct oracle *oracle, size_t i, const unsigned char *held, char *should,
                char *holds, size_t size)
{
    const bool is_counter = i < oracle->at.edges;
    const uint64_t added = is_counter ? oracle->added[i] : 0;
    say_word(is_counter, oracle->before[i] + added, should, size);
    say_word(is_counter, word_at(held, 0), holds, size);
}
