/* causes.h - the likeliest cause of a wrong result. */
#ifndef CAUSES_H
#define CAUSES_H

#include "contract.h"
#include "oracle.h"

/* Writes a sentence into `cause`. */
void find_cause(struct difference *difference);

#endif
