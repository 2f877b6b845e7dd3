/* reaper.h - sees to it that a verdict leaves nothing behind: no process, and no file. */
#ifndef REAPER_H
#define REAPER_H

/* Removes a folder with all that it holds, whatever its modes. */
void remove_folder(const char *folder);

/* Goes on in a new process, with TMPDIR set to a folder of its own. The process that was started waits for that one, and
 * then ends what is left of it and removes the folder; so it does when a signal asks it to end, or its parent ends.
 * Every process that a verdict starts ends with the one that started it (PR_SET_PDEATHSIG), and what is lost all the
 * same comes to this one (PR_SET_CHILD_SUBREAPER). When all of them are ended by SIGKILL at once, the next verdict
 * removes the folder. Where no process can be made, it goes on in this one. */
void reaper_begin(void);

#endif
