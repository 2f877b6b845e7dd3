# debug.mk - a chapter's kernel for gdb: build/debug.gdb begins it, and .gdbinit has the commands.
.PHONY: debug
debug: $(addprefix debug/,$(lastword $(STEMS)))
debug/%: $(V)/%/row $$(call text,$$*)
	command -v gdb >/dev/null || \
	    { echo "gdb is not installed: sudo apt-get install gdb" >&2; exit 1; }
	printf '%s\n' 'file $<' \
	    'set args $(call text,$*) $(call number,$*) $(call name,$*) build/debug.csv' \
	    'set $$bins_in_all = $(BINS)' 'source .gdbinit' >build/debug.gdb
ifneq ($(DEBUG),)
$(STEMS:%=$(V)/%/row): $(V)/for_gdb.o
$(V)/for_gdb.o: common/tools/editor/for_gdb.c $(B)/flags $(LIBRARY)
	$(call compile_c,histogram) -g
endif
