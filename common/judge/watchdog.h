/* watchdog.h - looks at the kernel's process from outside: how long, and how many. */
#ifndef WATCHDOG_H
#define WATCHDOG_H

#include <stdbool.h>
#include <sys/types.h>

struct watchdog {
    pid_t child;          /* what was started: the program, or bubblewrap around it */
    double begun, looked; /* the question at hand, and the last look: seconds */
    double idle;          /* seconds without computing, as far as this process itself ran */
    double computed;      /* seconds of computing, at the beginning and the last time */
    double computed_before;
};

void watchdog_start(struct watchdog *watch, pid_t child);
/* A question begins to be worked on. */
void watchdog_begin(struct watchdog *watch);
/* Whether some time has passed since the last look. */
bool watchdog_is_due(const struct watchdog *watch);
/* Whether it had so many seconds of computing since it began, or of having nothing to do. */
bool watchdog_has_had(struct watchdog *watch, double seconds);
/* Returns why the process has to be ended, "did not return ...", or NULL. */
const char *watchdog_look(struct watchdog *watch);
/* Ends it, with all that it has started. */
void watchdog_kill(struct watchdog *watch);

#endif
