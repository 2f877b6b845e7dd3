/* special_floats.h - the bits of floats that are not like others. */
#ifndef SPECIAL_FLOATS_H
#define SPECIAL_FLOATS_H

#define NOT_A_NUMBER 0x7fc00000u
#define INFINITE 0x7f800000u
#define SIGN 0x80000000u
#define ONE 0x3f800000u

#endif
