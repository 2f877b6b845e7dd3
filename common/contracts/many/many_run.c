/* many_run.c - many cases, one after the other, where there is no better way. */
#include "many_run.h"

void many_run_all(const struct many_case *asked, size_t count, many_judge *judge, void *context)
{
    struct many_seen seen;
    for (size_t i = 0; i < count; i++) {
        many_run(&asked[i], &seen);
        judge(&asked[i], &seen, context);
        many_seen_free(&seen);
    }
}
