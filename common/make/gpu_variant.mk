# gpu_variant.mk - variant.mk on a real GPU: KIND, BINS, STEMS as there.
#
# Goals, for all STEMS that accept so many bins: tests, judge, programs-of-GOAL. A program is
# linked with one kernel: with BINS=keys there is one for each operation of a chapter.
DEVICE := gpu
include common/make/variant.mk
.PHONY: tests judge
# Those on several devices have no suite here: a program checks their results.
MANY := $(strip $(foreach s,$(ACCEPTED),$(if $(filter many,$(call contract,$s)),$s)))
KERNELS := $(strip $(foreach s,$(filter-out $(MANY),$(ACCEPTED)),$(if $(call in_c,$s),,$s)))
ASKED := $(or $(filter $(OPERATION),$(OPERATIONS)),$(OPERATIONS))
UNITS := $(foreach s,$(filter-out $(MANY),$(ACCEPTED)),$(if $(call keyed,$s),\
    $(addprefix $s/,$(filter $(ASKED),$(call operations,$s))),$s))
tests: $(UNITS:%=$(V)/%/test) $(T)/verdict programs-of-test
# One after the other, so that there is one CUDA context at a time, and memory is not another's; but
# for suites whose inputs are short: they get a first chance at a time, and what fails a second.
judge: tests
	printf '%s\0' $(foreach s,$(UNITS),"$(call judge,$s,--jobs 1)") >$(V)/to_judge
	$(if $(filter keys,$(BINS)),rm -f $(V)/again; xargs -0 -r -n 1 -P 4 sh -c 'said=$$(sh -c "$$0" \
	    2>&1) && printf "%s\n" "$$said" || printf "%s\0" "$$0" >>$(V)/again' <$(V)/to_judge; \
	    touch $(V)/again; mv $(V)/again $(V)/to_judge)
	xargs -0 -r -n 1 sh -c <$(V)/to_judge
ifeq ($(BINS),keys)
# What is timed, checked or run once; reduce/max is a room, and an operation of it.
IN_TURN := $(foreach s,$(UNITS),$(if $(filter reduce reduce_by_index,$(call contract,$s)),$s))
ROOMS := $(sort $(foreach s,$(IN_TURN),$(call contract,$s)/$(notdir $s)))
LOADED := $(foreach s,$(IN_TURN),$(V)/$s/$(call contract,$s).so)
times_of_reduce := reduce_times contest results values read_shapes
times_of_reduce_by_index := keyed_times keyed_cells keyed truth plain
once_of_reduce := reduce_once results values
once_of_reduce_by_index := keyed_once keyed truth
CCCL ?= $(wildcard build/cccl/nvidia/cu*/include/cccl)
programs-of-run programs-of-bench: programs-of-times $(ROOMS:%=$(C)/of/%/libraries.so) \
    $(patsubst %,$(C)/of/%/gpu_to_gpu.so,$(filter reduce/float_sum,$(ROOMS)))
programs-of-bench: $(patsubst %,$(C)/of/%/atomics,$(filter reduce/%sum,$(ROOMS)))
programs-of-times: $(ROOMS:%=$(C)/of/%/times) $(LOADED)
programs-of-test: $(patsubst %,$(C)/of/%/check,$(filter reduce/%,$(ROOMS))) \
    $(filter %/reduce.so,$(LOADED))
programs-of-sanitize: $(IN_TURN:%=$(V)/%/once)
else
programs-of-run programs-of-bench programs-of-experiments: programs-of-times \
    $(if $(KERNELS),$(C)/baselines.so) $(MANY:%=$(V)/%/many_times)
programs-of-times: $(if $(KERNELS),$(C)/kernel_times) $(KERNELS:%=$(V)/%/histogram.so)
programs-of-sanitize programs-of-fidelity: $(KERNELS:%=$(V)/%/once) programs-of-test
programs-of-test: $(MANY:%=$(V)/%/many_check)
endif
programs-of-experiments: $(C)/experiments
programs-of-micro: $(C)/micro $(if $(filter 5,$(BINS)),$(C)/latencies)
$(C)/bench/gpu/%.o: common/bench/gpu/%.c $(B)/flags $(LIBRARY)
	$(call compile_c,histogram)
$(C)/bench/gpu/%.o: common/bench/gpu/%.cu $(B)/flags $(LIBRARY)
	mkdir -p $(@D) && $(compile_kernel) -Icommon/contract -DBINS=$(BINS) -c $< -o $@
of_gpu = $(patsubst %,$(C)/bench/gpu/%.o,$(1))
$(C)/kernel_times: $(call of_gpu,kernel_times times_table row_file queue roofline) \
    $(call libraries,histogram)
	$(link) -cudart shared -ldl
$(C)/experiments: $(call of_gpu,experiments layouts queue row_file) $(call libraries,histogram)
	$(link)
$(C)/baselines.so: $(call of_gpu,baselines)
	$(link) -shared -cudart shared
$(C)/micro: $(call of_gpu,micro roofline)
	$(link)
$(C)/latencies: $(call of_gpu,latencies)
	$(link)
$(V)/%/histogram.so $(V)/%/reduce_by_index.so $(V)/%/reduce.so: $(V)/%/kernel.o
	$(link) -shared -cudart shared
# reduce/max/values.o is values.cu of that room, compiled for that operation.
$(C)/of/%.o: $$(wildcard common/bench/gpu/$$(firstword $$(subst /, ,$$*))/$$(*F).c*) \
    $(B)/flags $(LIBRARY)
	mkdir -p $(@D) && $(if $(filter %.cu,$<),$(compile_kernel),$(compile) $(STRICT)) $(newer_cub) \
	    $(addprefix -Icommon/,bench/gpu contract harness) -DOPERATION=$(notdir $(*D)) -c $< -o $@
$(C)/of/%/gpu_to_gpu.o: newer_cub = $(CCCL:%=-I%)
of_room = $(addprefix $(C)/of/$(1)/,$(addsuffix .o,$(2)))
$(C)/of/%/times: $$(call of_room,$$*,$$(times_of_$$(*D))) $(T)/grouped.o \
    $(call of_gpu,row_file queue roofline supervised entrants)
	$(link) -cudart shared -ldl
$(C)/of/%/check: $$(call of_room,$$*,reduce_check contest results values) $(T)/grouped.o \
    $(call of_gpu,supervised entrants)
	$(link) -cudart shared -ldl
$(C)/of/%/atomics: $(C)/of/%/atomics.o $(C)/of/%/values.o $(call of_gpu,row_file queue)
	$(link)
# Of a chapter for the ranks of MPI the program is another one: ranks_check.c, ranks_times.c.
$(C)/many/%.o: $$(wildcard $$(addprefix common/bench/gpu/,many/$$*.c* reduce/read_shapes.c*)) \
    $(B)/flags $(LIBRARY)
	mkdir -p $(@D) && $(if $(filter %.cu,$<),$(compile_kernel),$(compile) $(STRICT)) -DBINS=$(BINS) \
	    $(if $(filter ranks%,$*),$(MPI_COMPILE)) $(patsubst %,-Icommon/%,bench/gpu \
	    bench/gpu/reduce contract harness) -c $< -o $@
with_many = $(V)/$(1)/kernel.o $(call of_gpu,row_file) $(T)/grouped.o $(patsubst %,$(C)/many/%.o,\
    host_text last_words room wall_clock $(if $(call of_mpi,$(1)),ranks ranks_$(2),many_$(2) \
    read_shapes copies_alone card_text))
link_many = $(link) $(call installed,link,$(call source,$*))
$(V)/%/many_check: $$(call with_many,$$*,check)
	$(link_many)
$(V)/%/many_times: $$(call with_many,$$*,times)
	$(link_many)
$(C)/of/%.so: $(C)/of/%.o
	$(link) -shared -cudart shared
$(V)/%/once: $$(if $$(call keyed,$$*),$(V)/%/kernel.o $$(call of_room,$$(call \
    contract,$$*)/$$(notdir $$*),$$(once_of_$$(call contract,$$*))),$$(call \
    with,$$*,$(call of_gpu,once)))
	$(link)
