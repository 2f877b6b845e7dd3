# times.mk - plain make on a machine with a GPU: measured times beside the counters.
#
# Only of solutions: an own kernel that never ends would hang the card, and has make
# chapter5 gpu run. Without nvcc or a GPU nothing happens here, and nothing is said.

include common/make/gpu_build.mk
GPU_NAME := $(shell [ -x '$(NVCC)' ] && { ls /dev/nvidia[0-9]* /dev/dxg || nvidia-smi -L; } 2>/dev/null | grep -q . && \
    common/bench/gpu/probe.sh $(NVCC) $(ARCH) $(CXX) $(G))
ifneq ($(GPU_NAME),)
TIMES := $(G)/times-$(BINS).csv
# After the rows, so that nothing else is at work; CUB and Thrust stay out, since they
# take longer to compile than all the rest.
$(TIMES): $(G)/bench-$(BINS) $(call gpu_libraries,$(BINS)) $(ROWS) FORCE
	rm -f $@; $< $@ 20 $(B)/common-$(BINS)/text all $(filter %.so,$^) >$@.table 2>$@.said || \
	    { echo "no measured times: $$(tail -n 1 $@.said)" >&2; : >$@; }
endif
