# gpu_variant.mk - variant.mk on a real GPU: KIND, BINS, STEMS as there.
#
# Goals, for all STEMS that accept so many bins: tests, judge, programs-of-GOAL. A program is
# linked with one kernel: with BINS=keys there is one for each operation of a chapter.
DEVICE := gpu
include common/make/variant.mk
.PHONY: tests judge
KERNELS := $(foreach s,$(ACCEPTED),$(if $(call in_c,$s),,$s))
ASKED := $(or $(filter $(OPERATION),$(OPERATIONS)),$(OPERATIONS))
UNITS := $(foreach s,$(ACCEPTED),$(if $(call keyed,$s),\
    $(addprefix $s/,$(filter $(ASKED),$(call operations,$s))),$s))
tests: $(UNITS:%=$(V)/%/test) $(T)/verdict
judge: tests # one after the other, so that there is one CUDA context at a time
	failed=; $(foreach s,$(UNITS),$(call judge,$s,--jobs 1) || failed=1;) [ -z "$$failed" ]
ifeq ($(BINS),keys)
IN_TURN := $(foreach s,$(UNITS),$(if $(filter reduce_by_index,$(call contract,$s)),$s))
TIMED := $(sort $(notdir $(IN_TURN)))
programs-of-run programs-of-bench: programs-of-times $(TIMED:%=$(C)/by_index/%/libraries.so)
programs-of-times: $(TIMED:%=$(C)/by_index/%/times) $(IN_TURN:%=$(V)/%/reduce_by_index.so)
programs-of-sanitize: $(IN_TURN:%=$(V)/%/keyed_once)
else
programs-of-run programs-of-bench programs-of-experiments: $(C)/baselines.so programs-of-times
programs-of-times: $(C)/kernel_times $(KERNELS:%=$(V)/%/histogram.so)
programs-of-sanitize programs-of-fidelity: $(KERNELS:%=$(V)/%/once)
endif
programs-of-experiments: $(C)/experiments
programs-of-micro: $(C)/micro
$(C)/bench/gpu/%.o: common/bench/gpu/%.c $(B)/flags $(LIBRARY)
	$(call compile_c,histogram)
$(C)/bench/gpu/%.o: common/bench/gpu/%.cu $(B)/flags $(LIBRARY)
	mkdir -p $(@D) && $(compile_kernel) -Icommon/contract -DBINS=$(BINS) -c $< -o $@
of_gpu = $(patsubst %,$(C)/bench/gpu/%.o,$(1))
$(C)/kernel_times: $(call of_gpu,kernel_times times_table row_file queue roofline) \
    $(call libraries,histogram)
	$(link) -cudart shared -ldl
$(C)/experiments: $(call of_gpu,experiments layouts queue row_file) $(call libraries,histogram)
	$(link)
$(C)/baselines.so: $(call of_gpu,baselines)
	$(link) -shared -cudart shared
$(C)/micro: $(call of_gpu,micro roofline)
	$(link)
$(V)/%/histogram.so $(V)/%/reduce_by_index.so: $(V)/%/kernel.o
	$(link) -shared -cudart shared
# One program for each operation: argmax/keyed.o is keyed.cu, compiled for it.
$(C)/by_index/%.o: $$(wildcard common/bench/gpu/reduce_by_index/$$(*F).c*) $(B)/flags $(LIBRARY)
	mkdir -p $(@D) && $(if $(filter %.cu,$<),$(compile_kernel),$(compile) $(STRICT)) \
	    $(addprefix -Icommon/,bench/gpu contract harness) -DOPERATION=$(*D) -c $< -o $@
$(C)/by_index/%/times: $$(addprefix $(C)/by_index/$$*/,keyed_times.o keyed_cells.o supervised.o \
    keyed.o truth.o plain.o) $(call of_gpu,row_file queue roofline) $(T)/grouped.o
	$(link) -cudart shared -ldl
$(V)/%/keyed_once: $(V)/%/kernel.o \
    $$(addprefix $(C)/by_index/$$(notdir $$*)/,keyed_once.o keyed.o truth.o)
	$(link)
$(C)/by_index/%/libraries.so: $(C)/by_index/%/libraries.o
	$(link) -shared -cudart shared
$(V)/%/once: $$(call with,$$*,$(call of_gpu,once))
	$(link)
