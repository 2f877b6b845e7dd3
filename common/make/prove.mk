# prove.mk - what the course proves of itself, in C (test), in Python (check); what it makes anew.
include common/make/settings.mk
ifeq ($(CRITERION),)
$(if $(filter test check proofs selfcheck,$(MAKECMDGOALS)),$(error $(MAKECMDGOALS): the tests of \
    the course itself need Criterion (libcriterion-dev; docs/machines.md says more)))
endif
variant = $(MAKE) -f common/make/variant.mk KIND=solution
.PHONY: test check proofs selfcheck bench pictures prediction slides
$(shell echo $(SEED) | cmp -s - $(B)/seed || echo $(SEED) >$(B)/seed)
BASE := $(B)/libsim.a $(B)/seed $(T)/ladder
# What is proved, in groups, each made by a make of its own, and several at a time: what more than
# one of them uses is made before all of them. A program of tests/course that does not speak of
# bins, but in strings, is run once, with 5.
in_simulator := $(shell grep -l '^Test\b' tests/sim/*.c tests/sim/*.cu)
in_course-5 := $(wildcard tests/course/*.c)
in_course-26 := $(shell grep -lE '^[^"]*NUM_BINS|"(harness|text)\.h"' tests/course/*.c)
in_course-256 := $(in_course-26)
in_course-keys := $(wildcard tests/course/by_index/*.c)
in_course-array := $(wildcard tests/course/by_array/*.c)
in_course-many := $(wildcard tests/course/by_many/*.c)
in_course-pair := $(wildcard tests/course/by_pair/*.c)
in_verdicts-keys := $(filter $(KEYED),$(EVERY))
in_verdicts-5 := $(filter-out $(KEYED),$(EVERY))
in_verdicts-256 := $(in_verdicts-5)
# With 26 bins those of Part I, which have three; later ones with the fewest, the most, and 64 where
# the lesson has so many. The proof `solutions` has them all.
in_verdicts-26 := $(filter 0% 1%,$(in_verdicts-5))
in_verdicts-64 := $(filter 3%,$(in_verdicts-5))
# What they are called; in the order in which they begin.
title/course-5 := harness and tools: 5 bins
title/simulator := simulator
title/course-keys := harness and tools: reduce by index
title/course-array := harness and tools: reduce
title/course-many := harness and tools: several devices
title/course-pair := harness and tools: forces of pairs
title/verdicts-keys := chapters: keys bins
title/verdicts-5 := chapters: 5 bins
title/verdicts-256 := chapters: 256 bins
title/verdicts-64 := chapters: 64 bins
title/verdicts-26 := chapters: 26 bins
title/course-256 := harness and tools: 256 bins
title/course-26 := harness and tools: 26 bins
GROUPS := course-5 simulator course-keys course-array course-many course-pair verdicts-keys \
    verdicts-5 verdicts-256 verdicts-64 verdicts-26 course-256 course-26
# Where the results of the group g are.
g = $@
names = $(notdir $(basename $(in_$g)))
outputs = $(patsubst %,$(B)/$(g:verdicts-%=solution-%)/%/test.out,$(names))
$(GROUPS): export PROGRESS := $(B)/progress.tests $(words $(foreach g,$(GROUPS),$(in_$g)))
ENGLISH := english
total := common/tools/progress/total.sh
sum_up = [ -t 2 ] || $(total) --line '$(title/$@)' $(outputs)
for-all: $(BASE)
	common/tools/progress/so_far.sh begin $(B)/progress.tests
	+$(variant) BINS=5 for_all for_course
verdicts-%: for-all
	+$(variant) BINS=$* STEMS='$(in_$@)' verdicts $(if $(filter 5 26 256,$*),$(ENGLISH))
	$(sum_up)
suites = $(MAKE) -f common/make/suites.mk SUITES='$(names)' \
    $(if $(filter course-%,$@),GROUP=$@)
simulator: for-all
	+$(suites) simulator
	$(sum_up)
course-keys course-array course-pair: for-all
	+$(suites) BINS=keys course
	$(sum_up)
course-many: for-all
	+$(suites) BINS=5 course
	$(sum_up)
course-%: for-all
	+$(suites) BINS=$* course
	$(sum_up)
.PHONY: simulator for-all built
built: # all programs that test runs
	+$(MAKE) -f common/make/prove.mk tried=: sum_up=: ENGLISH= $(GROUPS)
test: BEGUN := $(shell date +%s)
test: $(GROUPS) $(B)/card/test.out
	[ ! -t 2 ] || printf '\r\033[K' >&2
	$(total) --table $(BEGUN) \
	    $(foreach g,$(GROUPS),--group '$(title/$g)' $(outputs)) \
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
slides: $(T)/ladder # which reads the stubs
	$(python) common/reports/slides.py
