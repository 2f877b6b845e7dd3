/* stuck.c - whether ranks wait for what does not come. */
#include "job.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Seconds. Of ranks that all wait in the same call the system may still have to let some run. */
static const double certain = 1.5, patient = 5, all_in_one = 15, likely = 30;

/* Where a rank is with a case. */
enum where { RETURNED, WAITING, WORKING };

static enum where where_is(const struct rank_position *rank, unsigned int number)
{
    if (rank->answered > number || rank->phase == RANK_RETURNED)
        return RETURNED;
    return rank->in_mpi ? WAITING : WORKING;
}

static bool are_together(const struct rank_position *one, const struct rank_position *other,
                         unsigned int number)
{
    const enum where where = where_is(one, number);
    if (where != where_is(other, number))
        return false;
    if (where == RETURNED)
        return one->result == other->result;
    return where == WORKING ||
           (strcmp(one->function, other->function) == 0 && strcmp(one->place, other->place) == 0);
}

/* "ranks 0 and 2 wait in MPI_Reduce (many.cu:123)", of all that do what the first of them does. */
static size_t describe(const struct control *control, unsigned int first, unsigned int number,
                       char *text, size_t size)
{
    const struct rank_position *rank = &control->rank[first];
    char names[64];
    unsigned int members = 0, last = first;
    size_t used = 0;
    for (unsigned int i = first; i < control->ranks; i++)
        if (are_together(rank, &control->rank[i], number)) {
            members++;
            last = i;
        }
    for (unsigned int i = first; i <= last; i++)
        if (are_together(rank, &control->rank[i], number))
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%u",
                                     i == first  ? ""
                                     : i == last ? " and "
                                                 : ", ",
                                     i);
    const bool one = members == 1;
    const char *plural = one ? "" : "s";
    if (where_is(rank, number) == RETURNED)
        return (size_t)snprintf(text, size, "rank%s %s %s returned %d", plural, names,
                                one ? "has" : "have", (int)rank->result);
    if (where_is(rank, number) == WORKING)
        return (size_t)snprintf(text, size, "rank%s %s %s at work", plural, names,
                                one ? "is" : "are");
    return (size_t)snprintf(text, size, "rank%s %s wait%s in %s (%s)", plural, names,
                            one ? "s" : "", rank->function, rank->place[0] ? rank->place : "?");
}

static const char *tell(const struct control *control, unsigned int number, bool is_certain)
{
    static char text[2048];
    size_t used = (size_t)snprintf(text, sizeof text, "did not return on all ranks: ");
    bool first = true;
    for (unsigned int i = 0; i < control->ranks; i++) {
        bool told = false;
        for (unsigned int before = 0; before < i; before++)
            told |= are_together(&control->rank[before], &control->rank[i], number);
        if (told || used >= sizeof text - 512)
            continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", first ? "" : ", ");
        used += describe(control, i, number, text + used, sizeof text - used);
        first = false;
    }
    snprintf(text + used, sizeof text - used, "%s",
             is_certain ? "; all ranks have to make the same calls, also those that have nothing "
                          "to do, or could not read"
                        : "; nothing has happened for half a minute");
    return text;
}

const char *stuck_look(struct stuck *stuck, const struct control *control, unsigned int number,
                       double now)
{
    uint64_t steps = 0;
    unsigned int count[3] = {0};
    for (unsigned int i = 0; i < control->ranks; i++) {
        steps += control->rank[i].steps;
        count[where_is(&control->rank[i], number)]++;
    }
    if (steps != stuck->steps || stuck->since <= 0) {
        stuck->steps = steps;
        stuck->since = now;
    }
    bool is_placed = true, is_one = true;
    for (unsigned int i = 0; i < control->ranks; i++) {
        is_placed &= where_is(&control->rank[i], number) != WAITING || control->rank[i].place[0];
        is_one &= are_together(&control->rank[0], &control->rank[i], number);
    }
    const bool is_certain = count[WORKING] == 0 && count[WAITING] > 0;
    const double waited = now - stuck->since;
    if (count[RETURNED] == control->ranks || waited < (!is_certain ? likely
                                                       : is_one    ? all_in_one
                                                       : is_placed ? certain
                                                                   : patient))
        return NULL;
    return tell(control, number, is_certain);
}
