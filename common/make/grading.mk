# grading.mk - builds what judges what a class handed in: the suites of one variant, without a
# kernel, and the kit, a file that tells grade.py of them.
include common/make/variant.mk
$(if $(NO_MPI),$(error chapter $(call number,$(firstword $(NO_MPI))) needs Open MPI: \
    libopenmpi-dev, openmpi-bin))
K := $(B)/grading-$(BINS)
$(foreach s,$(STEMS),$(if $(call apart,$s),,$(error $s: a kernel of its contract has no process of \
    its own, so it cannot be graded)))
$(foreach s,$(STEMS),$(if $(call refusal,$s),$(error chapter $(call number,$s), $(BINS) bins: \
    refuses, and says: $(patsubst %.,%,$(call refusal,$s)))))
kernel_parts = $(filter-out $(V)/%,$(call with,$(1),$(call server,$(1))))
# A kernel whose contract has an operation is compiled for each of the chapter's.
compiled_for = $(if $(call keyed,$(1)),echo 'operations $(1) $(call operations,$(1))';)
for_ranks = $(if $(call of_mpi,$(1)),echo 'mpi $(1) $(MPI_COMPILE) -- $(MPI_LINK)';)
# A lecturer's own texts have a suite for each contract.
GIVEN_BY := $(foreach s,$(STEMS),$(if $(wildcard tests/given/$(call contract,$s).c),$s))
SUITES := $(foreach s,$(STEMS),$(call suite_program,$s)) \
    $(sort $(foreach s,$(GIVEN_BY),$(A)/suites/given/$(call contract,$s)))
$(K)/kit-%: $(sort $(SUITES)) $(foreach s,$(STEMS),$(call kernel_parts,$s)) $(T)/ladder FORCE
	mkdir -p $(@D); { echo 'simcc common/sim/simcc'; echo 'verdict $(T)/ladder verdict'; \
	    echo 'library $(B)'; \
	    echo 'compile $(CFLAGS) --closed $(of_kernels)'; \
	    echo "link $(CFLAGS) $$(cat $(B)/linker)"; \
	    $(foreach s,$(STEMS),echo 'chapter $s $(call number,$s) $(BINS:keys=5) \
	        $(notdir $(call source,$s)) $(call suite_program,$s) $(call kernel_parts,$s)'; \
	        $(call compiled_for,$s) $(call for_ranks,$s)) \
	    $(foreach s,$(GIVEN_BY),echo 'extra $s $(A)/suites/given/$(call contract,$s)';) \
	} >$@
