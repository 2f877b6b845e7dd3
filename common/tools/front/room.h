/* room.h - whether this machine has the memory for what was typed. */
#ifndef ROOM_H
#define ROOM_H

#include "parts.h"

/* Ends the program with one line when so many elements or bins need more memory than there is. */
void check_room(const struct command *command);

#endif
