# gpu_variant.mk - variant.mk on a real GPU: KIND, BINS, STEMS as there.
#
# Goals, for all STEMS that accept so many bins: tests, judge; programs, the timing program of each
# workload with a library of each kernel; peers, what these are timed beside; micro.
DEVICE := gpu
include common/make/variant.mk
.PHONY: tests judge programs peers micro shared
# A kernel is a chapter, or with BINS=keys 21_name/argmax, compiled for that operation.
KERNELS := $(strip $(foreach k,$(ACCEPTED),$(if $(taken/$k),$(addprefix $k/,$(filter \
    $(or $(OPERATION),%),$(taken/$k))),$k)))
# Of its contract, or none. Those on several devices have no suite here: their results are judged.
of_histogram = $(if $(in_c/$k),,texts)
of_reduce_by_index := keys
of_reduce_by_index_batched := keys
of_reduce := arrays
of_many = $(if $(mpi/$k),ranks,devices)
# A contract that says on which inputs it is timed is timed by calls, in a room of its own name.
CALLED := $(patsubst common/bench/gpu/plain_%.cu,%,$(wildcard common/bench/gpu/plain_*.cu))
workload = $(or $(of_$(contract/$k)),$(filter $(CALLED),$(contract/$k)))
SUITED := $(foreach k,$(KERNELS),$(if $(filter many,$(contract/$k)),,$k))
tests: $(SUITED:%=$(V)/%/test) $(T)/ladder
# One after the other, so that there is one CUDA context at a time, and memory is not another's; but
# for suites whose inputs are short: they get a first chance at a time, and what fails a second.
judge: private jobs = --jobs 1
judge: tests
	printf '%s\0' $(foreach k,$(SUITED),"$(judge)") >$(V)/to_judge
	$(if $(filter keys,$(BINS)),rm -f $(V)/again; xargs -0 -r -n 1 -P 4 sh -c 'said=$$(sh -c "$$0" \
	    2>&1) && printf "%s\n" "$$said" || printf "%s\0" "$$0" >>$(V)/again' <$(V)/to_judge; \
	    touch $(V)/again; mv $(V)/again $(V)/to_judge)
	xargs -0 -r -n 1 sh -c <$(V)/to_judge

# A room is a workload's folder: texts, or arrays/sum.
TIMED := $(foreach k,$(KERNELS),$(if $(workload),$k))
room = $(C)/bench/$(workload)$(operations/$k:%=/%)
programs: $(sort $(foreach k,$(TIMED),$(room)/times $(V)/$k/kernel.so))
OF_JUDGE := $(A)/contracts/histogram/kinds.o $(A)/judge-histogram.a
tests: $(sort $(foreach k,$(TIMED),$(if $(filter arrays devices ranks,$(workload)),$(room)/times \
    $(V)/$k/kernel.so)))
ROOMS := $(sort $(foreach k,$(TIMED),$(room)))
# By all numbers of bins, which are built side by side.
ON_CARD := $(A)/bench/clock.o $(addprefix $(A)/bench/gpu/,queue.o reading.o)
OF_TIMES := $(ON_CARD) $(addprefix $(A)/bench/gpu/,times.o supervised.o) $(A)/judge/grouped.o
shared: $(OF_TIMES) $(if $(filter %/texts,$(ROOMS)),$(OF_JUDGE))
# Libraries of what is timed beside a room's chapters: texts_peers.so of CUB and Thrust, with CCCL
# of that folder, too; and of some rooms variants of kernels.
beside_texts := layouts
beside_keys/count := placements
beside_keys/saturate := placements
beside_arrays/sum := contention
beside_arrays/float_sum := contention
workload_of = $(firstword $(subst /, ,$(r:$(C)/bench/%=%)))
PEERS := $(foreach r,$(filter-out %/devices %/ranks,$(ROOMS)),$(if $(filter \
    $(CALLED),$(workload_of)),,$r/$(workload_of)_peers.so))
# Where nothing else is timed beside a contract, the kernel that one would write first is.
programs: $(foreach r,$(ROOMS),$(if $(filter $(CALLED),$(workload_of)),$r/plain/kernel.so))
peers: $(PEERS) $(if $(CCCL),$(PEERS:.so=.newer.so)) \
    $(foreach r,$(ROOMS),$(patsubst %,$r/%.so,$(beside_$(r:$(C)/bench/%=%))))
micro: $(addprefix $(C)/bench/texts/,micro $(if $(filter 5,$(BINS)),latencies))
# Of CCCL a folder of headers, or its source tree.
newer = $(patsubst %,-I%,$(if $(wildcard $(CCCL)/libcudacxx),$(addprefix $(CCCL)/,cub thrust \
    libcudacxx/include),$(CCCL)))
$(shell echo '$(CCCL)' | cmp -s - $(B)/cccl || echo '$(CCCL)' >$(B)/cccl)
compile_bench = mkdir -p $(@D) && $(if $(filter %.cu,$<),$(compile_cu),$(compile) $(STRICT)) \
    -Icommon/bench -Icommon/bench/gpu
$(A)/bench/%.o: also = -Icommon/bench -Icommon/bench/gpu
$(A)/bench/%.o: common/bench/%.cu $(B)/flags $(LIBRARY)
	$(compile_bench) -c $< -o $@
in_room = $(if $(filter keys,$(BINS)),-DOPERATION=$(word 2,$(subst /, ,$*)) $(of_cap) \
    $(if $(filter $(CALLED),$(room_of)),$(includes),$(addprefix -Icommon/,contract \
    contracts/reduce_by_index judge sandbox)),-DBINS=$(BINS) \
    $(includes) $(if $(filter ranks/%,$*),$(MPI_COMPILE)))
$(C)/bench/%.o: OWN = $(or $(filter $(CALLED),$(room_of)),histogram)
$(C)/bench/%.newer.o: common/bench/gpu/$$(*F).cu $(B)/flags $(B)/cccl $$(cap) $(LIBRARY)
	$(compile_bench) $(newer) $(in_room) -c $< -o $@
$(C)/bench/%.o: common/bench/gpu/$$(*F).cu $(B)/flags $$(cap) $(LIBRARY)
	$(compile_bench) $(in_room) -c $< -o $@
$(C)/bench/%.o: common/bench/gpu/$$(*F).c $(B)/flags $$(cap) $(LIBRARY)
	$(compile_bench) $(in_room) -c $< -o $@
in_texts = texts
in_keys = keys inputs plain
in_arrays = arrays inputs
in_devices = devices made_text
in_ranks = ranks made_text
room_of = $(firstword $(subst /, ,$*))
$(C)/bench/%/times: $$(foreach o,$$(or $$(in_$$(room_of)),calls),$(C)/bench/$$*/$$o.o) $(OF_TIMES) \
    $$(if $$(filter texts,$$*),$(OF_JUDGE)) $$(if $$(filter $(CALLED),$$(room_of)),\
    $(A)/sandbox/target_device.o $(A)/judge-$$(room_of).a)
	$(link) -cudart shared -ldl $(if $(filter ranks,$*),$$($(nccl_and_mpi) mpi))
$(C)/bench/texts/micro $(C)/bench/texts/latencies: %: %.o $(ON_CARD)
	$(link)
library = $(link) -shared -cudart shared
$(C)/bench/%/plain/kernel.o: common/bench/gpu/plain_$$(room_of).cu $(B)/flags $(LIBRARY)
	$(compile_bench) $(in_room) -c $< -o $@
$(C)/bench/%/plain/kernel.so: $(C)/bench/%/plain/kernel.o $(A)/contracts/$$(room_of)/kernel.o
	$(library)
$(C)/bench/%.so: $(C)/bench/%.o
	$(library)
$(V)/%/kernel.so: $(V)/%/kernel.o $$(foreach c,$$(filter $(CALLED),$$(contract/$$*)),\
    $(A)/contracts/$$c/kernel.o)
	$(library) $(if $(filter many,$(contract/$*)),$$($(nccl_and_mpi) link '$(CUDA)' $(source/$*)))
# What Nsight Compute counts.
.PHONY: cells
cells: $(foreach k,$(SUITED),$(if $(in_c/$k),,$(V)/$k/cells))
$(A)/run/cell_begins.o: common/run/cell_begins.cu $(B)/flags $(LIBRARY)
	mkdir -p $(@D) && $(compile_cu) -c $< -o $@
