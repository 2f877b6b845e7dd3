/* built_program.c - has make build a program that a kernel is linked to: see built_program.h. */
#define _GNU_SOURCE
#include "built_program.h"

#include <string.h>

#include "process.h"
#include "util.h"

const char *built_program(const char *build, const struct chapter *chapter, const char *variant,
                          const char *name)
{
    /* sim.mk says where programs are. */
    const char *card = chosen("SIM_CARD"), *other = strcmp(card, "H200") == 0 ? "" : card;
    char *from = format("%s%s%s", chapter->above, *other ? "-" : "", other);
    for (char *at = from; *at; at++)
        *at = *at == '/' ? '-' : *at;
    const char *program = format("%s/%s/%s/%s/%s", build, from, chapter->stem, variant, name);
    const char *kind = chapter->contract.has_operations ? "OPERATION" : "BINS";
    const char *words[] = {format("chapter%u", chapter->number), format("FROM=%s", chapter->above),
                           format("%s=%s", kind, variant), program, NULL};
    return process_make(words, "build/built.log") == 0 ? program : NULL;
}
