/* predictions.c - sums, and predictions that are kept. */
#define _GNU_SOURCE
#include "predictions.h"

#include <math.h>

#include "in_folder.h"

static bool find(const void *context, const char *name, double *value)
{
    *value = strcmp(name, "a.sum") == 0 ? 12 : 4;
    return strcmp(name, "none") != 0 && context;
}

TestSuite(predictions, .init = enter_folder);

Test(predictions, are_sums_as_people_write_them)
{
    static const struct {
        const char *text;
        double value; /* NAN where it cannot be read */
    } rows[] = {
        {"1,048,576", 1048576}, {" 256 x 5 ", 1280},  {"0.19", 0.19}, {"2 + 3 * 4 - 1", 13},
        {"12 / 4 / 3", 1},      {"a.sum / b - 1", 2}, {"", NAN},      {"1,04", NAN},
        {"12k", NAN},           {"none", NAN},        {"1 +", NAN},   {"5 5", NAN},
        {"1 / 0", NAN},         {"1.2.3", NAN},       {"-4", NAN},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        double value;
        const bool read = expression_value(rows[i].text, find, "", &value);
        cr_expect(read == !isnan(rows[i].value) && (!read || value == rows[i].value), "'%s': %g",
                  rows[i].text, value);
    }
}

Test(predictions, are_kept_beside_the_kernel_and_read_again)
{
    static struct predictions kept, read;
    predictions_read(&kept, "05_name/histogram.cu");
    cr_assert_eq(kept.count, 0);
    prediction_add(&kept, 1, "loads")->predicted = 2048;
    prediction_add(&kept, 2, "")->words = "the contiguous one";
    struct prediction *third = prediction_add(&kept, 3, "sectors");
    *third = (struct prediction){3, "sectors", NULL, 10, 40, true};
    make_folders(kept.file);
    cr_assert(predictions_write(&kept));
    cr_expect_str_eq(text_of_file("05_name/predictions.txt"),
                     "1 loads: 2048\n2: the contiguous one\n3 sectors: 10; counted 40\n");
    predictions_read(&read, "05_name/histogram.cu");
    cr_assert_eq(read.count, 3);
    cr_expect_str_eq(prediction_of(&read, 2, "")->words, "the contiguous one");
    cr_expect_eq(prediction_factor(prediction_of(&read, 3, "sectors")), 4);
    prediction_take_back(&read, prediction_of(&read, 1, "loads"));
    cr_expect_null(prediction_of(&read, 1, "loads"));
    cr_expect_eq(read.count, 2);
}

Test(predictions, are_summed_up_by_their_median)
{
    const double factors[] = {1, 8, 2, INFINITY};
    const struct calibration all = calibration_of(factors, LENGTH(factors));
    cr_expect(all.median == 5 && all.within_two == 2, "%g, %zu", all.median, all.within_two);
    cr_expect_eq(calibration_of(factors, 0).count, 0);
}
