/* predictions.h - predictions of a lesson, and the expressions that they are. */
#ifndef PREDICTIONS_H
#define PREDICTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* A sum as people write it: "256 x 5", "1,048,576 / 32". */

/* The value of a name, or false when there is none. */
typedef bool (*expression_name)(const void *context, const char *name, double *value);

/* Reads all of `text`: numbers, with commas before each three digits; names, when `find` is not NULL; and + - * x /
 * between them. Returns false when that is not all there is, or the value is not finite. */
bool expression_value(const char *text, expression_name find, const void *context, double *value);

/* What a student has predicted, and what was counted then.
 *
 * They are kept beside the kernel, in predictions.txt, for nobody can find them again. A line each:
 *
 *     1 load requests: 65536; counted 32768
 *     5: the contiguous one          an answer in words */

enum { MOST_PREDICTIONS = 64 };

struct prediction {
    unsigned int question;
    const char *label; /* "" for an answer in words */
    const char *words; /* that answer */
    double predicted, counted;
    bool is_counted;
};

struct predictions {
    const char *file; /* predictions.txt beside the kernel's */
    struct prediction all[MOST_PREDICTIONS];
    size_t count;
};

/* Those beside a kernel's file; lines that are none of ours are left out. Without a file there are
 * none. */
void predictions_read(struct predictions *predictions, const char *kernel_file);

/* Writes them anew. Returns false, with errno, when that fails; the old file is whole then. */
bool predictions_write(const struct predictions *predictions);

/* The prediction for a number that a question asks for; NULL when there is none. */
struct prediction *prediction_of(struct predictions *predictions, unsigned int question,
                                 const char *label);

/* Adds one. Returns NULL when there is no room. */
struct prediction *prediction_add(struct predictions *predictions, unsigned int question,
                                  const char *label);
/* Takes one away: another may come into its place. */
void prediction_take_back(struct predictions *predictions, struct prediction *prediction);

/* How many times too high or too low: 1 when it is right, and never less; infinite when one of the
 * two is zero. */
double prediction_factor(const struct prediction *prediction);

/* How well somebody predicts. */
struct calibration {
    size_t count, within_two; /* predictions with a count; those at most two times off */
    double median;            /* of their factors */
};
/* The factors of those that have a count. Returns how many. */
size_t predictions_factors(const struct predictions *predictions, double factors[MOST_PREDICTIONS]);
struct calibration calibration_of(const double factors[], size_t count);

#endif
