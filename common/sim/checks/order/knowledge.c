/* knowledge.c - what lanes published: pieces of knowledge that link to others.
 *
 * A piece says "of the lanes L of these warps, all before time T", and links to what its
 * publisher had learned itself. A vector clock of all lanes in each piece would answer at
 * once, but take a quarter of a megabyte for 64 K lanes. Flags are few and races are rare,
 * so the graph is small and it is searched only when nothing simpler answers. */
#include <stdlib.h>

#include "checks/order/knowledge.h"

uint32_t sim_order_time;
struct warp_order sim_warp_order[MOST_WARPS];
struct block_order sim_block_order[MOST_WARPS];
uint32_t sim_grid_time;

/* Of warps with `has_rows`, what each lane knows of each. */
static uint32_t rows[MOST_WARPS][WARP][WARP];

const uint32_t *sim_order_row(const struct warp *warp, unsigned int lane)
{
    return sim_order_of(warp)->has_rows ? rows[warp->at][lane] : NULL;
}

void sim_order_share_rows(const struct warp *warp, uint32_t mask)
{
    uint32_t(*known)[WARP] = rows[warp->at], row[WARP] = {0};
    if (!sim_order_of(warp)->has_rows)
        memset(known, 0, sizeof rows[warp->at]);
    sim_order_of(warp)->has_rows = true;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t *other = known[__builtin_ctz(rest)];
        for (int i = 0; i < WARP; i++)
            row[i] = other[i] > row[i] ? other[i] : row[i];
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        row[__builtin_ctz(rest)] = sim_order_time;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        memcpy(known[__builtin_ctz(rest)], row, sizeof row);
}

uint32_t sim_order_clock(void)
{
    return sim_order_time;
}

/* Memory of one launch, freed as a whole. When it is spent, the launch is treated
 * as if its grid had met here: that may hide a race, and invents none. */
enum { CHUNK = 1 << 20, CHUNKS = 64, SPARE = 4 };
static unsigned char *chunks[CHUNKS + SPARE];
static size_t chunk_count, chunk_used;

void *sim_order_take(size_t bytes)
{
    bytes = (bytes + 15) & ~(size_t)15;
    if (chunk_count == 0 || chunk_used + bytes > CHUNK) {
        if (chunk_count == CHUNKS + SPARE || bytes > CHUNK)
            return NULL;
        if (!chunks[chunk_count])
            chunks[chunk_count] = malloc(CHUNK);
        if (!chunks[chunk_count])
            return NULL;
        chunk_count++;
        chunk_used = 0;
    }
    void *memory = chunks[chunk_count - 1] + chunk_used;
    chunk_used += bytes;
    return memset(memory, 0, bytes);
}

bool sim_knowledge_is_spent(void)
{
    return chunk_count > CHUNKS;
}

void sim_knowledge_forget(void)
{
    chunk_count = 0;
    sim_knowledge_changed();
}

struct lane_order *sim_lane_order(const struct lane *lane)
{
    struct lane_order **own = &sim_order_of(lane->warp)->lane[lane->number];
    if (!*own)
        *own = sim_order_take(sizeof **own);
    return *own;
}

struct block_knowledge *sim_block_knowledge(const struct block *block)
{
    struct block_knowledge **own = &sim_order_of_block(block)->knowledge;
    if (!*own)
        *own = sim_order_take(sizeof **own);
    return *own;
}

struct knowledge *sim_knowledge_new(uint32_t entries, uint32_t links)
{
    struct knowledge *piece = sim_order_take(sizeof *piece);
    struct fact *fact = entries ? sim_order_take(entries * sizeof *fact) : NULL;
    struct knowledge **link = links ? sim_order_take(links * sizeof(struct knowledge *)) : NULL;
    if (!piece || (entries && !fact) || (links && !link))
        return NULL;
    piece->at = sim_order_time;
    piece->fact = fact;
    piece->link = link;
    return piece;
}

void sim_knowledge_add_fact(struct knowledge *piece, struct fact fact)
{
    piece->fact[piece->entries++] = fact;
}

void sim_knowledge_add_link(struct knowledge *piece, struct knowledge *other)
{
    if (!other || other->linked_by == piece)
        return;
    other->linked_by = piece; /* pieces get all their links one after the other */
    piece->link[piece->links++] = other;
}

void sim_knowledge_gather(struct knowledge *piece, const struct warp *warp, uint32_t mask,
                          int scope)
{
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const struct lane_order *order = sim_order_of(warp)->lane[__builtin_ctz(rest)];
        uint32_t bit = rest & -rest;
        if (!order)
            continue;
        sim_knowledge_add_link(piece, order->inherited[scope]);
        const struct fenced *fenced = &order->fenced[scope];
        if (!fenced->set)
            continue;
        sim_knowledge_add_link(piece, fenced->acquired);
        sim_knowledge_add_link(piece, fenced->block_acquired);
        struct fact own = {warp->id, 1, bit, fenced->time};
        struct fact *last = piece->entries >= 3 ? &piece->fact[piece->entries - 3] : NULL;
        if (last && last->first == own.first && last->time == own.time && !fenced->has_row) {
            last->lanes |= bit;
            continue;
        }
        for (uint32_t i = 0; fenced->has_row && i < WARP; i++)
            if (fenced->row[i] > fenced->full_time)
                sim_knowledge_add_fact(piece, (struct fact){warp->id, 1, 1u << i, fenced->row[i]});
        sim_knowledge_add_fact(piece, own);
        sim_knowledge_add_fact(piece, (struct fact){warp->id, 1, UINT32_MAX, fenced->full_time});
        sim_knowledge_add_fact(piece,
                               (struct fact){warp->block->first_warp, warp->block->warp_count,
                                             UINT32_MAX, fenced->barrier_time});
    }
}

void sim_knowledge_count(const struct warp *warp, uint32_t mask, int scope, uint32_t *entries,
                         uint32_t *links)
{
    uint32_t time = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const struct lane_order *order = sim_order_of(warp)->lane[__builtin_ctz(rest)];
        if (!order)
            continue;
        *links += order->inherited[scope] != NULL;
        if (!order->fenced[scope].set)
            continue;
        *links += (uint32_t)(order->fenced[scope].acquired != NULL) +
                  (uint32_t)(order->fenced[scope].block_acquired != NULL);
        if (order->fenced[scope].has_row)
            *entries += WARP + 3;
        else if (order->fenced[scope].time != time)
            *entries += 3;
        time = order->fenced[scope].has_row ? 0 : order->fenced[scope].time;
    }
}

enum { MOST_LOOKS = 1 << 16 };

/* What is searched for: the epoch's lanes of which these pieces, and all that they link to, do not speak. */
struct question {
    struct knowledge *of_lane, *of_block;
    struct epoch epoch;
    enum sim_order_rule rule;
};

/* Answers of late: who holds a lock reads all words of a bin that one other has written. */
static struct {
    struct question question;
    uint32_t answer, as_of;
} answers[1 << 8];
static uint32_t changes = 1; /* an answer as of an earlier one may be wrong now */

void sim_knowledge_changed(void)
{
    changes++;
}

static uint32_t query; /* the number of the search: who was visited in it */

/* Pieces still to be looked at. */
static struct knowledge **open_pieces;
static size_t open_count, open_room;

/* Whether the epoch's lanes are all spoken of, now that this piece, and what was pushed before, has said what it
 * knows. Its links stay to be looked at. A piece that is not newer than the access asked for knows nothing of it,
 * nor does any that it links to: there the search ends early. */
static bool push(struct knowledge *piece, struct epoch *epoch)
{
    if (!piece || piece->visited == query || piece->at <= epoch->time)
        return false;
    piece->visited = query;
    for (const struct fact *fact = piece->fact, *end = fact + piece->entries; fact < end; fact++)
        if (epoch->warp - fact->first < fact->warps && epoch->time < fact->time)
            epoch->lanes &= ~fact->lanes;
    struct knowledge **more =
        sim_grow(open_pieces, &open_room, open_count + 1, sizeof(struct knowledge *));
    if (more) {
        open_pieces = more;
        open_pieces[open_count++] = piece;
    }
    return epoch->lanes == 0;
}

/* Whether a read of a flag makes known what was released there. */
static bool hands_over(const struct release *r, const struct knowledge *reader,
                       enum sim_order_rule rule)
{
    bool narrow = r->block_scope || reader->block_scope;
    if (rule == ORDER_LOOSE)
        return true;
    if (r->loose || (reader->relaxed && reader->fence == NO_FENCE))
        return false;
    if (rule == ORDER_STRICT && reader->fence == NO_FENCE)
        return false;
    if (rule == ORDER_STRICT)
        narrow |= reader->fence == BLOCK_FENCE;
    return rule == ORDER_ANY_SCOPE || !narrow || r->block_number == reader->block_number;
}

/* Whether all of a sequence of releases is handed over to one reader as it is to another. */
static bool read_alike(const struct release *last, const struct knowledge *one,
                       const struct knowledge *other)
{
    bool narrow = last->narrow || one->block_scope || one->fence == BLOCK_FENCE;
    return one->block_scope == other->block_scope && one->relaxed == other->relaxed &&
           one->fence == other->fence && (!narrow || one->block_number == other->block_number);
}

/* What the reader of a flag learned there: up to where this search has been for a reader like it.
 * The sequence of a lock is as long as its story, and each of its holders has read it. */
static bool push_releases(const struct knowledge *reader, struct epoch *epoch,
                          enum sim_order_rule rule)
{
    for (struct release *r = reader->acquired; r && r->at > epoch->time; r = r->before) {
        if (r->walked == query && read_alike(r, r->walker, reader))
            return false;
        r->walked = query;
        r->walker = reader;
        if (hands_over(r, reader, rule) && push(rule == ORDER_STRICT ? r->own : r->piece, epoch))
            return true;
    }
    return false;
}

static bool push_links(const struct knowledge *piece, struct epoch *epoch)
{
    for (uint32_t i = 0; i < piece->links; i++)
        if (push(piece->link[i], epoch))
            return true;
    return false;
}

/* Breadth first, each piece once: of a lock, what its last holder released answers mostly. */
static uint32_t search(const struct question *question)
{
    const enum sim_order_rule rule = question->rule;
    struct epoch epoch = question->epoch;
    query++;
    open_count = 0;
    if (push(question->of_lane, &epoch) || push(question->of_block, &epoch))
        return 0;
    for (size_t looks = 0; looks < open_count; looks++) {
        if (looks == MOST_LOOKS)
            return 0; /* too long a story to blame anybody */
        const struct knowledge *piece = open_pieces[looks];
        if (push_releases(piece, &epoch, rule) || push_links(piece, &epoch))
            return 0;
    }
    return epoch.lanes;
}

static bool is_same(const struct question *one, const struct question *other)
{
    return one->of_lane == other->of_lane && one->of_block == other->of_block &&
           one->rule == other->rule && one->epoch.warp == other->epoch.warp &&
           one->epoch.lanes == other->epoch.lanes && one->epoch.time == other->epoch.time;
}

uint32_t sim_knowledge_search(const struct warp *warp, unsigned int lane, struct epoch epoch,
                              enum sim_order_rule rule)
{
    const struct lane_order *own = sim_order_of(warp)->lane[lane];
    const struct block_knowledge *block = sim_order_of_block(warp->block)->knowledge;
    const struct question question = {own ? own->acquired : NULL, block ? block->acquired : NULL,
                                      epoch, rule};
    const size_t at =
        (epoch.time ^ epoch.warp * 31 ^ lane * 7) % (sizeof answers / sizeof *answers);
    if (answers[at].as_of != changes || !is_same(&answers[at].question, &question)) {
        answers[at].question = question;
        answers[at].answer = search(&question);
        answers[at].as_of = changes;
    }
    return answers[at].answer;
}
