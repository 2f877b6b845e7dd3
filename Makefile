# Histogram Ladder: the parallel histogram in nine steps, on a GPU that runs anywhere.
#
#   make                          count real text with all nine solutions, print the ladder
#   make test                     prove the solutions, the harness and the simulator
#   make chapter5 test            judge your chapters/05_*/histogram.cu
#   make chapter5 run             run it on a text: one row of the ladder
#   make chapter5 profile         all counters of each launch, with a sentence for each
#   make chapter5 solution test   the reference in place of yours; also with run, profile
#   make chapter3 chapter4 test   several chapters at once
#   make bench                    how fast the simulator is on this machine
#   make check                    prove the course: stubs, lessons, planted mistakes
#   make clean                    remove build/
#
#   BINS=5|26|256   five bins of six letters (the default), 26 letters, every byte
#   INPUT=book.txt  the text that is counted; without it the lessons in docs/
#   TEXT=english|uniform|zipf|single|runs   generate it instead, from TEXT_SEED=1
#   SIZE=16M        repeat or cut the text to this length; 1M without INPUT
#   SEED=1          the schedule on which the simulated GPU runs
#   CC=clang CXX=clang++   other compilers;  -j2  how many jobs, else one for each core

MAKEFLAGS += --no-builtin-rules --output-sync=target --jobs=$(shell nproc)
.SECONDARY:
.DELETE_ON_ERROR:
$(V).SILENT:
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
STEMS := $(sort $(notdir $(wildcard chapters/[0-9]*_* solutions/[0-9]*_*)))
stem_of = $(or $(filter $(1)_% 0$(1)_%,$(STEMS)),$(error there is no chapter$(1); there are $(STEMS)))
PICKED := $(or $(foreach n,$(WHAT),$(call stem_of,$n)),$(STEMS))
KIND := $(if $(WHAT),$(if $(filter solution,$(MAKECMDGOALS)),solution,chapter),solution)
unknown := $(filter-out all help test run profile bench check clean build/%,$(DO))
$(if $(unknown),$(error there is no goal '$(firstword $(unknown))'; 'make help' lists them))
$(if $(MAKECMDGOALS),$(if $(DO),,$(error $(MAKECMDGOALS): to do what? add test, run or profile)))
$(if $(filter-out 1,$(words $(BINS)))$(filter-out 5 26 256,$(BINS)),$(error BINS=$(BINS): choose 5, 26 or 256))
$(if $(shell printf %s '$(SEED)' | tr -d 0-9),$(error SEED=$(SEED) is not a whole number))

# Each variant has a folder: build/sim-gcc/solution-5/06_shared/
DEVICE := sim
B := build/$(DEVICE)-$(notdir $(CC))
SIM := $(B)/libsim.a
INCLUDES := -Icommon -Icommon/sim
CFLAGS := -O2 -g
STRICT := -std=c11 -Wall -Wextra -Wshadow -Wconversion
# What an unfinished kernel does not use yet is no news to the one who writes it.
KERNEL := -Wall -Wno-unused -Wno-unused-parameter
compile = mkdir -p $(@D) && common/sim/simcc $(CFLAGS) $(INCLUDES) -MMD -MP -MF $(@:.o=.d) -c $< -o $@
link = common/sim/simcc $(CFLAGS) $(filter %.o,$^) -o $@
number = $(patsubst 0%,%,$(firstword $(subst _, ,$(1))))
name = $(patsubst $(firstword $(subst _, ,$(1)))_%,%,$(1))
common = $(patsubst %,$(B)/common-$(1)/%.o,$(2))
target_of = $(if $(filter %.c,$(1)),target_host,target_device)

all: run
help:
	sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile
clean:
	rm -rf build
$(WHAT:%=chapter%) solution: ; @:
.PHONY: all help test run profile bench check clean solution FORCE

$(SIM): $(wildcard common/sim/*.[ch] common/sim/rewrite/* common/sim/include/* common/sim/simcc)
	common/sim/simcc --library >/dev/null
FLAGS := $(CC) $(CXX) $(CFLAGS) $(STRICT) $(KERNEL)
$(B)/flags: FORCE
	mkdir -p $(@D); echo '$(FLAGS)' | cmp -s - $@ || echo '$(FLAGS)' >$@

# $(call binning,BINS): what all chapters share, and their suites
define binning
$(B)/common-$(1)/%.o: common/%.c $(B)/flags | $(SIM)
	$$(compile) $(STRICT) -DBINS=$(1)
$(B)/suite-$(1)/%.o: tests/%.c $(B)/flags | $(SIM)
	$$(compile) $(STRICT) -DBINS=$(1)
$(B)/common-$(1)/input: $(call common,$(1),input text check)
	$$(link)
$(B)/common-$(1)/ladder: $(call common,$(1),ladder csv check)
	$$(link)
$(B)/common-$(1)/profile: $(call common,$(1),profile csv check)
	$$(link)
$(B)/common-$(1)/text: $(B)/common-$(1)/input FORCE
	$$< $$@ $(or $(wildcard docs/[0-9]*.md),README.md)
endef
$(foreach b,5 26 256,$(eval $(call binning,$b)))

# $(call program,FOLDER,SOURCE,STEM,BINS): one implementation, in a suite and in a row
define program
$(1)/histogram.o: $(2) $(B)/flags | $(SIM)
	$$(compile) $(KERNEL) -DBINS=$(4)
$(1)/test: $(1)/histogram.o $(B)/suite-$(4)/$(3).o \
    $(call common,$(4),runner harness facts measure check text $(call target_of,$(2)))
	$$(link) -lcriterion
$(1)/row: $(1)/histogram.o $(call common,$(4),row measure check text $(call target_of,$(2)))
	$$(link)
$(1)/verdict: $(1)/test
	common/verdict.sh $$< $(2) 'chapter $(call number,$(3)), $(4) bins' >$$@ 2>&1; head -n 1 $$@
$(1)/row.csv: $(1)/row $(B)/common-$(4)/text FORCE
	common/row.sh $(1)/row $(2) $(B)/common-$(4)/text $(call number,$(3)) $(call name,$(3)) $$@
endef
source = $(firstword $(wildcard $(1)s/$(2)/histogram.c*) $(1)s/$(2)/histogram.cu)
$(foreach s,$(STEMS),$(foreach b,5 26 256,$(foreach k,chapter solution,\
    $(eval $(call program,$(B)/$k-$b/$s,$(call source,$k,$s),$s,$b)))))

ROWS := $(patsubst %,$(B)/$(KIND)-$(BINS)/%/row.csv,$(PICKED))
LADDER := build/$(if $(WHAT),run,ladder).csv
run: $(B)/common-$(BINS)/ladder $(ROWS)
	$< $(LADDER) $(ROWS)$(if $(WHAT),, && common/draw.sh $(LADDER) build/ladder.svg)
profile: $(B)/common-$(BINS)/profile $(ROWS)
	$(foreach r,$(ROWS),$< $(r:.csv=.profile);)

-include common/check.mk
-include $(wildcard $(B)/*/*.d $(B)/*/*/*.d $(B)/*/*/*/*.d)
