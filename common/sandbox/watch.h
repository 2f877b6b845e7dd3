/* watch.h - looks at the kernel's process from outside: how long, and how many. */
#ifndef WATCH_H
#define WATCH_H

#include <stdbool.h>
#include <sys/types.h>

struct watch {
    pid_t child;          /* what was started: the program, or bubblewrap around it */
    double begun, looked; /* the question at hand, and the last look: seconds */
    double idle;          /* seconds without computing, as far as this process itself ran */
    double computed;      /* seconds of computing, at the beginning and the last time */
    double computed_before;
};

void watch_start(struct watch *watch, pid_t child);
/* A question begins to be worked on. */
void watch_begin(struct watch *watch);
/* Whether some time has passed since the last look. */
bool watch_is_due(const struct watch *watch);
/* Whether it had so many seconds of computing since it began, or of having nothing to do. */
bool watch_has_had(struct watch *watch, double seconds);
/* Returns why the process has to be ended, "did not return ...", or NULL. */
const char *watch_look(struct watch *watch);
/* Ends it, with all that it has started. */
void watch_kill(struct watch *watch);

#endif
