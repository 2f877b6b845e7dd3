# gpu.mk - the goal `gpu`: the same chapters, commands and suites on a real GPU.
#
#   make chapter5 gpu test    your kernel, judged by its results
#   make gpu test             all solutions: with 5, 26 and 256 bins (PART=1), with each of their
#                             operations (PART=2, PART=3), on 1, 2, ... devices (PART=4)
#   make chapter5 gpu run     its time on a text, next to reading alone, CUB and Thrust
#   make gpu bench            all chapters: kinds of text, numbers of bins, sizes; plots
#   make gpu bench PART=2     those that reduce by index: operations, bins, keys; OPERATION=argmax
#   make gpu bench PART=3     those that reduce: operations, sizes; beside reading, CUB and Thrust
#   make gpu bench PART=4     those on several devices, with 1, 2, ... of them: text on cards, in
#                             host memory, in a file; beside reading and copying alone
#   make gpu experiments      layouts, numbers of blocks and of bins, one hot bin: a CSV file each
#   make gpu micro            the constants of the prediction (docs/prediction.md), and latencies
#   make gpu sanitize         compute-sanitizer's four tools over every solution (PART=)
#   make gpu fidelity         the simulator's counters against Nsight Compute's
#   ARCH=sm_90                another architecture than that of the GPU that is here
#   CCCL=folder               headers of a newer CUB, for what that of the toolkit has not
DEVICE := gpu
include common/make/settings.mk
$(if $(NVCC),,$(error gpu: nvcc is not installed; it comes with the CUDA Toolkit))
MAKEFLAGS += --output-sync=none # rows appear as they are measured
.PHONY: test run bench experiments micro sanitize fidelity
GPU_BINS ?= $(BINS)
# Chapters that count texts are built for each number of bins, the others once: variant "keys".
ASKED := $(if $(filter command%,$(origin STEMS)),$(STEMS),$(EVERY))
KEYED := $(foreach s,$(ASKED),$(if $(call keyed,$s),$s))
BY_KEY := $(foreach s,$(filter $(OF_PART),$(KEYED)),$(if $(or $(filter command%,$(origin STEMS)),\
    $(filter $(or $(OPERATION),%),$(call taken,$s))),$s))
REDUCING := $(foreach s,$(BY_KEY),$(if $(filter reduce,$(call contract,$s)),$s))
BY_INDEX := $(filter-out $(REDUCING),$(BY_KEY))
# Those on several devices: with test, PART=4 or when named; not where NCCL or MPI is missing.
SEVERAL := $(strip $(foreach s,$(ASKED),$(if $(filter many,$(call contract,$s)),$s)))
WANTED := $(if $(filter 1 2 3,$(PART)),,$(if $(filter 4 test,$(PART) $(MAKECMDGOALS))$(filter \
    command%,$(origin STEMS)),$(SEVERAL)))
MANY := $(strip $(foreach s,$(WANTED),$(if $(call installed,there,$(call source,$s)),$s)))
$(if $(and $(filter command%,$(origin STEMS)),$(filter-out $(MANY),$(WANTED))),\
    $(error gpu: stopped))
OF_TEXTS := $(if $(filter 4,$(PART)),,$(filter-out $(KEYED) $(SEVERAL),$(ASKED)))
of_variant = $(if $(filter keys,$(1)),$(BY_KEY),$(OF_TEXTS) $(MANY))
with_bins = $(MAKE) -f common/make/gpu_variant.mk KIND=$(KIND) FROM=$(FROM) BINS=$(1) \
    STEMS='$(call of_variant,$(1))'
in_turn = failed=; $(foreach b,$(VARIANTS),$(call with_bins,$b) $(1) || failed=1;) \
    [ -z "$$failed" ]
VARIANTS = $(if $(OF_TEXTS)$(MANY),$(if $(filter 2 3,$(PART)),,$(GPU_BINS))) \
    $(if $(BY_KEY),$(if $(filter 1 4,$(PART)),,keys))
test: $(B)/device
	+$(call in_turn,tests)
	+$(call in_turn,judge); judged=$$?; $(if $(filter keys,$(VARIANTS)),$(call timed,REDUCING,reduce) \
	    || exit 1;) $(call timed,MANY,many) || exit 1; exit $$judged
# The programs of one room, with the chapters that a list names, if it names any.
timed = $(if $($(1)),B=$(B) KIND=$(KIND) FROM=$(FROM) CUDA=$(CUDA) STEMS='$($(1))' \
    ALL_BINS='$(GPU_BINS)' common/bench/gpu/$(2)/$(2:reduce_by_index=keyed)_times.sh $@,:)
run sanitize: GPU_BINS := $(BINS)
micro: GPU_BINS := 5 26 256
experiments: override GPU_BINS := 5 8 16 26 32 64 128 256
TIMED = $(if $(filter command%,$(origin STEMS)),$(VARIANTS),\
    $(if $(filter 2 3,$(PART)),keys,$(GPU_BINS)))
BINS_TIMED = $(filter-out keys,$(TIMED))
BUILT = $(if $(filter bench,$@),$(if $(BINS_TIMED),$(sort 5 $(BINS_TIMED))),$(BINS_TIMED)) \
    $(filter keys,$(TIMED))
run bench experiments micro sanitize fidelity: $(B)/device $(B)/flags
	$(if $(filter keys,$(TIMED))$(MANY),$(if $(filter run bench sanitize,$@),,$(error $@: not for \
	    chapters that reduce, or count on several devices)))
	$(if $(or $(if $(OF_TEXTS)$(BY_KEY),,none),$(wildcard $(B)/common-*/baselines.so \
	    $(B)/common-keys/of/*/*/libraries.so)),,echo \
	    'compiling for the GPU, once: a few minutes with CUB and Thrust' >&2)
	+$(foreach b,$(BUILT),{ $(call with_bins,$b) programs-of-$@ || touch $(B)/failed; } &) wait; \
	    ! rm $(B)/failed 2>/dev/null
	+export B=$(B) KIND=$(KIND) FROM=$(FROM) CUDA=$(CUDA); \
	$(if $(and $(BINS_TIMED),$(OF_TEXTS)),STEMS='$(OF_TEXTS)' common/bench/gpu/kernel_times.sh $@ \
	    $(BINS_TIMED) || exit 1;) $(call timed,MANY,many) || exit 1; \
	$(if $(filter keys,$(TIMED)),$(call timed,BY_INDEX,reduce_by_index) && \
	    $(call timed,REDUCING,reduce))
