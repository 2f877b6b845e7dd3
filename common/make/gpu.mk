# gpu.mk - the goal `gpu`: the same chapters, commands and suites on a real GPU.
#
#   make chapter5 gpu test    your kernel, judged by its results
#   make gpu test             all solutions: with 5, 26 and 256 bins (PART=1), with each of their
#                             operations (PART=2)
#   make chapter5 gpu run     its time on a text, next to reading alone, CUB and Thrust
#   make gpu bench            all chapters: kinds of text, numbers of bins, sizes; plots
#   make gpu bench PART=2     those that reduce by index: operations, bins, keys; OPERATION=argmax
#   make gpu experiments      layouts, numbers of blocks and of bins, one hot bin: a CSV file each
#   make gpu micro            the constants of the prediction, measured (docs/prediction.md)
#   make gpu sanitize         compute-sanitizer's four tools over every solution (PART=2: of those)
#   make gpu fidelity         the simulator's counters against Nsight Compute's
#   ARCH=sm_90                another architecture than that of the GPU that is here
DEVICE := gpu
include common/make/settings.mk
$(if $(NVCC),,$(error gpu: nvcc is not installed; it comes with the CUDA Toolkit))
MAKEFLAGS += --output-sync=none # rows appear as they are measured
.PHONY: test run bench experiments micro sanitize fidelity
GPU_BINS ?= $(BINS)
# Chapters that count texts are built for each number of bins, the others once: variant "keys".
ASKED := $(if $(filter command%,$(origin STEMS)),$(STEMS),$(EVERY))
KEYED := $(foreach s,$(ASKED),$(if $(call keyed,$s),$s))
BY_KEY := $(foreach s,$(KEYED),$(if $(or $(filter command%,$(origin STEMS)),\
    $(filter $(or $(OPERATION),%),$(call taken,$s))),$s))
OF_TEXTS := $(filter-out $(KEYED),$(ASKED))
of_variant = $(if $(filter keys,$(1)),$(BY_KEY),$(OF_TEXTS))
with_bins = $(MAKE) -f common/make/gpu_variant.mk KIND=$(KIND) FROM=$(FROM) BINS=$(1) \
    STEMS='$(call of_variant,$(1))'
in_turn = failed=; $(foreach b,$(VARIANTS),$(call with_bins,$b) $(1) || failed=1;) \
    [ -z "$$failed" ]
VARIANTS = $(if $(OF_TEXTS),$(if $(filter 2,$(PART)),,$(GPU_BINS))) \
    $(if $(BY_KEY),$(if $(filter 1,$(PART)),,keys))
test: $(B)/device
	+$(call in_turn,tests)
	+$(call in_turn,judge)
run sanitize: GPU_BINS := $(BINS)
micro: GPU_BINS := 5 26 256
experiments: override GPU_BINS := 5 8 16 26 32 64 128 256
TIMED = $(if $(filter command%,$(origin STEMS)),$(VARIANTS),\
    $(if $(filter 2,$(PART)),keys,$(GPU_BINS)))
BINS_TIMED = $(filter-out keys,$(TIMED))
BUILT = $(if $(filter bench,$@),$(if $(BINS_TIMED),$(sort 5 $(BINS_TIMED))),$(BINS_TIMED)) \
    $(filter keys,$(TIMED))
run bench experiments micro sanitize fidelity: $(B)/device $(B)/flags
	$(if $(filter keys,$(TIMED)),$(if $(filter run bench sanitize,$@),,$(error $@: not for chapters \
	    that reduce by index)))
	$(if $(wildcard $(B)/common-*/baselines.so $(B)/common-keys/by_index/*/libraries.so),,echo \
	    'compiling for the GPU, once: a few minutes with CUB and Thrust' >&2)
	+$(foreach b,$(BUILT),{ $(call with_bins,$b) programs-of-$@ || touch $(B)/failed; } &) wait; \
	    ! rm $(B)/failed 2>/dev/null
	+export B=$(B) KIND=$(KIND) FROM=$(FROM) CUDA=$(CUDA); \
	$(if $(BINS_TIMED),STEMS='$(OF_TEXTS)' common/bench/gpu/kernel_times.sh $@ $(BINS_TIMED) \
	    || exit 1;) \
	$(if $(filter keys,$(TIMED)),STEMS='$(BY_KEY)' \
	    common/bench/gpu/reduce_by_index/keyed_times.sh $@)
