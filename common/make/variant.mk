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
# Chapters for the ranks of MPI: the kernel's program is that of one rank, and the judge has mpirun
# start it. Without Open MPI one line says so, and they do not count.
NO_MPI := $(strip $(foreach s,$(STEMS),$(if $(call of_mpi,$s),$(if $(shell command -v mpirun),$(if \
    $(MPI_LINK),,$s),$s))))
# Whoever names a chapter is refused; a ladder, and who proves all, goes on.
typed := $(filter command,$(origin STEMS))
override STEMS := $(filter-out $(NO_MPI),$(STEMS))
with_mpi = sudo apt-get install -y libopenmpi-dev openmpi-bin && make chapter$(number) solution test
.PHONY: $(NO_MPI:%=without-mpi/%)
verdicts test: $(NO_MPI:%=without-mpi/%)
run profile: $(if $(typed)$(filter 4,$(PART)),$(NO_MPI:%=without-mpi/%))
$(NO_MPI:%=without-mpi/%): without-mpi/%:
	mkdir -p $(V)/$* && { echo 'left out: chapter $(call number,$*); $(call with_mpi,$*)'; \
	    echo '0 passed, 0 failed'; } >$(V)/$*/test.out
	echo "chapter $(call number,$*) needs Open MPI: libopenmpi-dev, openmpi-bin" >&2
	$(if $(typed),$(if $(filter test run profile,$(MAKECMDGOALS)),exit 1))
in_rank = $(call objects,common/sandbox/$(1)/*.c)
of_ranks = $(call in_rank,ranks)
of_a_rank = $(call in_rank,rank) $(call objects,common/sandbox/ranks/rank_facts.c)
$(A)/sandbox/rank/%.o $(A)/sandbox/ranks/%.o $(A)/contracts/many/by_ranks.o: also = \
    $(patsubst %,-Icommon/%,contracts/many sandbox/ranks) $(MPI_COMPILE)
of_count = $(patsubst %,-Icommon/%,bench/cpu sandbox/rank) $(MPI_COMPILE)

of_cores := $(patsubst common/%.c,$(C)/%.o,$(wildcard common/bench/cpu/*.c))
of_suite = $(firstword $(foreach f,$(FROM) $(CHAPTERS) solutions,$(call sources,$f/$(1))) $(1))
$(A)/suite/%.o: numbered =# some have a BINS of their own
$(A)/suite/%.o: tests/%.c $(B)/flags $(LIBRARY)
	$(call compile_c,$(basename $(notdir $(call of_suite,$(notdir $*)))))
# In no library: what has a main, and what is of another device.
APART := %/expose.o %/picture.o %/kind.o %/cells.o %/run/row.o %/run/replay.o %/run/input.o \
    %/target_host.o %/target_device.o %/client.o %/server.o %/by_devices.o %/by_ranks.o \
    $(if $(filter sim,$(DEVICE)),%/uncounted.o %/unsimulated.o,\
        %/measure.o %/spoil.o %/far_reads.o) \
    $(if $(CRITERION),,%/runner.o %/criterion_calls.o)
parts = $(filter-out $(APART),$(objects))
# Of two objects with a name the contract's own comes first: q keeps both.
$(A)/judge-%.a: $$(call parts,\
    $$(addprefix common/contracts/,$$(addsuffix /*.c,$$(call rooms,$$*))) \
    $$(addprefix common/,judge/*.c $(if $(CRITERION),,judge/fallback/*.c) run/*.c sandbox/*.c)) \
    $(patsubst %,$(A)/course/%.o,csv util experiment) common/make/variant.mk
	rm -f $@; ar qcs $@ $(filter %.o,$^)
libraries = $(A)/judge-$(1).a $(LIBRARY)
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
tool = $(call with,$(1),$(A)/contracts/$(home)/$(2).o)
run = $(call with,$(1),$(call objects,common/run/$(2).c \
    common/contracts/$(home)/by_$(if $(of_mpi),ranks,devices).c))
# On the simulated GPU a suite holds nothing of the student's: the kernel is a process of its own,
# where its contract has a contract.c, and one program judges all kernels of a chapter.
apart = $(if $(filter sim,$(DEVICE)),$(wildcard $(patsubst %,common/contracts/%/contract.c,\
    $(call rooms,$(contract)))))
server = $(if $(of_mpi),$(of_a_rank),$(call objects,common/sandbox/server.c))
kernels = $(if $(apart),$(addprefix $(V)/$(1)/,$(if $(keyed),kernel.seen \
    $(operations:%=%/kernel),kernel)))
# What else is linked with; of the student's names that are ours, too, the verdict speaks.
of_ranks_here = $(if $(call of_mpi,$*),$(MPI_LINK))
$(V)/%/row $(V)/%/trace: private WITH = $(of_ranks_here)
$(V)/%/kernel: private WITH = $(of_ranks_here) -Wl,-z,muldefs
$(A)/suites/% $(V)/%/test: private WITH = $(CRITERION)
$(V)/%/kernel: $$(call with,$$*,$$(call server,$$*))
	$(link_kernel)
# 05_name, further/05_name, or given/CONTRACT: a lecturer's own texts, in no chapter.
suite_file = $(if $(further),further/)$(stem)
suite_program = $(if $(apart),$(A)/suites/$(suite_file),$(V)/$(1)/test)
judged = $(basename $(notdir $(call of_suite,$(notdir $(1)))))
client = $(if $(filter $(MPI_STEMS),$(notdir $(1))),$(of_ranks)) \
    $(call objects,common/sandbox/client.c)
$(A)/suites/%: $(A)/suite/%.o $$(if $$(filter-out given/%,$$*),$(A)/suite/$$(call judged,$$*).o) \
    $$(call client,$$*) $$(call libraries,$$(call judged,$$*))
	$(link)
$(V)/%/test: $$(call with,$$*,$$(addprefix $(A)/suite/,$$(call suite_file,$$*).o \
    $$(call contract,$$*).o))
	$(link_kernel)
$(V)/%/row: $$(call run,$$*,row) | common/contracts/$$(call home,$$*)/contract.c
	$(link_kernel)
$(V)/%/replay: $$(call run,$$*,replay) | common/contracts/$$(call home,$$*)/contract.c
	$(link_kernel)
$(V)/%/picture: $$(call tool,$$*,picture)
	$(link_kernel)
# Programs without one; and the input that all kernels of a contract are run on: INPUT, TEXT, SIZE.
$(A)/program/%/input: $(call objects,common/run/input.c common/sandbox/target_host.c) \
    $$(call libraries,$$*)
	$(link)
$(A)/program/%: $(A)/contracts/%.o $$(call libraries,$$(*D))
	$(link)
$(C)/%/text: $(A)/program/%/input FORCE
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
$(C)/%/english: $(A)/program/%/input
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
# Of all variants: what each of them uses.
.PHONY: for_all
JUDGED := $(sort $(foreach s,$(EVERY),$(call contract,$s)))
for_all: $(B)/native $(JUDGED:%=$(A)/judge-%.a) $(foreach \
    s,$(filter-out $(NO_MPI),$(EVERY)),$(call suite_program,$s)) $(call objects,common/run/r*.c \
    common/tools/trace/*.c $(patsubst %,common/sandbox/%.c,target_* server client ranks/* \
    $(if $(MPI_LINK),rank/*)) $(patsubst %,common/contracts/*/%.c,by_devices $(if \
    $(MPI_LINK),by_ranks))) $(patsubst %,$(A)/program/%/input,$(filter-out %_batched,$(JUDGED)))
# Chapters that a suite's head names.
named_by = $(filter $(addsuffix _%,$(shell sed -n 's/.*Chapters: *//p' \
    $(or $(wildcard $(1)),/dev/null))),$(STEMS))
# Of one variant: kernels that are judged, and that the suites of the course run.
.PHONY: for_course
for_course: $(if $(filter keys,$(BINS)),$(patsubst %,$(V)/%/row,$(foreach \
    s,$(call named_by,tests/course/by_*/rows.c),$(call one_of,$s))),$(foreach \
    s,$(HISTOGRAMS),$(call kernels,$s) $(V)/$s/row))
# make chapter1 bench: plain C beside the best that the cores of this machine can do. What it is
# compared with is compiled for just this machine, as far as the compiler knows how.
works = echo 'int main(void) { return 0; }' | $(CC) $(1) -x c - -o $@.works 2>/dev/null && echo $(1)
native = $$(cat $(B)/native)
$(B)/native: common/make/variant.mk
	mkdir -p $(@D); { $(foreach f,-O3 -march=native -fopenmp,$(call works,$f);) :; } >$@
$(C)/bench/cpu/%.o: common/bench/cpu/%.c $(B)/flags $(B)/native $(LIBRARY)
	$(call compile_c,histogram) -Icommon/bench/cpu $(native)
$(V)/%/yardstick: $(V)/%/kernel.o $(of_cores) $(A)/judge-histogram.a
	$(CC) $(filter %.o %.a,$^) -o $@ $(native)
$(C)/%/text-to-time: export SIZE := $(or $(SIZE),64M)
$(C)/%/text-to-time: $(A)/program/%/input FORCE
	mkdir -p $(@D); $< $@ $(or $(wildcard docs/[0-9]*.md),README.md)
bench: $(STEMS:%=race-with-cores/%)
race-with-cores/%: $(T)/ladder $$(if $$(call in_c,$$*),$(V)/%/yardstick $(C)/histogram/text-to-time)
	$(if $(call in_c,$*),,echo "chapter $(call number,$*): the simulated GPU's time is no GPU's;" \
	    "make chapter$(call number,$*) gpu run measures it on a real one" >&2; exit 1)
	$< gaps $(call source,$*) $(BINS) >&2 && \
	    $(V)/$*/yardstick $(C)/histogram/text-to-time $(call number,$*) build/yardstick.csv

# make trace: every step of a kernel on a small input, as a page in build/trace.
.PHONY: trace
trace: $(STEMS:%=trace/%)
# They know no contract: what they ask of one is in tools/CONTRACT/traced.c.
$(A)/tools/trace/%.o: common/tools/trace/%.c $(B)/flags $(LIBRARY)
	$(call compile_c,) -Icommon/tools/trace
$(A)/tools/trace/%.o: common/tools/trace/%.cu $(B)/flags $(LIBRARY)
	mkdir -p $(@D) && $(compile) -Wall $(call includes,histogram) \
	    -Icommon/tools/trace -c $< -o $@
# Plain C is compiled as kernels are, and one lane of the simulated GPU calls it.
$(V)/%/lane.o: $(V)/%/kernel.seen $(B)/flags $(LIBRARY)
	$(CC) -std=c11 $$(cat $(B)/flags-$(notdir $(firstword $(CXX)))) $(depend) -Icommon/contract \
	    -DBINS=$(BINS) -c $(call source,$*) -o $@
called = $(if $(in_c),$(V)/$(kernel)/lane.o $(A)/tools/trace/one_lane.o,\
    $(V)/$(kernel)$(addprefix /,$(of_one))/kernel.o)
$(V)/%/trace: $$(call called,$$*) $$(call objects,common/tools/trace/*.c) \
    $(call objects,common/sandbox/target_device.c) $$(call libraries,$$(call contract,$$*)) | \
    common/contracts/$$(call home,$$*)/traced.c
	$(link_kernel)
common/contracts/%/traced.c:
	echo "there is no $@: kernels of this contract are judged and run, and not traced" >&2; exit 1
# What the judge says stands in the page; an input that was asked for is taken as it is. Of several
# operations the page shows the first that the judge's words name, or the chapter's first.
asked = $(if $(INPUT)$(TEXT)$(SIZE)$(if $(keyed),$(KEYS)$(TEXT_SEED)),$(call text,$(1)))
page = build/trace/$(subst /,-,$(1))$(filter-out -chapter,-$(KIND))$(filter-out -5 -keys,-$(BINS))
no_space :=
space := $(no_space) $(no_space)
of_verdict = $(if $(keyed),$$(sed -n '1s/.* on \([a-z_]*\), .*/\1/p' $$said | \
    grep -xE '$(subst $(space),|,$(operations))' || echo $(firstword $(operations))))
trace/%: $$(if $$(call keyed,$$*),,$(V)/$$*/trace) $$(call suite_program,$$*) \
    $$(call kernels,$$*) $(T)/ladder \
    $$(call asked,$$*) FORCE
	+empty=$$($(T)/ladder gaps $(call source,$*) $(BINS:keys=5)) || [ $$? -eq 1 ] || \
	    { echo "$$empty" >&2; exit 1; }; mkdir -p build/trace; said=$(V)/$*/trace.said; \
	    if $(call judge,$*) >$$said 2>&1; then is=right; else is=wrong; fi; \
	    op=$(call of_verdict,$*); p=$(V)/$*$${op:+/$$op}/trace; \
	    $(if $(call keyed,$*),$(MAKE) -f common/make/variant.mk STEMS= $$p && )OPERATIONS=$$op $$p \
	    $(call page,$*)$${op:+-$$op}.html $(call source,$*) $(call number,$*) $(call name,$*) \
	    $(BINS:keys=5) $(V)/$*/test $$is $$said $(call asked,$*)

# make break: wrong kernels that a student exposes; for KIND=chapter and KIND=break.
.PHONY: break
$(V)/%/expose: $$(call tool,$$*,expose)
	$(link_kernel)
break: $(STEMS:%=break/%)
# The tool says which one is next, makes it in build/breaks, and looks at what the student wrote.
break/%: $(T)/ladder FORCE
	+b=build/breaks/$*; rm -f $$b/next; $< break next $* '$(CHAPTERS)/$*' $(BINS) || exit; \
	[ -e $$b/next ] || exit 0; read k <$$b/next; e=$(B)/break-$(BINS)/$*/$$k/expose; \
	$(MAKE) -f common/make/variant.mk KIND=break FROM=build/breaks STEMS= $$e && \
	    $$e $$b/$$k/$(notdir $(call source,$*)) '$(CHAPTERS)'/$*/break/$$k.txt $$b/$$k/said && \
	    $< break exposed $* '$(CHAPTERS)/$*' $(BINS) $$k

# make debug: a kernel for gdb, which build/debug.gdb begins; .gdbinit has the commands.
.PHONY: debug
debug: $(addprefix debug/,$(lastword $(STEMS)))
debug/%: $$(V)/$$(call one_of,$$*)/row $$(call text,$$*) $(T)/ladder
	command -v gdb >/dev/null || \
	    { echo "gdb is not installed: sudo apt-get install gdb" >&2; exit 1; }
	$(T)/ladder debug $< $(call source,$*) $(call text,$*) $(call number,$*) $(call name,$*) \
	    $(BINS) $(if $(call keyed,$*),$(call ran,$*)) >build/debug.gdb
ifneq ($(DEBUG),)
$(foreach s,$(STEMS),$(V)/$(call one_of,$s)/row): $(V)/for_gdb.o
$(V)/for_gdb.o: common/tools/editor/for_gdb.c $(B)/flags $(LIBRARY)
	$(call compile_c,) -g
endif
# A kernel was compiled in another folder, and that is gone: kernel.seen tells of it.
$(foreach c,$(CONTRACTS),%/$c.cu %/$c.c): ;
-include $(wildcard $(addprefix $(C)/,bench/*/*.d bench/*/*/*.d) $(V)/*/*.d $(V)/*/*/*.d)
