# suites.mk - the suites of what the course is made of: tests/course, with BINS, and tests/sim;
# with BINS=keys its by_index, of the contract reduce_by_index; with KNOWN=reduce its by_array, and
# with KNOWN=many its by_many.
include common/make/variant.mk
.PHONY: course simulator programs-that-count
S := $(B)/simulator
U := $(B)/course-$(BINS)$(if $(filter reduce,$(KNOWN)),-array)$(if $(filter many,$(KNOWN)),-many)
# A program of tests/course that does not speak of bins, but in strings, is run once, with 5.
SPEAK_OF_BINS = $(shell grep -lE '^[^"]*NUM_BINS|"(harness|text)\.h"' tests/course/*.c)
KNOWN ?= $(if $(filter keys,$(BINS)),reduce_by_index,histogram)
SUITES := tests/course$(if $(filter many,$(KNOWN)),/by_many)$(if \
    $(filter keys,$(BINS)),/by_$(if $(filter reduce,$(KNOWN)),array,index))
course: $(patsubst $(SUITES)/%.c,$(U)/%/verdict,$(if $(filter 5 keys,$(BINS)),\
    $(wildcard $(SUITES)/*.c),$(if $(filter many,$(KNOWN)),,$(SPEAK_OF_BINS))))
simulator: $(patsubst %,$(S)/%/verdict,$(basename $(notdir $(shell \
    grep -l '^Test\b' tests/sim/*.c tests/sim/*.cu))))
$(U)/%.o: $(SUITES)/%.c $(B)/flags $(LIBRARY)
	$(call compile_c,$(KNOWN)) -Icommon/bench/cpu
$(U)/%/test: $(U)/%.o $(if $(filter keys many,$(BINS) $(KNOWN)),,$(filter-out %/yardstick.o,\
    $(call objects,common/bench/cpu/*.c))) \
    $(C)/harness/target_host.o $(call libraries,$(KNOWN))
	$(link) -lcriterion $(native)
# What watches ranks of MPI, and is in no library.
$(U)/file_reads.o $(U)/ranks.o: also = $(patsubst %,-Icommon/harness/%,many apart/ranks apart/rank)
$(U)/file_reads/test: $(patsubst %,$(C)/harness/apart/rank/%.o,file_reads stdio_reads)
$(U)/ranks/test: $(patsubst %,$(C)/harness/apart/ranks/%.o,rank_facts stuck)
$(S)/%.o: tests/sim/%.c $(B)/flags $(LIBRARY)
	$(call compile_c,histogram) -Itests/sim
$(S)/%.o: tests/sim/%.cu $(B)/flags $(LIBRARY)
	mkdir -p $(@D) && $(compile) -Wall -Icommon/sim -Icommon/contract -c $< -o $@
$(S)/%/test: $(S)/%.o $(patsubst %,$(C)/harness/%.o,runner criterion_files reports facts) $(LIBRARY)
	$(link) -lcriterion
said = BUILD=$(B) $< >$(@D)/test.out 2>&1 || cat $(@D)/test.out; tail -n 1 $(@D)/test.out >$@
RECORDED := $(wildcard docs/results/h200/*.csv)
TRIED := $(filter-out %.o %.d,$(wildcard $(T)/*))# programs that these suites run
$(U)/%/verdict: $(U)/%/test $(TRIED) $(B)/seed $(RECORDED) \
    $(if $(filter many,$(KNOWN)),,$(C)/program/$(KNOWN)/input)
	$(said); echo "$(SUITES)/$*, $(BINS) bins: $$(cat $@)"
# Programs of the chapters that a suite's head names.
named_by = $(filter $(addsuffix _%,$(shell sed -n 's/.*Chapters: *//p' \
    $(or $(wildcard $(1)),/dev/null))),$(STEMS))
$(U)/rows/verdict: $(foreach s,$(call named_by,$(SUITES)/rows.c),$(V)/$(call one_of,$s)/row)
# The program that counts files: with the solution, and with a stand-in for it.
counting = $(MAKE) -f common/make/count.mk BINS=$(1) KIND=$(2) FROM=$(3) programs
$(U)/count_files/verdict: programs-that-count
programs-that-count: $(LIBRARY)
ifeq ($(MPI_LINK),)
	echo "left out: what counts files; it needs Open MPI: libopenmpi-dev, openmpi-bin"
else
	+$(call counting,256,counting,solutions)
	+$(call counting,256,stand-in,tests/course/files)
	+$(call counting,5,stand-in,tests/course/files)
endif
$(U)/trace/verdict: $(HISTOGRAMS:%=$(V)/%/trace) $(HISTOGRAMS:%=$(V)/%/row)
$(S)/%/verdict: $(S)/%/test $(B)/seed $(RECORDED)
	$(said); echo "tests/sim/$*: $$(cat $@)"
-include $(wildcard $(U)/*.d $(S)/*.d)
