# trace.mk - every step of a kernel on a small input, as a page in build/trace.
.PHONY: trace
trace: $(STEMS:%=trace/%)
# They know no contract: what they ask of one is in tools/CONTRACT/traced.c.
$(A)/tools/trace/%.o: common/tools/trace/%.c $(B)/flags $(LIBRARY)
	$(call compile_c,) -Icommon/tools/trace
$(A)/tools/trace/%.o: common/tools/trace/%.cu $(B)/flags $(LIBRARY)
	mkdir -p $(@D) && $(compile) -Wall $(call includes,histogram) \
	    -Icommon/tools/trace -c $< -o $@
# Plain C is compiled as kernels are, and one lane of the simulated GPU calls it.
$(V)/%/lane.o: $(V)/%/kernel.seen $(B)/flags $(LIBRARY)
	$(CC) -std=c11 $$(cat $(B)/flags-$(notdir $(firstword $(CXX)))) $(depend) -Icommon/contract \
	    -DBINS=$(BINS) -c $(call source,$*) -o $@
called = $(if $(in_c),$(V)/$(kernel)/lane.o $(A)/tools/trace/one_lane.o,\
    $(V)/$(kernel)$(addprefix /,$(of_one))/kernel.o)
$(V)/%/trace: $$(call called,$$*) $$(call objects,common/tools/trace/*.c) \
    $(call objects,common/sandbox/target_device.c) $$(call libraries,$$(call contract,$$*)) | \
    common/contracts/$$(call home,$$*)/traced.c
	$(link_kernel)
common/contracts/%/traced.c:
	echo "there is no $@: kernels of this contract are judged and run, and not traced" >&2; exit 1
# What the judge says stands in the page; an input that was asked for is taken as it is. Of several
# operations the page shows the first that the judge's words name, or the chapter's first.
asked = $(if $(INPUT)$(TEXT)$(SIZE)$(if $(keyed),$(KEYS)$(TEXT_SEED)),$(call text,$(1)))
page = build/trace/$(subst /,-,$(1))$(filter-out -chapter,-$(KIND))$(filter-out -5 -keys,-$(BINS))
no_space :=
space := $(no_space) $(no_space)
of_verdict = $(if $(keyed),$$(sed -n '1s/.* on \([a-z_]*\), .*/\1/p' $$said | \
    grep -xE '$(subst $(space),|,$(operations))' || echo $(firstword $(operations))))
trace/%: $$(if $$(call keyed,$$*),,$(V)/$$*/trace) $$(call suite_program,$$*) \
    $$(call kernels,$$*) $(T)/ladder \
    $$(call asked,$$*) FORCE
	+empty=$$($(T)/ladder gaps $(call source,$*) $(BINS:keys=5)) || [ $$? -eq 1 ] || \
	    { echo "$$empty" >&2; exit 1; }; mkdir -p build/trace; said=$(V)/$*/trace.said; \
	    if $(call judge,$*) >$$said 2>&1; then is=right; else is=wrong; fi; \
	    op=$(call of_verdict,$*); p=$(V)/$*$${op:+/$$op}/trace; \
	    $(if $(call keyed,$*),$(MAKE) -f common/make/variant.mk STEMS= $$p && )OPERATIONS=$$op $$p \
	    $(call page,$*)$${op:+-$$op}.html $(call source,$*) $(call number,$*) $(call name,$*) \
	    $(BINS:keys=5) $(V)/$*/test $$is $$said $(call asked,$*)
