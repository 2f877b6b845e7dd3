# suites.mk - the suites of what the course is made of: of tests/course, with BINS, and of tests/sim
# those in SUITES; prove.mk knows which there are. GROUP says where they are and what they know.
include common/make/variant.mk
.PHONY: course simulator programs-that-count
S := $(B)/simulator
GROUP ?= course-$(BINS)
U := $(B)/$(GROUP)
ROOM/course-keys := tests/course/by_index
ROOM/course-array := tests/course/by_array
ROOM/course-many := tests/course/by_many
ROOM/course-pair := tests/course/by_pair
ROOM := $(or $(ROOM/$(GROUP)),tests/course)
KNOWN/course-keys := reduce_by_index
KNOWN/course-array := reduce
KNOWN/course-many := many
KNOWN/course-pair := pair_forces
KNOWN := $(or $(KNOWN/$(GROUP)),histogram)
# Who waits more than it computes begins first, with what takes longest.
WAITING := collectives
FIRST := $(WAITING) simcc
IN_TURN := $(filter $(FIRST),$(SUITES)) $(filter-out $(FIRST),$(SUITES))
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
$(S)/%/test: $(S)/%.o $(patsubst %,$(A)/judge/%.o,runner criterion_calls kernel_folder \
    verdict_log) \
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
# The program that counts files: with the solution, also without MPI; and with a fake in its place.
counting = $(MAKE) -f common/make/program.mk PROGRAM=count KIND=counting FROM=solutions \
    BINS=256 program
FAKE := tests/course/files
fake_count = $(MAKE) -f common/make/program.mk PROGRAM=count KIND=fake FROM=$(FAKE) \
    STEMS=$(notdir $(wildcard $(FAKE)/*_fake)) program
programs-that-count: $(LIBRARY)
	+$(counting) ALONE=alone
ifneq ($(MPI_LINK),)
	+$(counting)
	+$(fake_count) BINS=256
	+$(fake_count) BINS=5
endif
# The head of memory.c names the chapters whose kernels it runs.
NUMBERS := $(shell sed -n 's/.*Chapters: *//p' $(ROOM)/memory.c 2>/dev/null)
RUN_BY_MEMORY := $(filter $(NUMBERS:%=%_%),$(KERNELS))
$(U)/memory/verdict: $(foreach k,$(RUN_BY_MEMORY),$(suite/$k) $(kernels/$k)) $(T)/ladder
$(S)/%/verdict: $(S)/%/test $(B)/seed $(RECORDED)
	$(suite)
-include $(wildcard $(U)/*.d $(S)/*.d)
