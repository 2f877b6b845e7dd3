/* refuse_option.h - what is wrong with an option that getopt_long did not take. */
#ifndef REFUSE_OPTION_H
#define REFUSE_OPTION_H

/* Options without a letter have numbers from this one on. */
enum { LONG_ALONE = 256 };

/* A sentence about the option that getopt_long has returned ':' or '?' for, with `program --help` as advice. The
 * string of letters begins with ':'. `wanted` is what the option wants behind it, "a number". */
const char *refuse_option(const char *program, char **arguments, int returned, const char *wanted);

#endif
