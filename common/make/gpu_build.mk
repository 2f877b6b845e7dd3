# build.mk - how programs for a real GPU are built, below build/gpu-ARCH/. What is done
# with them: common/gpu.mk, and common/make/times.mk.
#
# The probe runs before anything else is built, so that no GPU means no build, and says
# in one line what is missing.

NVCC := $(or $(shell command -v nvcc),$(wildcard /usr/local/cuda/bin/nvcc))
CUDA := $(patsubst %/bin/nvcc,%,$(realpath $(NVCC)))
ARCH := native
G := build/gpu-$(ARCH)
gpu_nvcc = mkdir -p $(@D) && $(NVCC) -O3 -arch=$(ARCH) -std=c++17 -ccbin $(CXX) -Icommon -Xcompiler -fPIC \
    -MMD -MF $(@:.o=.d) -c $< -o $@
gpu_cc = mkdir -p $(@D) && $(CC) $(CFLAGS) $(STRICT) -fPIC -Icommon -idirafter $(CUDA)/include \
    -MMD -MP -MF $(@:.o=.d) -c $< -o $@
gpu_link = $(NVCC) -arch=$(ARCH) -ccbin $(CXX) $(filter %.o,$^) -o $@
gpu_common = $(patsubst %,$(G)/common-$(1)/%.o,$(2))

$(G)/device: FORCE
	common/bench/gpu/probe.sh $(NVCC) $(ARCH) $(CXX) $(G) >/dev/null

define gpu_binning
$(G)/common-$(1)/%.o: common/%.c $(G)/device
	$$(gpu_cc) -DBINS=$(1)
$(G)/common-$(1)/%.o: common/%.cu $(G)/device
	$$(gpu_nvcc) -DBINS=$(1)
$(G)/suite-$(1)/%.o: tests/%.c $(G)/device
	$$(gpu_cc) -DBINS=$(1)
$(G)/common-$(1)/baselines.so: $(G)/common-$(1)/bench/gpu/baselines.o
	$$(gpu_link) -shared -cudart shared
$(G)/bench-$(1): $(call gpu_common,$(1),bench/gpu/kernel_times bench/gpu/kinds bench/gpu/table bench/gpu/roofline harness/histogram/text harness/histogram/verify harness/grouped)
	$$(gpu_link) -cudart shared -ldl
$(G)/micro-$(1): $(call gpu_common,$(1),bench/gpu/micro bench/gpu/roofline)
	$$(gpu_link)
endef
$(foreach b,5 26 256,$(eval $(call gpu_binning,$b)))

# $(call gpu_program,FOLDER,SOURCE,STEM,BINS): one implementation, as in the Makefile
define gpu_program
$(1)/histogram.o: $(2) $(G)/device
	$$($(if $(filter %.c,$(2)),gpu_cc,gpu_nvcc)) -DBINS=$(4)
$(1)/histogram.so: $(1)/histogram.o
	$$(gpu_link) -shared -cudart shared
$(1)/test: $(1)/histogram.o $(G)/suite-$(4)/$(3).o $(G)/suite-$(4)/histogram.o $(call gpu_common,$(4),runner harness facts check text \
    target_$(if $(filter %.c,$(2)),host,device) gpu/uncounted)
	$$(gpu_link) -lcriterion
$(1)/once: $(1)/histogram.o $(call gpu_common,$(4),gpu/once check text target_device)
	$$(gpu_link)
endef
GPU_BINS := $(if $(filter gpu micro sanitize fidelity,$(DO)),5 26 256,$(BINS))
$(foreach s,$(PICKED),$(foreach b,$(GPU_BINS),\
    $(eval $(call gpu_program,$(G)/$(KIND)-$b/$s,$(call source,$(KIND),$s),$s,$b))))

# $(call gpu_folders,BINS), and the libraries that the benchmark loads: no chapter of C,
# and none that refuses so many bins
gpu_refuses = $(shell CXX=$(CXX) common/refusal.sh $(call source,$(KIND),$(1)) $(2))
gpu_folders = $(foreach s,$(PICKED),$(if $(call gpu_refuses,$s,$(1)),,$(G)/$(KIND)-$(1)/$s))
gpu_libraries = $(foreach f,$(call gpu_folders,$(1)),\
    $(if $(filter %.cu,$(call source,$(KIND),$(notdir $f))),$f/histogram.so))
-include $(wildcard $(G)/*/*.d $(G)/*/*/*.d)
