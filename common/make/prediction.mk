# prediction.mk - variant.mk with two programs more: what common/reports/prediction.py runs.
include common/make/variant.mk
$(C)/bench/gpu/%.o: common/bench/gpu/%.c $(B)/flags $(LIBRARY)
	$(call compile_c,histogram)
$(C)/kind: $(patsubst %,$(C)/bench/gpu/%.o,kind kinds) $(C)/harness-histogram.a $(LIBRARY)
	$(link)
$(C)/cells: $(C)/tools/histogram/cells.o $(C)/tools-histogram.a $(C)/harness-histogram.a $(LIBRARY)
	$(link)
