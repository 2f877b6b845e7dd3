# count.mk - build/count, the program to keep: counts bytes of files by a kernel that reads them.
#
#   make count                 the solution's, with 256 bins; BINS=26: build/count-26
#   make chapterN count        with your kernel: build/count-yours
#   make gpu count             for the GPU of this machine: build/count-gpu
#
# Without Open MPI it is one process, with one GPU: there common/count/one_process is its MPI.
READING := $(notdir $(patsubst %/,%,$(dir $(shell \
    grep -ls '^ *\# *include *<mpi.h>' $(FROM)/*/many.c*))))
STEMS ?= $(READING)
COUNTED := $(STEMS)# variant.mk leaves out what it cannot start as ranks
ALONE := $(if $(shell command -v mpicc),,alone)
include common/make/variant.mk
override STEMS := $(COUNTED)
ifneq ($(ALONE),)
MPI_COMPILE := -Icommon/count/one_process
MPI_LINK :=
endif
.PHONY: count programs
$(if $(STEMS),,$(error count: $(FROM)/ has no kernel that reads files))
OTHERS := $(strip $(filter-out $(READING),$(STEMS)))
$(if $(OTHERS),$(error count: the kernel of $(OTHERS) reads no files: make count))
on_card := $(filter gpu,$(DEVICE))
counted := $(source/$(firstword $(STEMS)))
$(if $(on_card),$(if $(shell $(nccl_and_mpi) there '$(CUDA)' $(counted)),,\
    $(error count: not built)))
BUILT := build/count$(addprefix -,$(filter-out 256,$(BINS)))$(on_card:%=-%)$(if \
    $(filter chapter,$(KIND)),-yours)
O := $(B)/count-$(BINS)$(ALONE:%=-%)# whosever kernels
$(O)/%.o: common/%.c $(B)/flags $(LIBRARY)
	$(compile_c) $(of_count)
$(O)/%.o: OWN = many
$(V)/%/count: private WITH = $(if \
    $(on_card),$$($(nccl_and_mpi) link '$(CUDA)' $(counted)),$(MPI_LINK)) -lpthread
$(V)/%/count: $(V)/%/kernel.o $(patsubst common/%.c,$(O)/%.o,$(wildcard \
    common/count/*.c $(addprefix common/,bench/cpu/ways.c judge/grouped.c course/util.c \
    programs/*.c \
    $(patsubst %,sandbox/rank/%_reads.c,file $(if $(ALONE),,mpi)))))
	$(link_kernel)
programs: $(STEMS:%=$(V)/%/count)
count: programs $(T)/ladder
	$(if $(filter chapter,$(KIND)),$(T)/ladder gaps $(source/$(STEMS)) $(BINS) >&2)
	ln -f $(V)/$(STEMS)/count $(BUILT)
	[ -z '$(ALONE)' ] || echo 'without Open MPI $(BUILT) is one process, with one GPU' >&2
	echo "$(BUILT) FILE... counts the bytes of files: $(BUILT) --help"
-include $(wildcard $(O)/*/*/*.d $(O)/*/*.d $(O)/*/*/*/*.d)
