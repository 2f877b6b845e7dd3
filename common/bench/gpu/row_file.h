/* row_file.h - a CSV file that rows are appended to. */
#ifndef ROW_FILE_H
#define ROW_FILE_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a file to append to, and gives it a header when it is new. Ends the program
 * with one line when it cannot. */
FILE *report_open(const char *file, const char *header);

#ifdef __cplusplus
}
#endif

#endif
