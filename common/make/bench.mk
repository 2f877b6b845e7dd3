# bench.mk - a chapter in plain C beside the best that the cores of this machine can do.
#
# What it is compared with is compiled for just this machine, as far as the compiler knows how.
native = $$(head -n 1 $(B)/native)
$(B)/native: FORCE
	mkdir -p $(@D); { for flag in -O3 -march=native -fopenmp; do echo 'int main(void) { return 0; }' | \
	    $(CC) $$flag -x c - -o $@.$(BINS) 2>/dev/null && printf '%s ' $$flag; done; echo; uname -mn; } >$@.$(BINS).new
	rm -f $@.$(BINS); cmp -s $@.$(BINS).new $@ && rm $@.$(BINS).new || mv $@.$(BINS).new $@
$(C)/bench/cpu/%.o: common/bench/cpu/%.c $(B)/flags $(B)/native $(LIBRARY)
	$(call compile_c,histogram) -Icommon/bench/cpu $(native)
$(V)/%/yardstick: $(V)/%/kernel.o $(call objects,common/bench/cpu/*.c) $(C)/harness-histogram.a $(B)/native
	$(CC) $(filter %.o %.a,$^) -o $@ $(native)
$(C)/%/text-to-time: export SIZE := $(or $(SIZE),64M)
$(C)/%/text-to-time: $(C)/%/input FORCE
	$< $@ $(or $(wildcard docs/[0-9]*.md),README.md)
bench: $(STEMS:%=race-with-cores-%)
race-with-cores-%: $$(if $$(call in_c,$$*),$(V)/%/yardstick $(C)/histogram/text-to-time $(T)/gaps) FORCE
	$(if $(call in_c,$*),,echo "chapter $(call number,$*): no time to measure here, the simulated GPU's \
	is no GPU's; make chapter$(call number,$*) gpu run measures it on a real one" >&2; exit 1)
	$(T)/gaps $(call source,$*) $(BINS) >&2 && \
	    $(V)/$*/yardstick $(C)/histogram/text-to-time $(call number,$*) build/yardstick.csv
