/* stubs.c - of what harness.h promises. */
#include <string.h>

#include "harness.h"

void expect_many_right(const struct many_case *asked)
{
    (void)asked;
}
void expect_right_on_edge_cases(void)
{
}
void expect_right_on_drawn_inputs(void)
{
}
void expect_right_again_and_again(void)
{
}
void expect_each_byte_read_once(void)
{
}
void expect_right_above_4_gib(void)
{
}
void expect_holds_a_part(void)
{
}
void expect_refuses_bad_files(void)
{
}
struct many_seen many_measure(const struct text *text, unsigned int units)
{
    struct many_seen seen;
    many_run(
        &(struct many_case){
            .what = text->name, .text = text->bytes, .length = text->length, .units = units},
        &seen);
    return seen;
}
struct many_seen many_measure_case(const struct many_case *asked)
{
    struct many_seen seen;
    many_run(asked, &seen);
    return seen;
}
void expect_no_reports(const char *what)
{
    (void)what;
}
