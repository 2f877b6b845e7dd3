/* evidence.h - whether it was kernels that counted, and that each byte came to one unit. */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include "many_run.h"

/* Of one case of a list, many_judge: all that is known of it is right. When `told` is not NULL the
 * verdict hears of the input. */
void expect_seen_right(const struct many_case *asked, const struct many_seen *seen, void *told);

/* Kernels have loaded each byte of the text. */
void expect_kernels_loaded(const struct many_case *asked, const struct many_seen *seen);
/* A call after another keeps no more memory than that one. */
void expect_nothing_kept(const struct many_case *asked, const struct many_seen *seen);

/* Each byte came to one unit, once. many_judge. */
void expect_read_once(const struct many_case *asked, const struct many_seen *seen, void *unused);

#endif
