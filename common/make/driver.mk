# driver.mk - builds the driver, which reads a command line and knows what each kernel is.
#
# What a compiler that is killed leaves behind stays in build.
DRIVER := $(wildcard common/driver/*.[ch] common/sim/base/cards.h) \
    $(addprefix common/course/,chapter.c chapter.h \
    util.c util.h json.c json.h results.c results.h) $(addprefix common/sandbox/,reaper.c reaper.h)
driver_cc := $(if $(filter default,$(origin CC)),gcc,$(CC))
wrong := $(shell { mkdir -p build && [ -z "$$(find build -maxdepth 1 -type d ! -writable)" ]; } \
    2>/dev/null || \
    { echo 'cannot write build/ here: copy the course, and run make in the copy'; exit; }; \
    command -v $(firstword $(driver_cc)) >/dev/null || { echo \
    'the compiler $(driver_cc) is not installed: sudo apt-get install build-essential;' \
    'make doctor says what else is missing'; exit; }; \
    [ -z "$$(find $(DRIVER) -newer build/driver 2>&1)" ] || \
    { TMPDIR=build $(driver_cc) -Icommon/course -Icommon/sandbox $(filter %.c,$(DRIVER)) \
    -o build/driver.$$$$ && mv build/driver.$$$$ build/driver; } || \
    echo '$(driver_cc) makes no programs here: make doctor says more')
$(if $(wrong),$(error $(wrong)))
