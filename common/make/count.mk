# count.mk - build/count, the program to keep: counts the bytes of files by the kernel that reads files.
#
#   make count               of the solution, with 256 bins; BINS=26: build/count-26
#   make chapterN count      of your kernel: build/count-yours
#   make gpu count           for the GPU of this machine: build/count-gpu
DEVICE := $(or $(filter gpu,$(GPU)),sim)
# The chapter that is counted with reads files, for it needs MPI.
override STEMS := $(or $(STEMS),$(notdir $(patsubst %/,%,$(dir $(shell grep -l '^.include <mpi.h>' \
    $(FROM)/*/many.cu)))))
include common/make/variant.mk
.PHONY: count
MPI_COMPILE := $(shell mpicc --showme:compile 2>/dev/null) -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX
MPI_LINK := $(shell mpicc --showme:link 2>/dev/null)
NAME := build/count$(if $(filter 256,$(BINS)),,-$(BINS))$(if $(filter gpu,$(DEVICE)),-gpu)$(if \
    $(filter chapter,$(KIND)),-yours)
SPOKEN := $(if $(filter gpu,$(DEVICE)),GPU,simulated GPU)
$(C)/tools/count/%.o: common/tools/count/%.c $(B)/flags $(LIBRARY)
	$(call compile_c,many) $(MPI_COMPILE) -Icommon/bench/cpu -Icommon/harness/apart/rank \
	    -DCOUNT_DEVICE='"$(SPOKEN)"' -DCOUNT_DEVICES='"$(SPOKEN)s"'
$(V)/%/count: $(V)/%/kernel.o $$(call objects,common/tools/count/*.c) \
    $(patsubst %,$(C)/bench/cpu/%.o,tables compare) $(C)/harness/grouped.o \
    $(C)/harness/apart/rank/file_reads.o
	$(link) $(MPI_LINK) -lpthread
count: $(STEMS:%=$(V)/%/count)
	ln -f $< $(NAME)
	echo "$(NAME) FILE... counts the bytes of files; $(NAME) --help says more"
compile_kernel += $(MPI_COMPILE)
