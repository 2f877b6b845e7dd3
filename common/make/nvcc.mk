# nvcc.mk - settings.mk's part for DEVICE=gpu: programs for a real one, below build/gpu-ARCH/.
# The probe runs before anything is built: no GPU means no build, and a line that says why.
NVCC := $(or $(shell command -v nvcc),$(wildcard /usr/local/cuda/bin/nvcc))
CUDA := $(patsubst %/bin/nvcc,%,$(realpath $(NVCC)))
export ARCH ?= native
export CCCL ?= $(wildcard build/cccl/nvidia/cu*/include/cccl)
B := build/gpu-$(ARCH)
LIBRARY := $(B)/device
nvcc = $(NVCC) -arch=$(ARCH) -ccbin $(CXX) $(bytes)
bytes = $(if $(filter 5 26 256,$(BINS)),,-DBINS_OF_BYTES)# binning.h
compile = $(CC) $(CFLAGS) $(bytes) -fPIC -idirafter $(CUDA)/include $(depend)
compile_plain = $(compile)
link = mkdir -p $(@D) && $(nvcc) $(filter %.o %.a,$^) -o $@ $(WITH)
link_kernel = $(link)
compile_cu = $(nvcc) -O3 -std=c++17 -Xcompiler -fPIC $(depend)
compile_kernel = $(if $(filter %.c,$(call source,$*)),$(compile),$(compile_cu) $(if $(filter \
    many,$(call contract,$*)),$(call installed,compile,$(call source,$*))))
# NCCL and MPI: "there", or what a kernel is compiled or linked with.
installed = $(shell common/bench/gpu/installed/nccl_and_mpi.sh $(1) $(CUDA) $(2))
$(B)/device: FORCE
	common/bench/gpu/probe.sh "$(NVCC)" $(ARCH) $(CXX) $(B) >/dev/null
