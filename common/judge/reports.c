/* reports.c - hands the simulator's reports on as facts. */
#include "reports.h"

#include <stddef.h>

#include "facts.h"
#include "sim.h"

static void note(const char *check, uintptr_t pc, void *unused)
{
    char where[512];
    (void)unused;
    facts_add("caught %s %s", check, sim_locate(pc, where, sizeof where));
}

void reports_become_facts(void)
{
    sim_observe_reports(note, NULL);
}
