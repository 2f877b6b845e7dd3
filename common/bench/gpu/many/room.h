/* room.h - memory of the host for a long text, pinned or pageable; and sizes as they are typed. */
#ifndef ROOM_H
#define ROOM_H

#include <stdbool.h>
#include <stddef.h>

struct room {
    unsigned char *bytes; /* at a multiple of 256 */
    size_t length;
    bool pinned;
};

/* Returns false when there is not that much memory: more than the machine has free would end programs. */
bool room_take(struct room *room, size_t length, bool pinned);
void room_give_back(struct room *room);

/* "50000000", "64K", "16M", "8G": in bytes; 0 for what is no such size. */
size_t size_typed(const char *size);

#endif
