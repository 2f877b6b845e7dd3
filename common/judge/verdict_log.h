/* verdict_log.h - what the tests of a program tell its verdict, across their processes.
 *
 * Each test is a process of its own, and several run at a time, so they write lines to standard output, which they all
 * have from `verdict`: a file without a name, that the kernel's process does not have. Each line begins with the word
 * that VERDICT_LOG in the environment holds, drawn anew for each run, and the name of the test, "suite/test". Without
 * it nothing is written. */
#ifndef VERDICT_LOG_H
#define VERDICT_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Appends one line:
 *
 *     input DESCRIPTION         the kernel was right on it
 *     schedules N               on so many schedules
 *     technique SENTENCE        what it costs
 *     cost N S W G A              on N characters: sectors loaded, wavefronts of shared atomics,
 *                               atomics of lanes in global memory, and in shared memory
 *     unjudged                  nobody counts accesses here
 *     caught CHECK FILE:LINE    a report of the simulator, a line for each place that it names
 *     failed KIND               the assertion: counter, memory, far-end, host, refusal, stopped; or what
 *                               the contract calls its outputs, when these are wrong: bins, result, sums
 *     differs                   what is wrong there is something else on the next schedule
 *     seed N                    of the schedule on which it failed
 *     printed LINE              by the kernel, or the simulator
 *     over                      the test fails now
 */
__attribute__((format(printf, 1, 2))) void verdict_log_add(const char *format, ...);

/* Whether a line says that outputs are wrong. */
static inline bool is_of_outputs(const char *entry)
{
    static const char *const others[] = {"counter", "memory",  "far-end",
                                         "host",    "refusal", "stopped"};
    static const char failed[] = "failed ";
    const size_t begin = strlen(failed);
    bool is_other = strncmp(entry, failed, begin) != 0;
    for (size_t i = 0; !is_other && i < sizeof others / sizeof *others; i++)
        is_other = strcmp(entry + begin, others[i]) == 0;
    return !is_other;
}

/* Passes on a line that was printed: to the log, or without one to standard error. */
void verdict_log_print(const char *line);

/* Fails the test with a sentence; with a kind it leaves the entry "failed KIND". */
__attribute__((noreturn, format(printf, 1, 2))) void fail_test(const char *format, ...);
__attribute__((noreturn, format(printf, 2, 3))) void fail_as(const char *kind, const char *format,
                                                             ...);

/* Whether a test that comes before this one, in the order of their names, has failed: then nobody asks what this one
 * finds. */
bool verdict_is_known(void);

#endif
