/* reaper.h - ends what a program leaves behind: all that it started. */
#ifndef REAPER_H
#define REAPER_H

#include <stddef.h>
#include <sys/types.h>

/* The processes that a process has started, and those that these have. */

/* Adds them to `found`, which holds `count` and at most `most`. Returns how many it then holds. */
size_t descendants(pid_t of, pid_t *found, size_t count, size_t most);

/* Removes a folder with all that it holds, whatever its modes. */
void remove_folder(const char *folder);

/* Sees to it that a run leaves nothing behind: no process, and no file.
 *
 * A run is three processes. The first is the one that was started. The second, the reaper, leaves
 * the terminal's reach: neither Ctrl-C nor a signal to the group gets there. The third does the
 * work. Whatever it starts and loses becomes a child of the reaper, who ends it when the work is
 * over. TMPDIR is then a folder of the run's own, which goes as well.
 *
 *     the first ended, or a process that is watched   the reaper asks the work to end, and after
 *                                                     two seconds ends it
 *     the reaper was ended                            the first does what it would have done
 *     both at once                                    the next run removes the folder */

/* Goes on in the process that does the work, with TMPDIR set; returns nothing in the others, which
 * end with its status. A process `watched`, if it is not 0, ends the run with its own end; so does
 * the caller's parent. For a program with one thread, before it has started any process. Where no
 * process can be made, it goes on in this one. */
void reaper_begin(pid_t watched);

#endif
