# program.mk - a program to keep that calls the function of one contract: build/count, build/kmeans.
#
#   PROGRAM  its name, and that of its folder in common/ or common/programs
#   make kmeans                the solution's: build/kmeans; make count: with 256 bins
#   make chapterN kmeans       with your kernel: build/kmeans-yours; make count BINS=26: build/count-26
#   make gpu kmeans            for the GPU of this machine: build/kmeans-gpu
#
# Its contract is the header of common/contract that its files include. build/count calls a kernel
# that reads files, by MPI: without Open MPI it is one process, with one GPU, and
# common/count/one_process is its MPI.
PROGRAM ?= $(firstword $(MAKECMDGOALS))
ROOM := $(wildcard common/$(PROGRAM) common/programs/$(PROGRAM))
counts := $(filter count,$(PROGRAM))
ALONE := $(if $(counts),$(if $(shell command -v mpicc),,alone))
include common/make/variant.mk
ifneq ($(ALONE),)
MPI_COMPILE := -Icommon/count/one_process
MPI_LINK :=
endif
CALLED := $(firstword $(filter $(notdir $(wildcard common/contracts/*)),$(shell \
    sed -n 's/^\# *include "\(.*\)\.h"/\1/p' $(ROOM)/*.c)))
MEANT := $(if $(typed),$(STEMS),$(EVERY))
CALLING := $(strip $(foreach k,$(MEANT),$(if $(filter $(CALLED),$(contract/$k)),$(if \
    $(counts),$(mpi/$k:yes=$k),$k))))
OTHERS := $(strip $(filter-out $(CALLING),$(if $(typed),$(STEMS))))
lacks := $(if $(counts),reads no files,has no $(CALLED)())
has := $(if $(counts),that reads files,with $(CALLED)())
$(if $(OTHERS),$(error $(PROGRAM): the kernel of $(OTHERS) $(lacks): make $(PROGRAM)))
$(if $(CALLING),,$(error $(PROGRAM): $(FROM)/ has no kernel $(has)))
STEM := $(firstword $(CALLING))
$(if $(filter gpu,$(DEVICE)),$(if $(counts),$(if $(shell $(nccl_and_mpi) there '$(CUDA)' \
    $(source/$(STEM))),,$(error count: not built))))
# Its objects, whosever kernel it calls.
P := $(B)/programs/$(PROGRAM)-$(BINS)$(ALONE:%=-%)
$(P)/%.o: OWN = $(CALLED)
$(P)/%.o: also = $(addprefix -Icommon/,programs pictures bench/cpu sandbox/rank) $(MPI_COMPILE)
$(P)/%.o: common/%.c $(B)/flags $(LIBRARY)
	$(compile_c)
of_count := bench/cpu/ways sandbox/rank/file_reads $(if $(ALONE),,sandbox/rank/mpi_reads)
OBJECTS := $(patsubst common/%.c,$(P)/%.o,$(wildcard $(ROOM)/*.c common/programs/*.c \
    $(if $(counts),,common/pictures/*.c))) \
    $(patsubst %,$(P)/%.o,$(if $(counts),$(of_count)) judge/grouped course/util)
PROGRAM_FILE := $(V)/$(one/$(STEM))/$(PROGRAM)
.PHONY: $(PROGRAM) program
$(V)/%/$(PROGRAM): private WITH = $(if $(counts),$(if $(filter gpu,$(DEVICE)),\
    $$($(nccl_and_mpi) link '$(CUDA)' $(source/$(STEM))),$(MPI_LINK))) -lpthread -lm
$(V)/%/$(PROGRAM): $(V)/%/kernel.o $(OBJECTS)
	$(link_kernel)
program: $(PROGRAM_FILE)
BUILT := build/$(PROGRAM)$(if $(counts),$(addprefix -,$(filter-out 256,$(BINS))))$(if $(filter \
    gpu,$(DEVICE)),-gpu)$(if $(filter chapter,$(KIND)),-yours)
$(PROGRAM): program $(T)/ladder
	$(if $(filter chapter,$(KIND)),$(T)/ladder gaps $(source/$(STEM)) $(BINS:keys=5) >&2)
	ln -f $(PROGRAM_FILE) $(BUILT)
	[ -z '$(ALONE)' ] || echo 'without Open MPI $(BUILT) is one process, with one GPU' >&2
	echo "$(BUILT) $(if $(counts),FILE... counts the bytes of files,is there): $(BUILT) --help"
-include $(wildcard $(P)/*.d $(P)/*/*.d $(P)/*/*/*.d)
