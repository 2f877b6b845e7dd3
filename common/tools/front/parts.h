/* parts.h - what the parts of the course differ in: what their kernels go through, and the settings
 * that are for it. */
#ifndef PARTS_H
#define PARTS_H

/* What was typed; "" where nothing was. */
struct settings {
    const char *const *words; /* the goals, the last is NULL */
    const char *chapter;      /* the first of these, or NULL */
    const char *bins;
    const char *asked_bins; /* the same, "" when it is only the default */
    const char *part, *operation, *keys;
};

/* Ends the program with one line when PART, OPERATION, KEYS or BINS are nothing that there is, or are
 * for nothing in this command; or when it wants a goal shown that is for texts only. */
void check_parts(const struct settings *settings);

#endif
