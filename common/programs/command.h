/* command.h - what programs to keep share as commands: their options, and what they ask of the simulated GPU. */
#ifndef COMMAND_H
#define COMMAND_H

/* Nobody wants here what a suite does, checks of every access, nor 132 multiprocessors, which one core has to
 * simulate, nor an end of long launches. The environment has the last word. Called before the GPU is used. */
void prefer_speed(void);

/* Options without a letter have numbers from this one on. */
enum { LONG_ALONE = 256 };

/* A sentence about the option that getopt_long has returned ':' or '?' for, with `program --help` as advice. The
 * string of letters begins with ':'. `wanted` is what the option wants behind it, "a number". */
const char *refuse_option(const char *program, char **arguments, int returned, const char *wanted);

#endif
