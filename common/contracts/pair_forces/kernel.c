/* kernel.c - calls what the contract promises: see drawn_atoms.h for how a call is laid out. */
#include "pair_forces.h"

#include "drawn_atoms.h"
#include "measure.h"

void call_make(const struct call *call)
{
    const bool too_many = call->length > UINT32_MAX;
    const struct arrays at = arrays_of(call->length, call->more);
    const uint32_t *words = (const uint32_t *)(uintptr_t)call->elements;
    pair_forces((const float4 *)(const void *)words, words + at.type,
                too_many ? call->length : at.atoms, words + at.first, words + at.neighbors,
                (const float2 *)(const void *)(words + at.c6_c12), (unsigned int)at.types,
                float_of(call->more, BOX), float_of(call->more, CUTOFF),
                (float4 *)(uintptr_t)call->bins);
}
