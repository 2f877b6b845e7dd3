# variant.mk - one variant of the course: kernels of one KIND for one number of BINS, or all
# that have an operation (BINS=keys).
#
#   make -f common/make/variant.mk KIND=chapter BINS=5 STEMS=05_privatized_global test
#
# Goals: the .PHONY ones, each for all STEMS, or files below V. In a pattern, % is the chapter,
# or a mutant of it. The name of the kernel's file, its contract, chooses suite and judge.
include common/make/settings.mk
.PHONY: test run profile replay bench verdicts english further hint lesson
LACKING := $(strip $(foreach s,$(STEMS),$(if $(source/$s),,$s)))
$(if $(LACKING),$(error $(FROM)/$(firstword $(LACKING)): no kernel there: no file named as its \
    contract, such as histogram.cu))
# Chapters for the ranks of MPI: the kernel's program is that of one rank, and the judge has mpirun
# start it. Without Open MPI one line says so, and they do not count.
MPI_HERE := $(and $(shell command -v mpirun),$(MPI_LINK))
NO_MPI := $(if $(MPI_HERE),,$(strip $(foreach s,$(STEMS),$(if $(mpi/$s),$s))))
# Whoever names a chapter is refused; a ladder, and who proves all, goes on.
typed := $(filter command,$(origin STEMS))
override STEMS := $(filter-out $(NO_MPI),$(STEMS))
with_mpi = sudo apt-get install -y libopenmpi-dev openmpi-bin && \
    make chapter$(number/$*) solution test
.PHONY: $(NO_MPI:%=without-mpi/%)
verdicts test: $(NO_MPI:%=without-mpi/%)
run profile: $(if $(typed)$(filter 4,$(PART)),$(NO_MPI:%=without-mpi/%))
$(NO_MPI:%=without-mpi/%): without-mpi/%:
	mkdir -p $(V)/$* && { echo 'left out: chapter $(number/$*); $(with_mpi)'; \
	    echo '0 passed, 0 failed'; } >$(V)/$*/test.out
	echo "chapter $(number/$*) needs Open MPI: libopenmpi-dev, openmpi-bin" >&2
	$(if $(typed),$(if $(filter test run profile,$(MAKECMDGOALS)),exit 1))
RANKS := $(patsubst common/%.c,$(A)/%.o,$(wildcard common/sandbox/ranks/*.c))
A_RANK := $(patsubst common/%.c,$(A)/%.o,$(wildcard common/sandbox/rank/*.c)) \
    $(A)/sandbox/ranks/control.o
$(A)/sandbox/rank/%.o $(A)/sandbox/ranks/%.o $(A)/contracts/many/by_ranks.o: also = \
    $(patsubst %,-Icommon/%,contracts/many sandbox/ranks sandbox/rank) $(MPI_COMPILE)
of_count = $(patsubst %,-Icommon/%,bench/cpu programs sandbox/rank) $(MPI_COMPILE)

of_cores := $(patsubst common/%.c,$(C)/%.o,$(wildcard common/bench/cpu/*.c)) $(A)/bench/clock.o
$(A)/suite/%.o: numbered =# some have a BINS of their own
$(A)/suite/%.o: OWN = $(judged/$(*F))
$(A)/suite/%.o: tests/%.c $(B)/flags $(LIBRARY)
	$(compile_c)
# In no library: what has a main, and what is of another device.
APART := %/expose.o %/picture.o %/kind.o %/predicted.o %/run/row.o %/run/replay.o %/run/input.o \
    %/run/cells.o %/target_host.o %/target_device.o %/client.o %/server.o %/by_devices.o \
    %/by_ranks.o $(if $(filter sim,$(DEVICE)),%/unsimulated.o,\
        %/measure.o %/spoil.o %/far_reads.o %/sample.o) \
    $(if $(CRITERION),,%/runner.o %/criterion_calls.o)
# Of two objects with a name the contract's own comes first: q keeps both.
parts = $(filter-out $(APART),$(patsubst common/%.c,$(A)/%.o,$(wildcard $(patsubst \
    %,common/contracts/%/*.c,$(rooms/$*)) \
    $(addprefix common/,judge/*.c $(if $(CRITERION),,judge/fallback/*.c) run/*.c sandbox/*.c))))
$(A)/judge-%.a: $$(parts) $(patsubst %,$(A)/course/%.o,csv util json experiment) \
    common/make/variant.mk
	rm -f $@; ar qcs $@ $(filter %.o,$^)
# A kernel is compiled anew when its text is another, whatever the dates of files say, and when it
# lies elsewhere, for reports name its place.
$(V)/%/kernel.seen: $$(if $$(shell cmp -s $$(source/$$*) $(V)/$$*/kernel.seen && \
    ! grep -qsvxF $$(source/$$*) $(V)/$$*/kernel.from || echo other),FORCE)
	mkdir -p $(@D); echo $(source/$*) >$(@D)/kernel.from; cp $(source/$*) $@
$(V)/%/kernel.o: $(V)/%/kernel.seen $(B)/flags $$(cap) $(LIBRARY)
	$(compile_kernel) -Icommon/contract -c $(source/$*) -o $@ $(if $(mpi/$*),$(MPI_COMPILE)) \
	    -D$(if $(operations/$*),OPERATION=$(operations/$*) $(of_cap),BINS=$(BINS))
# What a program with the kernel k is linked with: the one that a rule is about, or of a foreach.
k = $*
in_c = $(filter %.c,$(source/$k))
object = $(V)/$k/kernel.o
libraries = $(A)/sandbox/target_$(if $(in_c),host,device).o $(A)/judge-$(contract/$k).a $(LIBRARY)
home = $(contract/$k:%_batched=%)# A_batched has the programs of A
run_by = $(patsubst common/%.c,$(A)/%.o,$(wildcard common/contracts/$(home)/by_$(if \
    $(mpi/$k),ranks,devices).c $(if $(mpi/$k),common/sandbox/rank/mpi_calls.c \
    common/sandbox/rank/position.c)))
# Ours comes first: it limits the process before the student's code begins.
server = $(if $(mpi/$k),$(A)/sandbox/rank/rank_main.o,$(A)/sandbox/server.o)
beside = $(if $(mpi/$k),$(filter-out $(server),$(A_RANK)))
# On the simulated GPU a suite holds nothing of the student's: the kernel is a process of its own,
# where its contract has a contract.c, and one program judges all kernels of a chapter.
APART_CONTRACTS := $(if $(filter sim,$(DEVICE)),$(foreach c,$(CONTRACTS),$(if $(wildcard \
    $(patsubst %,common/contracts/%/contract.c,$c $(c:%_batched=%))),$c)))
apart = $(filter $(APART_CONTRACTS),$(contract/$k))
kernels = $(if $(apart),$(addprefix $(V)/$k/,$(if $(taken/$k),kernel.seen \
    $(operations/$k:%=%/kernel),kernel)))
# What else is linked with; of the student's names that are ours, too, the verdict speaks.
$(V)/%/row $(V)/%/trace: private WITH = $(if $(mpi/$*),$(MPI_LINK))
$(V)/%/kernel: private WITH = $(if $(mpi/$*),$(MPI_LINK)) -Wl,-z,muldefs
$(A)/suites/% $(V)/%/test: private WITH = $(CRITERION)
$(V)/%/kernel: $$(server) $$(object) $$(beside) $$(libraries)
	$(link_kernel)
# 05_name, further/05_name, or given/CONTRACT: a lecturer's own texts, in no chapter.
suite_program = $(if $(apart),$(A)/suites/$(suite/$k),$(V)/$k/test)
$(A)/suites/%: $(A)/suite/%.o $(A)/suite/$$(judged/$$(*F)).o \
    $$(if $$(mpi/$$(*F)),$$(RANKS)) $(A)/sandbox/client.o $(A)/judge-$$(judged/$$(*F)).a $(LIBRARY)
	$(link)
$(V)/%/test: $$(object) $(A)/suite/$$(suite/$$*).o $(A)/suite/$$(contract/$$*).o $$(libraries)
	$(link_kernel)
$(V)/%/row: $$(object) $(A)/run/row.o $$(run_by) $$(libraries) | \
    common/contracts/$$(home)/contract.c
	$(link_kernel)
$(V)/%/cells: $$(object) $(A)/run/cells.o $$(run_by) $$(libraries) $(if $(filter \
    gpu,$(DEVICE)),$(A)/run/cell_begins.o)
	$(link_kernel)
$(V)/%/replay: $$(object) $(A)/run/replay.o $$(run_by) $$(libraries) | \
    common/contracts/$$(home)/contract.c
	$(link_kernel)
$(V)/%/picture: $$(object) $(A)/contracts/$$(home)/picture.o $$(libraries)
	$(link_kernel)
$(V)/%/expose: $$(object) $(A)/contracts/$$(home)/expose.o $$(libraries)
	$(link_kernel)
# Programs without one; and the input that all kernels of a contract are run on: INPUT, TEXT, SIZE.
$(A)/program/%/input: $(A)/run/input.o $(A)/sandbox/target_host.o $(A)/judge-%.a $(LIBRARY)
	$(link)
$(A)/program/%: $(A)/contracts/%.o $(A)/judge-$$(*D).a $(LIBRARY)
	$(link)
$(C)/%/text: $(A)/program/%/input FORCE
	mkdir -p $(@D); $< $@ $(or $(wildcard docs/[0-9]*.md),README.md)
text = $(C)/$(home)/text
recorded = $(if $(filter sim-chapter-,$(DEVICE)-$(KIND)-$(OPERATION)$(ON_CARD)),--record)
judge = $(if $(operations/$k),OPERATIONS='$(operations/$k)' )$(T)/ladder verdict $(strip $(jobs) \
    $(recorded) $(translated) $(if $(apart),--kernel $(V)/$k)) $(suite_program) $(source/$k) \
    $(number/$k) $(BINS:keys=5)
test: $(patsubst %,judge/%,$(filter-out $(NO_MPI),$(STEMS)))
# Who reads it chooses the language; whoever reads a verdict by a program reads English.
judge/%: translated := --translate
judge/%: $$(suite_program) $$(kernels) $(T)/ladder FORCE
	$(judge)
# What comes before a verdict on an exercise, and what helps a chapter to one.
further: $(T)/ladder
	$(foreach k,$(STEMS),$< further $(source/$k) $k $(number/$k) $(BINS:keys=5) &&) :
hint: $(T)/ladder
	$(foreach k,$(STEMS),$< hint $(source/$k) docs/$k.md $(number/$k) $(BINS:keys=5) \
	    build/hints/$k &&) :
lesson: $(T)/ladder
	$(foreach k,$(STEMS),$< lesson docs/$k.md &&) :
# A ladder of keys, or of values, is that of one part.
override STEMS := $(filter $(if $(filter keys,$(if $(LADDER),$(BINS))),$(OF_PART),%),$(STEMS))
ifneq ($(filter verdicts english tests judge programs peers cells $(LADDER) 4,$(MAKECMDGOALS) \
    $(LADDER) $(PART)),)
REFUSED := $(strip $(foreach k,$(STEMS),$(if $(refusal/$k),$k)))
endif
ACCEPTED := $(filter-out $(REFUSED),$(STEMS))
# A contract need not have a row: without one its chapters are judged, and not run.
# The ladder of texts is that of Part I, or that of several devices.
RUN := $(foreach k,$(filter $(if $(filter keys,$(BINS)),%,$(if $(filter 4,$(PART)),$(OF_PART),0% \
    1%)),$(ACCEPTED)),$(if $(wildcard common/contracts/$(contract/$k)/contract.c),$k))
common/contracts/%/contract.c:
	echo "there is no $@: kernels of this contract are judged (test), and not run" >&2; exit 1
# For make test: every verdict in a file; the counters on a text that the card has counted.
verdicts: $(STEMS:%=$(V)/%/verdict)
$(B)/seed: ; echo $(or $(SEED),1) >$@ # prove.mk keeps it
$(V)/%/verdict: private jobs = --jobs 1
# A test starts a process for each operation. Bubblewrap around it takes as long as the process
# itself: it is there with 5 bins, and elsewhere the filter does.
$(ACCEPTED:%=$(V)/%/verdict): $(V)/%/verdict: $$(suite_program) $$(kernels) $(T)/ladder $(B)/seed
	$(tried) $(@D)/said 'chapter $(number/$*)$(BINS:%=, % bins)' \
	    env $(if $(filter 5,$(BINS)),,JUDGE_SANDBOX=filter) $(judge)
$(REFUSED:%=$(V)/%/verdict): $(V)/%/verdict: $(V)/%/kernel.seen
	echo "chapter $(number/$*), $(BINS) bins: refuses, and says: $(refusal/$*)" >$(@D)/said
	echo "1 passed, 0 failed" >$(@D)/test.out; cp $(@D)/said $@
english: $(RUN:%=$(V)/%/english.csv)
$(C)/%/english: $(A)/program/%/input
	mkdir -p $(@D); INPUT= TEXT=english SIZE=1M TEXT_SEED=1 $< $@ README.md
$(V)/%/english.csv: $(V)/%/row $(C)/$$(home)/english
	SIM_CHECKS=none SIM_SEED=1 $^ $(number/$*) $(name/$*) $@
# Rows of the ladder; LADDER=build/ladder.csv when they are all, without those that refuse.
ROWS := $(foreach k,$(filter-out $(NO_MPI),$(if $(LADDER)$(filter 4,$(PART)),$(RUN),\
    $(filter-out $(if $(typed),,6%),$(STEMS)))),$(V)/$(one/$k)/row.csv)
$(V)/%/row.csv: $(V)/%/row $(T)/ladder $$(text) FORCE
	$(operations/$*:%=OPERATIONS=%) $(T)/ladder run $< $(source/$*) $(text) $(number/$*) $(name/$*) \
	    $(BINS:keys=5) $@
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
	    $(filter solution,$(KIND)),$(if $(filter %/further,$(STEMS)),,$(measured)))); \
	    $< table $(or $(LADDER),build/run.csv) $(ROWS) $${times:+-- $$times}
	$(if $(LADDER),$(foreach k,$(REFUSED),echo "Not here: $k. $(refusal/$k)";))
	$(if $(LADDER),$(foreach k,$(OTHERS),echo "Not here: $k, whose contract is $(contract/$k):" \
	    make chapter$(number/$k) solution $(if $(wildcard \
	    common/contracts/$(home)/contract.c),run,test);))
	$(if $(LADDER),$< table --draw $(LADDER) $(LADDER:.csv=.svg))
profile: $(T)/ladder $(ROWS)
	$< profile '$(FORMAT)' $(ROWS:.csv=.profile)
# With nothing but gaps in it, a kernel makes room for a planted mistake.
replay: $$(foreach k,$$(STEMS),$$(text)) $(STEMS:%=replay/%)
ran = $(patsubst $*%,%,$(one/$*))# /argmax, or nothing
replay/%: $(T)/ladder $$(text) FORCE
	+m=$$($< planted $(source/$*) $* $(B)/mutants $(BINS:keys=5) $(notdir $(ran))) || exit 0; \
	p=$${m:+$(B)/mutant-$(BINS)/$$m$(ran)/replay}; p=$${p:-$(V)/$(one/$*)/replay}; \
	$(MAKE) -f common/make/variant.mk STEMS= $${m:+KIND=mutant FROM=$(B)/mutants} $$p && \
	    OPERATIONS=$(notdir $(ran)) $$p $(text)
# Of all variants: what each of them uses.
.PHONY: for_all
JUDGED := $(sort $(foreach k,$(EVERY),$(contract/$k)))
for_all: $(B)/native $(JUDGED:%=$(A)/judge-%.a) $(foreach k,$(filter-out \
    $(NO_MPI),$(EVERY)),$(suite_program)) $(patsubst common/%.c,$(A)/%.o,$(wildcard \
    common/bench/clock.c common/run/r*.c common/trace/*.c $(patsubst %,common/sandbox/%.c,target_* \
    server client ranks/* $(if $(MPI_LINK),rank/*)) $(patsubst %,common/contracts/*/%.c,by_devices \
    $(if $(MPI_LINK),by_ranks)))) $(patsubst %,$(A)/program/%/input,$(filter-out \
    %_batched,$(JUDGED)))
# Of one variant: kernels that are judged, and that the suites of the course run.
.PHONY: for_course
for_course: $(foreach k,$(HISTOGRAMS),$(kernels) $(V)/$k/row)
# make chapter1 bench: plain C beside the best that the cores of this machine can do. What it is
# compared with is compiled for just this machine, as far as the compiler knows how.
native = $$(cat $(B)/native)
$(B)/native: common/make/variant.mk
	mkdir -p $(@D); for f in -O3 -march=native -fopenmp; do \
	    echo 'int main(void) { return 0; }' | $(CC) $$f -x c - -o $@.works 2>/dev/null && echo $$f; \
	    done >$@; :
$(C)/bench/cpu/%.o: OWN = histogram
$(C)/bench/cpu/%.o: common/bench/cpu/%.c $(B)/flags $(B)/native $(LIBRARY)
	$(compile_c) -Icommon/bench -Icommon/bench/cpu $(native)
$(V)/%/yardstick: private WITH = $(native)
$(V)/%/yardstick: $(V)/%/kernel.o $(of_cores) $(A)/sandbox/target_host.o \
    $(A)/judge-histogram.a $(LIBRARY)
	$(link)
bench: export SIZE := $(or $(SIZE),64M)
bench: $(STEMS:%=race-with-cores/%)
race-with-cores/%: $(T)/ladder $$(if $$(in_c),$(V)/%/yardstick $$(text))
	$(if $(in_c),,echo "chapter $(number/$*): the simulated GPU's time is no GPU's;" \
	    "make chapter$(number/$*) gpu run measures it on a real one" >&2; exit 1)
	$< gaps $(source/$*) $(BINS) >&2 && \
	    $(V)/$*/yardstick $(text) $(number/$*) build/yardstick.csv

# make trace: every step of a kernel on a small input, as a page in build/trace.
.PHONY: trace
trace: $(STEMS:%=trace/%)
# The program knows no contract: what it asks of one is in contracts/CONTRACT/traced.c.
$(A)/trace/one_lane.o: common/trace/one_lane.cu $(B)/flags $(LIBRARY)
	mkdir -p $(@D) && $(compile) -Wall -c $< -o $@
# Plain C is compiled as kernels are, and one lane of the simulated GPU calls it.
$(V)/%/lane.o: $(V)/%/kernel.seen $(B)/flags $(LIBRARY)
	$(CC) -std=c11 $$(cat $(B)/flags-$(notdir $(firstword $(CXX)))) $(depend) -Icommon/contract \
	    -DBINS=$(BINS) -c $(source/$*) -o $@
called = $(if $(in_c),$(V)/$*/lane.o $(A)/trace/one_lane.o,$(object))
$(V)/%/trace: $$(called) $(patsubst common/%.c,$(A)/%.o,$(wildcard common/trace/*.c)) \
    $(A)/sandbox/target_device.o $(A)/judge-$$(contract/$$*).a $(LIBRARY) | \
    common/contracts/$$(home)/traced.c
	$(link_kernel)
common/contracts/%/traced.c:
	echo "there is no $@: kernels of this contract are judged and run, and not traced" >&2; exit 1
# What the judge says stands in the page; an input that was asked for is taken as it is. Of several
# operations the page shows the first that the judge's words name, or the chapter's first.
asked = $(if $(INPUT)$(TEXT)$(SIZE)$(if $(taken/$k),$(KEYS)$(TEXT_SEED)),$(text))
page = build/trace/$(subst /,-,$*)$(filter-out -chapter,-$(KIND))$(filter-out -5 -keys,-$(BINS))
trace/%: $$(if $$(taken/$$*),,$(V)/$$*/trace) $$(suite_program) $$(kernels) $(T)/ladder $$(asked) \
    FORCE
	+empty=$$($(T)/ladder gaps $(source/$*) $(BINS:keys=5)) || [ $$? -eq 1 ] || \
	    { echo "$$empty" >&2; exit 1; }; mkdir -p build/trace; said=$(V)/$*/trace.said; \
	    if $(judge) >$$said 2>&1; then is=right; else is=wrong; fi; \
	    op=$$(sed -n '1s/.* on \([a-z_]*\), .*/\1/p' $$said); \
	    case ' $(operations/$*) ' in *" $$op "*) ;; *) op=$(firstword $(operations/$*));; esac; \
	    p=$(V)/$*$${op:+/$$op}/trace; \
	    $(if $(taken/$*),$(MAKE) -f common/make/variant.mk STEMS= $$p && )OPERATIONS=$$op $$p \
	    $(page)$${op:+-$$op}.html $(source/$*) $(number/$*) $(name/$*) $(V)/$*/test \
	    $$is $$said $(asked)

# make break: wrong kernels that a student exposes; for KIND=chapter and KIND=break.
.PHONY: break
break: $(STEMS:%=break/%)
# The tool says which one is next, makes it in build/breaks, and looks at what the student wrote.
break/%: $(T)/ladder FORCE
	+b=build/breaks/$*; rm -f $$b/next; $< break next $* '$(CHAPTERS)/$*' $(BINS) || exit; \
	[ -e $$b/next ] || exit 0; read k <$$b/next; e=$(B)/break-$(BINS)/$*/$$k/expose; \
	$(MAKE) -f common/make/variant.mk KIND=break FROM=build/breaks STEMS= $$e && \
	    $$e $$b/$$k/$(notdir $(source/$*)) '$(CHAPTERS)'/$*/break/$$k.txt $$b/$$k/said && \
	    $< break exposed $* '$(CHAPTERS)/$*' $(BINS) $$k

# make debug: a kernel for gdb, which build/debug.gdb begins; .gdbinit has the commands.
.PHONY: debug
debug: $(addprefix debug/,$(lastword $(STEMS)))
debug/%: $(V)/$$(one/$$*)/row $$(text) $(T)/ladder
	command -v gdb >/dev/null || \
	    { echo "gdb is not installed: sudo apt-get install gdb" >&2; exit 1; }
	$(T)/ladder debug $< $(source/$*) $(text) $(number/$*) $(name/$*) $(BINS) \
	    $(notdir $(ran)) >build/debug.gdb
ifneq ($(DEBUG),)
$(foreach k,$(STEMS),$(V)/$(one/$k)/row): $(V)/for_gdb.o
$(V)/for_gdb.o: common/tools/editor/for_gdb.c $(B)/flags $(LIBRARY)
	$(compile_c) -g
endif

# make grade: a class is judged by the suites, without a kernel, and by the kit, a file that tells
# grade.py of them. A lecturer's own texts have a suite for each contract.
gradable = $(if $(NO_MPI),$(error chapter $(number/$(firstword $(NO_MPI))) needs Open MPI: \
    libopenmpi-dev, openmpi-bin))$(foreach k,$(STEMS),$(if $(apart),,$(error $k: a kernel of its \
    contract has no process of its own, so it cannot be graded))$(if $(refusal/$k),$(error \
    chapter $(number/$k), $(BINS) bins: refuses, and says: $(patsubst %.,%,$(refusal/$k)))))
kernel_parts = $(server) $(beside) $(libraries)
GIVEN := $(foreach k,$(STEMS),$(if $(wildcard tests/given/$(contract/$k).c),$k))
given = $(A)/suites/given/$(contract/$k)
$(B)/grading-$(BINS)/kit-%: $$(gradable) $(T)/ladder $$(sort $$(foreach \
    k,$$(STEMS),$$(suite_program) $$(kernel_parts)) $$(foreach k,$$(GIVEN),$$(given))) FORCE
	mkdir -p $(@D); { echo 'simcc common/sim/simcc'; echo 'verdict $(T)/ladder verdict'; \
	    echo 'library $(B)'; \
	    echo 'compile $(CFLAGS) --closed $(of_kernels)'; \
	    echo "link $(CFLAGS) $$(cat $(B)/linker)"; \
	    $(foreach k,$(STEMS),echo 'chapter $k $(number/$k) $(BINS:keys=5) \
	        $(notdir $(source/$k)) $(suite_program) $(kernel_parts)'; \
	        $(if $(taken/$k),echo 'operations $k $(operations/$k)';) \
	        $(if $(mpi/$k),echo 'mpi $k $(MPI_COMPILE) -- $(MPI_LINK)';)) \
	    $(foreach k,$(GIVEN),echo 'extra $k $(given)';) \
	} >$@

# A kernel was compiled in another folder, and that is gone: kernel.seen tells of it.
$(foreach c,$(CONTRACTS),%/$c.cu %/$c.c): ;
-include $(wildcard $(addprefix $(C)/,bench/*/*.d bench/*/*/*.d) $(V)/*/*.d $(V)/*/*/*.d)
