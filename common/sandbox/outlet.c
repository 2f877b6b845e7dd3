/* outlet.c - what the kernel's process prints, passed on in measure. */
#include "outlet.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINES = 20, MOST_OF_REPORTS = 1000, MOST_AT_ONCE = 64 };

/* Whether the line is one of a report of the simulator. */
static bool is_report(const struct outlet *outlet)
{
    return strncmp(outlet->line, "=========", 9) == 0;
}

static void end_line(struct outlet *outlet)
{
    size_t kept = outlet->length < sizeof outlet->line ? outlet->length : sizeof outlet->line - 1;
    outlet->line[kept] = '\0';
    size_t most = is_report(outlet) ? MOST_OF_REPORTS : MOST_LINES;
    if (outlet->drops || outlet->shown >= most) {
        outlet->hidden++;
    } else {
        fprintf(stderr, "%s%s\n", outlet->line, kept < outlet->length ? " ..." : "");
        outlet->shown += !is_report(outlet);
    }
    outlet->length = 0;
}

static void take(struct outlet *outlet, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == '\n') {
            end_line(outlet);
            continue;
        }
        if (outlet->length < sizeof outlet->line - 1)
            outlet->line[outlet->length] = bytes[i];
        outlet->length++;
    }
}

bool outlet_drain(struct outlet *outlet)
{
    char bytes[1 << 16];
    for (int i = 0; i < MOST_AT_ONCE && outlet->descriptor >= 0; i++) {
        ssize_t got = read(outlet->descriptor, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return true;
        if (got == 0) {
            close(outlet->descriptor);
            outlet->descriptor = -1;
        }
        outlet->bytes += (size_t)got;
        take(outlet, bytes, (size_t)got);
    }
    return outlet->descriptor >= 0;
}

void outlet_end(struct outlet *outlet)
{
    if (outlet->length > 0)
        end_line(outlet);
    if (outlet->hidden > 0 && !outlet->drops)
        fprintf(stderr, "(and %zu more line%s that it printed)\n", outlet->hidden,
                outlet->hidden == 1 ? "" : "s");
    outlet->hidden = 0;
}
