/* prefer_speed.h - what programs to keep ask of the simulated GPU. */
#ifndef PREFER_SPEED_H
#define PREFER_SPEED_H

/* Nobody wants here what a suite does, checks of every access, nor 132 multiprocessors, which one core has to
 * simulate, nor an end of long launches. The environment has the last word. Called before the GPU is used. */
void prefer_speed(void);

#endif
