# Histogram Ladder: the parallel histogram in thirteen steps, on a GPU that runs anywhere.
#
#   make                          count real text with all thirteen solutions, print the ladder
#   make test                     prove the solutions, the harness and the simulator
#   make chapter5 test            judge your chapters/05_*/histogram.cu
#   make chapter5 run             run it on a text: one row of the ladder
#   make chapter5 profile         all counters of each launch, with a sentence for each
#   make chapter5 replay SEED=3   show a race happen, step by step
#   make chapter5 solution test   the reference in place of yours; also with run, profile
#   make chapter3 chapter4 test   several chapters at once
#   make gpu test, make chapter5 gpu run, make gpu bench ...   on a GPU: common/gpu.mk says all
#   make chapter1 bench           your loop beside the best that this machine's cores can do
#   make bench                    how fast the simulator is on this machine
#   make check                    prove the course: stubs, lessons, planted mistakes
#   make selfcheck                the simulator's own suites under AddressSanitizer and UBSan
#   make pictures                 draw the lessons' pictures anew, into docs/pictures/
#   make prediction               docs/results/h200/prediction.csv anew, from the times there
#   make clean                    remove build/
#
#   BINS=5|26|256   five bins of six letters (the default), 26 letters, every byte
#   INPUT=book.txt  the text that is counted; without it the lessons in docs/
#   TEXT=english|uniform|zipf|single|runs   generate it instead, from TEXT_SEED=1
#   SIZE=16M        repeat or cut the text to this length; 1M without INPUT, 64M for bench
#   SEED=1          the schedule on which the simulated GPU runs
#   CC=clang CXX=clang++   other compilers;  -j2  how many jobs, else one for each core

MAKEFLAGS += --no-builtin-rules --output-sync=target --jobs=$(shell nproc)
.SILENT:
.SECONDARY:
.DELETE_ON_ERROR:
ifeq ($(origin CC) $(origin CXX),default default)
CC := gcc
CXX := g++
endif
BINS := 5
SEED := 1
export CC CXX INPUT TEXT SIZE TEXT_SEED
export SIM_SEED := $(SEED)

# The goals are a set: chapterN and solution say what, the others say what to do.
WHAT := $(patsubst chapter%,%,$(filter chapter%,$(MAKECMDGOALS)))
DO := $(filter-out chapter% solution,$(MAKECMDGOALS))
KIND := $(if $(WHAT),$(if $(filter solution,$(MAKECMDGOALS)),solution,chapter),solution)
STEMS := $(sort $(notdir $(wildcard chapters/[0-9]*_* solutions/[0-9]*_*)))
stem_of = $(or $(filter $(1)_% 0$(1)_%,$(STEMS)),$(error there is no chapter$(1); there are $(STEMS)))
PICKED := $(or $(foreach n,$(WHAT),$(call stem_of,$n)),$(STEMS))
MAKEFLAGS += $(if $(word 2,$(WHAT)),--keep-going)
unknown := $(filter-out all help test run profile replay bench check selfcheck pictures prediction gpu micro sanitize fidelity clean build/%,$(DO))
$(if $(unknown),$(error there is no goal '$(firstword $(unknown))'; 'make help' lists them))
$(if $(MAKECMDGOALS),$(if $(DO),,$(error $(MAKECMDGOALS): to do what? add test, run or profile)))
$(if $(WHAT),,$(if $(filter replay,$(DO)),$(error replay: of which chapter? for example make chapter2 replay SEED=17)))
ifneq ($(filter-out 5 26 256,$(BINS))$(words $(BINS)),1)
$(error BINS=$(BINS): choose 5, 26 or 256)
endif
$(if $(shell printf %s '$(SEED)' | tr -d 0-9),$(error SEED=$(SEED) is not a whole number))

all: run
help:
	sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile
clean:
	rm -rf build
$(WHAT:%=chapter%) solution: ; @:
.PHONY: all help test run profile replay bench check selfcheck pictures prediction clean solution FORCE

# make selfcheck builds the simulator's library so; its lanes have stacks of their own.
ifneq ($(filter selfcheck,$(DO)),)
export SIM_CFLAGS := -fsanitize=address,undefined -fno-sanitize-recover
export ASAN_OPTIONS := detect_leaks=0:detect_stack_use_after_return=0
endif

# Each variant has a folder: build/sim-gcc/solution-5/06_shared/
DEVICE := sim
B := build/$(DEVICE)-$(notdir $(CC))$(if $(SIM_CFLAGS),-$(firstword $(shell echo '$(SIM_CFLAGS)' | cksum)))
CFLAGS := -O2 -g
STRICT := -std=c11 -Wall -Wextra -Wshadow -Wconversion -Icommon/sim
# What an unfinished kernel does not use yet is no news to the one who writes it.
KERNEL := -Wall -Wno-unused -Wno-unused-parameter
SIMCC := common/sim/simcc $(CFLAGS)
compile = mkdir -p $(@D) && $(SIMCC) -Icommon -MMD -MP -MF $(@:.o=.d) -c $< -o $@
link = mkdir -p $(@D) && $(SIMCC) $(filter %.o,$^) -o $@
number = $(patsubst 0%,%,$(firstword $(subst _, ,$(1))))
name = $(patsubst $(firstword $(subst _, ,$(1)))_%,%,$(1))
source = $(firstword $(wildcard $(1)s/$(2)/histogram.c*) $(1)s/$(2)/histogram.cu)
common = $(B)/libsim.a $(patsubst %,$(B)/common-$(1)/%.o,$(2))
suite_with = $(call common,$(1),runner harness facts measure stripes check text target_$(if $(filter %.c,$(2)),host,device))
row_with = $(call common,$(1),row measure stripes predict check text target_$(if $(filter %.c,$(2)),host,device))

ifneq ($(filter gpu micro sanitize fidelity,$(DO)),)
include common/gpu.mk
else
COMPILER := common/sim/simcc $(wildcard common/sim/*.sh common/sim/rewrite/*.[ch] common/sim/rewrite/*/*.[ch] common/sim/include/*.h)
$(B)/libsim.a: $(wildcard common/sim/*.h common/sim/*/*.[ch] common/sim/*/*/*.[ch] common/make/sim.mk) $(COMPILER)
	common/sim/simcc --library >/dev/null
FLAGS := $(CC) $(CXX) $(CFLAGS) $(STRICT) $(KERNEL)
$(B)/flags: FORCE
	mkdir -p $(@D); echo '$(FLAGS)' | cmp -s - $@ || echo '$(FLAGS)' >$@

# $(call binning,BINS): what all chapters share, and their suites
define binning
$(B)/common-$(1)/%.o: common/%.c $(B)/flags | $(B)/libsim.a
	$$(compile) $(STRICT) -DBINS=$(1)
$(B)/suite-$(1)/%.o: tests/%.c $(B)/flags | $(B)/libsim.a
	$$(compile) $(STRICT) -DBINS=$(1)
$(B)/common-$(1)/input: $(call common,$(1),input text check) ; $$(link)
$(B)/common-$(1)/ladder: $(call common,$(1),ladder csv check) ; $$(link)
$(B)/common-$(1)/profile: $(call common,$(1),profile csv check) ; $$(link)
$(B)/common-$(1)/cells: $(call common,$(1),cells csv predict) ; $$(link)
$(B)/common-$(1)/kind: $(call common,$(1),gpu/kind gpu/kinds text check) ; $$(link)
$(B)/common-$(1)/text $(B)/common-$(1)/text-to-time: $(B)/common-$(1)/input FORCE
	$$< $$@ $(or $(wildcard docs/[0-9]*.md),README.md)
endef
$(foreach b,5 26 256,$(eval $(call binning,$b)))

# $(call program,FOLDER,SOURCE,STEM,BINS): one implementation, in a suite and in a row
define program
$(1)/histogram.o: $(2) $(B)/flags $(COMPILER) | $(B)/libsim.a
	$$(compile) $$(KERNEL) -DBINS=$(4)
$(1)/test: $(1)/histogram.o $(B)/suite-$(4)/$(3).o $(call suite_with,$(4),$(2))
	$$(link) -lcriterion
$(1)/row: $(1)/histogram.o $(call row_with,$(4),$(2))
	$$(link)
$(1)/replay: $(1)/histogram.o $(call common,$(4),replay measure stripes predict check text target_$(if $(filter %.c,$(2)),host,device))
	$$(link)
$(1)/row.csv: $(1)/row $(B)/common-$(4)/text FORCE
	common/row.sh $(1)/row $(2) $(B)/common-$(4)/text $(call number,$(3)) $(call name,$(3)) $$@
endef
$(foreach s,$(STEMS),$(foreach b,5 26 256,$(foreach k,chapter solution,\
    $(eval $(call program,$(B)/$k-$b/$s,$(call source,$k,$s),$s,$b)))))

# With an #error a chapter refuses a number of bins; the whole ladder then goes without it.
refuses = CXX='$(CXX)' common/refusal.sh $(call source,solution,$(1)) $(2)
refused = $(foreach f,$(shell grep -ls '^ *\# *error' solutions/*/histogram.cu),$(foreach s,$(f:solutions/%/histogram.cu=%),\
    $(if $(shell $(call refuses,$s,$(1))),$s)))
LEFT_OUT := $(if $(WHAT),,$(call refused,$(BINS)))
ROWS := $(patsubst %,$(B)/$(KIND)-$(BINS)/%/row.csv,$(filter-out $(LEFT_OUT),$(PICKED)))
ifneq ($(filter run,$(or $(DO:all=run),run)),)
ifeq ($(KIND),solution)
include common/gpu/times.mk
endif
endif
run: $(B)/common-$(BINS)/ladder $(ROWS) $(TIMES)
	$< build/$(if $(WHAT),run,ladder).csv $(ROWS) $(if $(TIMES),-- $(TIMES) '$(GPU_NAME)')
	$(foreach s,$(LEFT_OUT),echo "Not here: $s. $$($(call refuses,$s,$(BINS)))";)
	$(if $(WHAT),,common/draw.sh build/ladder.csv build/ladder.svg)
profile: $(B)/common-$(BINS)/profile $(ROWS)
	$(foreach row,$(ROWS),$< $(row:.csv=.profile);)
ifneq ($(WHAT),)
replay: $(PICKED:%=$(B)/$(KIND)-$(BINS)/%/replay) $(B)/common-$(BINS)/text
	$(foreach s,$(PICKED),$(B)/$(KIND)-$(BINS)/$s/replay $(B)/common-$(BINS)/text;)
test: $(PICKED:%=judge-%)
judge-%: $(B)/$(KIND)-$(BINS)/%/test FORCE
	common/verdict.sh $< $(call source,$(KIND),$*) $(call number,$*) $(BINS)
endif

include common/check.mk
endif
-include $(wildcard $(B)/*/*.d $(B)/*/*/*.d $(B)/*/*/*/*.d)
