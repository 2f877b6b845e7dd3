# variant.mk - one variant of the course: kernels of one KIND for one number of BINS, or all
# that have an operation (BINS=keys).
#
#   make -f common/make/variant.mk KIND=chapter BINS=5 STEMS=05_privatized_global test
#
# Goals: the .PHONY ones, each for all STEMS, or files below V. In a pattern, % is the chapter,
# or a mutant of it. The name of the kernel's file, its contract, chooses suite and judge.
include common/make/settings.mk
.PHONY: test run profile replay bench verdicts english further hint
LACKING := $(foreach s,$(STEMS),$(if $(call sources,$(FROM)/$(call kernel,$s)),,$s))
$(if $(strip $(LACKING)),$(error $(FROM)/$(firstword $(LACKING)): no kernel there: no file named \
    as its contract, such as histogram.cu))
include common/make/ranks.mk

# The judge, the suites and the tools know a contract and the number of bins.
numbered = $(if $(filter keys,$(BINS)),,-DBINS=$(BINS))
# What speaks of no bins (binning.h refuses 0 of them) is compiled once, for all variants.
FOR_ALL := $(if $(filter sim,$(DEVICE)),$(filter-out %/rank_main.c,$(wildcard $(addprefix \
    common/,judge/*.c run/*.c sandbox/*.c sandbox/rank/*.c sandbox/ranks/*.c \
    contracts/operation/*.c))))
objects = $(patsubst common/%.c,$(C)/%.o,$(filter-out $(FOR_ALL),$(wildcard $(1)))) \
    $(patsubst common/%.c,$(A)/%.o,$(filter $(FOR_ALL),$(wildcard $(1))))
compile_c = mkdir -p $(@D) && $(compile_plain) $(STRICT) $(numbered) $(call includes,$(1)) $(also) \
    -c $< -o $@
of_suite = $(firstword $(foreach f,$(FROM) $(CHAPTERS) solutions,$(call sources,$f/$(1))) $(1))
$(C)/%.o: common/%.c $(B)/flags $(LIBRARY)
	$(call compile_c,$(notdir $(*D)))
$(A)/%.o: numbered = -DBINS=0
$(A)/%.o: common/%.c $(B)/flags $(LIBRARY)
	$(call compile_c,$(notdir $(*D)))
.PHONY: for_all
for_all: $(B)/native $(patsubst common/%.c,$(A)/%.o,\
    $(if $(MPI_LINK),$(FOR_ALL),$(filter-out common/sandbox/rank/%,$(FOR_ALL))))
$(C)/suite/%.o: tests/%.c $(B)/flags $(LIBRARY)
	$(call compile_c,$(basename $(notdir $(call of_suite,$(notdir $*)))))
# In no library: what has a main, and what is of another device.
APART := %/expose.o %/picture.o %/kind.o %/cells.o %/run/row.o %/run/replay.o %/run/input.o \
    %/target_host.o %/target_device.o %/client.o %/server.o %/by_devices.o %/by_ranks.o \
    $(if $(filter sim,$(DEVICE)),%/uncounted.o %/unsimulated.o,%/measure.o %/far_reads.o) \
    $(if $(CRITERION),,%/runner.o %/criterion_calls.o)
parts = $(filter-out $(APART),$(objects))
# Of two objects with a name the contract's own comes first: q keeps both.
$(C)/judge-%.a: $$(call parts,\
    $$(addprefix common/contracts/,$$(addsuffix /*.c,$$(call rooms,$$*))) \
    $$(addprefix common/,judge/*.c $(if $(CRITERION),,judge/fallback/*.c) run/*.c sandbox/*.c)) \
    $(patsubst %,$(T)/%.o,csv util experiment) common/make/variant.mk
	rm -f $@; ar qcs $@ $(filter %.o,$^)
libraries = $(C)/judge-$(1).a $(LIBRARY)
# A kernel is compiled anew when its text is another, whatever the dates of files say.
other_text = $(if $(shell cmp -s $(1) $(2))$(filter-out 0,$(.SHELLSTATUS)),FORCE)
$(V)/%/kernel.seen: $$(call other_text,$$(call source,$$*),$(V)/$$*/kernel.seen)
	mkdir -p $(@D); cp $(call source,$*) $@
$(V)/%/kernel.o: $(V)/%/kernel.seen $(B)/flags $(LIBRARY)
	$(compile_kernel) -Icommon/contract -c $(call source,$*) -o $@ \
	    $(if $(call of_mpi,$*),$(MPI_COMPILE)) \
	    -D$(or $(addprefix OPERATION=,$(call of_one,$*)),BINS=$(BINS))
# What a program with a kernel is linked with.
in_c = $(filter %.c,$(call source,$(1)))
# Ours comes first: it limits the process before the student's code begins.
first = %/server.o %/rank_main.o
with = $(filter $(first),$(2)) $(V)/$(kernel)$(addprefix /,$(of_one))/kernel.o \
    $(filter-out $(first),$(2)) \
    $(call objects,common/sandbox/target_$(if $(in_c),host,device).c) $(call libraries,$(contract))
home = $(patsubst %_batched,%,$(contract))# A_batched has the programs of A
tool = $(call with,$(1),$(C)/contracts/$(home)/$(2).o)
run = $(call with,$(1),$(call objects,common/run/$(2).c) $(patsubst common/%.c,$(C)/%.o,\
    $(wildcard common/contracts/$(home)/by_$(if $(of_mpi),ranks,devices).c)))
# On the simulated GPU a suite holds nothing of the student's: the kernel is a process of its own,
# where its contract has a contract.c, and one program judges all kernels of a chapter.
apart = $(if $(filter sim,$(DEVICE)),$(wildcard $(patsubst %,common/contracts/%/contract.c,\
    $(call rooms,$(contract)))))
server = $(if $(of_mpi),$(of_a_rank),$(call objects,common/sandbox/server.c))
kernels = $(if $(apart),$(addprefix $(V)/$(1)/,$(if $(keyed),kernel.seen \
    $(operations:%=%/kernel),kernel)))
$(V)/%/kernel: $$(call with,$$*,$$(call server,$$*))
	$(link) $(if $(call of_mpi,$*),$(MPI_LINK)) -Wl,-z,muldefs # the verdict says what is twice
# 05_name, further/05_name, or given/CONTRACT: a lecturer's own texts, in no chapter.
suite_file = $(if $(further),further/)$(stem)
suite_program = $(if $(apart),$(C)/suites/$(suite_file),$(V)/$(1)/test)
judged = $(basename $(notdir $(call of_suite,$(notdir $(1)))))
client = $(if $(filter $(MPI_STEMS),$(notdir $(1))),$(of_ranks)) \
    $(call objects,common/sandbox/client.c)
$(C)/suites/%: $(C)/suite/%.o $$(if $$(filter-out given/%,$$*),$(C)/suite/$$(call judged,$$*).o) \
    $$(call client,$$*) $$(call libraries,$$(call judged,$$*))
	$(link_plain) $(CRITERION)
$(V)/%/test: $$(call with,$$*,$$(addprefix $(C)/suite/,$$(call suite_file,$$*).o \
    $$(call contract,$$*).o))
	$(link) $(CRITERION)
$(V)/%/row: $$(call run,$$*,row) | common/contracts/$$(call home,$$*)/contract.c
	$(link) $(if $(call of_mpi,$*),$(MPI_LINK))
$(V)/%/replay: $$(call run,$$*,replay) | common/contracts/$$(call home,$$*)/contract.c
	$(link)
$(V)/%/picture: $$(call tool,$$*,picture)
	$(link)
# Programs without one; and the input that all kernels of a contract are run on: INPUT, TEXT, SIZE.
$(C)/program/%/input: $(call objects,common/run/input.c common/sandbox/target_host.c) \
    $$(call libraries,$$*)
	$(link_plain)
$(C)/program/%: $(C)/contracts/%.o $$(call libraries,$$(*D))
	$(link_plain)
$(C)/%/text: $(C)/program/%/input FORCE
	mkdir -p $(@D); $< $@ $(or $(wildcard docs/[0-9]*.md),README.md)
text = $(C)/$(home)/text
recorded = $(if $(filter sim-chapter-,$(DEVICE)-$(KIND)-$(OPERATION)),--record)
judge = $(if $(keyed),OPERATIONS='$(operations)' )$(T)/ladder verdict $(strip $(2) $(recorded) \
    $(if $(apart),--kernel $(V)/$(1))) $(suite_program) $(call source,$(1)) $(call number,$(1)) \
    $(BINS:keys=5)
test: $(patsubst %,judge/%,$(filter-out $(NO_MPI),$(STEMS)))
judge/%: $$(call suite_program,$$*) $$(call kernels,$$*) $(T)/ladder FORCE
	$(call judge,$*)
# What comes before a verdict on an exercise, and what helps a chapter to one.
further: $(T)/ladder
	$(foreach s,$(STEMS),$< further $(call source,$s) $s $(call number,$s) $(BINS:keys=5) &&) :
hint: $(T)/ladder
	$(foreach s,$(STEMS),$< hint $(call source,$s) docs/$s.md $(call number,$s) $(BINS:keys=5) \
	    build/hints/$s &&) :
# Of its operations a chapter is run with the one typed, or its first; in a ladder count.
plain = $(if $(filter 3,$(PART)),sum,count)
ran = $(if $(LADDER),$(or $(OPERATION),$(plain)),$(firstword $(operations)))
one_of = $(1)$(if $(keyed),/$(ran))
# With an #error a kernel refuses a number of bins; $(call refusal,CHAPTER) is what it says.
refusal = $(if $(keyed),$(if $(filter $(ran),$(taken)),,It takes $(strip $(taken)).),$(if \
    $(shell grep -s '^ *\# *error' $(source)),$(shell $(CXX) -E -x c++ -DBINS=$(BINS) \
    -Icommon/contract -Icommon/sim/include $(source) 2>&1 >/dev/null | \
    sed -n 's/.* error: .*"\(.*\)"$$/\1/p')))
# A ladder of keys, or of values, is that of one part.
override STEMS := $(filter $(if $(filter keys,$(if $(LADDER),$(BINS))),$(OF_PART),%),$(STEMS))
ifneq ($(filter verdicts english tests judge programs peers $(LADDER) 4,$(MAKECMDGOALS) $(LADDER)\
    $(PART)),)
REFUSED := $(foreach s,$(STEMS),$(if $(call refusal,$s),$s))
endif
ACCEPTED := $(filter-out $(REFUSED),$(STEMS))
# A contract need not have a row: without one its chapters are judged, and not run.
# The ladder of texts is that of Part I, or that of several devices.
has_row = $(wildcard common/contracts/$(contract)/contract.c)
RUN := $(foreach s,$(filter $(if $(filter keys,$(BINS)),%,$(if $(filter 4,$(PART)),$(OF_PART),0% \
    1%)),$(ACCEPTED)),$(if \
    $(call has_row,$s),$s))
common/contracts/%/contract.c:
	echo "there is no $@: kernels of this contract are judged (test), and not run" >&2; exit 1
# For make test: every verdict in a file; the counters on a text that the card has counted.
verdicts: $(STEMS:%=$(V)/%/verdict)
$(ACCEPTED:%=$(V)/%/verdict): $(V)/%/verdict: $$(call suite_program,$$*) \
    $$(call kernels,$$*) $(T)/ladder \
    $(B)/seed
	$(call tried,$(call judge,$*,--jobs 1),said,chapter $(call number,$*)$(BINS:%=, % bins))
$(REFUSED:%=$(V)/%/verdict): $(V)/%/verdict: $(V)/%/kernel.seen
	echo "chapter $(call number,$*), $(BINS) bins: refuses, and says: $(call refusal,$*)" >$(@D)/said
	echo "1 passed, 0 failed" >$(@D)/test.out; cp $(@D)/said $@
english: $(RUN:%=$(V)/%/english.csv)
$(C)/%/english: $(C)/program/%/input
	mkdir -p $(@D); INPUT= TEXT=english SIZE=1M TEXT_SEED=1 $< $@ README.md
$(V)/%/english.csv: $(V)/%/row $(C)/$$(call home,$$*)/english
	SIM_CHECKS=none SIM_SEED=1 $^ $(call number,$*) $(call name,$*) $@
# Rows of the ladder; LADDER=build/ladder.csv when they are all, without those that refuse.
ROWS := $(foreach s,$(filter-out $(NO_MPI),$(if $(LADDER)$(filter 4,$(PART)),$(RUN),\
    $(filter-out $(if $(typed),,6%),$(STEMS)))),$(V)/$(call one_of,$s)/row.csv)
$(V)/%/row.csv: $(V)/%/row $(T)/ladder $$(call text,$$*) FORCE
	$(addprefix OPERATIONS=,$(call of_one,$*)) $(T)/ladder run $< $(call source,$*) $(call text,$*) \
	    $(call number,$*) $(call name,$(call of_all,$*)) $(BINS:keys=5) $@
	$(if $(TELL),$(TELL) $(V)/progress $(words $(RUN)) 'chapters compiled and run: $*')
# Chapters of Part II that are not in its ladder.
OTHERS = $(if $(filter keys,$(BINS)),$(filter-out $(RUN) $(REFUSED),$(filter $(OF_PART),$(EVERY))))
# The ladder says how far it is: the first time its kernels have to be compiled, too.
TELL := $(if $(LADDER),$(if $(filter run,$(MAKECMDGOALS)),common/tools/progress/so_far.sh))
$(if $(TELL),$(shell mkdir -p $(V) && $(TELL) begin $(V)/progress))
timed_here = $(filter $(HISTOGRAMS),$(ACCEPTED))
measured = $(if $(timed_here),$$(common/bench/gpu/times.sh times $(BINS) \
    $(C)/histogram/text $(timed_here)))
run: $(T)/ladder $(ROWS)
	+times=$(if $(filter-out keys,$(KIND:solution=$(BINS))),$(if \
	    $(filter solution,$(KIND)),$(if $(call further,$(STEMS)),,$(measured)))); \
	    $< table $(or $(LADDER),build/run.csv) $(ROWS) $${times:+-- $$times}
	$(if $(LADDER),$(foreach s,$(REFUSED),echo "Not here: $s. $(call refusal,$s)";))
	$(if $(LADDER),$(foreach s,$(OTHERS),echo "Not here: $s, whose contract is $(call contract,$s):" \
	    make chapter$(call number,$s) solution $(if $(wildcard \
	    common/contracts/$(call home,$s)/contract.c),run,test);))
	$(if $(LADDER),$< table --draw $(LADDER) $(LADDER:.csv=.svg))
profile: $(T)/ladder $(ROWS)
	$< profile '$(FORMAT)' $(ROWS:.csv=.profile)
# With nothing but gaps in it, a kernel makes room for a planted mistake.
replay: $$(foreach s,$$(STEMS),$$(call text,$$s)) $(STEMS:%=replay/%)
keyed_part = $(patsubst $*%,%,$(call one_of,$*))# /argmax, or nothing
replay/%: $(T)/ladder $$(call text,$$*) FORCE
	+m=$$($< planted $(call source,$*) $* $(B)/mutants $(BINS:keys=5) \
	    $(notdir $(keyed_part))) || exit 0; \
	p=$${m:+$(B)/mutant-$(BINS)/$$m$(keyed_part)/replay}; p=$${p:-$(V)/$(call one_of,$*)/replay}; \
	$(MAKE) -f common/make/variant.mk STEMS= $${m:+KIND=mutant FROM=$(B)/mutants} $$p && \
	    OPERATIONS=$(notdir $(keyed_part)) $$p $(call text,$*)
include $(addprefix common/make/,bench.mk trace.mk break.mk debug.mk)
# A kernel was compiled in another folder, and that is gone: kernel.seen tells of it.
$(foreach c,$(CONTRACTS),%/$c.cu %/$c.c): ;
-include $(wildcard $(foreach f,$(A) $(C),$(addprefix $f/,*.d */*.d */*/*.d */*/*/*.d)) \
    $(V)/*/*.d $(V)/*/*/*.d)
