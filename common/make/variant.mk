# variant.mk - one variant of the course: kernels of one KIND for one number of BINS, or all
# that have an operation (BINS=keys).
#
#   make -f common/make/variant.mk KIND=chapter BINS=5 STEMS=05_privatized_global test
#
# Goals: the .PHONY ones, each for all STEMS, or files below V. In a pattern, % is the kernel: a
# chapter, a mutant of it, one of these compiled for an operation. What a kernel K is, and what its
# programs are made of, says the plan: source/K, libraries/K, ... (common/driver/driver.h).
include common/make/settings.mk
.PHONY: test run profile bench replay verdicts english further hint lesson trace break debug
$(if $(MISSING),$(error $(FROM)/$(firstword $(MISSING)): no kernel there: no file named as its \
    contract, such as histogram.cu))
# Chapters for the ranks of MPI: without Open MPI one line says so, and they do not count. Whoever
# names such a chapter is refused; a ladder, and who proves all, goes on.
verdicts test: $(NO_MPI:%=without-mpi/%)
run profile: $(if $(typed)$(filter 4,$(PART)),$(NO_MPI:%=without-mpi/%))
with_mpi = sudo apt-get install -y libopenmpi-dev openmpi-bin && \
    make chapter$(number/$*) solution test
without-mpi/%: FORCE
	mkdir -p $(V)/$* && { echo 'left out: chapter $(number/$*); $(with_mpi)'; \
	    echo '0 passed, 0 failed'; } >$(V)/$*/test.out
	echo "chapter $(number/$*) needs Open MPI: libopenmpi-dev, openmpi-bin" >&2
	$(if $(typed),$(if $(filter test run profile,$(MAKECMDGOALS)),exit 1))
# What is compiled with MPI, and what a kernel's program of one rank has besides.
OF_RANK := $(filter-out %/rank_main.o,$(objects/sandbox/rank)) $(A)/sandbox/ranks/control.o
SEES_RANK := $(A)/sandbox/rank/mpi_calls.o $(A)/sandbox/rank/position.o
$(objects/sandbox/rank) $(objects/sandbox/ranks) $(A)/contracts/many/by_ranks.o: also = \
    $(addprefix -Icommon/,contracts/many sandbox/ranks sandbox/rank) $(MPI_COMPILE)

# A suite: 05_name, further/05_name, or given/CONTRACT: a lecturer's own texts, in no chapter.
$(A)/suite/%.o: numbered =# some have a BINS of their own
$(A)/suite/%.o: OWN = $(judged/$(*F))
$(A)/suite/%.o: tests/%.c $(B)/flags $(LIBRARY)
	$(compile_c)
# The judge of a contract. In no library: what has a main, and what is of another device. Of two
# objects with a name the contract's own comes first: q keeps both.
NOT_IN_LIBRARY := expose picture timed predicted row replay input cells target_host target_device \
    client server by_devices by_ranks $(OF_OTHER_DEVICE)
OF_ALL := $(objects/judge) $(objects/run) $(objects/sandbox)
ifeq ($(CRITERION),)
NOT_IN_LIBRARY += runner criterion_calls
OF_ALL += $(objects/judge/fallback)
endif
of_judge = $(filter-out $(NOT_IN_LIBRARY:%=\%/%.o),$(parts/$*) $(OF_ALL))
$(A)/judge-%.a: $$(of_judge) $(patsubst %,$(A)/course/%.o,csv util json experiment) \
    common/make/variant.mk
	rm -f $@; ar qcs $@ $(filter %.o,$^)
# A kernel is compiled anew when its text is another, whatever the dates of files say, and when it
# lies elsewhere, for reports name its place.
$(V)/%/kernel.seen: $$(if $$(shell cmp -s $$(source/$$*) $(V)/$$*/kernel.seen && \
    ! grep -qsvxF $$(source/$$*) $(V)/$$*/kernel.from || echo other),FORCE)
	mkdir -p $(@D); echo $(source/$*) >$(@D)/kernel.from; cp $(source/$*) $@
compiled_for = -D$(if $(operations/$*),OPERATION=$(operations/$*) $(of_cap),BINS=$(BINS))
$(V)/%/kernel.o: $(V)/%/kernel.seen $(B)/flags $$(cap) $(LIBRARY)
	$(compile_kernel) -Icommon/contract -c $(source/$*) -o $@ $(if $(mpi/$*),$(MPI_COMPILE)) \
	    $(compiled_for)

# Programs with a kernel. Its own process has ours first: it limits itself before the student's code
# begins; and of the student's names that are ours, too, the verdict speaks.
$(V)/%/kernel: private WITH = $(link/$*) -Wl,-z,muldefs
$(V)/%/kernel: $$(server/$$*) $(V)/%/kernel.o $$(beside/$$*) $$(libraries/$$*)
	$(link_kernel)
$(V)/%/row: private WITH = $(link/$*)
$(V)/%/row: $(V)/%/kernel.o $(A)/run/row.o $$(run_by/$$*) $$(libraries/$$*) | \
    common/contracts/$$(home/$$*)/contract.c
	$(link_kernel)
$(V)/%/replay: $(V)/%/kernel.o $(A)/run/replay.o $$(run_by/$$*) $$(libraries/$$*) | \
    common/contracts/$$(home/$$*)/contract.c
	$(link_kernel)
on_card := $(if $(filter gpu,$(DEVICE)),$(A)/run/cell_begins.o)
$(V)/%/cells: $(V)/%/kernel.o $(A)/run/cells.o $$(run_by/$$*) $$(libraries/$$*) $(on_card)
	$(link_kernel)
$(V)/%/picture: $(V)/%/kernel.o $(A)/contracts/histogram/picture.o $$(libraries/$$*)
	$(link_kernel)
$(V)/%/expose: $(V)/%/kernel.o $(A)/contracts/histogram/expose.o $$(libraries/$$*)
	$(link_kernel)
common/contracts/%/contract.c:
	echo "there is no $@: kernels of this contract are judged (test), and not run" >&2; exit 1
# Programs without one; and the input that all kernels of a contract are run on: INPUT, TEXT, SIZE.
$(A)/program/%/input: $(A)/run/input.o $(A)/sandbox/target_host.o $(A)/judge-%.a $(LIBRARY)
	$(link)
$(A)/program/%: $(A)/contracts/%.o $(A)/judge-$$(*D).a $(LIBRARY)
	$(link)
$(C)/%/text: $(A)/program/%/input FORCE
	mkdir -p $(@D); $< $@ $(or $(wildcard docs/[0-9]*.md),README.md)
text = $(C)/$(home/$k)/text
# What judges: one program all kernels of a chapter, which it starts; or one that holds the kernel.
$(A)/suites/% $(V)/%/test: private WITH = $(CRITERION)
$(A)/suites/%: $(A)/suite/%.o $(A)/suite/$$(judged/$$(*F)).o $$(watched/$$(*F)) \
    $(A)/sandbox/client.o $(A)/judge-$$(judged/$$(*F)).a $(LIBRARY)
	$(link)
$(V)/%/test: $(V)/%/kernel.o $(A)/suite/$$(judged_by/$$*).o $(A)/suite/$$(contract/$$*).o \
    $$(libraries/$$*)
	$(link_kernel)

# The kernel k: the one that a rule is about, or of a foreach.
k = $*
recorded = $(if $(filter sim-chapter-,$(DEVICE)-$(KIND)-$(OPERATION)$(ON_CARD)),--record)
judge = $(if $(operations/$k),OPERATIONS='$(operations/$k)' )$(T)/ladder verdict $(strip $(jobs) \
    $(recorded) $(translated) $(sandboxed/$k)) $(suite/$k) $(source/$k) $(number/$k) $(BINS:keys=5)
test: $(KERNELS:%=judge/%)
# Who reads it chooses the language; whoever reads a verdict by a program reads English.
judge/%: translated := --translate
judge/%: $$(suite/$$*) $$(kernels/$$*) $(T)/ladder FORCE
	$(judge)
# What comes before a verdict on an exercise, and what helps a chapter to one.
further: $(T)/ladder
	$(foreach k,$(KERNELS),$< further $(source/$k) $k $(number/$k) $(BINS:keys=5) &&) :
hint: $(T)/ladder
	$(foreach k,$(KERNELS),$< hint $(source/$k) docs/$k.md $(number/$k) $(BINS:keys=5) \
	    build/hints/$k &&) :
lesson: $(T)/ladder
	$(foreach k,$(KERNELS),$< lesson docs/$k.md &&) :
# For make test: every verdict in a file; the counters on a text that the card has counted.
verdicts: $(KERNELS:%=$(V)/%/verdict)
$(B)/seed: ; echo $(or $(SEED),1) >$@ # prove.mk keeps it
$(V)/%/verdict: private jobs = --jobs 1
# A test starts a process for each operation. Bubblewrap around it takes as long as the process
# itself: it is there with 5 bins, and elsewhere the filter does.
$(ACCEPTED:%=$(V)/%/verdict): $(V)/%/verdict: $$(suite/$$*) $$(kernels/$$*) $(T)/ladder $(B)/seed
	$(tried) $(@D)/log 'chapter $(number/$*)$(BINS:%=, % bins)' \
	    env $(if $(filter 5,$(BINS)),,JUDGE_SANDBOX=filter) $(judge)
$(REFUSED:%=$(V)/%/verdict): $(V)/%/verdict: $(V)/%/kernel.seen
	echo "chapter $(number/$*), $(BINS) bins: refuses, and says: $(refusal/$*)" >$(@D)/log
	echo "1 passed, 0 failed" >$(@D)/test.out; cp $(@D)/log $@
english: $(RUN:%=$(V)/%/english.csv)
$(C)/%/english: $(A)/program/%/input
	mkdir -p $(@D); INPUT= TEXT=english SIZE=1M TEXT_SEED=1 $< $@ README.md
$(V)/%/english.csv: $(V)/%/row $(C)/$$(home/$$*)/english
	SIM_CHECKS=none SIM_SEED=1 $^ $(number/$*) $(name/$*) $@

# Rows of the ladder; LADDER=build/ladder.csv when they are all, without those that refuse. The
# ladder says how far it is: the first time its kernels have to be compiled, too.
ifneq ($(and $(LADDER),$(filter run,$(MAKECMDGOALS))),)
TELL := common/tools/progress/so_far.sh
$(shell mkdir -p $(V) && $(TELL) begin $(V)/progress)
endif
$(V)/%/row.csv: $(V)/%/row $(T)/ladder $(C)/$$(home/$$*)/text FORCE
	$(operations/$*:%=OPERATIONS=%) $(T)/ladder run $< $(source/$*) $(text) $(number/$*) $(name/$*) \
	    $(BINS:keys=5) $@
	$(if $(TELL),$(TELL) $(V)/progress $(words $(RUN)) 'chapters compiled and run: $*')
# The times of a solution on the card that is here, if there is one.
ifeq ($(KIND) $(filter keys,$(BINS)),solution )
timed_here := $(filter-out %/further,$(filter $(HISTOGRAMS),$(ACCEPTED)))
endif
measured = $(if $(timed_here),times=$$(common/bench/gpu/times.sh times $(BINS) \
    $(C)/histogram/text $(timed_here));)
run: $(T)/ladder $(ROWS)
	+$(measured) $< table $(or $(LADDER),build/run.csv) $(ROWS) $${times:+-- $$times}
	$(if $(LADDER),$(foreach k,$(REFUSED),echo "Not here: $k. $(refusal/$k)";))
	$(if $(LADDER),$(foreach k,$(NOT_RUN),echo "Not here: $k, whose contract is $(contract/$k):" \
	    make chapter$(number/$k) solution $(shown/$k);))
	$(if $(LADDER),$< table --draw $(LADDER) $(LADDER:.csv=.svg))
profile: $(T)/ladder $(ROWS)
	$< profile '$(FORMAT)' $(ROWS:.csv=.profile)
# Of all variants: what each of them uses; and of one: kernels that are judged, and that the suites
# of the course run.
.PHONY: for_all for_course
for_all: $(B)/native $(JUDGED:%=$(A)/judge-%.a) $(SUITES) $(A)/bench/clock.o \
    $(filter %/row.o %/replay.o %/run.o,$(objects/run)) $(objects/trace) $(objects/sandbox/ranks) \
    $(patsubst %,$(A)/sandbox/%.o,target_host target_device server client) \
    $(A)/contracts/many/by_devices.o $(if $(MPI),$(objects/sandbox/rank) \
    $(A)/contracts/many/by_ranks.o) $(patsubst %,$(A)/program/%/input,$(filter-out \
    %_batched,$(JUDGED)))
for_course: $(foreach k,$(HISTOGRAMS),$(kernels/$k) $(V)/$k/row)

# With nothing but gaps in it, a kernel makes room for a planted mistake.
ran = $(patsubst $*%,%,$(one/$*))# /argmax, or nothing
replay: $(KERNELS:%=replay/%)
replay/%: $(T)/ladder $(C)/$$(home/$$*)/text FORCE
	+m=$$($< mutant $(source/$*) $* $(B)/mutants $(BINS:keys=5) $(notdir $(ran))) || exit 0; \
	p=$${m:+$(B)/mutant-$(BINS)/$$m$(ran)/replay}; p=$${p:-$(V)/$(one/$*)/replay}; \
	$(MAKE) -f common/make/variant.mk STEMS= $${m:+KIND=mutant FROM=$(B)/mutants} $$p && \
	    OPERATIONS=$(notdir $(ran)) $$p $(text)
# make chapter1 bench: plain C beside the best that the cores of this machine can do. What it is
# compared with is compiled for just this machine, as far as the compiler knows how.
native = $$(cat $(B)/native)
$(B)/native: common/make/variant.mk
	mkdir -p $(@D); for f in -O3 -march=native -fopenmp; do \
	    echo 'int main(void) { return 0; }' | $(CC) $$f -x c - -o $@.works 2>/dev/null && echo $$f; \
	    done >$@; :
OF_CORES := $(objects/bench/cpu:$(A)/%=$(C)/%) $(A)/bench/clock.o
$(C)/bench/cpu/%.o: OWN = histogram
$(C)/bench/cpu/%.o: common/bench/cpu/%.c $(B)/flags $(B)/native $(LIBRARY)
	$(compile_c) -Icommon/bench -Icommon/bench/cpu $(native)
$(V)/%/yardstick: private WITH = $(native)
$(V)/%/yardstick: $(V)/%/kernel.o $(OF_CORES) $(A)/sandbox/target_host.o $(A)/judge-histogram.a \
    $(LIBRARY)
	$(link)
bench: export SIZE := $(or $(SIZE),64M)
bench: $(KERNELS:%=race-with-cores/%)
race-with-cores/%: $(T)/ladder $$(if $$(in_c/$$*),$(V)/%/yardstick $(C)/$$(home/$$*)/text)
	$(if $(in_c/$*),,echo "chapter $(number/$*): the simulated GPU's time is no GPU's;" \
	    "make chapter$(number/$*) gpu run measures it on a real one" >&2; exit 1)
	$< gaps $(source/$*) $(BINS) >&2 && \
	    $(V)/$*/yardstick $(text) $(number/$*) build/yardstick.csv

# make trace: every step of a kernel on a small input, as a page in build/trace. The program knows
# no contract: what it asks of one is in contracts/CONTRACT/traced.c.
$(A)/trace/one_lane.o: common/trace/one_lane.cu $(B)/flags $(LIBRARY)
	mkdir -p $(@D) && $(compile) -Wall -c $< -o $@
# Plain C is compiled as kernels are, and one lane of the simulated GPU calls it.
$(V)/%/lane.o: $(V)/%/kernel.seen $(B)/flags $(LIBRARY)
	$(CC) -std=c11 $$(cat $(B)/flags-$(notdir $(firstword $(CXX)))) $(depend) -Icommon/contract \
	    -DBINS=$(BINS) -c $(source/$*) -o $@
$(V)/%/trace: private WITH = $(link/$*)
$(V)/%/trace: $$(traced/$$*) $(objects/trace) $(A)/sandbox/target_device.o \
    $(A)/judge-$$(contract/$$*).a $(LIBRARY) | common/contracts/$$(home/$$*)/traced.c
	$(link_kernel)
common/contracts/%/traced.c:
	echo "there is no $@: kernels of this contract are judged and run, and not traced" >&2; exit 1
# What the judge says stands in the page; an input that was asked for is taken as it is. Of several
# operations the page shows the first that the judge's words name, or the chapter's first.
trace: $(KERNELS:%=trace/%)
asked = $(if $(INPUT)$(TEXT)$(SIZE)$(if $(taken/$*),$(KEYS)$(TEXT_SEED)),$(text))
page = build/trace/$(subst /,-,$*)$(filter-out -chapter,-$(KIND))$(filter-out -5 -keys,-$(BINS))
trace/%: $$(if $$(taken/$$*),,$(V)/$$*/trace) $$(suite/$$*) $$(kernels/$$*) $(T)/ladder $$(asked) \
    FORCE
	+empty=$$($(T)/ladder gaps $(source/$*) $(BINS:keys=5)) || [ $$? -eq 1 ] || \
	    { echo "$$empty" >&2; exit 1; }; mkdir -p build/trace; log_file=$(V)/$*/trace.log; \
	    if $(judge) >$$log_file 2>&1; then is=right; else is=wrong; fi; \
	    op=$$(sed -n '1s/.* on \([a-z_]*\), .*/\1/p' $$log_file); \
	    case ' $(operations/$*) ' in *" $$op "*) ;; *) op=$(firstword $(operations/$*));; esac; \
	    p=$(V)/$*$${op:+/$$op}/trace; \
	    $(if $(taken/$*),$(MAKE) -f common/make/variant.mk STEMS= $$p && )OPERATIONS=$$op $$p \
	    $(page)$${op:+-$$op}.html $(source/$*) $(number/$*) $(name/$*) $(V)/$*/test \
	    $$is $$log_file $(asked)
# make break: wrong kernels that a student exposes; for KIND=chapter and KIND=break. The tool says
# which one is next, makes it in build/breaks, and looks at what the student wrote.
break: $(KERNELS:%=break/%)
break/%: $(T)/ladder FORCE
	+b=build/breaks/$*; rm -f $$b/next; $< break next $* '$(CHAPTERS)/$*' $(BINS) || exit; \
	[ -e $$b/next ] || exit 0; read k <$$b/next; e=$(B)/break-$(BINS)/$*/$$k/expose; \
	$(MAKE) -f common/make/variant.mk KIND=break FROM=build/breaks STEMS= $$e && \
	    $$e $$b/$$k/$(notdir $(source/$*)) '$(CHAPTERS)'/$*/break/$$k.txt $$b/$$k/log && \
	    $< break exposed $* '$(CHAPTERS)/$*' $(BINS) $$k
# make debug: a kernel for gdb, which build/debug.gdb begins; .gdbinit has the commands.
debug: $(addprefix debug/,$(lastword $(KERNELS)))
debug/%: $(V)/$$(one/$$*)/row $(C)/$$(home/$$*)/text $(T)/ladder
	command -v gdb >/dev/null || \
	    { echo "gdb is not installed: sudo apt-get install gdb" >&2; exit 1; }
	$(T)/ladder debug $< $(source/$*) $(text) $(number/$*) $(name/$*) $(BINS) \
	    $(notdir $(ran)) >build/debug.gdb
ifneq ($(DEBUG),)
$(foreach k,$(KERNELS),$(V)/$(one/$k)/row): $(V)/for_gdb.o
$(V)/for_gdb.o: common/tools/editor/for_gdb.c $(B)/flags $(LIBRARY)
	$(compile_c) -g
endif

# make grade: a class is judged by the suites, without a kernel, and by the kit, a file that tells
# grade.py of them. A lecturer's own texts have a suite for each contract.
GIVEN := $(foreach k,$(KERNELS),$(if $(wildcard tests/given/$(contract/$k).c),$k))
given = $(A)/suites/given/$(contract/$k)
kernel_parts = $(server/$k) $(beside/$k) $(libraries/$k)
ifneq ($(findstring /kit-,$(MAKECMDGOALS)),)
$(foreach k,$(NO_MPI),$(error chapter $(number/$k) needs Open MPI: libopenmpi-dev, openmpi-bin))
$(foreach k,$(KERNELS),$(if $(sandboxed/$k),,$(error $k: a kernel of its contract has no process \
    of its own, so it cannot be graded)))
$(foreach k,$(REFUSED),$(error chapter $(number/$k), $(BINS) bins: refuses, and says: \
    $(refusal/$k:%.=%)))
endif
$(B)/grading-$(BINS)/kit-%: $(T)/ladder $$(sort $$(foreach \
    k,$(KERNELS),$$(suite/$$k) $$(kernel_parts)) $$(foreach k,$(GIVEN),$$(given))) FORCE
	mkdir -p $(@D); { echo 'simcc common/sim/simcc'; echo 'verdict $(T)/ladder verdict'; \
	    echo 'library $(B)'; \
	    echo 'compile $(CFLAGS) --closed $(of_kernels)'; \
	    echo "link $(CFLAGS) $$(cat $(B)/linker)"; \
	    $(foreach k,$(KERNELS),echo 'chapter $k $(number/$k) $(BINS:keys=5) \
	        $(notdir $(source/$k)) $(suite/$k) $(kernel_parts)'; \
	        $(if $(taken/$k),echo 'operations $k $(operations/$k)';) \
	        $(if $(mpi/$k),echo 'mpi $k $(MPI_COMPILE) -- $(MPI_LINK)';)) \
	    $(foreach k,$(GIVEN),echo 'extra $k $(given)';) \
	} >$@

# A kernel was compiled in another folder, and that is gone: kernel.seen tells of it.
$(foreach c,$(CONTRACTS),%/$c.cu %/$c.c): ;
-include $(wildcard $(addprefix $(C)/,bench/*/*.d bench/*/*/*.d) $(V)/*/*.d $(V)/*/*/*.d)
