/* names.c - the names of a source, each by a number: comparing names is comparing numbers. */
#include "names.h"

#include "../../base/table.h"
#include "tokens.h"

struct name {
    const char *text;
    size_t length;
    uint32_t next; /* of the same hash, or 0 */
};

/* By hash: the first name that has it. */
struct name_slot {
    uint64_t hash; /* the key */
    uint32_t first;
};

struct names {
    struct name *list; /* by number */
    size_t count, capacity;
    struct sim_table slots;
};

/* FNV-1a of 64 bits (Fowler, Noll, Vo); never 0, which the table keeps for itself. */
static uint64_t hash_of(const char *text, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return hash ? hash : 1;
}

uint32_t name_id(struct names *names, const char *text, size_t length)
{
    struct name_slot *slot = sim_table_add(&names->slots, hash_of(text, length));
    if (!slot)
        get_memory(NULL, SIZE_MAX, 1); /* ends the program with a message */
    for (uint32_t id = slot->first; id; id = names->list[id].next) {
        const struct name *name = &names->list[id];
        if (name->length == length && !memcmp(name->text, text, length))
            return id;
    }
    if (names->count == names->capacity) {
        names->capacity = names->capacity ? names->capacity * 2 : 1024;
        names->list = get_memory(names->list, names->capacity, sizeof *names->list);
    }
    names->list[names->count] = (struct name){text, length, slot->first};
    slot->first = (uint32_t)names->count;
    return (uint32_t)names->count++;
}

struct names *names_new(void)
{
    static const char *const words[] = {
#define WORD_TEXT(name, text) text,
        KNOWN_WORDS(WORD_TEXT)
#undef WORD_TEXT
    };
    struct names *names = get_memory(NULL, 1, sizeof *names);
    *names = (struct names){.slots = {.entry_bytes = sizeof(struct name_slot)}};
    name_id(names, "", 0); /* nobody's */
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        name_id(names, words[i], strlen(words[i]));
    return names;
}

void names_free(struct names *names)
{
    sim_table_free(&names->slots);
    free(names->list);
    free(names);
}

size_t source_name_count(const struct source *source)
{
    return source->names->count;
}

const char *source_name(const struct source *source, uint32_t id, size_t *length)
{
    *length = source->names->list[id].length;
    return source->names->list[id].text;
}
