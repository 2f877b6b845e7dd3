/* spoken.h - what a command prints, in the reader's language.
 *
 * Programs of the judge, of the simulator and of the course speak English among themselves: a verdict is kept,
 * compared and graded in its own words. Only what a reader is shown is translated, line by line, as it is printed.
 * The catalog `spoken` has the sentences as the sources have them, with %s and %u: the line
 *     chapter 5: right on 60 inputs x 4 schedules
 * is that of "chapter %u: %s", and what stands for %s is looked up in the same way. */
#ifndef SPOKEN_H
#define SPOKEN_H

/* From here on what is printed on standard output is translated, where a language is asked for. */
void spoken_begin(void);
/* One line, without its end. Returns it as it is where no catalog has it. */
const char *spoken(const char *line);

#endif
