# suites.mk - the suites of what the course is made of: of tests/course those in SUITES, with BINS,
# and of tests/sim; with BINS=keys of its by_index, of the contract reduce_by_index; with
# KNOWN=reduce of its by_array, and with KNOWN=many of its by_many. prove.mk knows which there are.
include common/make/variant.mk
.PHONY: course simulator programs-that-count
S := $(B)/simulator
U := $(B)/course-$(BINS)$(if $(filter reduce,$(KNOWN)),-array)$(if $(filter many,$(KNOWN)),-many)
KNOWN ?= $(if $(filter keys,$(BINS)),reduce_by_index,histogram)
ROOM := tests/course$(if $(filter many,$(KNOWN)),/by_many)$(if \
    $(filter keys,$(BINS)),/by_$(if $(filter reduce,$(KNOWN)),array,index))
course: $(SUITES:%=$(U)/%/verdict)
simulator: $(SUITES:%=$(S)/%/verdict)
$(U)/%.o: $(ROOM)/%.c $(B)/flags $(LIBRARY)
	$(call compile_c,$(KNOWN)) -Icommon/bench/cpu
$(U)/%/test: private WITH = -lcriterion $(native)
$(S)/%/test: private WITH = -lcriterion
$(U)/%/test: $(U)/%.o $(if $(filter keys many,$(BINS) $(KNOWN)),,$(filter-out %/yardstick.o,\
    $(of_cores))) \
    $(call objects,common/sandbox/target_host.c) $(call libraries,$(KNOWN))
	$(link)
# What watches ranks of MPI, and is in no library.
$(U)/file_reads.o $(U)/ranks.o: also = $(patsubst %,-Icommon/%,contracts/many sandbox/ranks \
    sandbox/rank)
$(U)/file_reads/test: $(call objects,$(patsubst %,common/sandbox/rank/%_reads.c,file stdio))
$(U)/ranks/test: $(call objects,$(patsubst %,common/sandbox/ranks/%.c,rank_facts stuck))
$(S)/%.o: tests/sim/%.c $(B)/flags $(LIBRARY)
	$(call compile_c,histogram) -Itests/sim
$(S)/%.o: tests/sim/%.cu $(B)/flags $(LIBRARY)
	mkdir -p $(@D) && $(compile) -Wall -Icommon/sim -Icommon/contract -c $< -o $@
$(S)/%/test: $(S)/%.o $(patsubst %,$(A)/judge/%.o,runner criterion_calls kernel_folder reports \
    facts dev_shm) \
    $(LIBRARY)
	$(link)
# What waits more than it computes has more tests at a time than there are cores.
suite = $(call tried,BUILD=$(B) $< $(if $(filter $(WAITING),$*),--jobs 8),test.out,$(1))
RECORDED := $(wildcard docs/results/h200/*.csv)
$(U)/%/verdict: $(U)/%/test $(T)/ladder $(B)/seed $(RECORDED) \
    $(if $(filter many,$(KNOWN)),,$(A)/program/$(KNOWN)/input)
	$(call suite,$(ROOM)/$*$(BINS:%=, % bins))
$(U)/rows/verdict: $(foreach s,$(call named_by,$(ROOM)/rows.c),$(V)/$(call one_of,$s)/row)
# The program that counts files: with the solution, also without MPI; and with a stand-in for it.
counting = $(MAKE) -f common/make/count.mk BINS=$(1) KIND=$(2) FROM=$(3) programs $(4)
COUNTING := $(patsubst %,$(B)/%/count,$(foreach s,$(sort $(MPI_STEMS)),counting-256-alone/$s \
    $(if $(MPI_LINK),counting-256/$s $(foreach f,$(notdir $(wildcard tests/course/files/*)),\
    stand-in-256/$f stand-in-5/$f))))
$(U)/count_files/verdict: $(COUNTING)
$(COUNTING): programs-that-count ;
programs-that-count: $(LIBRARY)
	+$(call counting,256,counting,solutions,ALONE=alone)
ifneq ($(MPI_LINK),)
	+$(call counting,256,counting,solutions)
	+$(call counting,256,stand-in,tests/course/files)
	+$(call counting,5,stand-in,tests/course/files)
endif
$(U)/memory/verdict: $(foreach s,$(call named_by,$(ROOM)/memory.c),$(call suite_program,$s) \
    $(call kernels,$s)) $(T)/ladder
$(U)/trace/verdict: $(HISTOGRAMS:%=$(V)/%/trace) $(HISTOGRAMS:%=$(V)/%/row)
$(S)/%/verdict: $(S)/%/test $(B)/seed $(RECORDED)
	$(call suite,tests/sim/$*)
-include $(wildcard $(U)/*.d $(S)/*.d)
