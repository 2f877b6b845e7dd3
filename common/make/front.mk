# front.mk - the front door: builds the driver, which says what is wrong with a command line before
# anything else is built.
quoted = '$(subst ','\'',$(1))'
typed := $(foreach v,$(.VARIABLES),$(if $(filter command,$(origin $v)),$(call \
    quoted,$v=$(value $v))))
ifneq ($(filter-out help clean doctor,$(or $(MAKECMDGOALS),all)),)
$(if $(shell mkdir -p build 2>/dev/null && \
    for f in build build/*/; do [ ! -d $$f ] || [ -w $$f ] || exit; done && echo yes),,\
    $(error cannot write build/ here: copy the course, and run make in the copy))
REAPER := common/tools/reaped.c $(addprefix common/sandbox/,reaper.c descendants.c)
DRIVER := $(wildcard common/tools/front/*.[ch]) $(addprefix common/course/,chapter.c chapter.h \
    util.c util.h)
# What a compiler that is killed leaves behind stays in build.
door_cc = $(if $(filter default,$(origin CC)),gcc,$(CC))
wrong := $(shell command -v $(firstword $(door_cc)) >/dev/null || { echo \
    'the compiler $(door_cc) is not installed: sudo apt-get install build-essential;' \
    'make doctor says what else is missing'; exit; }; \
    [ -z "$$(find $(DRIVER) $(REAPER) -newer build/driver 2>&1)" ] || \
    { TMPDIR=build $(door_cc) -Icommon/course $(filter %.c,$(DRIVER)) -o build/driver.$$$$ && \
    TMPDIR=build $(door_cc) -Icommon/sandbox $(REAPER) -o build/reaped.$$$$ && \
    mv build/reaped.$$$$ build/reaped && mv build/driver.$$$$ build/driver; } || \
    { echo '$(door_cc) makes no programs here: make doctor says more'; exit; }; \
    build/driver $(call quoted,$(MAKECMDGOALS)) $(typed))
$(if $(wrong),$(error $(wrong)))
endif
