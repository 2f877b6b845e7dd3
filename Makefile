# Histogram Ladder: the parallel histogram in fourteen steps, on a GPU that runs anywhere.
#
#   make                          count real text with all fourteen solutions, print the ladder
#   make test                     prove the solutions, the harness and the simulator
#   make chapter5 test            judge your chapters/05_*/histogram.cu
#   make chapter5 run             run it on a text: one row of the ladder
#   make chapter5 profile         all counters of each launch, with a sentence for each
#   make chapter5 replay SEED=3   show a race happen, step by step
#   make chapter5 hint            the next hint for the first of your gaps that is empty
#   make chapter5 solution test   the reference in place of yours; also with run, profile
#   make chapter5 further         judge your exercise of Go further; also with run, profile
#   make chapter3 chapter4 test   several chapters at once
#   make gpu test, make chapter5 gpu run, make gpu bench ...   on a GPU: common/make/gpu.mk says all
#   make chapter1 bench           your loop beside the best that this machine's cores can do
#   make bench                    how fast the simulator is here, and how soon a verdict comes
#   make check                    prove the course: stubs, lessons, planted mistakes
#   make selfcheck, make arm64    the simulator under AddressSanitizer and UBSan; on another machine
#   make slides, pictures, prediction   lectures in build/slides/; pictures and predicted times anew
#   make clean                    remove build/
#
#   BINS=5|26|256   five bins of six letters (the default), 26 letters, every byte
#   INPUT=book.txt  the text that is counted; without it the lessons in docs/
#   TEXT=english|uniform|zipf|single|runs   generate it instead, from TEXT_SEED=1
#   SIZE=16M        repeat or cut the text to this length; 1M without INPUT, 64M for bench
#   SEED=1          the schedule on which the simulated GPU runs
#   CHAPTERS=chapters  the folder with your kernels;  CC=clang CXX=clang++ compilers;  -j2 jobs
#   Settings count in the environment, too. In chapters/05_*/ make test is make chapter5 test here.

MAKEFLAGS += --no-builtin-rules --no-print-directory --jobs=$(shell nproc)
.SILENT .NOTPARALLEL: # goals come one after the other; each has its jobs
GIVEN := $(filter command% environment%,$(origin BINS))$(filter chapter%,$(MAKECMDGOALS))
BINS := $(or $(BINS),5)
SEED := $(or $(SEED),$(SIM_SEED),1)
CHAPTERS := $(or $(CHAPTERS),chapters)
export INPUT TEXT SIZE TEXT_SEED SEED
export SIM_SEED := $(SEED)

# Nothing is built before the front door has looked at the command line.
KNOWN := BINS INPUT TEXT SIZE TEXT_SEED SEED DRAW CHAPTERS CC CXX CFLAGS ARCH NVCC SIM_CFLAGS \
    SHELL $(shell grep -o 'SIM_[A-Z]*' common/sim/base/options.c)
given = $(foreach v,$(.VARIABLES),$(if $(filter command,$(origin $v)),$v))
ifneq ($(filter-out help clean,$(or $(MAKECMDGOALS),all)),)
$(if $(shell mkdir -p build 2>/dev/null && \
    for f in build build/*/; do [ ! -d $$f ] || [ -w $$f ] || exit; done && echo yes),,\
    $(error cannot write build/ here: copy the course, and run make in the copy))
wrong := $(shell [ -z "$$(find common/tools/front -newer build/front_door 2>&1)" ] || { \
    $(CC) common/tools/front/*.c -o build/door.$$$$ && mv build/door.$$$$ build/front_door; }; \
    build/front_door '$(MAKECMDGOALS)' '$(given) $(SIM_PROFILE:%=SIM_PROFILE)' '$(KNOWN)' \
    '$(BINS)' '$(SEED)')
$(if $(wrong),$(error $(wrong)))
endif

# The goals are a set: chapterN, solution, further and gpu say what, the others what to do.
OF_CHAPTERS := test run profile replay bench
OF_COURSE := check selfcheck pictures prediction slides
OF_GPU := experiments micro sanitize fidelity
WHAT := $(patsubst chapter%,%,$(filter chapter%,$(MAKECMDGOALS)))
FURTHER := $(filter further,$(MAKECMDGOALS))
DO := $(filter-out chapter% solution gpu further,$(MAKECMDGOALS))
KIND := $(if $(WHAT),$(if $(filter solution,$(MAKECMDGOALS)),solution,chapter),solution)
FROM := $(if $(filter chapter,$(KIND)),$(CHAPTERS),solutions)
# A chapter is what has a suite: a copy beside it, such as 05_backup, has none.
ALL := $(sort $(notdir $(wildcard $(CHAPTERS)/[0-9]*_* solutions/[0-9]*_*)))
SUITED := $(patsubst tests/%.c,%,$(wildcard $(ALL:%=tests/%.c)))
named = $(filter $(1)_% 0$(1)_%,$(2))
stem_of = $(or $(call named,$1,$(SUITED)),$(error there is no chapter$1; there are $(SUITED)))
CHOSEN := $(foreach n,$(WHAT),$(call stem_of,$n))
STEMS := $(addsuffix $(FURTHER:%=/%),$(CHOSEN))
COPIES := $(filter-out $(CHOSEN),$(foreach n,$(WHAT),$(call named,$n,$(ALL))))
$(if $(COPIES),$(warning $(COPIES): left out, for tests/ has no suite of it; $(CHOSEN) is meant))
MAKEFLAGS += $(if $(word 2,$(WHAT)),--keep-going)
ALONE := $(if $(LOCKED),,$(if $(shell command -v flock),flock -n -o build/lock true || \
    echo 'another make is at work here: waiting for its end'; flock -o build/lock env LOCKED=yes))
make = +$(ALONE) $(MAKE) -f common/make/$(1).mk BINS=$(BINS) KIND=$(KIND) FROM=$(FROM)
.PHONY: FORCE all help hint clean arm64 solution gpu further $(OF_CHAPTERS) $(OF_COURSE) $(OF_GPU)
all: run
help: ; sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile
clean: ; rm -rf build
arm64: ; tests/arm64/arm64.sh
$(WHAT:%=chapter%) solution: $(if $(DO),,$(FURTHER:further=test)) ; @:
$(OF_CHAPTERS): $(FURTHER)
hint further: ; $(call make,variant) STEMS='$(CHOSEN)' $@
ifneq ($(filter gpu $(OF_GPU),$(MAKECMDGOALS)),)
gpu: $(if $(DO)$(FURTHER),,run) ; @:
$(OF_CHAPTERS) $(OF_GPU):
	$(call make,gpu) $(if $(WHAT),STEMS='$(STEMS)') $(if $(GIVEN),,GPU_BINS='5 26 256') $@
else ifneq ($(WHAT),)
$(OF_CHAPTERS):
	$(call make,variant) STEMS='$(STEMS)' $@
else
run profile:
	$(call make,variant) $(if $(filter run,$@),LADDER=build/ladder.csv) $@
test bench $(OF_COURSE):
	+$(ALONE) $(MAKE) -f common/make/prove.mk $@
endif
selfcheck: export SIM_CFLAGS := -fsanitize=address,undefined -fno-sanitize-recover
selfcheck: export ASAN_OPTIONS := detect_leaks=0:detect_stack_use_after_return=0
build/%: FORCE
	$(call make,variant) STEMS='$(STEMS)' $@
