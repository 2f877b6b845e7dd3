/* reaped.c - runs a command that leaves nothing behind: no process, and no file in TMPDIR.
 *
 *     reaped WATCHED COMMAND...
 *
 * WATCHED is the number of a process with whose end the command is to end: that of the make that
 * runs this one, for between the two there may be others. The status is the command's. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reaper.h"

int main(int count, char **arguments)
{
    if (count < 3) {
        fprintf(stderr, "usage: reaped WATCHED COMMAND...\n");
        return 2;
    }
    reaper_begin(atoi(arguments[1]));
    execvp(arguments[2], arguments + 2);
    fprintf(stderr, "%s: %s\n", arguments[2], strerror(errno));
    return 127;
}
