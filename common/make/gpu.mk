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
#
# The driver's goals are gpu-test, gpu-run, ...; each calls a make of this file for each variant:
# numbers of bins, and "keys", whose goals are tests, judge; programs, the timing program of each
# workload with a library of each kernel; peers, what these are timed beside; micro; cells, what
# Nsight Compute counts.
DEVICE := gpu
include common/make/variant.mk
$(if $(NVCC),,$(error gpu: nvcc is not installed; it comes with the CUDA Toolkit))
MAKEFLAGS += --output-sync=none # rows appear as they are measured
.PHONY: tests judge programs peers micro shared cells

# The chapters: those that are named; else of PART, or for test of all parts, to be timed of Part I.
# Of a histogram, the part is the first.
GOAL := $(patsubst gpu-%,%,$(filter gpu-%,$(MAKECMDGOALS)))
PARTS/named := 1 2 3 4 5
PARTS/test := 1 2 3 4 5
PARTS/fidelity := 1 2 3
PARTS := $(or $(PART),$(PARTS/$(if $(typed),named,$(GOAL))),1)
part = $(if $(filter histogram,$(contract/$k)),1,$(part/$k))
ALL := $(if $(typed),$(STEMS),$(EVERY))
MEANT := $(foreach k,$(ALL),$(if $(filter $(PARTS),$(part)),$k))
# Where NCCL or MPI is missing, what needs it is left out, and told.
here = $(shell $(nccl_and_mpi) there '$(CUDA)' $(source/$k))
ifneq ($(GOAL),)
ON_DEVICES := $(foreach k,$(MEANT),$(if $(filter 4,$(part)),$k))
LACKING := $(strip $(foreach k,$(ON_DEVICES),$(if $(here),,$k)))
endif
$(if $(and $(typed),$(LACKING)),$(error gpu: stopped))
# Chapters with an operation are built for each of them, as the variant "keys", the others for each
# number of bins; the sizes of texts are timed with 5.
takes = $(or $(typed),$(filter $(or $(OPERATION),%),$(taken/$k)))
BY_KEY := $(foreach k,$(filter $(KEYED),$(MEANT)),$(if $(takes),$k))
OTHERS := $(filter-out $(LACKING) $(KEYED),$(MEANT))
GPU_BINS ?= $(BINS)
gpu-run gpu-sanitize: GPU_BINS := $(BINS)
gpu-micro: override GPU_BINS := 5 26 256
gpu-experiments: override GPU_BINS := 5 8 16 26 32 64 128 256
variants = $(if $(OTHERS),$(sort $(GPU_BINS) $(if $(filter bench,$*),5))) $(if $(BY_KEY),keys)
variant = $(MAKE) -f common/make/gpu.mk KIND=$(KIND) FROM=$(FROM) BINS=$b \
    STEMS='$(if $(filter keys,$b),$(BY_KEY),$(OTHERS))'
times_sh = B=$(B) KIND=$(KIND) FROM=$(FROM) CUDA=$(CUDA) BINS='$(GPU_BINS)' \
    STEMS='$(BY_KEY) $(OTHERS)' common/bench/gpu/times.sh $*
gpu-test: gpu-%: $(B)/device
	+failed=; $(foreach b,$(variants),$(variant) tests || failed=1;) [ -z "$$failed" ]
	+failed=; $(foreach b,$(variants),$(variant) judge || failed=1;) [ -z "$$failed" ]; \
	    judged=$$?; $(times_sh) || exit 1; exit $$judged
# What is built for a goal.
built/micro = micro
built/sanitize = programs
built/fidelity = cells
built = $(or $(built/$*),programs peers)
SWEPT := $(filter-out %:reduce_by_index,$(foreach k,$(MEANT),$k:$(contract/$k)))
no_sweep = $(error sweep: is for chapters with reduce_by_index(), and \
    $(firstword $(subst :, ,$(SWEPT))) has none)
of_other_chapters = $(error $*: not for chapters that reduce, or count on several devices)
gpu-%: $(B)/device $(B)/flags
	$(if $(filter sweep,$*),$(if $(SWEPT),$(no_sweep)))
	$(if $(filter micro experiments,$*),$(if $(BY_KEY)$(filter 6%,$(OTHERS)),$(of_other_chapters)))
	$(if $(wildcard $(addprefix $(B)/common-*/bench/*/,*_peers.so */*_peers.so)),,echo \
	    'compiling for the GPU, once: a few minutes with CUB and Thrust' >&2)
	+$(if $(filter programs micro,$(built)),$(foreach b,$(firstword $(variants)),\
	    $(variant) shared))
	+$(foreach b,$(variants),{ $(variant) $(built) || touch $(B)/failed; } $(if \
	    $(filter fidelity,$*),;,&)) wait; \
	    ! rm $(B)/failed 2>/dev/null
	+$(times_sh)

# Of one variant: kernels that it has, 05_name, or 21_name/argmax, compiled for that operation.
of_key = $(addprefix $k/,$(filter $(or $(OPERATION),%),$(taken/$k)))
COMPILED := $(strip $(foreach k,$(ACCEPTED),$(if $(taken/$k),$(of_key),$k)))
# Those on several devices have no suite here: their results are judged.
SUITED := $(foreach k,$(COMPILED),$(if $(run_by/$k),,$k))
tests: $(SUITED:%=$(V)/%/test) $(T)/ladder
# One after the other, so that there is one CUDA context at a time, and memory is not another's; but
# for suites whose inputs are short: they get a first chance at a time, and what fails a second.
judge: private jobs = --jobs 1
judge: tests
	printf '%s\0' $(foreach k,$(SUITED),"$(judge)") >$(V)/to_judge
	$(if $(filter keys,$(BINS)),rm -f $(V)/again; xargs -0 -r -n 1 -P 4 sh -c 'log=$$(sh -c "$$0" \
	    2>&1) && printf "%s\n" "$$log" || printf "%s\0" "$$0" >>$(V)/again' <$(V)/to_judge; \
	    touch $(V)/again; mv $(V)/again $(V)/to_judge)
	xargs -0 -r -n 1 sh -c <$(V)/to_judge
cells: $(foreach k,$(SUITED),$(if $(in_c/$k),,$(V)/$k/cells))
$(A)/run/cell_begins.o: common/run/cell_begins.cu $(B)/flags $(LIBRARY)
	mkdir -p $(@D) && $(compile_cu) -c $< -o $@

# The workload that times a kernel, by its contract; none for plain C. A contract that says on which
# inputs it is timed (plain_CONTRACT.cu) is timed by calls, in a folder of its own name.
CALLED := $(patsubst common/bench/gpu/plain_%.cu,%,$(wildcard common/bench/gpu/plain_*.cu))
workload/histogram = $(if $(in_c/$k),,texts)
workload/reduce_by_index := keys
workload/reduce_by_index_batched := keys
workload/reduce := arrays
workload/many = $(if $(mpi/$k),ranks,devices)
workload = $(or $(workload/$(contract/$k)),$(filter $(CALLED),$(contract/$k)))
TIMED := $(foreach k,$(COMPILED),$(if $(workload),$k))
# The folder of a workload: texts, or arrays/sum.
R := $(C)/bench
FOLDERS := $(sort $(foreach k,$(TIMED),$R/$(workload)$(operations/$k:%=/%)))
programs: $(FOLDERS:%=%/times) $(TIMED:%=$(V)/%/kernel.so)
not_suited := $(filter $R/arrays/% $R/devices $R/ranks,$(FOLDERS))
by_results := arrays devices ranks
tests: $(not_suited:%=%/times) \
    $(foreach k,$(TIMED),$(if $(filter $(by_results),$(workload)),$(V)/$k/kernel.so))
# By all numbers of bins, which are built side by side.
OF_JUDGE := $(A)/contracts/histogram/timed_text.o $(A)/judge-histogram.a
ON_CARD := $(A)/bench/clock.o $(A)/bench/gpu/queue.o $(A)/bench/gpu/reading.o
OF_TIMES := $(ON_CARD) $(A)/bench/gpu/times.o $(A)/bench/gpu/supervised.o $(A)/judge/grouped.o
shared: $(OF_TIMES) $(if $(filter $R/texts,$(FOLDERS)),$(OF_JUDGE))
# What is timed beside a workload's chapters: libraries of CUB and Thrust, with CCCL of that folder,
# too; of some workloads variants of kernels; and where nothing else is timed beside a contract, the
# kernel that one would write first.
PEERS := $(patsubst %,%/texts_peers.so,$(filter $R/texts,$(FOLDERS))) \
    $(patsubst %,%/keys_peers.so,$(filter $R/keys/%,$(FOLDERS))) \
    $(patsubst %,%/arrays_peers.so,$(filter $R/arrays/%,$(FOLDERS)))
VARIED := $(addprefix $R/,texts/layouts.so keys/count/placements.so keys/saturate/placements.so \
    arrays/sum/contention.so arrays/float_sum/contention.so)
peers: $(PEERS) $(if $(CCCL),$(PEERS:.so=.newer.so)) $(filter $(FOLDERS:%=%/%),$(VARIED))
programs: $(patsubst %,%/plain/kernel.so,$(filter $(CALLED:%=$R/%/%),$(FOLDERS)))
micro: $R/texts/micro $(if $(filter 5,$(BINS)),$R/texts/latencies)

# How files of common/bench/gpu are compiled: for all, or in a workload's folder, for its number of
# bins, or its operation. Of CCCL a folder of headers, or its source tree.
$(shell echo '$(CCCL)' | cmp -s - $(B)/cccl || echo '$(CCCL)' >$(B)/cccl)
newer := $(CCCL:%=-I%)
ifneq ($(wildcard $(CCCL)/libcudacxx),)
newer := -I$(CCCL)/cub -I$(CCCL)/thrust -I$(CCCL)/libcudacxx/include
endif
of_bench := -Icommon/bench -Icommon/bench/gpu
compile_bench = mkdir -p $(@D) && $(if $(filter %.cu,$<),$(compile_cu),$(compile) $(STRICT)) \
    $(of_bench)
$(A)/bench/%.o: also = $(of_bench)
$(A)/bench/%.o: common/bench/%.cu $(B)/flags $(LIBRARY)
	$(compile_bench) -c $< -o $@
words = $(subst /, ,$*)# of a target in such a folder
flags_of_workload = -DBINS=$(BINS) $(includes)
flags_of_operation = -DOPERATION=$(word 2,$(words)) $(of_cap)
$R/%.o: OWN := histogram
$R/ranks/%.o: flags_of_workload = -DBINS=$(BINS) $(includes) $(MPI_COMPILE)
$R/keys/%.o $R/arrays/%.o: flags_of_workload = $(flags_of_operation) \
    $(addprefix -Icommon/,contract contracts/reduce_by_index judge sandbox)
$(CALLED:%=$R/%/%.o): OWN = $(firstword $(words))
$(CALLED:%=$R/%/%.o): flags_of_workload = $(flags_of_operation) $(includes)
$R/%.newer.o: common/bench/gpu/$$(*F).cu $(B)/flags $(B)/cccl $$(cap) $(LIBRARY)
	$(compile_bench) $(newer) $(flags_of_workload) -c $< -o $@
$R/%.o: common/bench/gpu/$$(*F).cu $(B)/flags $$(cap) $(LIBRARY)
	$(compile_bench) $(flags_of_workload) -c $< -o $@
$R/%.o: common/bench/gpu/$$(*F).c $(B)/flags $$(cap) $(LIBRARY)
	$(compile_bench) $(flags_of_workload) -c $< -o $@
$R/%/plain/kernel.o: common/bench/gpu/plain_$$(firstword $$(words)).cu $(B)/flags $(LIBRARY)
	$(compile_bench) $(flags_of_workload) -c $< -o $@

# What is made of that: the timing program of a workload, and libraries.
link_times = $(link) -cudart shared -ldl
$R/texts/times: $R/texts/texts.o $(OF_TIMES) $(A)/sandbox/target_device.o $(OF_JUDGE)
	$(link_times)
$R/keys/%/times: $R/keys/%/keys.o $R/keys/%/inputs.o $R/keys/%/plain.o $(OF_TIMES)
	$(link_times)
$R/arrays/%/times: $R/arrays/%/arrays.o $R/arrays/%/inputs.o $(OF_TIMES)
	$(link_times)
$R/devices/times: $R/devices/devices.o $R/devices/made_text.o $(OF_TIMES)
	$(link_times)
$R/ranks/times: $R/ranks/ranks.o $R/ranks/made_text.o $(OF_TIMES)
	$(link_times) $$($(nccl_and_mpi) mpi)
$R/%/times: $R/%/calls.o $(OF_TIMES) $(A)/sandbox/target_device.o \
    $(A)/judge-$$(firstword $$(words)).a
	$(link_times)
$R/texts/micro $R/texts/latencies: %: %.o $(ON_CARD)
	$(link)
library = $(link) -shared -cudart shared
$R/%/plain/kernel.so: $R/%/plain/kernel.o $(A)/contracts/$$(firstword $$(words))/kernel.o
	$(library)
$R/%.so: $R/%.o
	$(library)
own_half = $(patsubst %,$(A)/contracts/%/kernel.o,$(filter $(CALLED),$(contract/$*)))
of_nccl = $(if $(filter many,$(contract/$*)),$$($(nccl_and_mpi) link '$(CUDA)' $(source/$*)))
$(V)/%/kernel.so: $(V)/%/kernel.o $$(own_half)
	$(library) $(of_nccl)
