# Histogram Ladder: the parallel histogram in fourteen steps, on a GPU that runs anywhere.
#
# To learn. Without chapterN, hint, predict, trace, break and score are about the one you are at.
#   make                         count real text with all fourteen solutions, print the ladder
#   make next, make progress     where you are, its file and its lesson; a row for every chapter
#   make watch                   judge a chapter whenever you save it; keys for hints, trace, next
#   make chapter5 test           judge your chapters/05_*/histogram.cu; further: your exercise
#   make chapter5 run            one row of the ladder; profile: all counters of each launch
#   make chapter5 predict        the lesson's questions first, then your answers beside the counts
#   make chapter5 hint           the next hint for the first of your gaps that is empty
#   make chapter5 trace          every step of your kernel on a small input, as one page to browse
#   make chapter5 replay SEED=3  show a race happen, step by step; debug: your kernel in gdb
#   make chapter5 break          the other way round: expose a wrong kernel
#   make chapter5 score, reset   your counters beside the reference's; the stub anew, yours kept
#   make chapter5 solution test  the reference in place of yours; also with run, profile, trace
#   make doctor, editor, update  this machine; files for clangd and VS Code; a newer course
#   make count                   build/count FILE...: counts the bytes of files of any length
# With a GPU: make gpu test, make chapter5 gpu run, make gpu bench ... (common/make/gpu.mk says all)
# To teach.
#   make chapter6 grade SUBMISSIONS=dir REPORT=dir   points for everybody; EXTRA=dir: your texts
#   make chapter6 gradescope     an autograder to upload; make handout CHAPTERS=1-5: no solutions
#   make book, make slides       the lessons as a site and a PDF; five lectures
# To build the course.
#   make test, make check        prove solutions and simulator; stubs, lessons, planted mistakes
#   make selfcheck, arm64        the simulator under AddressSanitizer and UBSan; elsewhere
#   make bare                    the two commands of the README on bare systems, as root
#   make bench, chapter1 bench   speed of the simulator; your loop beside this machine's cores
#   make pictures, prediction    made anew; make clean: remove build/
#
#   BINS=5|26|64|256  five bins of six letters (the default), 26 letters, bytes in fours, every byte
#   OPERATION=argmax  of chapters 20 to 31: one of theirs; there BINS=49145 is any number of bins
#   PART=2 KEYS=zipf  for make, make gpu bench: the ladder of those chapters, and how keys crowd
#   PART=3 OPERATION=max  the same of chapters 40 to 47, which reduce an array of SIZE values
#   PART=4 SIM_DEVICES=8  chapters 60 and 61: a text on so many devices, 4 without it
#   INPUT=book.txt  the text that is counted; without it the lessons in docs/
#   TEXT=english|uniform|zipf|single|runs   generate it instead, from TEXT_SEED=1
#   SIZE=16M        repeat or cut the text to this length; 1M without INPUT, 64M for bench
#   SEED=1          the schedule on which the simulated GPU runs;  FORMAT=ncu-csv for profile
#   CHAPTERS=chapters  the folder with your kernels;  CC=clang CXX=clang++ compilers;  -j2 jobs
#   Settings count in the environment, too. In chapters/05_*/ make test is make chapter5 test here.

# With -n what would run is printed, and not how make comes to it: another make is asked, which makes
# those below it print. Its lines can be pasted.
ifneq ($(findstring n,$(firstword -$(MAKEFLAGS))),)
.PHONY: all $(MAKECMDGOALS)
MAKEFLAGS += --silent
$(or $(MAKECMDGOALS),all): ;
$(shell MAKEFLAGS= MFLAGS= LOCKED=yes PRINTED=-n $(MAKE) $(MAKEOVERRIDES) $(MAKECMDGOALS) \
    >>/proc/$$PPID/fd/1)
$(if $(filter-out 0,$(.SHELLSTATUS)),$(error stopped))
else
MAKEFLAGS += --no-builtin-rules --no-print-directory
.SILENT .NOTPARALLEL: # goals come one after the other; each has its jobs
include common/make/front.mk
GIVEN := $(filter command% environment%,$(origin BINS))$(filter chapter%,$(MAKECMDGOALS))
export KEY_BINS := $(if $(filter command% environment%,$(origin BINS)),$(BINS))
BINS := $(or $(BINS),5)
SEED := $(or $(SEED),$(SIM_SEED),1)
CHAPTERS := $(or $(CHAPTERS),chapters)
export INPUT TEXT SIZE TEXT_SEED SEED PART OPERATION KEYS
export SIM_SEED := $(SEED)

include common/make/goals.mk
MAKEFLAGS += $(if $(word 2,$(WHAT)),--keep-going)
ALONE := $(if $(LOCKED),,$(if $(shell command -v flock),flock -n -o build/lock true || \
    echo 'another make is at work here: waiting for its end'; flock -o build/lock env LOCKED=yes)) \
    $(if $(LOCKED),,build/reaped $(shell echo $$PPID))
make = +$(ALONE) $(MAKE) $(PRINTED) -f common/make/$(1).mk BINS=$(or $(2),$(BINS)) KIND=$(KIND) FROM=$(FROM)
# In the environment: a goal at the desk may start a make of its own, which is about other chapters.
here = KIND=$(KIND) FROM=$(FROM) STEMS='$(CHOSEN)'
.PHONY: FORCE all help clean arm64 bare count debug solution gpu further reset $(OF_CHAPTERS) \
    $(OF_COURSE) $(OF_GPU) $(OF_DESK) $(OF_MACHINE) $(OF_TEACHER)
all: run
help: ; sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile
clean: ; rm -rf build
arm64 bare: ; tests/$@/$@.*
$(WHAT:%=chapter%) solution: $(if $(DO),,$(FURTHER:further=test)) ; @:
$(OF_CHAPTERS): $(FURTHER)
further hint trace break: exercises = $(1)
further $(if $(WHAT),hint trace break):
	$(call texts,$@)
	$(call keyed,$@)
reset predict score $(if $(WHAT),,$(filter-out predict score,$(OF_DESK))):
	$(call make,desk) ready && $(here) exec $(MAKE) -f common/make/desk.mk $@
$(OF_MACHINE): ; $(MAKE) -f common/make/machine.mk $@
count:
	$(call make,count,$(or $(KEY_BINS),256)) $(if $(CHOSEN),STEMS='$(CHOSEN)') $(addprefix \
	    DEVICE=,$(filter gpu,$(MAKECMDGOALS))) count
debug:
	$(call make,variant,$(if $(KEYED),keys)) STEMS='$(STEMS)' DEBUG=yes $@ && \
	    exec gdb -q -iex 'set auto-load local-gdbinit off' -x build/$@.gdb
$(OF_TEACHER): ; $(call make,teach) STEMS='$(CHOSEN)' $@
ifneq ($(filter gpu $(OF_GPU),$(MAKECMDGOALS)),)
gpu: $(if $(DO)$(FURTHER),,run) ; @:
$(OF_CHAPTERS) $(OF_GPU):
	$(call make,gpu) $(if $(WHAT),STEMS='$(STEMS)') $(if $(GIVEN),,GPU_BINS='5 26 256') $@
else ifneq ($(WHAT),)
$(OF_CHAPTERS):
	$(call texts,$@)
	$(call keyed,$@)
else
run profile:
	$(call make,variant,$(KEYED_PART:%=keys)) \
	    $(if $(filter run,$@),LADDER=build/ladder$(addprefix -,$(filter-out 1,$(PART))).csv) $@
test bench $(OF_COURSE):
	+$(ALONE) $(MAKE) -f common/make/prove.mk $@
endif
selfcheck: export SIM_CFLAGS := -fsanitize=address,undefined -fno-sanitize-recover
selfcheck: export ASAN_OPTIONS := detect_leaks=0:detect_stack_use_after_return=0
build/%: FORCE
	$(call make,variant,$(if $(findstring -keys/,$@),keys)) STEMS='$(STEMS)' $@
endif
