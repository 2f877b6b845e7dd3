# prove.mk - what the course proves of itself, in C (test), in Python (check); what it makes anew.
include common/make/settings.mk
$(if $(CRITERION),,$(if $(filter test check proofs selfcheck,$(MAKECMDGOALS)),$(error \
    $(MAKECMDGOALS): the tests of the course itself need Criterion (libcriterion-dev; \
    docs/machines.md says more))))
variant = $(MAKE) -f common/make/variant.mk KIND=solution
.PHONY: test check proofs selfcheck bench pictures prediction slides
$(shell echo $(SEED) | cmp -s - $(B)/seed || echo $(SEED) >$(B)/seed)
BASE := $(B)/libsim.a $(B)/seed $(T)/ladder
# What is proved, in groups, each made by a make of its own, and several at a time: what more than
# one of them uses is made before all of them.
GROUPS := course-5 simulator course-keys course-array course-many course-pair verdicts-keys \
    verdicts-5 verdicts-256 verdicts-64 verdicts-26 course-256 course-26
in_simulator := $(basename $(notdir $(shell grep -l '^Test\b' tests/sim/*.c tests/sim/*.cu)))
in_course-5 := $(basename $(notdir $(wildcard tests/course/*.c)))
# A program of tests/course that does not speak of bins, but in strings, is run once, with 5.
in_course-26 := $(basename $(notdir $(shell \
    grep -lE '^[^"]*NUM_BINS|"(harness|text)\.h"' tests/course/*.c)))
in_course-256 := $(in_course-26)
in_course-keys := $(basename $(notdir $(wildcard tests/course/by_index/*.c)))
in_course-array := $(basename $(notdir $(wildcard tests/course/by_array/*.c)))
in_course-many := $(basename $(notdir $(wildcard tests/course/by_many/*.c)))
in_course-pair := $(basename $(notdir $(wildcard tests/course/by_pair/*.c)))
in_verdicts-keys := $(filter $(KEYED),$(EVERY))
in_verdicts-5 := $(filter-out $(in_verdicts-keys),$(EVERY))
in_verdicts-256 := $(in_verdicts-5)
# With 26 bins those of Part I, which have three; later ones with the fewest, the most, and 64 where
# the lesson has so many. The proof `solutions` has them all.
in_verdicts-26 := $(filter 0% 1%,$(in_verdicts-5))
in_verdicts-64 := $(filter 3%,$(in_verdicts-5))
# Where their results are, and what they are called: of the group g.
g = $@
outputs = $(in_$g:%=$(B)/$(g:verdicts-%=solution-%)/%/test.out)
what = $(lastword $(subst -, ,$g))
group_of/keys := reduce by index
group_of/array := reduce
group_of/many := several devices
group_of/pair := forces of pairs
title = $(if $(filter $g,$(what)),$g,$(if $(filter verdicts-%,$g),chapters,harness and tools): \
    $(or $(group_of/$(what)),$(what) bins))
$(GROUPS): export PROGRESS := $(B)/progress.tests $(words $(foreach g,$(GROUPS),$(in_$g)))
ENGLISH := english
total := common/tools/progress/total.sh
told = [ -t 2 ] || $(total) --line '$(title)' $(outputs)
for-all: $(BASE)
	common/tools/progress/so_far.sh begin $(B)/progress.tests
	+$(variant) BINS=5 for_all for_course
verdicts-%: for-all
	+$(variant) BINS=$* STEMS='$(in_$@)' verdicts $(if $(filter 5 26 256,$*),$(ENGLISH))
	$(told)
suites/array := BINS=keys KNOWN=reduce
suites/many := BINS=5 KNOWN=many
suites/pair := BINS=keys KNOWN=pair_forces
course-%: for-all
	+$(MAKE) -f common/make/suites.mk $(or $(suites/$*),BINS=$*) GROUP=$@ SUITES='$(in_$@)' course
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
	$(total) --table $(BEGUN) \
	    $(foreach g,$(GROUPS),--group '$(title)' $(outputs)) \
	    --group 'counters, as the card counts' $(B)/card/test.out
# The chapters' counters are those of the hardware, on 1 MiB of English text.
COUNTED := $(addprefix docs/results/h200/,counters.csv allowances.csv)
$(B)/card/test.out: verdicts-5 verdicts-26 verdicts-256 $(COUNTED)
	mkdir -p $(@D); common/tools/progress/as_card.sh $(COUNTED) \
	    $(B)/solution-*/*/english.csv >$@ || cat $@
selfcheck: simulator # with SIM_CFLAGS of the Makefile
	$(foreach g,simulator,$(total) $(outputs))
check: test
	+$(MAKE) -f common/make/prove.mk proofs
proofs: for-all
	+BUILD=$(B) MAKE='$(MAKE)' $(python) common/proofs/check.py $(SHARE:%=--share=%)

# How fast the simulator is on this machine, and how long a student waits for a verdict.
bench: $(B)/bench/simulator_speed
	$< build/bench.csv
	$(python) common/reports/edit_to_verdict.py build/edit-to-verdict.csv
$(B)/bench/simulator_speed: common/bench/sim/simulator_speed.cu common/bench/clock.c $(B)/libsim.a
	mkdir -p $(@D) && common/sim/simcc $(CFLAGS) -Wall $(patsubst %,-Icommon/%,sim bench bench/gpu) \
	    $(filter %.c %.cu,$^) -o $@
pictures: $(BASE) # of the text docs/pictures/NN_name.txt where there is one
	+$(variant) BINS=5 $(HISTOGRAMS:%=$(B)/solution-5/%/picture)
	$(foreach s,$(HISTOGRAMS),$(python) common/reports/warp.py $(B)/solution-5/$s/picture $s \
	    docs/pictures/$s.svg $(wildcard docs/pictures/$s.txt) &&) :
prediction: $(BASE)
	+BUILD=$(B) MAKE='$(MAKE)' $(python) common/reports/prediction.py docs/results/h200
slides: $(BASE)
	$(python) common/reports/slides.py
