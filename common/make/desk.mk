# desk.mk - what a student asks about the whole course, or about the chapter where he is.
#
#   make -f common/make/desk.mk ready   builds the programs; the goals run them,
#                               without the lock of build/, for some start a make of their own
include common/make/settings.mk
.PHONY: ready update
ready: $(T)/update
# It needs no other part of the course, for one of them may be what has to be mended.
$(T)/update: $(wildcard common/tools/update/*.[ch])
	mkdir -p $(@D) && $(CC) $(CFLAGS) $(STRICT) $(filter %.c,$^) -o $@
update: export COURSE := $(value COURSE)
update: ; common/tools/update/update.sh $(T)/update
