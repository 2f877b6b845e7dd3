/* ncu_csv.h - launches as Nsight Compute's command ncu prints them with --csv. */
#ifndef NCU_CSV_H
#define NCU_CSV_H

#include "csv.h"

/* Prints the names of the columns. */
void ncu_csv_header(void);
/* Prints a row for each metric of a launch, the row at hand of a file that SIM_PROFILE names. */
void ncu_csv_launch(const struct csv *launch, unsigned int number);

#endif
