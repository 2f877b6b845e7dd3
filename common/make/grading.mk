# grading.mk - builds what judges what a class handed in: the suites of one variant, without a
# kernel, and the kit, a file that tells grade.py of them.
include common/make/variant.mk
$(if $(NO_MPI),$(error chapter $(number/$(firstword $(NO_MPI))) needs Open MPI: \
    libopenmpi-dev, openmpi-bin))
K := $(B)/grading-$(BINS)
$(foreach k,$(STEMS),$(if $(apart),,$(error $k: a kernel of its contract has no process of its \
    own, so it cannot be graded)))
$(foreach k,$(STEMS),$(if $(refusal/$k),$(error chapter $(number/$k), $(BINS) bins: refuses, and \
    says: $(patsubst %.,%,$(refusal/$k)))))
kernel_parts = $(server) $(beside) $(libraries)
# A lecturer's own texts have a suite for each contract.
GIVEN := $(foreach k,$(STEMS),$(if $(wildcard tests/given/$(contract/$k).c),$k))
given = $(A)/suites/given/$(contract/$k)
$(K)/kit-%: $(sort $(foreach k,$(STEMS),$(suite_program)) $(foreach k,$(GIVEN),$(given))) \
    $(foreach k,$(STEMS),$(kernel_parts)) $(T)/ladder FORCE
	mkdir -p $(@D); { echo 'simcc common/sim/simcc'; echo 'verdict $(T)/ladder verdict'; \
	    echo 'library $(B)'; \
	    echo 'compile $(CFLAGS) --closed $(of_kernels)'; \
	    echo "link $(CFLAGS) $$(cat $(B)/linker)"; \
	    $(foreach k,$(STEMS),echo 'chapter $k $(number/$k) $(BINS:keys=5) \
	        $(notdir $(source/$k)) $(suite_program) $(kernel_parts)'; \
	        $(if $(taken/$k),echo 'operations $k $(operations/$k)';) \
	        $(if $(mpi/$k),echo 'mpi $k $(MPI_COMPILE) -- $(MPI_LINK)';)) \
	    $(foreach k,$(GIVEN),echo 'extra $k $(given)';) \
	} >$@
