# settings.mk - what every part of the build shares: compilers, flags, folders.
#
#   DEVICE  sim, or gpu: common/make/gpu.mk
#   KIND    solution, chapter, mutant, right or cross: whose kernels; FROM, where their sources are
#   BINS    5, 26, 64 or 256, of texts; or "keys": chapters whose contract has an operation,
#           compiled once for each; OPERATION leaves one, KEY_BINS is the number of bins typed
MAKEFLAGS += --no-builtin-rules --no-print-directory
.SILENT .SECONDARY .DELETE_ON_ERROR .SECONDEXPANSION:
ifeq ($(origin CC) $(origin CXX),default default)
CC := gcc
CXX := g++
endif
export CC CXX
DEVICE ?= sim
KIND ?= solution
BINS ?= 5
export NUM_BINS = $(filter-out keys,$(BINS))# of the judge: bins.h
CFLAGS := -O2 -g1 # no variables: the simulator reads all of it when it names a line
STRICT := -std=c11 -Wall -Wextra -Wshadow -Wconversion
depend = -MMD -MP -MF $(@:.o=.d) -MT $@
ifeq ($(DEVICE),sim)
B := build/sim-$(notdir $(CC))$(addprefix -,$(if $(SIM_CFLAGS),\
    $(firstword $(shell echo '$(SIM_CFLAGS)' | cksum))))
LIBRARY := $(B)/libsim.a
compile = common/sim/simcc $(CFLAGS) $(depend)
# Plain C needs nothing of simcc, whose own work is as much as the compiler's.
compile_plain = $(CC) $(CFLAGS) -DSIMULATED_GPU -fsigned-char \
    -isystem common/sim/include -isystem $(B)/left_out $(depend)
# What an unfinished kernel does not use yet is no news to the one who writes it.
of_kernels := -Wall -Wno-unused -Wno-unused-parameter
compile_kernel = $(compile) --closed $(of_kernels) \
    $(if $(filter mutant right cheat break,$(KIND)),-w)
# gold links in a fifth of the time; where it is missing, or fails, so be it. A link needs nothing
# of simcc but what it says when one fails. WITH is what else a target is linked with.
link = mkdir -p $(@D) && $(CXX) $(CFLAGS) $$(cat $(B)/linker) $(filter %.o %.a,$^) $(LIBRARY) \
    $(WITH) $$(cat $(B)/libraries) -o $@
link_kernel = { $(link); } 2>/dev/null || common/sim/simcc $(CFLAGS) $$(cat $(B)/linker) \
    $(filter %.o %.a,$^) $(WITH) -o $@
else
# Programs for a real GPU, below build/gpu-ARCH/. The probe runs before anything is built: no GPU
# means no build, and a line that says why.
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
endif
A := $(B)/common
C := $(B)/common-$(BINS)
# DEBUG=yes: kernels with all their variables; ALONE: without MPI (count.mk)
V := $(B)/$(KIND)-$(BINS)$(DEBUG:%=-debug)$(ALONE:%=-%)
T := $(B)/tools
CHAPTERS ?= chapters
FROM ?= $(if $(filter chapter,$(KIND)),$(CHAPTERS),$(if $(filter mutant,$(KIND)),\
    $(B)/mutants,solutions))

# A contract is the name of a header there, and of the kernel's file in a chapter's folder.
CONTRACTS := $(notdir $(basename $(wildcard common/contract/*.h)))
sources = $(wildcard $(foreach c,$(CONTRACTS),$(1)/$c.cu $(1)/$c.c))
# Contracts with an operation; 21_name/argmax is the kernel of 21_name, compiled for one of them.
BY_OPERATION := $(notdir $(basename $(shell grep -l '^#include "operation.h"' common/contract/*.h)))
OPERATIONS := count saturate float_sum wide_sum argmax vector_sum minmax sum max dot
of_one = $(filter $(OPERATIONS),$(notdir $(1)))
of_all = $(if $(of_one),$(patsubst %/,%,$(dir $(1))),$(1))
keyed = $(filter $(BY_OPERATION),$(call contract,$(1)))
# A chapter is for the ranks of MPI when its kernel, its stub or its solution includes <mpi.h>; what
# mpicc says, and nothing where it is missing.
MPI_STEMS := $(notdir $(patsubst %/,%,$(dir $(shell grep -lsE '^ *\# *include *[<"]mpi\.h' \
    /dev/null $(wildcard $(foreach f,solutions tests/stubs $(FROM),$f/*/*.cu))))))
of_mpi = $(filter $(MPI_STEMS),$(stem))
MPI_COMPILE = $(shell mpicc --showme:compile 2>/dev/null && \
    echo -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX)
MPI_LINK = $(shell mpicc --showme:link 2>/dev/null)
# KIND=cross: 05_name/06_name is the suite of the one linked with the kernel of the other
kernel = $(if $(filter cross,$(KIND)),$(notdir $(of_all)),$(of_all))
source = $(firstword $(call sources,$(FROM)/$(kernel)) $(FROM)/$(kernel)/histogram.cu)
contract = $(basename $(notdir $(call source,$(1))))
stem = $(firstword $(subst /, ,$(1)))# of 05_privatized_global/non_atomic, which is a mutant
# 05_name/further is the exercise of Go further, with a suite of its own; its rows say "further".
further = $(filter further,$(notdir $(of_all)))
number = $(patsubst 0%,%,$(firstword $(subst _, ,$(1))))
name = $(or $(further),$(patsubst $(firstword $(subst _, ,$(1)))_%,%,$(1)))
FOLDERS := $(sort $(notdir $(patsubst %/,%,$(dir $(call sources,$(FROM)/*)))))
EVERY := $(patsubst tests/%.c,%,$(wildcard $(FOLDERS:%=tests/%.c)))
STEMS ?= $(foreach s,$(EVERY),$(if \
    $(if $(filter keys,$(BINS)),$(call keyed,$s),$(if $(call keyed,$s),,yes)),$s))
# Of PART=2 and PART=3, chapters with an operation; of PART=4, on several devices; otherwise all.
OF_PART := $(if $(filter 4,$(PART)),6%,$(if $(filter 3,$(PART)),4%,$(if \
    $(filter 2,$(PART)),2% 3%,%)))
# Those that count a text on one device.
HISTOGRAMS = $(foreach s,$(STEMS),$(if $(filter histogram,$(call contract,$s)),$s))
# The operations of a chapter: those that its suite's head names, or of these the one typed.
named_in = $(shell sed -n 's/^.*Operations: *\([a-z_ ]*\).*/\1/p' $(wildcard $(1)))
taken = $(or $(call named_in,tests$(further:%=/%)/$(stem).c),$(call named_in,tests/$(stem).c))
operations = $(strip $(or $(of_one),$(if $(OPERATION),$(or $(filter $(OPERATION),$(taken)),\
    $(error chapter $(number) takes $(taken): OPERATION=$(OPERATION) is none of these)),$(taken))))
# Without Criterion there is a stand-in for it, which runs the suites of chapters.
CRITERION := $(if $(wildcard /usr/include/criterion/criterion.h),-lcriterion,$(shell $(CC) -E \
    -include criterion/criterion.h -x c /dev/null >/dev/null 2>&1 && echo -lcriterion))
# Folders of common/contracts that a contract needs: its own; A_batched that of A, too; then what
# contracts with an operation share, or those that count texts.
rooms = $(1) $(filter-out $(1),$(patsubst %_batched,%,$(1))) operation \
    $(if $(filter $(BY_OPERATION),$(1)),,texts)
includes = $(patsubst %,-Icommon/%,$(if $(CRITERION),,judge/fallback) contract \
    $(addprefix contracts/,$(rooms)) judge run sandbox sim course)
# $(call tried,COMMAND,OUTPUT,NAME): for make test, a verdict that exists when COMMAND has passed.
tried = common/tools/progress/tried.sh $@ $(@D)/$(2) '$(3)' env $(1)
.PHONY: FORCE
# What a file needs whose text shall be this, whatever the dates say: nothing when it is, or FORCE.
unless_kept = $(if $(and $(findstring x$(2)x,x$(file <$(1))x),$(findstring \
    x$(file <$(1))x,x$(2)x)),,FORCE)
flags := $(CC) $(CXX) $(CFLAGS) $(STRICT)$(if $(CRITERION),, -stand-in)
$(B)/flags: $(call unless_kept,$(B)/flags,$(flags)) ; mkdir -p $(@D); echo '$(flags)' >$@
$(B)/libsim.a: common/make/sim.mk $(wildcard $(addprefix common/sim/,* */* */*/*))
	[ -e $@ ] || echo "building the simulated GPU, in $(B): once, some seconds" >&2
	mkdir -p $(@D) && common/sim/simcc --libraries >$(B)/libraries && touch $@
	{ echo 'int main() { return 0; }' | $(CXX) -fuse-ld=gold -x c++ - -o $(B)/linked 2>/dev/null && \
	    echo -fuse-ld=gold; } >$(B)/linker; :
# The judge, the suites and the tools know a contract, and hear of the number of bins when they run:
# they are compiled once (binning.h refuses 0 bins). What counts as kernels do is compiled for one.
numbered = -DBINS=$(or $(filter-out keys,$(BINS)),5)
compile_c = mkdir -p $(@D) && $(compile_plain) $(STRICT) $(numbered) $(call includes,$(1)) $(also) \
    -c $< -o $@
objects = $(patsubst common/%.c,$(A)/%.o,$(wildcard $(1)))
$(A)/%.o: numbered = -DBINS=0
$(A)/%.o: common/%.c $(B)/flags $(LIBRARY)
	$(call compile_c,$(notdir $(*D)))
# The program behind the goals. Kernels for a card have the simulator's: it names its counters.
ifeq ($(DEVICE),gpu)
T := build/sim-$(notdir $(CC))/tools
$(T)/ladder: FORCE
	+$(MAKE) -f common/make/variant.mk DEVICE=sim $@
else
$(T)/ladder: $(call objects,common/course/*.c $(patsubst %,common/sandbox/%.c,confine filter \
    refused reaper descendants) $(patsubst %,common/judge/%.c,grouped out_of_memory)) $(LIBRARY)
	$(link)
endif
# What an object was compiled from may have moved since: it is made anew from where that is now.
common/% tests/%: ;
-include $(wildcard $(addprefix $(A)/,*/*.d */*/*.d */*/*/*.d))
