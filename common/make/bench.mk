# bench.mk - a chapter in plain C beside the best that the cores of this machine can do.
#
# What it is compared with is compiled for just this machine, as far as the compiler knows how.
works = echo 'int main(void) { return 0; }' | $(CC) $(1) -x c - -o $@.works 2>/dev/null && echo $(1)
native = $$(cat $(B)/native)
$(B)/native: common/make/bench.mk
	mkdir -p $(@D); { $(foreach f,-O3 -march=native -fopenmp,$(call works,$f);) :; } >$@
$(C)/bench/cpu/%.o: common/bench/cpu/%.c $(B)/flags $(B)/native $(LIBRARY)
	$(call compile_c,histogram) -Icommon/bench/cpu $(native)
$(V)/%/yardstick: $(V)/%/kernel.o $(of_cores) $(A)/judge-histogram.a
	$(CC) $(filter %.o %.a,$^) -o $@ $(native)
$(C)/%/text-to-time: export SIZE := $(or $(SIZE),64M)
$(C)/%/text-to-time: $(A)/program/%/input FORCE
	mkdir -p $(@D); $< $@ $(or $(wildcard docs/[0-9]*.md),README.md)
bench: $(STEMS:%=race-with-cores/%)
race-with-cores/%: $(T)/ladder $$(if $$(call in_c,$$*),$(V)/%/yardstick $(C)/histogram/text-to-time)
	$(if $(call in_c,$*),,echo "chapter $(call number,$*): the simulated GPU's time is no GPU's;" \
	    "make chapter$(call number,$*) gpu run measures it on a real one" >&2; exit 1)
	$< gaps $(call source,$*) $(BINS) >&2 && \
	    $(V)/$*/yardstick $(C)/histogram/text-to-time $(call number,$*) build/yardstick.csv
