# variant.mk - one variant of the course: kernels of one KIND for one number of BINS.
#
#   make -f common/make/variant.mk KIND=chapter BINS=5 STEMS=05_privatized_global test
#
# Goals, each for all STEMS: test run profile replay bench verdicts; or files below V. In a
# pattern, % is the chapter, or a mutant of it. The contract, which is the name of the kernel's
# file, chooses harness, suite and tools.
include common/make/settings.mk
.PHONY: test run profile replay bench verdicts english
LACKING := $(strip $(foreach s,$(STEMS),$(if $(call sources,$(FROM)/$s),,$s)))
$(if $(LACKING),$(error $(FROM)/$(firstword $(LACKING)): no kernel there: no file named as its \
    contract, such as histogram.cu))

# The harness, the suites and the tools know a contract and the number of bins.
objects = $(patsubst common/%.c,$(C)/%.o,$(wildcard $(1)))
compile_c = mkdir -p $(@D) && $(compile) $(STRICT) -DBINS=$(BINS) $(call includes,$(1)) -c $< -o $@
$(C)/%.o: common/%.c $(B)/flags $(LIBRARY)
	$(call compile_c,$(notdir $(*D)))
$(C)/suite/%.o: tests/%.c $(B)/flags $(LIBRARY)
	$(call compile_c,$(or $(basename $(notdir $(firstword $(foreach f,$(FROM) $(CHAPTERS) solutions,\
	$(call sources,$f/$*))))),$*))
# What a program of its own holds, or a real GPU needs, is in no library.
PROGRAMS := %/row.o %/replay.o %/picture.o %/input.o %/cells.o
OTHER_DEVICE := $(if $(filter sim,$(DEVICE)),%/uncounted.o,%/measure.o) %/target_host.o %/target_device.o
$(C)/harness-%.a: $$(filter-out $$(OTHER_DEVICE),$$(call objects,common/harness/*.c common/harness/$$*/*.c)) \
    common/harness $$(wildcard common/harness/$$*) common/make/variant.mk
	rm -f $@; ar rcs $@ $(filter %.o,$^)
$(C)/tools-%.a: $$(filter-out $$(PROGRAMS),$$(call objects,common/tools/$$*/*.c)) \
    $(T)/csv.o $$(wildcard common/tools/$$*) common/make/variant.mk
	rm -f $@; ar rcs $@ $(filter %.o,$^)

# A kernel is compiled anew when its text is another, whatever the dates of files say.
$(V)/%/kernel.seen: FORCE
	mkdir -p $(@D); cmp -s $(call source,$*) $@ || cp $(call source,$*) $@
$(V)/%/kernel.o: $(V)/%/kernel.seen $(B)/flags $(LIBRARY)
	$(compile_kernel) -Icommon/contract -DBINS=$(BINS) -c $(call source,$*) -o $@

# What a program with a kernel is linked with.
target = $(C)/harness/target_$(if $(call in_c,$(1)),host,device).o
with = $(V)/$(kernel)/kernel.o $(call target,$(1)) $(2) \
    $(patsubst %,$(C)/%-$(call contract,$(1)).a,tools harness) $(LIBRARY)
tool = $(call with,$(1),$(C)/tools/$(call contract,$(1))/$(2).o)
suite = $(call with,$(1),$(patsubst %,$(C)/suite/%.o,$(call stem,$(1)) $(call contract,$(1))))
$(V)/%/test: $$(call suite,$$*)
	$(link) -lcriterion
$(V)/%/row: $$(call tool,$$*,row)
	$(link)
$(V)/%/replay: $$(call tool,$$*,replay)
	$(link)
$(V)/%/picture: $$(call tool,$$*,picture)
	$(link)

# The text that all kernels of a contract count: of INPUT, TEXT, SIZE, or the lessons.
$(C)/%/input: $(C)/tools/%/input.o $(C)/tools-%.a $(C)/harness-%.a $(LIBRARY)
	$(link)
$(C)/%/text: $(C)/%/input FORCE
	$< $@ $(or $(wildcard docs/[0-9]*.md),README.md)
text = $(C)/$(call contract,$(1))/text

judge = $(T)/verdict $(2) $(V)/$(1)/test $(call source,$(1)) $(call number,$(1)) $(BINS)
test: $(STEMS:%=judge-%)
judge-%: $(V)/%/test $(T)/verdict FORCE
	$(call judge,$*)

# With an #error a kernel refuses a number of bins; $(call refusal,CHAPTER) is what it says.
refusal = $(if $(shell grep -s '^ *\# *error' $(call source,$(1))),$(shell $(CXX) -E -x c++ \
    -Icommon/contract -Icommon/sim/include -DBINS=$(BINS) $(call source,$(1)) 2>&1 >/dev/null | \
    sed -n 's/.* error: .*"\(.*\)"$$/\1/p'))
ifneq ($(filter verdicts english tests timers once judge $(if $(LADDER),run),$(MAKECMDGOALS)),)
REFUSED := $(foreach s,$(STEMS),$(if $(call refusal,$s),$s))
endif
ACCEPTED := $(filter-out $(REFUSED),$(STEMS))
in_c = $(filter %.c,$(call source,$(1)))
# A contract need not have a row: without one its chapters are judged, but not run.
ROWLESS := $(foreach s,$(STEMS),$(if $(wildcard common/tools/$(call contract,$s)/row.c),,$s))
$(if $(and $(if $(LADDER),,$(filter run profile,$(MAKECMDGOALS))),$(ROWLESS)),\
    $(error chapter $(call number,$(firstword $(ROWLESS))): there is no \
    common/tools/$(call contract,$(firstword $(ROWLESS)))/row.c to run it with; \
    make chapter$(call number,$(firstword $(ROWLESS))) test judges it))
RUN := $(filter-out $(ROWLESS),$(ACCEPTED))

# Every verdict in a file, for the sum of all: make test.
verdicts: $(STEMS:%=$(V)/%/verdict)
$(ACCEPTED:%=$(V)/%/verdict): $(V)/%/verdict: $(V)/%/test $(T)/verdict $(B)/seed
	if $(call judge,$*,--jobs 1) >$@ 2>&1; then head -n 1 $@; else cat $@; fi
$(REFUSED:%=$(V)/%/verdict): $(V)/%/verdict: $(V)/%/kernel.seen
	echo "chapter $(call number,$*), $(BINS) bins: refuses, and says: $(call refusal,$*)" | tee $@
	echo "1 passed, 0 failed" >$(@D)/test.out

# The counters on 1 MiB of English text, which the card has counted, too.
english: $(RUN:%=$(V)/%/english.csv)
$(C)/%/english: $(C)/%/input
	INPUT= TEXT=english SIZE=1M TEXT_SEED=1 $< $@ README.md
$(V)/%/english.csv: $(V)/%/row $(C)/$$(call contract,$$*)/english
	SIM_CHECKS=none SIM_SEED=1 $^ $(call number,$*) $(call name,$*) $@

# Rows of the ladder; LADDER=build/ladder.csv when they are all, without those that refuse.
ROWS := $(RUN:%=$(V)/%/row.csv)
$(V)/%/row.csv: $(V)/%/row $(T)/attempt $$(call text,$$*) FORCE
	$(T)/attempt $< $(call source,$*) $(call text,$*) $(call number,$*) $(call name,$*) $(BINS) $@
ifneq ($(filter run,$(MAKECMDGOALS)),)
ifeq ($(DEVICE)-$(KIND),sim-solution)
include common/make/times.mk
endif
run: $(T)/ladder $(ROWS) $(TIMES)
	$< $(or $(LADDER),build/run.csv) $(ROWS) $(if $(TIMES),-- $(TIMES) '$(GPU_NAME)')
	$(if $(LADDER),$(foreach s,$(REFUSED),echo "Not here: $s. $(call refusal,$s)";))
	$(if $(LADDER),$< --draw $(LADDER) $(LADDER:.csv=.svg))
endif
profile: $(T)/profile $(ROWS)
	$(foreach row,$(ROWS),$< $(row:.csv=.profile);)
replay: $(STEMS:%=$(V)/%/replay) $$(foreach s,$$(STEMS),$$(call text,$$s))
	$(foreach s,$(STEMS),$(V)/$s/replay $(call text,$s);)
ifneq ($(filter bench,$(MAKECMDGOALS)),)
include common/make/bench.mk
endif
# A kernel was compiled in another folder, CHAPTERS, and that is gone: kernel.seen tells of it.
$(foreach c,$(CONTRACTS),%/$c.cu %/$c.c): ;
-include $(wildcard $(C)/*.d $(C)/*/*.d $(C)/*/*/*.d $(V)/*/*.d $(V)/*/*/*.d)
