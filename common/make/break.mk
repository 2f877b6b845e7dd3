# break.mk - wrong kernels that a student exposes: of variant.mk, for KIND=chapter and KIND=break.
.PHONY: break
$(V)/%/expose: $$(call tool,$$*,expose)
	$(link_kernel)
break: $(STEMS:%=break/%)
# The tool says which one is next, makes it in build/breaks, and looks at what the student wrote.
break/%: $(T)/ladder FORCE
	+b=build/breaks/$*; rm -f $$b/next; $< break next $* '$(CHAPTERS)/$*' $(BINS) || exit; \
	[ -e $$b/next ] || exit 0; read k <$$b/next; e=$(B)/break-$(BINS)/$*/$$k/expose; \
	$(MAKE) -f common/make/variant.mk KIND=break FROM=build/breaks STEMS= $$e && \
	    $$e $$b/$$k/$(notdir $(call source,$*)) '$(CHAPTERS)'/$*/break/$$k.txt $$b/$$k/said && \
	    $< break exposed $* '$(CHAPTERS)/$*' $(BINS) $$k
