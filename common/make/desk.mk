# desk.mk - what a student asks about the whole course, or about the chapter where he is.
#
#   make -f common/make/desk.mk ready   builds the programs; the goals run them,
#                               without the lock of build/, for some start a make of their own
include common/make/settings.mk
.PHONY: ready watch
ready: $(T)/watch_stubs
watch: ; exec $(T)/watch_stubs '$(CHAPTERS)' '$(MAKE_COMMAND)' $(T)/where
