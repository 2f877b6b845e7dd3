# prove.mk - what the course proves of itself, in C (test), in Python (check); what it makes anew.
include common/make/settings.mk
$(if $(CRITERION),,$(if $(filter test check selfcheck,$(MAKECMDGOALS)),$(error $(MAKECMDGOALS): \
    the tests of the course itself need Criterion (libcriterion-dev; docs/machines.md says more))))
variant = $(MAKE) -f common/make/variant.mk KIND=solution BINS=$(1)
.PHONY: test check selfcheck bench pictures prediction slides
$(B)/seed: FORCE ; $(call keep,$(SEED))
BASE := $(B)/libsim.a $(B)/seed $(addprefix $(T)/,verdict attempt gaps planted hint \
    go_further total card ladder next_break profile $(AT_DESK))
# With 64 bins: chapters that count texts, but not those of Part I.
verdicts-64: $(BASE)
	+$(call variant,64) STEMS='$(filter-out 0% 1%,$(STEMS))' verdicts
verdicts-%: $(BASE)
	+$(call variant,$*) verdicts
course-array: $(BASE)
	+$(MAKE) -f common/make/suites.mk BINS=keys KNOWN=reduce course
course-many: $(BASE)
	+$(MAKE) -f common/make/suites.mk BINS=5 KNOWN=many course
course-%: $(BASE)
	+$(MAKE) -f common/make/suites.mk BINS=$* course
simulator: $(BASE)
	+$(MAKE) -f common/make/suites.mk simulator
OUTPUTS = $(B)/simulator/*/test.out $(B)/course-*/*/test.out $(EVERY:%=$(B)/solution-*/%/test.out)
SUITED := 5 26 256
test: $(SUITED:%=verdicts-%) verdicts-64 verdicts-keys $(SUITED:%=course-%) course-keys \
    course-array course-many simulator $(B)/card/test.out
	$(T)/total $(OUTPUTS) $(B)/card/test.out
# The chapters' counters are those of the hardware, on 1 MiB of English text.
COUNTED := $(addprefix docs/results/h200/,counters.csv allowances.csv)
$(B)/card/test.out: $(SUITED:%=english-%) $(COUNTED)
	mkdir -p $(@D); $(T)/card $(COUNTED) $(B)/solution-*/*/english.csv >$@ || cat $@
	echo "$(firstword $(COUNTED)): $$(tail -n 1 $@)"
english-%: verdicts-%
	+$(call variant,$*) english
selfcheck: simulator # with SIM_CFLAGS of the Makefile
	$(T)/total $(B)/simulator/*/test.out
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
