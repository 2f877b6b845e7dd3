# front.mk - the front door: what is wrong with a command line is said before anything is built.
KNOWN := BINS INPUT TEXT SIZE TEXT_SEED SEED DRAW CHAPTERS CC CXX CFLAGS ARCH NVCC SIM_CFLAGS \
    FORMAT SUBMISSIONS REPORT EXTRA POINTS COURSE ANSWERS TO PART OPERATION KEYS CCCL ROOTS \
    SHELL $(shell grep -o 'SIM_[A-Z]*' common/sim/base/options.c)
given = $(foreach v,$(.VARIABLES),$(if $(filter command,$(origin $v)),$v))
ifneq ($(filter-out help clean doctor,$(or $(MAKECMDGOALS),all)),)
$(if $(shell mkdir -p build 2>/dev/null && \
    for f in build build/*/; do [ ! -d $$f ] || [ -w $$f ] || exit; done && echo yes),,\
    $(error cannot write build/ here: copy the course, and run make in the copy))
REAPER := common/tools/reaped.c $(addprefix common/harness/apart/,reaper.c descendants.c)
door_cc = $(if $(filter default,$(origin CC)),gcc,$(CC))
wrong := $(shell command -v $(firstword $(door_cc)) >/dev/null || { echo \
    'the compiler $(door_cc) is not installed: sudo apt-get install build-essential;' \
    'make doctor says what else is missing'; exit; }; \
    [ -z "$$(find common/tools/front $(REAPER) -newer build/front_door 2>&1)" ] || \
    { $(door_cc) common/tools/front/*.c -o build/door.$$$$ && \
    $(door_cc) -Icommon/harness/apart $(REAPER) -o build/reaped.$$$$ && \
    mv build/reaped.$$$$ build/reaped && mv build/door.$$$$ build/front_door; } || \
    { echo '$(door_cc) makes no programs here: make doctor says more'; exit; }; \
    build/front_door '$(MAKECMDGOALS)' '$(given) $(SIM_PROFILE:%=SIM_PROFILE)' '$(KNOWN)' \
    '$(BINS)' '$(KEY_BINS)' '$(SEED)' '$(PART)' '$(OPERATION)' '$(KEYS)')
$(if $(wrong),$(error $(wrong)))
$(if $(filter handout,$(MAKECMDGOALS)),,$(if $(word 2,$(CHAPTERS)),$(error CHAPTERS=$(CHAPTERS): \
    make cannot use a folder with blanks in its name: give it another one)))
endif
