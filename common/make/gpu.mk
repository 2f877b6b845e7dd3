# gpu.mk - the goal `gpu`: the same chapters, commands and suites on a real GPU.
#
#   make chapter5 gpu test    your kernel, judged by its results
#   make gpu test             all solutions: with 5, 26 and 256 bins (PART=1), with each of their
#                             operations (PART=2, PART=3), on 1, 2, ... devices (PART=4)
#   make chapter5 gpu run     its time on a text, next to reading alone, CUB and Thrust
#   make gpu bench            all chapters: kinds of text, numbers of bins, sizes; plots
#   make gpu bench PART=2     those that reduce by index: operations, bins, keys; OPERATION=argmax
#   make gpu bench PART=3     those that reduce: operations, sizes; beside reading, CUB and Thrust
#   make gpu bench PART=5     applications, as in papers; beside plain kernels and PyTorch
#   make gpu bench PART=4     those on several devices, with 1, 2, ... of them: text on cards, in
#                             host memory, in a file; beside reading and copying alone
#   make chapter29 gpu sweep  CELLS=200 cells that SEED=1 draws, beside the law; a CSV file, a plot
#   make gpu experiments      layouts, numbers of blocks and of bins, one hot bin: a CSV file each
#   make gpu micro            the constants of the prediction (docs/prediction.md), and latencies
#   make gpu sanitize         compute-sanitizer's four tools over every solution (PART=)
#   make gpu fidelity         the simulator's counters against Nsight Compute's
#   make gpu count         and kmeans, register: programs to keep, build/count-gpu ...
#   ARCH=sm_90                another architecture than that of the GPU that is here
#   CCCL=folder               a newer CUB, measured beside that of the toolkit: headers or source
DEVICE := gpu
include common/make/settings.mk
$(if $(NVCC),,$(error gpu: nvcc is not installed; it comes with the CUDA Toolkit))
MAKEFLAGS += --output-sync=none # rows appear as they are measured
TIMING := run bench sweep experiments micro sanitize fidelity
.PHONY: test $(TIMING)
# The chapters: those that are named; else of PART, or for test of all parts, to be timed of Part I.
NAMED := $(if $(filter command%,$(origin STEMS)),yes)
PARTS := $(or $(PART),1 $(if $(NAMED)$(filter test,$(MAKECMDGOALS)),2 3 4 5)$(if \
    $(NAMED),,$(if $(filter fidelity,$(MAKECMDGOALS)),2 3)))
part = $(if $(filter histogram,$(contract/$k)),1,$(part/$k))
ASKED := $(foreach k,$(if $(NAMED),$(STEMS),$(EVERY)),$(if $(filter $(PARTS),$(part)),$k))
# Where NCCL or MPI is missing, what needs it is left out, and told.
LACKING := $(strip $(foreach k,$(ASKED),$(if $(filter 4,$(part)),\
    $(if $(shell $(nccl_and_mpi) there '$(CUDA)' $(source/$k)),,$k))))
$(if $(and $(NAMED),$(LACKING)),$(error gpu: stopped))
# Chapters with an operation are built for each of them, as the variant "keys", the others for each
# number of bins.
BY_KEY := $(strip $(foreach k,$(filter $(KEYED),$(ASKED)),$(if $(or $(NAMED),$(filter \
    $(or $(OPERATION),%),$(taken/$k))),$k)))
OTHERS := $(filter-out $(LACKING) $(KEYED),$(ASKED))
GPU_BINS ?= $(BINS)
run sanitize: GPU_BINS := $(BINS)
micro: override GPU_BINS := 5 26 256
experiments: override GPU_BINS := 5 8 16 26 32 64 128 256
VARIANTS = $(if $(OTHERS),$(GPU_BINS)) $(if $(BY_KEY),keys)
variant = $(MAKE) -f common/make/gpu_variant.mk KIND=$(KIND) FROM=$(FROM) BINS=$b \
    STEMS='$(if $(filter keys,$b),$(BY_KEY),$(OTHERS))'
times_sh = B=$(B) KIND=$(KIND) FROM=$(FROM) CUDA=$(CUDA) BINS='$(GPU_BINS)' \
    STEMS='$(BY_KEY) $(OTHERS)' common/bench/gpu/times.sh $@
test: $(B)/device
	+failed=; $(foreach b,$(VARIANTS),$(variant) tests || failed=1;) [ -z "$$failed" ]
	+failed=; $(foreach b,$(VARIANTS),$(variant) judge || failed=1;) [ -z "$$failed" ]; \
	    judged=$$?; $(times_sh) || exit 1; exit $$judged
# What is built for a goal; the sizes of texts are timed with 5 bins.
built_for_micro = micro
built_for_sanitize = programs
built_for_fidelity = cells
built = $(or $(built_for_$@),programs peers)
BUILT = $(if $(OTHERS),$(sort $(GPU_BINS) $(if $(filter bench,$@),5))) $(if $(BY_KEY),keys)
$(TIMING): $(B)/device $(B)/flags
	$(if $(filter sweep,$@),$(foreach k,$(ASKED),$(if $(filter reduce_by_index,$(contract/$k)),,\
	    $(error sweep: is for chapters with reduce_by_index(), and $k has none))))
	$(if $(filter run bench sweep sanitize fidelity,$@),,$(if $(BY_KEY)$(filter 6%,$(OTHERS)),$(error \
	    $@: not for chapters that reduce, or count on several devices)))
	$(if $(wildcard $(addprefix $(B)/common-*/bench/*/,*_peers.so */*_peers.so)),,echo \
	    'compiling for the GPU, once: a few minutes with CUB and Thrust' >&2)
	+$(if $(filter programs micro,$(built)),$(foreach b,$(firstword $(BUILT)),\
	    $(variant) shared))
	+$(foreach b,$(BUILT),{ $(variant) $(built) || touch $(B)/failed; } $(if \
	    $(filter fidelity,$@),;,&)) wait; \
	    ! rm $(B)/failed 2>/dev/null
	+$(times_sh)
