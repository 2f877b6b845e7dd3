/* defaults.c - what a contract leaves to all: see contract.h. */
#include "contract.h"

#include <stdlib.h>

#include "work.h"

void contract_forget(struct oracle *oracle)
{
    if (contract.forget)
        contract.forget(oracle);
    else
        free(oracle);
}

uint64_t contract_schedules(const struct input *input, uint64_t work, uint64_t most)
{
    enum { LARGE = 1 << 16 };
    return contract.schedules ? contract.schedules(input, work, most)
                              : work_schedules(input, work, most, LARGE, SIZE_MAX);
}

uint64_t contract_work(void)
{
    return contract.work ? contract.work() : work_accesses();
}

void contract_find_cause(struct difference *d)
{
    cause_of_output *const *one = contract.causes;
    while (one && *one && !(*one)(d))
        one++;
}
