# gpu_variant.mk - variant.mk on a real GPU: KIND, BINS, STEMS as there.
#
# Goals, for all STEMS that accept so many bins: tests, judge, programs-of-GOAL.
DEVICE := gpu
include common/make/variant.mk
.PHONY: tests judge
KERNELS := $(foreach s,$(ACCEPTED),$(if $(call in_c,$s),,$s))
tests: $(ACCEPTED:%=$(V)/%/test) $(T)/verdict
judge: tests # one after the other, so that there is one CUDA context at a time
	failed=; $(foreach s,$(ACCEPTED),$(call judge,$s,--jobs 1) || failed=1;) [ -z "$$failed" ]
programs-of-run programs-of-bench programs-of-experiments: $(C)/baselines.so programs-of-times
programs-of-experiments: $(C)/experiments
programs-of-times: $(C)/kernel_times $(KERNELS:%=$(V)/%/histogram.so)
programs-of-micro: $(C)/micro
programs-of-sanitize programs-of-fidelity: $(KERNELS:%=$(V)/%/once)
$(C)/bench/gpu/%.o: common/bench/gpu/%.c $(B)/flags $(LIBRARY)
	$(call compile_c,histogram)
$(C)/bench/gpu/%.o: common/bench/gpu/%.cu $(B)/flags $(LIBRARY)
	mkdir -p $(@D) && $(compile_kernel) -Icommon/contract -DBINS=$(BINS) -c $< -o $@
of_gpu = $(patsubst %,$(C)/bench/gpu/%.o,$(1))
$(C)/kernel_times: $(call of_gpu,kernel_times times_table queue roofline) \
    $(call libraries,histogram)
	$(link) -cudart shared -ldl
$(C)/experiments: $(call of_gpu,experiments layouts queue times_table) $(call libraries,histogram)
	$(link)
$(C)/baselines.so: $(call of_gpu,baselines)
	$(link) -shared -cudart shared
$(C)/micro: $(call of_gpu,micro roofline)
	$(link)
$(V)/%/histogram.so: $(V)/%/kernel.o
	$(link) -shared -cudart shared
$(V)/%/once: $$(call with,$$*,$(call of_gpu,once))
	$(link)
