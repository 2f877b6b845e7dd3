# gpu.mk - the goal `gpu`: the same chapters, commands and suites on a real GPU.
#
#   make chapter5 gpu test    your kernel, judged by its results
#   make gpu test             all solutions, with 5, 26 and 256 bins
#   make chapter5 gpu run     its time on a text, next to reading alone, CUB and Thrust
#   make gpu bench            all chapters: kinds of text, numbers of bins, sizes; plots
#   make gpu experiments      layouts, numbers of blocks and of bins, one hot bin: a CSV file each
#   make gpu micro            the constants of the prediction, measured (docs/prediction.md)
#   make gpu sanitize         compute-sanitizer's four tools over every solution
#   make gpu fidelity         the simulator's counters against Nsight Compute's
#   ARCH=sm_90                another architecture than that of the GPU that is here
DEVICE := gpu
include common/make/settings.mk
$(if $(NVCC),,$(error gpu: nvcc is not installed; it comes with the CUDA Toolkit))
MAKEFLAGS += --output-sync=none # rows appear as they are measured
.PHONY: test run bench experiments micro sanitize fidelity
GPU_BINS ?= $(BINS)
with_bins = $(MAKE) -f common/make/gpu_variant.mk KIND=$(KIND) FROM=$(FROM) BINS=$(1)
test: $(B)/device
	+for b in $(GPU_BINS); do $(call with_bins,$$b) tests || exit 1; done
	+failed=; for b in $(GPU_BINS); do $(call with_bins,$$b) judge || failed=1; done; [ -z "$$failed" ]
run sanitize: GPU_BINS := $(BINS)
micro: GPU_BINS := 5 26 256
experiments: override GPU_BINS := 5 8 16 26 32 64 128 256
run bench experiments micro sanitize fidelity: $(B)/device $(B)/flags
	$(if $(wildcard $(B)/common-*/baselines.so),,echo 'compiling for the GPU, once: a few minutes' \
	    'with CUB and Thrust' >&2)
	+for b in $(if $(filter bench,$@),$(sort 5 $(GPU_BINS)),$(GPU_BINS)); do \
	    { $(call with_bins,$$b) programs-of-$@ || touch $(B)/failed; } & done; wait; \
	    ! rm $(B)/failed 2>/dev/null
	+B=$(B) KIND=$(KIND) FROM=$(FROM) STEMS='$(STEMS)' CUDA=$(CUDA) \
	    common/bench/gpu/kernel_times.sh $@ $(GPU_BINS)
