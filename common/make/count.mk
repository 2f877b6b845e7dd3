# count.mk - build/count, the program to keep: counts bytes of files by a kernel that reads them.
#
#   make count                 the solution's, with 256 bins; BINS=26: build/count-26
#   make chapterN count        with your kernel: build/count-yours
#   make gpu count             for the GPU of this machine: build/count-gpu
READING := $(notdir $(patsubst %/,%,$(dir $(shell \
    grep -ls '^ *\# *include *<mpi.h>' $(FROM)/*/many.c*))))
ifneq ($(origin STEMS),command line)
STEMS := $(READING)
endif
include common/make/variant.mk
.PHONY: count programs
$(if $(MPI_LINK),,$(error count needs Open MPI: sudo apt-get install libopenmpi-dev openmpi-bin))
$(if $(STEMS),,$(error count: $(FROM)/ has no kernel that reads files))
OTHERS := $(strip $(filter-out $(READING),$(STEMS)))
$(if $(OTHERS),$(error count: the kernel of $(OTHERS) reads no files: make count))
MPI_STEMS := $(READING)# also where they are no chapters
on_card := $(filter gpu,$(DEVICE))
of_card = $(call installed,$(1),$(call source,$(firstword $(STEMS))))
$(if $(on_card),$(if $(call of_card,there),,$(error count: not built)))
BUILT := build/count$(addprefix -,$(filter-out 256,$(BINS)))$(on_card:%=-%)$(if \
    $(filter chapter,$(KIND)),-yours)
$(V)/objects/%.o: common/%.c $(B)/flags $(LIBRARY)
	$(call compile_c,many) $(of_count)
$(V)/%/count: $(V)/%/kernel.o $(patsubst common/%.c,$(V)/objects/%.o,$(wildcard \
    common/tools/count/*.c $(addprefix common/,bench/cpu/tables.c bench/cpu/compare.c \
    harness/grouped.c harness/apart/rank/*_reads.c)))
	$(link) $(if $(on_card),$(call of_card,link),$(MPI_LINK)) -lpthread
programs: $(STEMS:%=$(V)/%/count)
count: programs $(T)/gaps
	$(if $(filter chapter,$(KIND)),$(T)/gaps $(call source,$(STEMS)) $(BINS) >&2)
	ln -f $(V)/$(STEMS)/count $(BUILT)
	echo "$(BUILT) FILE... counts the bytes of files: $(BUILT) --help"
-include $(wildcard $(V)/objects/*/*/*.d $(V)/objects/*/*.d $(V)/objects/*/*/*/*.d)
