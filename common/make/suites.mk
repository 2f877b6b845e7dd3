# suites.mk - the suites of what the course is made of: of tests/course those in SUITES, with BINS,
# and of tests/sim; with BINS=keys of its by_index, of the contract reduce_by_index; with
# KNOWN=reduce, many or pair_forces of its by_array, by_many or by_pair. prove.mk knows which there
# are.
include common/make/variant.mk
.PHONY: course simulator programs-that-count
S := $(B)/simulator
GROUP ?= course-$(BINS)
U := $(B)/$(GROUP)
# Who waits more than it computes begins first, with what takes longest.
WAITING := collectives
FIRST := $(WAITING) simcc
IN_TURN := $(filter $(FIRST),$(SUITES)) $(filter-out $(FIRST),$(SUITES))
KNOWN ?= $(if $(filter keys,$(BINS)),reduce_by_index,histogram)
room/histogram := tests/course
room/reduce_by_index := tests/course/by_index
room/reduce := tests/course/by_array
room/many := tests/course/by_many
room/pair_forces := tests/course/by_pair
ROOM := $(room/$(KNOWN))
course: $(IN_TURN:%=$(U)/%/verdict)
simulator: $(IN_TURN:%=$(S)/%/verdict)
$(U)/%.o: $(ROOM)/%.c $(B)/flags $(LIBRARY)
	$(compile_c) -Icommon/bench -Icommon/bench/cpu
$(U)/%.o: OWN = $(KNOWN)
$(U)/%/test: private WITH = -lcriterion $(native)
$(S)/%/test: private WITH = -lcriterion
$(U)/%/test: $(U)/%.o $(if $(filter histogram,$(KNOWN)),$(filter-out \
    %/yardstick.o,$(OF_CORES))) $(A)/sandbox/target_host.o $(A)/judge-$(KNOWN).a $(LIBRARY)
	$(link)
# What watches ranks of MPI, and is in no library.
$(U)/file_reads.o $(U)/ranks.o: also = $(patsubst %,-Icommon/%,contracts/many sandbox/ranks \
    sandbox/rank)
$(U)/file_reads/test: $(A)/sandbox/rank/file_reads.o
$(U)/ranks/test: $(patsubst %,$(A)/sandbox/%.o,ranks/control ranks/ending filter)
$(S)/%.o: OWN = histogram
$(S)/%.o: tests/sim/%.c $(B)/flags $(LIBRARY)
	$(compile_c) -Itests/sim
$(S)/%.o: tests/sim/%.cu $(B)/flags $(LIBRARY)
	mkdir -p $(@D) && $(compile) -Wall --known criterion/criterion.h -Icommon/sim -Icommon/contract \
	    -c $< -o $@
$(S)/%/test: $(S)/%.o $(patsubst %,$(A)/judge/%.o,runner criterion_calls kernel_folder facts) \
    $(LIBRARY)
	$(link)
# What waits more than it computes has more tests at a time than there are cores.
suite_name = $(if $(filter $(S)/%,$@),tests/sim/$*,$(ROOM)/$*$(BINS:%=, % bins))
suite = $(tried) $(@D)/test.out '$(suite_name)' env BUILD=$(B) $< \
    $(if $(filter $(WAITING),$*),--jobs 8)
RECORDED := $(wildcard docs/results/h200/*.csv)
$(U)/%/verdict: $(U)/%/test $(T)/ladder $(B)/seed $(RECORDED) \
    $(if $(filter many,$(KNOWN)),,$(A)/program/$(KNOWN)/input)
	$(suite)
# The program that counts files: with the solution, also without MPI; and with a stand-in for it.
counting = $(MAKE) -f common/make/program.mk PROGRAM=count KIND=counting FROM=solutions \
    BINS=256 program
stand_in = $(MAKE) -f common/make/program.mk PROGRAM=count KIND=stand-in \
    FROM=tests/course/files program
programs-that-count: $(LIBRARY)
	+$(counting) ALONE=alone
ifneq ($(MPI_LINK),)
	+$(counting)
	+$(stand_in) BINS=256
	+$(stand_in) BINS=5
endif
$(U)/memory/verdict: $(foreach k,$(filter $(addsuffix _%,$(shell sed -n \
    's/.*Chapters: *//p' $(wildcard $(ROOM)/memory.c) /dev/null)),$(KERNELS)),\
    $(suite/$k) $(kernels/$k)) $(T)/ladder
$(S)/%/verdict: $(S)/%/test $(B)/seed $(RECORDED)
	$(suite)
-include $(wildcard $(U)/*.d $(S)/*.d)
