/* progress_result.h - how far a student is, as a result for other programs: see results.h. */
#ifndef PROGRESS_RESULT_H
#define PROGRESS_RESULT_H

#include "student.h"

/* Writes the result where JSON is asked for; otherwise nothing happens. */
void progress_result_write(const struct course *course);

#endif
