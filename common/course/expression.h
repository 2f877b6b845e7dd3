/* expression.h - a sum as people write it: "256 x 5", "1,048,576 / 32", "12k", "2^20". */
#ifndef EXPRESSION_H
#define EXPRESSION_H

#include <stdbool.h>

/* The value of a name, or false when there is none. */
typedef bool (*expression_name)(const void *context, const char *name, double *value);

/* Reads all of `text`: numbers, with commas after each third digit, and k, M or G behind them for
 * powers of 1,024, as in SIZE; names, when `find` is not NULL; + - * x / ^ and brackets. Returns
 * false when that is not all there is, or the value is not finite. */
bool expression_value(const char *text, expression_name find, const void *context, double *value);

#endif
