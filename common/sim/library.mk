# library.mk - builds the simulator: simcc runs it, in this folder, one at a time.
#
#   BUILD    the folder for what it makes: libsim.a, rewrite
#   COMPILE  the C compiler with its options
all: $(BUILD)/libsim.a $(BUILD)/rewrite

# This folder is a prerequisite, for a source may have gone away.
$(BUILD)/libsim.a: $(patsubst %.c,$(BUILD)/objects/%.o,$(wildcard *.c)) .
	rm -f $@.new; ar rcs $@.new $(filter %.o,$^) && mv $@.new $@

$(BUILD)/objects/%.o: %.c library.mk
	$(COMPILE) -MMD -MP -MF $(@:.o=.d) -MT $@ -c $< -o $@.new && mv $@.new $@

$(BUILD)/rewrite: $(wildcard rewrite/*.[ch]) library.mk
	$(COMPILE) $(filter %.c,$^) -o $@.new && mv $@.new $@

-include $(wildcard $(BUILD)/objects/*.d)
