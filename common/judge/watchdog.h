/* watchdog.h - looks from outside at the kernel's process: how long it works, and what it uses up. */
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
/* To be called when the process begins to work on a question. */
void watchdog_begin(struct watchdog *watch);
/* Whether some time has passed since the last look. */
bool watchdog_is_due(const struct watchdog *watch);
/* Whether the process has computed for so many seconds since then, or had nothing to do for so long. */
bool watchdog_has_had(struct watchdog *watch, double seconds);
/* Returns why the process has to be ended, "did not return ...", or NULL. */
const char *watchdog_look(struct watchdog *watch);
/* Ends the process, with all that it has started. */
void watchdog_kill(struct watchdog *watch);

#endif
