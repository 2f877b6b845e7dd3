# trace.mk - every step of a kernel on a small text, as a page in build/trace.
.PHONY: trace
trace: $(STEMS:%=trace/%)
$(C)/tools/trace/%.o: common/tools/trace/%.c $(B)/flags $(LIBRARY)
	$(call compile_c,histogram) -Icommon/tools/trace
$(C)/tools/trace/%.o: common/tools/trace/%.cu $(B)/flags $(LIBRARY)
	mkdir -p $(@D) && $(compile) -Wall -DBINS=$(BINS) $(call includes,histogram) \
	    -Icommon/tools/trace -c $< -o $@
# Plain C is compiled as kernels are, and one lane of the simulated GPU calls it.
$(V)/%/lane.o: $(V)/%/kernel.seen $(B)/flags $(LIBRARY)
	$(CC) -std=c11 $$(cat $(B)/flags-$(notdir $(firstword $(CXX)))) $(depend) -Icommon/contract \
	    -DBINS=$(BINS) -c $(call source,$*) -o $@
called = $(if $(in_c),$(V)/$(kernel)/lane.o $(C)/tools/trace/one_lane.o,\
    $(V)/$(kernel)/kernel.o $(C)/tools/trace/call_histogram.o)
$(V)/%/trace: $$(call called,$$*) $$(filter-out $(C)/tools/trace/call_histogram.o,\
    $$(call objects,common/tools/trace/*.c)) $(C)/harness/target_device.o $(T)/gap_search.o \
    $$(call libraries,histogram)
	$(link)
# What the judge says stands in the page; a text that was asked for is taken as it is.
asked = $(if $(INPUT)$(TEXT)$(SIZE),$(call text,$(1)))
page = build/trace/$(subst /,-,$(1))$(filter-out -chapter,-$(KIND))$(filter-out -5,-$(BINS)).html
trace/%: $(V)/%/trace $(V)/%/test $(T)/verdict $$(call asked,$$*) FORCE
	mkdir -p build/trace; said=$(V)/$*/trace.said; \
	    if $(call judge,$*) >$$said 2>&1; then is=right; else is=wrong; fi; \
	    $< $(call page,$*) $(call source,$*) $(call number,$*) $(call name,$*) $(V)/$*/test $$is \
	    $$said $(call asked,$*)
