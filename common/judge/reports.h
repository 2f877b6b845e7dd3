/* reports.h - what the simulator's checks report becomes facts. */
#ifndef REPORTS_H
#define REPORTS_H

/* From here on every report of a check leaves a fact "caught CHECK FILE:LINE" for each place that
 * it names. On a real GPU nothing is reported. */
void reports_become_facts(void);

#endif
