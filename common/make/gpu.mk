# gpu.mk - the word gpu: the same chapters on a card, compiled by nvcc.
#
#   make chapter5 gpu test     judges your kernel by its results; without a chapter, all solutions
#   make chapter5 gpu run      times it on one input, beside reading alone, CUB and Thrust
#   make gpu bench PART=2      times a part on all inputs of docs/results, and draws plots
#   make gpu sanitize          runs compute-sanitizer's four tools over every kernel
#   make gpu fidelity          counts kernels by Nsight Compute, and on the simulator
#   make gpu micro             measures the constants of the prediction (docs/prediction.md)
#   make gpu build ARCH=sm_90  compiles all of this, also where there is no card
#   ARCH=sm_90     compiles for this architecture, and not for that of the card that is here
#   CCCL=folder    times a newer CUB, headers or source, beside that of the toolkit
#   ALSO=./a.so    times this library's kernel, too; CELLS= names inputs: common/bench/gpu/bench.h
#
# Kernels are below K, in the folders that they have for the simulator below V. What times them is a
# workload, which is compiled for a number of bins or an operation: R/texts/26, R/keys/argmax.
NVCC := $(or $(shell command -v nvcc),$(wildcard /usr/local/cuda/bin/nvcc))
$(if $(NVCC),,$(error gpu: nvcc is not installed; it comes with the CUDA Toolkit))
CUDA := $(patsubst %/bin/nvcc,%,$(realpath $(NVCC)))
ARCH := $(or $(ARCH),native)
CCCL := $(or $(CCCL),$(wildcard build/cccl/nvidia/cu*/include/cccl))
export ARCH CUDA CCCL
G := build/gpu-$(ARCH)
K := $G/$(subst /,-,$(FROM))
R := $G/bench
CARD_GOALS := build test run bench sanitize fidelity micro
# Nothing is built where there is no card to run it on.
probe := common/bench/gpu/probe.sh '$(NVCC)' $(ARCH) '$(CXX)' $G
$(if $(filter build,$(GOALS)),,$(if $(shell $(probe)),,$(error gpu: stopped)))

# Which kernels: those of the chapters that are named; else those of a part, or of all that can be.
LADDER1 += 32% 33%
LADDER2 += 31%
parts  = $(if $(filter command environment,$(origin PART)),$(PART),\
    $(if $(filter run bench,$(GOALS)),1,1 2 3 4 5))
CHOSEN := $(or $(NAMED),$(filter $(foreach p,$(parts),$(LADDER$p)),$(EVERY)))
CARD_BINS := $(or $(KEY_BINS),$(if $(filter run sanitize,$(GOALS)),5,5 26 256))
on_card = $(filter $(or $(if $(of_text),$(CARD_BINS),$(OPERATION)),%),$(taken))
nccl_and_mpi := common/bench/gpu/installed/nccl_and_mpi.sh
is_here = $(if $(filter many,$(contract)),$(shell $(nccl_and_mpi) there '$(CUDA)' $(source)),yes)
KERNELS := $(foreach k,$(CHOSEN),$(if $(is_here),$(addprefix $k/,$(on_card))))

# What times a kernel, by its contract. A contract with a plain kernel has calls of its own kind.
CALLED := $(patsubst common/bench/gpu/plain_%.cu,%,$(wildcard common/bench/gpu/plain_*.cu))
workload/histogram := texts
workload/reduce_by_index := keys
workload/reduce_by_index_batched := keys
workload/reduce := arrays
workload/many = $(if $(ranks),,devices)# ranks are judged by the simulated GPU alone
workload = $(or $(workload/$(contract)),$(filter $(CALLED),$(contract)))
folder   = $(workload)/$(variant)
TIMED   := $(foreach k,$(KERNELS),$(if $(filter %.cu,$(source)),$(if $(workload),$k)))
SUITED  := $(foreach k,$(KERNELS),$(if $(filter many,$(contract)),,$k))
COUNTED_HERE := $(foreach k,$(SUITED),$(if $(filter %.cu,$(source)),$k))
WORKLOADS := $(sort $(foreach k,$(TIMED),$(folder)))
kernels_of = $(foreach k,$(TIMED),$(if $(filter $f,$(folder)),$K/$k/kernel.so))
RUNS    := $(foreach f,$(WORKLOADS),'$(strip $f $(kernels_of))')

# What each goal needs.
PEERS := $(foreach w,texts keys arrays,$(patsubst %,$R/%/$w_peers.so,$(filter $w/%,$(WORKLOADS))))
PEERS += $(if $(CCCL),$(PEERS:.so=.newer.so))
PLAIN_PEERS := $(patsubst %,$R/%/plain/kernel.so,$(filter $(CALLED:%=%/%),$(WORKLOADS)))
TIMES := $(WORKLOADS:%=$R/%/times) $(TIMED:%=$K/%/kernel.so)
BY_RESULTS := $(filter arrays/% devices/%,$(WORKLOADS))
of_results = $(foreach k,$(TIMED),$(if $(filter $(BY_RESULTS),$(folder)),$K/$k/kernel.so))
needs/test     := $(SUITED:%=$K/%/test) $(BY_RESULTS:%=$R/%/times) $(of_results) $T/ladder
needs/run      := $(TIMES) $(PEERS) $(PLAIN_PEERS)
needs/bench    := $(needs/run)
needs/sanitize := $(TIMES)
needs/fidelity := $(COUNTED_HERE:%=$K/%/cells) $(LIBRARY) \
    $(patsubst %,$G/fidelity/%,kernels patterns updates loads aggregates shapes)
needs/micro    := $(patsubst %,$R/texts/%/micro,5 26 256)
needs/build    := $(sort $(foreach g,test run fidelity micro,$(needs/$g))) \
    $(if $(NAMED),,$(EXAMPLES:%=build/%-gpu))
judge_here = $(if $(filter $(ALL_BINS),$(variant)),,OPERATIONS=$(variant) )$T/ladder verdict \
    --jobs 1 $K/$k/test $(source)
$(CARD_GOALS): $$(needs/$$@)
	$(if $(filter build,$@),,G=$G R=$R common/bench/gpu/times.sh $@ \
	    $(if $(filter micro fidelity,$@),,$(RUNS)))
test: $G/suites
$G/suites: FORCE
	mkdir -p $G; printf '%s\n' $(foreach k,$(SUITED),"$(judge_here)") >$@
fidelity: $G/cells
$G/cells: FORCE
	mkdir -p $G; printf '%s\n' $(COUNTED_HERE:%=$K/%/cells) >$@

# How files are compiled: those of the course once, those of a workload for what it is about.
$(call keep,$G/flags,$(CC) $(CXX) $(CCCL))
of_card   = $(FOLDERS) -I$B -Icommon/bench -Icommon/bench/gpu
with_gcc  = mkdir -p $(@D) && $(CC) $(CFLAGS) $(STRICT) -fPIC -idirafter $(CUDA)/include $(depend)
with_nvcc = mkdir -p $(@D) && $(NVCC) -arch=$(ARCH) -ccbin '$(CXX)' -O3 -std=c++17 \
    -Xcompiler -fPIC,-Wall,-Wno-unused-function $(depend)
link_here = mkdir -p $(@D) && $(NVCC) -arch=$(ARCH) -ccbin '$(CXX)' $(filter %.o %.a,$^) -o $@
as_asked  = -D$(if $(filter $(ALL_BINS),$(asked_for)),BINS,OPERATION)=$(asked_for)
$G/common/%.o: common/%.c $G/flags $B/call_names.h
	$(with_gcc) $(of_card) -DBINS=0 -c $< -o $@
$G/common/%.o: common/%.cu $G/flags
	$(with_nvcc) $(of_card) -c $< -o $@
$G/tests/%.o: tests/%.c $G/flags
	$(with_gcc) $(of_card) -c $< -o $@
# A card has no process of the kernel's, and counts nothing.
of_simulator = common/kernel/%.c common/judge/kernel_process.c
here_objects = $(patsubst common/%.c,$G/common/%.o,$(filter-out $(of_simulator),$(in_library)) \
    common/kernel/l2_rounds.c $(wildcard common/kernel/card/*.c))
$G/judge-%.a: $$(here_objects)
	$(archive)

# A kernel, as a library and in the program that its suite is.
nccl = $(if $(filter many,$(contract)),$$($(nccl_and_mpi) $1 '$(CUDA)' $(source)))
$K/%: asked_for = $(variant)
$K/%/kernel.o: $$(source) $G/flags
	$(if $(filter %.c,$<),$(with_gcc),$(with_nvcc) -diag-suppress=177) -Icommon/contract $(as_asked) \
	    $(call nccl,compile) -c $< -o $@
own_half = $(if $(filter $(CALLED),$(contract)),$G/common/contracts/$(contract)/kernel.o)
$K/%/kernel.so: $K/%/kernel.o $$(own_half)
	$(link_here) -shared -cudart shared $(call nccl,link)
here_target = $G/common/kernel/target/target_$(if $(filter %.c,$(source)),host,device).o
$K/%/test: $G/tests/$$(suite).o $G/tests/$$(contract).o $K/%/kernel.o $$(here_target) \
    $G/judge-$$(contract).a
	$(link_here) $(CRITERION)
$K/%/cells: $K/%/kernel.o $G/common/bench/programs/cells.o $G/common/bench/cell_begins.o \
    $$(here_target) $G/judge-$$(contract).a
	$(link_here)
$G/fidelity/%: tests/fidelity/%.cu
	mkdir -p $(@D) && $(NVCC) -arch=$(ARCH) -ccbin '$(CXX)' -O3 $< -o $@

# A workload's own files, and its timing program. CCCL is a folder of headers, or a source tree.
levels = $(subst /, ,$*)
$R/%: asked_for = $(word 2,$(levels))
newer := $(if $(wildcard $(CCCL)/libcudacxx),$(addprefix -I$(CCCL)/,cub thrust \
    libcudacxx/include),$(CCCL:%=-I%))
$R/%.newer.o: common/bench/gpu/$$(*F).cu $G/flags
	$(with_nvcc) $(newer) $(of_card) $(as_asked) -c $< -o $@
$R/%/plain/kernel.o: common/bench/gpu/plain_$$(firstword $$(levels)).cu $G/flags
	$(with_nvcc) $(of_card) $(as_asked) -c $< -o $@
$R/%.o: common/bench/gpu/$$(*F).cu $G/flags
	$(with_nvcc) $(of_card) $(as_asked) -c $< -o $@
$R/%.o: common/bench/gpu/$$(*F).c $G/flags
	$(with_gcc) $(of_card) $(as_asked) -c $< -o $@
OF_TIMES := $(patsubst %,$G/common/bench/%.o,clock gpu/times gpu/queue gpu/reading \
    gpu/supervised) $G/common/judge/grouped.o
OF_JUDGE := $G/common/kernel/target/target_device.o
link_times = $(link_here) -cudart shared -ldl
$R/texts/%/times: $R/texts/%/texts.o $G/common/bench/timed_text.o $(OF_TIMES) $(OF_JUDGE) \
    $G/judge-histogram.a
	$(link_times)
$R/keys/%/times: $R/keys/%/keys.o $R/keys/%/inputs.o $R/keys/%/plain.o $(OF_TIMES)
	$(link_times)
$R/arrays/%/times: $R/arrays/%/arrays.o $R/arrays/%/inputs.o $(OF_TIMES)
	$(link_times)
$R/devices/%/times: $R/devices/%/devices.o $R/devices/%/made_text.o $(OF_TIMES)
	$(link_times)
$R/%/times: $R/%/calls.o $(OF_TIMES) $(OF_JUDGE) $G/judge-$$(firstword $$(levels)).a
	$(link_times)
$R/texts/%/micro: $R/texts/%/micro.o $(filter %/clock.o %/queue.o %/reading.o,$(OF_TIMES))
	$(link_here)
$R/%/plain/kernel.so: $R/%/plain/kernel.o $G/common/contracts/$$(firstword $$(levels))/kernel.o
	$(link_here) -shared -cudart shared
$R/%.so: $R/%.o
	$(link_here) -shared -cudart shared

# The examples of programs: build/kmeans-gpu.
$G/examples/%.o: common/%.c $G/flags
	$(with_gcc) $(FOLDERS) -Icommon/programs -DBINS=256 $(if $(findstring /count/,$*),$(MPI_IN)) \
	    -c $< -o $@
$(EXAMPLES:%=build/%-gpu): build/%-gpu: $K/$$(CALLED_$$*)/kernel.o $$(call example,$G,$$*)
	$(link_here) $(if $(filter count,$*),$$($(nccl_and_mpi) link '$(CUDA)' \
	    $(FROM)/$(dir $(CALLED_count))many.cu)) && echo "$@ is there: $@ --help"
$(EXAMPLES): %: build/%-gpu
-include $(wildcard $(addprefix $G/,examples/*/*.d examples/*/*/*.d \
    common/*/*.d common/*/*/*.d common/*/*/*/*.d tests/*.d \
    bench/*/*/*.d bench/*/*/*/*.d) $(addprefix $K/,*/*/*.d))
