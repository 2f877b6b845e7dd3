/* instructions.c - instructions by a number of 16 bits, which fits a cell of shadow memory
 * where an address does not. */
#include "report/report.h"

struct instruction {
    uint64_t pc; /* the key */
    uint16_t number;
};

static struct sim_table instructions = {.entry_bytes = sizeof(struct instruction)};
static uintptr_t pcs[UINT16_MAX + 1];
static uint16_t used;

uint16_t sim_number_of_pc(uintptr_t pc)
{
    struct instruction *found = sim_table_find(&instructions, pc);
    if (found)
        return found->number;
    if (!pc || used == UINT16_MAX || !(found = sim_table_add(&instructions, pc)))
        return 0;
    found->number = ++used;
    pcs[used] = pc;
    return used;
}

uintptr_t sim_pc_of_number(uint16_t number)
{
    return pcs[number];
}
