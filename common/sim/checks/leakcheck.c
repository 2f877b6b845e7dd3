/* leakcheck.c - allocations that are not freed when the program ends. */
#include <stdio.h>

#include "checks/checks.h"

static void report_leaks(void)
{
    char headline[96], detail[200], where[160];
    const struct sim_allocation *a = NULL;
    while (sim_checks(CHECK_LEAK) && (a = sim_memory_next(a))) {
        if (a->kind == SIM_REGISTERED_MEMORY) /* whoever owns it frees it */
            continue;
        snprintf(headline, sizeof headline, "Leaked %zu bytes", a->bytes);
        snprintf(detail, sizeof detail, "allocated at %s, and never freed",
                 sim_locate(a->allocated_at, where, sizeof where));
        sim_report(CHECK_LEAK, NULL, a->allocated_at, headline, detail,
                   "call cudaFree before the program ends");
    }
}

void sim_leak_watch(void)
{
    sim_report_at_end(report_leaks);
}
