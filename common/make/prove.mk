# prove.mk - what the course proves of itself: make test, check, selfcheck; and what it makes anew.
#
# make test is C and shell alone; make check is a program in Python, common/proofs/check.py.
include common/make/settings.mk
ALL_BINS := 5 26 256
SUM := $(addprefix $(T)/,verdict attempt gaps total card ladder)
variant = $(MAKE) -f common/make/variant.mk KIND=$(1) BINS=$(2)
suites = $(MAKE) -f common/make/suites.mk
.PHONY: test check selfcheck bench pictures prediction

$(B)/seed: FORCE
	$(call keep,$(SEED))
BASE := $(B)/libsim.a $(SUM) $(B)/seed
verdicts-%: $(BASE)
	+$(call variant,solution,$*) verdicts
course-%: $(BASE)
	+$(suites) BINS=$* course
simulator: $(BASE)
	+$(suites) simulator
test: $(ALL_BINS:%=verdicts-%) $(ALL_BINS:%=course-%) simulator $(B)/card/test.out
	$(T)/total $(STEMS:%=$(B)/solution-*/%/test.out) $(B)/course-*/*/test.out $(B)/simulator/*/test.out $(B)/card/test.out

# The chapters' counters are those of the hardware, on 1 MiB of English text.
COUNTED := docs/results/h200/counters.csv
$(B)/card/test.out: $(ALL_BINS:%=english-%) $(COUNTED)
	mkdir -p $(@D)
	$(T)/card $(COUNTED) $(B)/solution-*/*/english.csv >$@ || cat $@
	echo "$(COUNTED): $$(tail -n 1 $@)"
english-%: verdicts-%
	+$(call variant,solution,$*) english

# The simulator's own C code, built with sanitizers: SIM_CFLAGS of the Makefile.
selfcheck: simulator
	$(T)/total $(B)/simulator/*/test.out

check: test
	command -v python3 >/dev/null || { echo "check: python3 is not installed (apt-get install python3)" >&2; exit 1; }
	+BUILD=$(B) MAKE='$(MAKE)' python3 common/proofs/check.py

# How fast the simulator is on this machine, and how long a student waits for a verdict.
bench: $(B)/bench/simulator_speed $(B)/bench/edit_to_verdict
	$< build/bench.csv
	$(B)/bench/edit_to_verdict build/edit-to-verdict.csv
$(B)/bench/%: common/bench/sim/%.cu $(B)/libsim.a
	mkdir -p $(@D) && $(SIMCC) -Wall -Icommon/sim $< -o $@
$(B)/bench/%: common/bench/sim/%.c
	mkdir -p $(@D) && $(CC) $(CFLAGS) $(STRICT) $< -o $@

# The pictures in the lessons, from the traces of the solutions; of the text
# docs/pictures/NN_name.txt where there is one.
pictures: $(BASE)
	mkdir -p docs/pictures
	+$(call variant,solution,5) $(STEMS:%=$(B)/solution-5/%/picture)
	$(foreach s,$(STEMS),$(B)/solution-5/$s/picture $s docs/pictures/$s.svg $(wildcard docs/pictures/$s.txt) &&) :
# The predictions beside the recorded times, into docs/results/h200/prediction.csv.
prediction: $(BASE)
	+BUILD=$(B) MAKE='$(MAKE)' python3 common/reports/prediction.py docs/results/h200
