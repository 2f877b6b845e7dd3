# gpu.mk - the goal `gpu`: the same chapters, commands and suites on a real GPU.
#
#   make chapter5 gpu test    your kernel, judged by its results
#   make gpu test             all solutions, with 5, 26 and 256 bins
#   make chapter5 gpu run     its time on a text, next to reading alone, CUB and Thrust
#   make gpu bench            all chapters: kinds of text, numbers of bins, sizes; plots
#   make gpu micro            the constants of the prediction, measured (docs/prediction.md)
#   make gpu sanitize         compute-sanitizer's four tools over every solution
#   make gpu fidelity         the simulator's counters against Nsight Compute's
#   ARCH=sm_90                another architecture than that of the GPU that is here
DEVICE := gpu
include common/make/settings.mk
$(if $(NVCC),,$(error gpu: nvcc is not installed; it comes with the CUDA Toolkit))
MAKEFLAGS += --output-sync=none # rows appear as they are measured
.PHONY: test run bench micro sanitize fidelity
GPU_BINS ?= $(BINS)
on_gpu = $(MAKE) -f common/make/gpu_variant.mk KIND=$(KIND) FROM=$(FROM) BINS=$(1)
each = for bins in $(1); do $(call on_gpu,$$bins) $(2) || exit 1; done
time = B=$(B) KIND=$(KIND) STEMS='$(STEMS)' common/bench/gpu/kernel_times.sh

test: $(B)/device
	+$(call each,$(GPU_BINS),tests)
	+failed=; for bins in $(GPU_BINS); do $(call on_gpu,$$bins) judge || failed=1; done; [ -z "$$failed" ]
run: $(B)/device
	+$(call each,$(BINS),timers)
	$(time) run $(BINS)
bench: $(B)/device
	+$(call each,$(sort 5 $(GPU_BINS)),timers)
	$(time) bench $(GPU_BINS)
micro: $(B)/device
	+$(call each,5 26 256,micro)
	mkdir -p build/gpu-bench; { $(B)/common-5/micro && $(B)/common-26/micro characters && \
	    $(B)/common-256/micro characters; } | tee build/gpu-bench/micro.csv

sanitize: $(B)/device
	+$(call each,$(BINS),once)
	for program in $$(ls $(STEMS:%=$(B)/$(KIND)-$(BINS)/%/once) 2>/dev/null); do \
	    for tool in memcheck racecheck initcheck synccheck; do \
	    $(CUDA)/bin/compute-sanitizer --tool $$tool --error-exitcode 9 $$program english 65521 \
	        >$$program.$$tool 2>&1 && echo "$$tool $$program: clean" || \
	        { echo "$$tool $$program: see $$program.$$tool"; failed=1; }; done; done; [ -z "$$failed" ]
fidelity: $(B)/device
	+$(call each,$(GPU_BINS),once)
	$(link_with) -O3 tests/fidelity/kernels.cu -o $(B)/fidelity-kernels
	python3 common/reports/fidelity.py kernels $(B)/fidelity-kernels $(B)/fidelity "$(CUDA)/bin/ncu"
	python3 common/reports/fidelity.py chapters "$(CUDA)/bin/ncu" docs/results/h200/counters.csv \
	    $$(ls $(foreach b,$(GPU_BINS),$(STEMS:%=$(B)/$(KIND)-$b/%/once)) 2>/dev/null) >$(B)/fidelity/counters.csv
	echo "The chapters' counters are in $(B)/fidelity/counters.csv."
