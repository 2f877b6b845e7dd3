# gpu_variant.mk - variant.mk on a real GPU: KIND, BINS, STEMS as there.
#
# Goals: tests timers micro once, which build for all STEMS that accept so many bins; judge.
DEVICE := gpu
include common/make/variant.mk
.PHONY: tests timers micro once judge
KERNELS := $(foreach s,$(ACCEPTED),$(if $(call in_c,$s),,$s))
tests: $(ACCEPTED:%=$(V)/%/test) $(T)/verdict
timers: $(C)/kernel_times $(C)/baselines.so $(KERNELS:%=$(V)/%/histogram.so)
micro: $(C)/micro
once: $(KERNELS:%=$(V)/%/once)
# One after the other, so that there is one CUDA context at a time.
judge: tests
	failed=; $(foreach s,$(ACCEPTED),$(call judge,$s,--jobs 1) || failed=1;) [ -z "$$failed" ]

gpu_includes := -Icommon/contract -Icommon/bench/gpu
$(C)/bench/gpu/%.o: common/bench/gpu/%.c $(B)/flags $(LIBRARY)
	$(call compile_c,histogram) $(gpu_includes)
$(C)/bench/gpu/%.o: common/bench/gpu/%.cu $(B)/flags $(LIBRARY)
	mkdir -p $(@D) && $(compile_kernel) $(gpu_includes) -DBINS=$(BINS) -c $< -o $@
timing := $(patsubst %,$(C)/bench/gpu/%.o,kernel_times kinds table roofline)
$(C)/kernel_times: $(timing) $(C)/harness-histogram.a
	$(link) -cudart shared -ldl
$(C)/baselines.so: $(C)/bench/gpu/baselines.o
	$(link) -shared -cudart shared
$(C)/micro: $(C)/bench/gpu/micro.o $(C)/bench/gpu/roofline.o
	$(link)
$(V)/%/histogram.so: $(V)/%/kernel.o
	$(link) -shared -cudart shared
$(V)/%/once: $$(call with,$$*,$(C)/bench/gpu/once.o)
	$(link)
