/* kernel_output.c - what the kernel's process prints, passed on in measure. */
#include "kernel_output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINES = 20, MOST_OF_REPORTS = 1000, MOST_AT_ONCE = 64 };

/* Whether the line is one of a report of the simulator. */
static bool is_report(const struct kernel_output *output)
{
    return strncmp(output->line, "=========", 9) == 0;
}

static void end_line(struct kernel_output *output)
{
    size_t kept = output->length < sizeof output->line ? output->length : sizeof output->line - 1;
    output->line[kept] = '\0';
    size_t most = is_report(output) ? MOST_OF_REPORTS : MOST_LINES;
    if (output->drops || output->shown >= most) {
        output->hidden++;
    } else {
        fprintf(stderr, "%s%s\n", output->line, kept < output->length ? " ..." : "");
        output->shown += !is_report(output);
    }
    output->length = 0;
}

static void take(struct kernel_output *output, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == '\n') {
            end_line(output);
            continue;
        }
        if (output->length < sizeof output->line - 1)
            output->line[output->length] = bytes[i];
        output->length++;
    }
}

bool kernel_output_drain(struct kernel_output *output)
{
    char bytes[1 << 16];
    for (int i = 0; i < MOST_AT_ONCE && output->descriptor >= 0; i++) {
        ssize_t got = read(output->descriptor, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return true;
        if (got == 0) {
            close(output->descriptor);
            output->descriptor = -1;
        }
        output->bytes += (size_t)got;
        take(output, bytes, (size_t)got);
    }
    return output->descriptor >= 0;
}

void kernel_output_end(struct kernel_output *output)
{
    if (output->length > 0)
        end_line(output);
    if (output->hidden > 0 && !output->drops)
        fprintf(stderr, "(and %zu more line%s that it printed)\n", output->hidden,
                output->hidden == 1 ? "" : "s");
    output->hidden = 0;
}
