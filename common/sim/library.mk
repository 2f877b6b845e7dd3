# library.mk - builds the simulator: simcc runs it, in this folder, one at a time.
#
#   BUILD    the folder for what it makes: libsim.a, rewrite, objects/LAYER/*.o
#   CC       the C compiler of the library; CC_HERE one for the machine that this runs on, for
#            the rewriting step; OPTIONS of both
#
# From left to right: a layer includes and calls what is to its left (tests/proofs/test_layers.py).
LAYERS := base machine report memory checks engine device runtime
RECIPE := $(lastword $(MAKEFILE_LIST))
FOLDERS := $(LAYERS) $(patsubst %/,%,$(wildcard $(LAYERS:%=%/*/)))
OBJECTS := $(patsubst %.c,$(BUILD)/objects/%.o,$(wildcard $(FOLDERS:%=%/*.c)))
REWRITE := $(wildcard rewrite/*.[ch] rewrite/text/*.[ch]) base/cards.h base/table.h
# The first time it says how far it is.
TELL := ../tools/progress/so_far.sh
FIRST := $(if $(wildcard $(BUILD)/libsim.a),,$(shell $(TELL) begin $(BUILD)/progress.simulator)yes)
all: $(BUILD)/libsim.a $(BUILD)/rewrite
# The folders are prerequisites, for a source may have gone away.
$(BUILD)/libsim.a: $(OBJECTS) $(FOLDERS)
	rm -f $@.new; ar rcs $@.new $(OBJECTS) && mv $@.new $@
# Reports know the simulator's own lines by their whole names. clang shortens those below the folder where it works.
WHOLE_NAMES := $(if $(findstring clang,$(shell $(CC) --version)),-fdebug-compilation-dir=/)
$(BUILD)/objects/%.o: %.c $(RECIPE)
	mkdir -p $(@D)
	$(CC) $(OPTIONS) $(WHOLE_NAMES) -I'$(CURDIR)' -MMD -MP -MF $(@:.o=.d) -MT $@ -c '$(CURDIR)/$<' -o $@.new && mv $@.new $@
	$(if $(FIRST),$(TELL) $(BUILD)/progress.simulator $(words $(OBJECTS)) 'the simulated GPU: $*')
$(BUILD)/rewrite: $(REWRITE) $(RECIPE)
	$(CC_HERE) $(OPTIONS) $(filter %.c,$^) -o $@.new && mv $@.new $@
-include $(OBJECTS:.o=.d)
