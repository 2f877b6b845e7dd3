# times.mk - plain make on a machine with a GPU: measured times beside the counters.
#
# Only of solutions: an own kernel that never ends would hang the card, and has make chapter5
# gpu run. Without nvcc or a GPU nothing happens here, and nothing is said. CUB and Thrust stay
# out, since they take longer to compile than all the rest.
GPU := build/gpu-$(or $(ARCH),native)
NVCC := $(or $(shell command -v nvcc),$(wildcard /usr/local/cuda/bin/nvcc))
GPU_NAME := $(shell [ -x '$(NVCC)' ] && { ls /dev/nvidia[0-9]* /dev/dxg || nvidia-smi -L; } 2>/dev/null | \
    grep -q . && common/bench/gpu/probe.sh $(NVCC) $(or $(ARCH),native) $(CXX) $(GPU))
ifneq ($(GPU_NAME),)
TIMES := $(GPU)/times-$(BINS).csv
$(TIMES): $(ROWS) FORCE # after the rows, so that nothing else is at work
	+$(MAKE) -f common/make/gpu_variant.mk STEMS='$(ACCEPTED)' timers
	rm -f $@; $(GPU)/common-$(BINS)/kernel_times $@ 20 $(C)/histogram/text all \
	    $(wildcard $(ACCEPTED:%=$(GPU)/solution-$(BINS)/%/histogram.so)) >$@.table 2>$@.said || \
	    { echo "no measured times: $$(tail -n 1 $@.said)" >&2; : >$@; }
endif
