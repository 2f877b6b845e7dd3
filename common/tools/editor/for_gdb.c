/* for_gdb.c - the types of the simulated GPU, for .gdbinit: linked by make chapterN debug alone.
 *
 * It is compiled with all debug information, the simulator with none of it: so gdb knows what a
 * lane is. Nothing here is called: a debugger can read in every machine, and call in not all. */
#include "report/report.h"

/* The lane that runs, of the thread that launches; and the launch. NULL before main. */
struct lane **gdb_lane;
struct launch **gdb_launch = &sim_running;
/* What a lane waits at, in words; whether that is a load or store; and what is no place at all. */
const char *gdb_stops[STOP_PHASE + 1];
const bool gdb_access[STOP_PHASE + 1] = {[STOP_LOAD] = true, [STOP_STORE] = true};
enum stop_reason gdb_resume = STOP_RESUME;

__attribute__((constructor)) static void tell_gdb(void)
{
    gdb_lane = &sim_lane;
    for (uint8_t reason = 0; reason <= STOP_PHASE; reason++)
        gdb_stops[reason] = sim_waits_at((struct stop){.reason = reason});
}
