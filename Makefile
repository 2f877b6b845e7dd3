# Histogram Ladder: the parallel histogram in fourteen steps, on a GPU that runs anywhere.
#
# To learn. Without chapterN, hint, lesson, predict, trace, break, score mean the one you are at.
#   make                         count real text with all fourteen solutions, print the ladder
#   make next, make progress     where you are, its file and its lesson; a row for every chapter
#   make watch                   judge a chapter whenever you save it; keys for hints, trace, next
#   make chapter5 test           judge your chapters/05_*/histogram.cu; further: your exercise
#   make chapter5 run            one row of the ladder; profile: all counters of each launch
#   make chapter5 predict        the lesson's questions first, then your answers beside the counts
#   make chapter5 hint           the next hint for the first of your gaps that is empty
#   make chapter5 lesson         prints it; LANGUAGE=de: in German, zh_CN: Chinese; hint, test too
#   make chapter5 trace          every step of your kernel on a small input, as one page to browse
#   make chapter5 replay SEED=3  show a race happen, step by step; debug: your kernel in gdb
#   make chapter5 break          the other way round: expose a wrong kernel
#   make chapter5 score, reset   your counters beside the reference's; the stub anew, yours kept
#   make everything reset        all stubs anew: asks first, and keeps what is yours in chapters.1
#   make chapter5 solution test  the reference in place of yours; also with run, profile, trace
#   make doctor, editor, update  this machine; files for clangd and VS Code; a newer course
#   make count                   build/count FILE...: counts the bytes of files of any length
#   make kmeans                  build/kmeans PICTURE: paints a picture with few colors
#   make register                build/register FIXED.pgm MOVING.pgm: how far one is moved
# With a GPU: make gpu test, make chapter5 gpu run, make gpu bench ... (common/make/gpu.mk says all)
# To teach.
#   make chapter6 grade SUBMISSIONS=dir REPORT=dir   points for everybody; EXTRA=dir: your texts
#   make chapter6 gradescope     an autograder to upload; make handout CHAPTERS=1-5: no solutions
#   make book, make slides       the lessons as a site and a PDF; thirteen lectures
#   make exam CHAPTERS=1-9 SEED=7 POINTS=60   an exam and its key, as pages and for Moodle
# To build the course.
#   make test, make check        prove solutions and simulator; stubs, lessons, planted mistakes
#   make selfcheck, arm64        the simulator under AddressSanitizer and UBSan; elsewhere
#   make bare                    the two commands of the README on bare systems, as root
#   make bench, chapter1 bench   speed of the simulator; your loop beside this machine's cores
#   make pictures, prediction    made anew; make clean: remove build/
#
#   BINS=5|26|64|256  five bins of six letters (the default), 26 letters, bytes in fours, every byte
#   OPERATION=argmax  of chapters 20 to 31: one of theirs; there BINS=49145 is any number of bins
#   PART=2 KEYS=zipf  for make, make gpu bench: the ladder of those chapters; other keys
#   CAP=255         for make gpu bench PART=2: where saturate stops
#   PART=3 OPERATION=max  the same of chapters 40 to 47, which reduce an array of SIZE values
#   PART=5          the same of chapter 70, which groups SIZE points
#   PART=4 SIM_DEVICES=8  chapters 60 and 61: a text on so many devices, 4 without it
#   INPUT=book.txt  the text that is counted; without it the lessons in docs/
#   TEXT=english|uniform|zipf|single|runs   generate it instead, from TEXT_SEED=1
#   SIZE=16M        repeat or cut the text to this length; 1M without INPUT, 64M for bench
#   SIM_CARD=A100   the limits of the simulated GPU: H200, A100, RTX4090 or RTX3060_LAPTOP
#   SEED=1          the schedule on which the simulated GPU runs;  FORMAT=ncu-csv for profile
#   FORMAT=json     one object for programs: test, run, profile, score, progress, doctor;  or
#                   FORMAT=junit, for test
#   CHAPTERS=chapters  the folder with your kernels;  CC=clang CXX=clang++ compilers;  -j2 jobs
#   Settings count in the environment, too. In chapters/05_*/ make test is make chapter5 test here.

SEEN := $(findstring n,$(firstword -$(MAKEFLAGS)))# with -n what would run is printed
MAKEFLAGS += --no-builtin-rules --no-print-directory $(if $(SEEN),--silent)
.SILENT .NOTPARALLEL: # goals come one after the other; each has its jobs
# Some tests of the course wait more than they compute: there are more at a time than cores.
MAKEFLAGS += --jobs=$(shell expr $$(nproc) + $(if $(filter test check,$(firstword \
    $(MAKECMDGOALS))),2,0))
OWN := help clean doctor arm64 bare
ASKED := $(filter-out $(OWN),$(or $(MAKECMDGOALS),all))
quoted = '$(subst ','\'',$1)'
typed := $(foreach v,$(.VARIABLES),$(if $(filter command,$(origin $v)),$(call \
    quoted,$v=$(value $v))))
ifneq ($(filter-out help clean doctor,$(or $(MAKECMDGOALS),all)),)
compiler := $(if $(filter default,$(origin CC)),gcc,$(CC))
wrong := $(or $(shell common/driver/driver.sh '$(compiler)'),\
    $(shell build/driver $(call quoted,$(MAKECMDGOALS)) $(typed)))
$(if $(wrong),$(error $(wrong)))
else
doctors := $(if $(filter doctor,$(MAKECMDGOALS)),FORMAT SIM_CARD)
ignored := $(strip $(foreach v,$(filter-out CC CXX $(doctors),$(.VARIABLES)),$(if $(filter \
    command,$(origin $v)),$v)))
$(if $(ignored),$(error $(firstword $(ignored)): make $(MAKECMDGOALS) does not use it))
endif
.PHONY: all $(OWN) $(ASKED)
all: # the first goal
help: ; sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile
clean: ; rm -rf build
doctor: ; common/tools/doctor/doctor.sh '$(patsubst cc,gcc,$(CC))' '$(CXX)'
arm64 bare: ; tests/$@/$@.*
# All other goals are the driver's, which calls make for each of them (common/driver/driver.c).
ifeq ($(SEEN),)
$(firstword $(ASKED)):
	+MAKE='$(MAKE)' WATCHED=$(shell echo $$PPID) build/driver --drive '$(ASKED)'
$(wordlist 2,99,$(ASKED)): $(firstword $(ASKED)) ; @:
else
# Of make's own ways nothing is printed: its lines can be pasted.
$(ASKED): ;
$(if $(ASKED),$(shell env MAKEFLAGS=$(call quoted,n -- $(MAKEOVERRIDES)) $(typed) MAKE='$(MAKE)' \
    LOCKED=yes build/driver --drive '$(ASKED)' >>/proc/$$PPID/fd/1)$(if \
    $(filter-out 0,$(.SHELLSTATUS)),$(error stopped)))
endif
