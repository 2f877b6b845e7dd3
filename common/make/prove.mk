# prove.mk - what the course proves of itself, in C (test), in Python (check); what it makes anew.
include common/make/settings.mk
$(if $(CRITERION),,$(if $(filter test check selfcheck,$(MAKECMDGOALS)),$(error $(MAKECMDGOALS): \
    the tests of the course itself need Criterion (libcriterion-dev; docs/machines.md says more))))
variant = $(MAKE) -f common/make/variant.mk KIND=solution BINS=$(1)
.PHONY: test check selfcheck bench pictures prediction slides
$(B)/seed: $(call unless_kept,$(B)/seed,$(SEED)) ; mkdir -p $(@D); echo $(SEED) >$@
BASE := $(B)/libsim.a $(B)/seed $(T)/ladder
# What is proved, in groups, each made by a make of its own, and several at a time: what more than
# one of them uses is made before all of them.
GROUPS := course-5 simulator course-keys course-array course-many verdicts-keys verdicts-5 \
    verdicts-256 verdicts-64 verdicts-26 course-256 course-26
# Who waits more than it computes begins first, with what takes longest.
export WAITING := collectives count_files watch
FIRST := $(WAITING) gpu_times doctor simcc
waiting_first = $(filter $(FIRST),$(1)) $(filter-out $(FIRST),$(1))
in_room = $(call waiting_first,$(patsubst tests/$(1)/%.c,%,$(sort $(wildcard tests/$(1)/*.c))))
in_simulator := $(call waiting_first,$(basename $(notdir $(shell \
    grep -l '^Test\b' tests/sim/*.c tests/sim/*.cu))))
in_course-5 := $(call in_room,course)
# A program of tests/course that does not speak of bins, but in strings, is run once, with 5.
in_course-26 := $(patsubst tests/course/%.c,%,\
    $(shell grep -lE '^[^"]*NUM_BINS|"(harness|text)\.h"' tests/course/*.c))
in_course-256 := $(in_course-26)
in_course-keys := $(call in_room,course/by_index)
in_course-array := $(call in_room,course/by_array)
in_course-many := $(call in_room,course/by_many)
in_verdicts-keys := $(foreach s,$(EVERY),$(if $(call keyed,$s),$s))
in_verdicts-5 := $(filter-out $(in_verdicts-keys),$(EVERY))
in_verdicts-26 := $(in_verdicts-5)
in_verdicts-256 := $(in_verdicts-5)
in_verdicts-64 := $(filter-out 0% 1%,$(in_verdicts-5))# but not those of Part I
# Where their results are, and what they are called.
folder = $(B)/$(patsubst verdicts-%,solution-%,$(patsubst %-array,%-keys-array,$(patsubst \
    %-many,%-5-many,$(1))))
outputs = $(patsubst %,$(call folder,$(1))/%/test.out,$(in_$(1)))
title = $(subst _, ,$(subst keys_bins,reduce_by_index,$(subst array_bins,reduce,$(subst \
    many_bins,several_devices,$(patsubst verdicts-%,chapters:_%_bins,$(patsubst \
    course-%,harness_and_tools:_%_bins,$(1)))))))
$(GROUPS): export PROGRESS := $(B)/progress.tests $(words $(foreach g,$(GROUPS),$(in_$g)))
ENGLISH := english
told = [ -t 2 ] || $(T)/ladder total --line '$(call title,$@)' $(call outputs,$@)
for-all: $(BASE)
	common/tools/progress/so_far.sh begin $(B)/progress.tests
	+$(call variant,5) for_all for_course
	+$(call variant,keys) for_course
verdicts-%: for-all
	+$(call variant,$*) STEMS='$(in_$@)' verdicts $(if $(filter 5 26 256,$*),$(ENGLISH))
	$(told)
course-%: for-all
	+$(MAKE) -f common/make/suites.mk BINS=$(patsubst array,keys,$(patsubst many,5,$*)) \
	    $(addprefix KNOWN=,$(filter many,$*) $(if $(filter array,$*),reduce)) SUITES='$(in_$@)' course
	$(told)
simulator: for-all
	+$(MAKE) -f common/make/suites.mk SUITES='$(in_$@)' simulator
	$(told)
.PHONY: simulator for-all built
built: # all programs that test runs
	+$(MAKE) -f common/make/prove.mk tried=: told=: ENGLISH= $(GROUPS)
test: BEGUN := $(shell date +%s)
test: $(GROUPS) $(B)/card/test.out
	[ ! -t 2 ] || printf '\r\033[K' >&2
	$(T)/ladder total --table $(BEGUN) \
	    $(foreach g,$(GROUPS),--group '$(call title,$g)' $(call outputs,$g)) \
	    --group 'counters, as the card counts' $(B)/card/test.out
# The chapters' counters are those of the hardware, on 1 MiB of English text.
COUNTED := $(addprefix docs/results/h200/,counters.csv allowances.csv)
$(B)/card/test.out: verdicts-5 verdicts-26 verdicts-256 $(COUNTED)
	mkdir -p $(@D); $(T)/ladder card $(COUNTED) $(B)/solution-*/*/english.csv >$@ || cat $@
selfcheck: simulator # with SIM_CFLAGS of the Makefile
	$(T)/ladder total $(call outputs,simulator)
check: test
	+BUILD=$(B) MAKE='$(MAKE)' python3 common/proofs/check.py

# How fast the simulator is on this machine, and how long a student waits for a verdict.
bench: $(B)/bench/simulator_speed $(B)/bench/edit_to_verdict
	$< build/bench.csv
	$(B)/bench/edit_to_verdict build/edit-to-verdict.csv
$(B)/bench/%: $$(wildcard common/bench/sim/$$*.c*) $(B)/libsim.a
	mkdir -p $(@D) && common/sim/simcc $(CFLAGS) -Wall -Icommon/sim $< -o $@
pictures: $(BASE) # of the text docs/pictures/NN_name.txt where there is one
	+$(call variant,5) $(HISTOGRAMS:%=$(B)/solution-5/%/picture)
	$(foreach s,$(HISTOGRAMS),$(B)/solution-5/$s/picture $s docs/pictures/$s.svg \
	    $(wildcard docs/pictures/$s.txt) &&) :
prediction: $(BASE)
	+BUILD=$(B) MAKE='$(MAKE)' python3 common/reports/prediction.py docs/results/h200
slides: ;$(or $(shell command -v python3),$(error slides need Python 3)) -B common/reports/slides.py
