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
#   make gpu test, make chapter5 gpu run, make gpu bench ...   on a GPU: common/make/gpu.mk says all
#   make chapter1 bench           your loop beside the best that this machine's cores can do
#   make bench                    how fast the simulator is here, and how soon a verdict comes
#   make check                    prove the course: stubs, lessons, planted mistakes
#   make selfcheck                the simulator's own suites under AddressSanitizer and UBSan
#   make arm64                    the simulator and the solutions on another machine, emulated
#   make pictures                 draw the lessons' pictures anew, into docs/pictures/
#   make prediction               docs/results/h200/prediction.csv anew, from the times there
#   make clean                    remove build/
#
#   BINS=5|26|256   five bins of six letters (the default), 26 letters, every byte
#   INPUT=book.txt  the text that is counted; without it the lessons in docs/
#   TEXT=english|uniform|zipf|single|runs   generate it instead, from TEXT_SEED=1
#   SIZE=16M        repeat or cut the text to this length; 1M without INPUT, 64M for bench
#   SEED=1          the schedule on which the simulated GPU runs
#   CHAPTERS=chapters   the folder with the stubs that are judged
#   CC=clang CXX=clang++   other compilers;  -j2  how many jobs, else one for each core

MAKEFLAGS += --no-builtin-rules --no-print-directory --jobs=$(shell nproc)
.SILENT:
.NOTPARALLEL: # goals come one after the other; each has its jobs
GIVEN := $(filter command% environment%,$(origin BINS))$(filter chapter%,$(MAKECMDGOALS))
BINS := 5
SEED := 1
CHAPTERS := chapters
export INPUT TEXT SIZE TEXT_SEED SEED
export SIM_SEED := $(SEED)

# The goals are a set: chapterN, solution and gpu say what, the others say what to do.
OF_CHAPTERS := test run profile replay bench
OF_COURSE := check selfcheck pictures prediction
OF_GPU := micro sanitize fidelity
WHAT := $(patsubst chapter%,%,$(filter chapter%,$(MAKECMDGOALS)))
DO := $(filter-out chapter% solution gpu,$(MAKECMDGOALS))
KIND := $(if $(WHAT),$(if $(filter solution,$(MAKECMDGOALS)),solution,chapter),solution)
FROM := $(if $(filter chapter,$(KIND)),$(CHAPTERS),solutions)
ALL := $(sort $(notdir $(wildcard $(CHAPTERS)/[0-9]*_* solutions/[0-9]*_*)))
stem_of = $(or $(filter $(1)_% 0$(1)_%,$(ALL)),$(error there is no chapter$(1); there are $(ALL)))
STEMS := $(foreach n,$(WHAT),$(call stem_of,$n))
MAKEFLAGS += $(if $(word 2,$(WHAT)),--keep-going)
unknown := $(filter-out all help clean arm64 $(OF_CHAPTERS) $(OF_COURSE) $(OF_GPU) build/%,$(DO))
$(if $(unknown),$(error there is no goal '$(firstword $(unknown))'; 'make help' lists them))
$(if $(filter gpu,$(MAKECMDGOALS))$(DO),,$(if $(MAKECMDGOALS),\
    $(error $(MAKECMDGOALS): to do what? add test, run or profile)))
$(if $(WHAT),,$(if $(filter replay,$(DO)),\
    $(error replay: of which chapter? for example make chapter2 replay SEED=17)))
ifneq ($(filter-out 5 26 256,$(BINS))$(words $(BINS)),1)
$(error BINS=$(BINS): choose 5, 26 or 256)
endif
$(if $(shell printf %s '$(SEED)' | tr -d 0-9),$(error SEED=$(SEED) is not a whole number))

make = +$(MAKE) -f common/make/$(1).mk BINS=$(BINS) KIND=$(KIND) FROM=$(FROM)
with = $(make) STEMS='$(STEMS)' $@
.PHONY: all help clean arm64 solution gpu chapter% $(OF_CHAPTERS) $(OF_COURSE) $(OF_GPU)
all: run
help:
	sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile
clean:
	rm -rf build
arm64:
	tests/arm64/arm64.sh
$(WHAT:%=chapter%) solution: ; @:
ifneq ($(filter gpu $(OF_GPU),$(MAKECMDGOALS)),)
gpu: $(if $(filter-out gpu,$(DO)),,run) ; @:
$(OF_CHAPTERS) $(OF_GPU):
	$(call make,gpu) $(if $(WHAT),STEMS='$(STEMS)') $(if $(GIVEN),,GPU_BINS='5 26 256') $@
else ifneq ($(WHAT),)
$(OF_CHAPTERS):
	$(call make,variant) STEMS='$(STEMS)' $@
else
run profile:
	$(call make,variant) $(if $(filter run,$@),LADDER=build/ladder.csv) $@
test bench $(OF_COURSE):
	+$(MAKE) -f common/make/prove.mk $@
endif
selfcheck: export SIM_CFLAGS := -fsanitize=address,undefined -fno-sanitize-recover
selfcheck: export ASAN_OPTIONS := detect_leaks=0:detect_stack_use_after_return=0
build/%: FORCE
	$(call make,variant) STEMS='$(STEMS)' $@
FORCE:
