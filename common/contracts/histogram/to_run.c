/* to_run.c - whose kernel the programs run that are linked with this: see contract.h. */
#include "contract.h"

extern const struct contract histogram_contract;
const struct contract *const contract_to_run = &histogram_contract;
