/* to_run.c - whose kernel the programs run that are linked with this: see contract.h. */
#include "contract.h"

extern const struct contract joint_histogram_contract;
const struct contract *const contract_to_run = &joint_histogram_contract;
