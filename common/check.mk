# check.mk - what the course proves of itself: make test, make check, make selfcheck,
# make bench.
#
# A proof is a program that ends with a line "12 passed, 0 failed", or a file of lines
# "ok ..." and "FAIL ...". It is made again when something that it speaks of has changed;
# the recipe never fails, and the sum at the end does.

SOLVED := $(notdir $(patsubst %/,%,$(dir $(wildcard solutions/*/histogram.c*))))
STUBS := $(notdir $(patsubst %/,%,$(dir $(wildcard chapters/*/histogram.c*))))
SETTINGS := $(B)/seed $(wildcard common/*.sh common/*.awk)
$(B)/seed: FORCE
	mkdir -p $(@D); echo '$(SEED)' | cmp -s - $@ || echo '$(SEED)' >$@

# Every solution with all numbers of bins, but those that it refuses with an #error.
ifneq ($(filter test check prediction build/%,$(DO)),)
REFUSED := $(foreach b,5 26 256,$(patsubst %,$(B)/solution-$b/%,$(call refused,$b)))
endif
VARIANTS := $(foreach s,$(SOLVED),$(foreach b,5 26 256,$(B)/solution-$b/$s))
PROVED := $(filter-out $(REFUSED),$(VARIANTS)) # folder: build/sim-gcc/solution-5/05_name
stem = $(notdir $(1))
bins = $(patsubst solution-%,%,$(notdir $(patsubst %/,%,$(dir $(1)))))
define solution_proof
$(1)/verdict: $(1)/test $(SETTINGS)
	if common/verdict.sh $$< $(call source,solution,$(call stem,$(1))) \
	    $(call number,$(call stem,$(1))) $(call bins,$(1)) >$$@ 2>&1; \
	    then head -n 1 $$@; else cat $$@; fi
endef
define refusal_proof
$(1)/verdict: $(call source,solution,$(call stem,$(1))) $(SETTINGS)
	mkdir -p $$(@D)
	echo "chapter $(call number,$(call stem,$(1))), $(call bins,$(1)) bins: refuses, and says:" \
	    "$$$$($(call refuses,$(call stem,$(1)),$(call bins,$(1))))" | tee $$@
	echo "1 passed, 0 failed" >$(1)/test.out
endef
$(foreach v,$(PROVED),$(eval $(call solution_proof,$v)))
$(foreach v,$(REFUSED),$(eval $(call refusal_proof,$v)))

# $(call standalone,FOLDER,SOURCE,BINS): a test program of the harness or simulator
$(foreach b,5 26 256,$(eval $(B)/common-$b/libhouse.a: \
    $(call common,$b,harness facts measure stripes predict check text csv target_host) \
    $(patsubst common/%.c,$(B)/common-$b/%.o,$(filter-out %/yardstick.c,$(wildcard common/host/*.c))) ; rm -f $$@; ar rcs $$@ $$(filter %.o,$$^)))
define standalone
$(1)/main.o: $(2) $(B)/flags common/sim/simcc | $(B)/libsim.a
	$$(compile) $(if $(filter %.cu,$(2)),-Wall -Icommon/sim,$(STRICT)) -DBINS=$(3)
$(1)/test: $(1)/main.o $(call common,$(3),runner) $(B)/common-$(3)/libhouse.a
	$$(link) $(B)/common-$(3)/libhouse.a -lcriterion $$$$(head -n 1 $(B)/host-flags)
$(1)/verdict: $(1)/test $(SETTINGS) $(wildcard docs/results/h200/*.csv) $(B)/common-5/input $(B)/common-5/ladder
	BUILD=$(B) $$< >$(1)/test.out 2>&1 || cat $(1)/test.out
	echo "$(2)$(if $(filter 5,$(3)),,$(,) $(3) bins): $$$$(tail -n 1 $(1)/test.out)" | tee $$@
endef
, := ,
HARNESS := $(foreach f,$(wildcard tests/harness/*.c),$(foreach b,5 26 256,\
    $(eval $(call standalone,$(B)/harness-$b/$(basename $(notdir $f)),$f,$b))\
    $(B)/harness-$b/$(basename $(notdir $f))))
SIMULATOR := $(foreach f,$(shell grep -l '^Test\b' tests/sim/*.c tests/sim/*.cu),\
    $(eval $(call standalone,$(B)/simulator/$(basename $(notdir $f)),$f,5))\
    $(B)/simulator/$(basename $(notdir $f)))

# The chapters' counters are those of the hardware, on 1 MiB of English text.
COUNTED := docs/results/h200/counters.csv
$(B)/common-%/english: $(B)/common-%/input
	INPUT= TEXT=english SIZE=1M TEXT_SEED=1 $< $@ README.md
define counted
$(1)/english.csv: $(1)/row $(B)/common-$(call bins,$(1))/english
	SIM_CHECKS=none SIM_SEED=1 $$^ $(call number,$(call stem,$(1))) $(call name,$(call stem,$(1))) $$@
endef
LIKE_HARDWARE := $(filter-out %/01_sequential,$(PROVED))
$(foreach v,$(LIKE_HARDWARE),$(eval $(call counted,$v)))
$(B)/hardware/verdict: $(COUNTED) $(LIKE_HARDWARE:%=%/english.csv) $(SETTINGS)
	mkdir -p $(@D)
	awk -f common/hardware.awk $(filter %.csv,$^) >$(@D)/test.out || cat $(@D)/test.out
	echo "$(COUNTED): $$(tail -n 1 $(@D)/test.out)" | tee $@

ALL_TESTS := $(VARIANTS) $(HARNESS) $(SIMULATOR) $(B)/hardware
ifeq ($(WHAT),)
test: $(ALL_TESTS:%=%/verdict)
	common/total.sh $(ALL_TESTS:%=%/test.out)
endif

# The simulator's own C code, built with sanitizers (see SIM_CFLAGS in the Makefile).
selfcheck: $(SIMULATOR:%=%/verdict)
	common/total.sh $(SIMULATOR:%=%/test.out)

# Stubs: nothing but gaps.
$(B)/proof/stub/%: $(B)/chapter-5/%/test $(SETTINGS)
	mkdir -p $(@D)
	common/stub.sh $(call source,chapter,$*) $(call source,solution,$*) $< $(call number,$*) >$@

# Solutions pass, as in make test.
$(B)/proof/solution/%: $(foreach b,5 26 256,$(B)/solution-$b/%/verdict)
	mkdir -p $(@D)
	for verdict in $^; do case $$(head -n 1 $$verdict) in \
	    *": right on"* | *": refuses, and says"*) sed 's/^/ok /; q' $$verdict ;; \
	    *) sed 's/^/FAIL solution: /; q' $$verdict ;; esac; done >$@

# No check has a word to say of a solution, with any of 20 seeds.
SEEDED := $(patsubst $(B)/%,%,$(filter $(B)/solution-5/%,$(PROVED)))
$(B)/proof/seeds/%: $(B)/%/row $(B)/mutants/text $(SETTINGS)
	mkdir -p $(@D)
	common/seeds.sh $* $< $(B)/mutants/text >$@

# Planted mistakes: tests/mutants/NN_name/what.patch turns a solution into a wrong one.
# Its head says why it is wrong and what catches it, with which line: common/caught.awk.
# "Looks right: ..." is for what only the checks can see: common/mutant.sh. A line BINS=256
# says for how many bins it is built, otherwise 5.
$(B)/mutants/%: KERNEL := -w
MUTANTS := $(patsubst tests/mutants/%.patch,%,$(wildcard tests/mutants/*/*.patch))
define mutant
$(2): tests/mutants/$(1).patch $(call source,solution,$(3))
	mkdir -p $$(@D)
	patch --silent --fuzz=0 --output=$$@ $(call source,solution,$(3)) $$<
$(call program,$(B)/mutants/$(1),$(2),$(3),$(4))
$(B)/proof/mutants/$(1): $(B)/mutants/$(1)/test $(SETTINGS) $(if $(5),$(B)/mutants/$(1)/row $(B)/mutants/text)
	mkdir -p $$(@D)
	common/mutant.sh $(1) tests/mutants/$(1).patch $(2) $$< $(B)/mutants/$(1)/row $(B)/mutants/text >$$@
endef
mutant_source = $(B)/mutants/$(1)/$(notdir $(call source,solution,$(patsubst %/,%,$(dir $(1)))))
mutant_bins = $(or $(shell sed -n 's/^BINS=//p; /^--- /q' tests/mutants/$(1).patch),5)
ifneq ($(filter check build/%,$(DO)),)
LOOK_RIGHT := $(patsubst tests/mutants/%.patch,%,$(shell grep -ls '^Looks right' tests/mutants/*/*.patch))
$(foreach m,$(MUTANTS),$(eval $(call mutant,$m,$(call mutant_source,$m),$(patsubst %/,%,$(dir $m)),$(call mutant_bins,$m),$(filter $m,$(LOOK_RIGHT)))))
endif
$(B)/mutants/text: $(B)/common-5/input # a prime: no block divides it
	mkdir -p $(@D)
	INPUT= TEXT=english SIZE=40009 $< $@ README.md

# The solution of chapter M in the place of chapter N: fails, unless the pair stands in
# tests/exceptions.txt, as a line "05 06 reason": N, M, and why it may pass.
GPU_STEMS := $(foreach s,$(SOLVED),$(if $(filter %.cu,$(call source,solution,$s)),$s))
CROSS := $(foreach n,$(GPU_STEMS),$(foreach m,$(filter-out $n,$(SOLVED)),$n/$m))
define cross
$(B)/cross/$(1)/$(2)/test: $(B)/cross/$(2).o $(B)/suite-5/$(1).o $(call suite_with,5,histogram.cu)
	$$(link) -lcriterion
$(B)/proof/cross/$(1)/$(2): $(B)/cross/$(1)/$(2)/test tests/exceptions.txt $(SETTINGS)
	mkdir -p $$(@D)
	common/cross.sh $(1) $(2) $$< >$$@
endef
$(B)/cross/%.cu: solutions/%/histogram.c # as if a student had put the C of chapter 1 there
	mkdir -p $(@D); cp $< $@
$(B)/cross/%.cu: solutions/%/histogram.cu
	mkdir -p $(@D); cp $< $@
$(B)/cross/%.o: $(B)/cross/%.cu $(B)/flags common/sim/simcc | $(B)/libsim.a
	$(compile) $(KERNEL) -DBINS=5
$(foreach n,$(GPU_STEMS),$(foreach m,$(filter-out $n,$(SOLVED)),$(eval $(call cross,$n,$m))))

# Lessons quote the code and the measurements as they are.
LESSONS := $(basename $(notdir $(wildcard docs/[0-9]*.md)))
$(B)/proof/lesson/%: docs/%.md $(wildcard solutions/*/* chapters/*/* common/*.[ch] common/host/*.[ch] docs/results/* \
    docs/results/*/*) $(MUTANTS:%=tests/mutants/%.patch) $(SETTINGS)
	mkdir -p $(@D)
	common/lesson.sh $< solutions/$*/* chapters/$*/* common/*.[ch] common/host/*.[ch] \
	    $(foreach m,$(filter $*/%,$(MUTANTS)),$(call mutant_source,$m)) solutions/*/* >$@
$(foreach l,$(LESSONS),$(foreach m,$(filter $l/%,$(MUTANTS)),\
    $(eval $(B)/proof/lesson/$l: $(call mutant_source,$m))))

# So do the other pages.
PAGES := README.md $(filter-out $(LESSONS:%=docs/%.md),$(wildcard docs/*.md)) $(wildcard docs/results/*.md docs/results/*/*.md)
$(B)/proof/pages: $(PAGES) $(wildcard solutions/*/* chapters/*/* common/*.[ch] docs/results/*/*) $(SETTINGS)
	mkdir -p $(@D)
	for page in $(PAGES); do common/lesson.sh $$page common/*.[ch] solutions/*/* chapters/*/*; done >$@

FORMATTED := $(wildcard common/*.[ch] common/*/*.[ch] common/*/*.cu common/sim/*/*.[ch] tests/*.c \
    tests/*/*.[ch] tests/*/*.cu chapters/*/* solutions/*/*)
$(B)/proof/format: $(FORMATTED) .clang-format
	mkdir -p $(@D)
	common/format.sh $(FORMATTED) >$@

# Nonsense for the rewriting step, under AddressSanitizer and UBSan, and for simcc's
# arguments. Longer runs: the heads of the two files.
$(B)/proof/fuzz/rewrite: tests/sim/fuzz_rewrite.c $(wildcard common/sim/rewrite/*.[ch] common/sim/rewrite/*/*.[ch])
	mkdir -p $(@D) $(B)/fuzz
	$(CC) -g -O1 -fsanitize=address,undefined -fno-sanitize-recover -Icommon/sim/rewrite \
	    -o $(B)/fuzz/rewrite $< $(filter-out %/rewrite.c,$(wildcard common/sim/rewrite/*.c common/sim/rewrite/*/*.c))
	if $(B)/fuzz/rewrite 500 1 tests/sim/language.cu solutions/06_shared/histogram.cu >$(B)/fuzz/rewrite.out 2>&1; \
	    then echo "ok the rewriting step withstands 500 broken files"; \
	    else echo "FAIL the rewriting step: see $(B)/fuzz/rewrite.out"; fi >$@
$(B)/proof/fuzz/arguments: tests/sim/fuzz_arguments.sh common/sim/simcc | $(B)/libsim.a
	mkdir -p $(@D) $(B)/fuzz
	if $< 40 1 >$(B)/fuzz/arguments.out 2>&1; then echo "ok simcc withstands 40 senseless command lines"; \
	    else echo "FAIL simcc: see $(B)/fuzz/arguments.out"; fi >$@

PROOFS := $(patsubst %,$(B)/proof/%,$(STUBS:%=stub/%) $(SOLVED:%=solution/%) $(SEEDED:%=seeds/%) \
    $(MUTANTS:%=mutants/%) $(CROSS:%=cross/%) $(LESSONS:%=lesson/%) pages format fuzz/rewrite fuzz/arguments)
check: $(PROOFS)
	common/proofs.sh $(PROOFS)

# make bench: the speed of the simulator on this machine; no times of a GPU.
$(B)/bench/bench.o: common/bench.cu $(B)/flags common/sim/simcc | $(B)/libsim.a
	$(compile) -Wall -Icommon/sim
$(B)/bench/bench: $(B)/bench/bench.o $(B)/libsim.a
	$(link)
ifeq ($(WHAT),)
bench: $(B)/bench/bench
	$< build/bench.csv
endif

# make chapter1 bench: a chapter in plain C beside the best that the cores of this machine can
# do. These rivals are compiled for just this machine, as far as the compiler knows how.
$(B)/host-flags: FORCE
	mkdir -p $(@D)
	{ for flag in -O3 -march=native -fopenmp; do echo 'int main(void) { return 0; }' | \
	    $(CC) $$flag -x c - -o $@.probe 2>/dev/null && printf '%s ' $$flag; done; echo; uname -mn; } >$@.new
	cmp -s $@.new $@ || cp $@.new $@
define host
$(B)/common-$(1)/host/%.o: common/host/%.c $(B)/flags $(B)/host-flags | $(B)/libsim.a
	$$(compile) $(STRICT) -DBINS=$(1) $$$$(head -n 1 $(B)/host-flags)
endef
$(foreach b,5 26 256,$(eval $(call host,$b)))
define yardstick
$(B)/$(KIND)-$(BINS)/$(1)/yardstick: $(B)/$(KIND)-$(BINS)/$(1)/histogram.o $(B)/host-flags \
    $(patsubst common/%.c,$(B)/common-$(BINS)/%.o,$(wildcard common/host/*.c) common/text.c common/check.c)
	$(CC) $$(filter %.o,$$^) -o $$@ $$$$(head -n 1 $(B)/host-flags)
bench-$(1): $(B)/$(KIND)-$(BINS)/$(1)/yardstick $(B)/common-$(BINS)/text-to-time
	awk -f common/gaps.awk $(call source,$(KIND),$(1)) >&2 && $$^ build/yardstick.csv
endef
ifneq ($(WHAT),)
$(B)/common-$(BINS)/text-to-time: export SIZE := $(or $(SIZE),64M)
$(foreach s,$(PICKED),$(if $(filter %.c,$(call source,$(KIND),$s)),$(eval $(call yardstick,$s))))
bench-%: FORCE
	echo "chapter $(call number,$*): no time to measure here, the simulated GPU's is no GPU's;" \
	    "make chapter$(call number,$*) gpu run measures it on a real one" >&2; exit 1
bench: $(PICKED:%=bench-%)
endif

# The pictures in the lessons, from the traces of the solutions; of the text
# docs/pictures/NN_name.txt where there is one.
define picture
$(B)/solution-5/$(1)/picture: $(B)/solution-5/$(1)/histogram.o $(call common,5,picture text check \
    target_$(if $(filter %.c,$(call source,solution,$(1))),host,device))
	$$(link)
endef
$(foreach s,$(SOLVED),$(eval $(call picture,$s)))
pictures: $(SOLVED:%=$(B)/solution-5/%/picture)
	mkdir -p docs/pictures
	$(foreach s,$(SOLVED),$(B)/solution-5/$s/picture $s docs/pictures/$s.svg \
	    $(wildcard docs/pictures/$s.txt) &&) :

# The predictions beside the recorded times, into docs/results/h200/prediction.csv.
TIMED_KINDS := uniform english zipf single runs sorted smooth bytes lower
prediction: $(foreach b,5 26 256,$(B)/common-$b/cells $(B)/common-$b/kind) $(LIKE_HARDWARE:%=%/row)
	common/gpu/cells.sh $(B) docs/results/h200 '$(TIMED_KINDS)' >build/prediction.csv
	mv build/prediction.csv docs/results/h200/
