# debug.mk - a chapter's kernel for gdb: build/debug.gdb begins it, and .gdbinit has the commands.
#
# What the program row runs is what make run does; of the ranks of MPI one, a job by itself.
.PHONY: debug
# The type of a bin, of the kernel's file where it is a structure; its bytes; how many bins there
# are.
bytes_of := wide_sum:8 argmax:8 vector_sum:32 minmax:16 dot:8
structures := argmax vector_sum minmax dot
of_bins = $(if $(keyed),$(if $(filter float_sum,$(ran)),float,$(if $(filter wide_sum,$(ran)),\
    unsigned long long,$(if $(filter $(structures),$(ran)),value_t,unsigned int))),$(if \
    $(of_many),unsigned long long,unsigned int))
of_many = $(filter many,$(call contract,$(1)))
bin_bytes = $(or $(if $(keyed),$(patsubst $(ran):%,%,$(filter $(ran):%,$(bytes_of)))),$(if \
    $(of_many),8,4))
usual_bins = $(if $(filter reduce,$(contract)),1,$(if $(filter %_batched,$(contract)),31,12281))
bins_in_all = $(if $(keyed),$(or $(KEY_BINS),$(usual_bins)),$(BINS))
debug: $(addprefix debug/,$(lastword $(STEMS)))
debug/%: $$(V)/$$(call one_of,$$*)/row $$(call text,$$*)
	command -v gdb >/dev/null || \
	    { echo "gdb is not installed: sudo apt-get install gdb" >&2; exit 1; }
	printf '%s\n' 'file $<' \
	    'set args $(call text,$*) $(call number,$*) $(call name,$*) build/debug.csv' \
	    $(if $(call keyed,$*),'set environment OPERATIONS $(call ran,$*)',\
    'set environment NUM_BINS $(BINS)') \
	    $(if $(call of_mpi,$*),'set environment OMPI_COMM_WORLD_RANK 0' \
	    'set environment OMPI_MCA_ess_singleton_isolated 1' 'set environment OMPI_MCA_btl self') \
	    'set $$bins_in_all = $(call bins_in_all,$*)' 'set $$bin_bytes = $(call bin_bytes,$*)' \
	    'source .gdbinit' 'define values_as_bins' 'output *($(call of_bins,$*) *)$$values@$$shown' \
	    'end' >build/debug.gdb
ifneq ($(DEBUG),)
$(foreach s,$(STEMS),$(V)/$(call one_of,$s)/row): $(V)/for_gdb.o
$(V)/for_gdb.o: common/tools/editor/for_gdb.c $(B)/flags $(LIBRARY)
	$(call compile_c,) -g
endif
