# program.mk - a program to keep that calls the function of one contract: build/count, build/kmeans.
#
#   PROGRAM  its name, and that of its folder in common/ or common/programs
#   make kmeans                the solution's: build/kmeans
#   make chapterN kmeans       with your kernel: build/kmeans-yours
#   make count                 with 256 bins; BINS=26: build/count-26
#   make gpu kmeans            for the GPU of this machine: build/kmeans-gpu
PROGRAM ?= $(firstword $(MAKECMDGOALS))
FOLDER := $(wildcard common/$(PROGRAM) common/programs/$(PROGRAM))
ALONE := $(if $(filter count,$(PROGRAM)),$(if $(shell command -v mpicc),,alone))
include common/make/variant.mk
MEANT := $(if $(typed),$(STEMS),$(EVERY))
on_card := $(filter gpu,$(DEVICE))
MORE := judge/grouped.c course/util.c $(patsubst common/%,%,$(wildcard common/programs/*.c))
ifeq ($(PROGRAM),count)
# It calls a kernel that reads files, by MPI. Without Open MPI it is one process, with one GPU, and
# common/count/one_process is its MPI.
CALLED := many
CALLING := $(strip $(foreach k,$(MEANT),$(mpi/$k:yes=$k)))
has := that reads files
has_not := reads no files
what := FILE... counts the bytes of files
MORE += bench/cpu/ways.c sandbox/rank/file_reads.c $(if $(ALONE),,sandbox/rank/mpi_reads.c)
SUFFIX := $(addprefix -,$(filter-out 256,$(BINS)))
ifneq ($(ALONE),)
MPI_COMPILE := -Icommon/count/one_process
MPI_LINK :=
endif
of_mpi = $(MPI_LINK)
else
# The contract is the header of common/contract that its files include.
CALLED := $(firstword $(filter $(notdir $(wildcard common/contracts/*)),$(shell \
    sed -n 's/^\# *include "\(.*\)\.h"/\1/p' $(FOLDER)/*.c)))
calls = $(filter $(CALLED),$(contract/$k))
CALLING := $(strip $(foreach k,$(MEANT),$(if $(calls),$k)))
has := with $(CALLED)()
has_not := has no $(CALLED)()
what := is there
MORE += $(patsubst common/%,%,$(wildcard common/pictures/*.c))
endif
OTHERS := $(filter-out $(CALLING),$(MEANT))
$(if $(and $(typed),$(OTHERS)),$(error $(PROGRAM): the kernel of $(OTHERS) $(has_not): \
    make $(PROGRAM)))
$(if $(CALLING),,$(error $(PROGRAM): $(FROM)/ has no kernel $(has)))
STEM := $(firstword $(CALLING))
ifeq ($(PROGRAM) $(DEVICE),count gpu)
of_mpi = $$($(nccl_and_mpi) link '$(CUDA)' $(source/$(STEM)))
$(if $(shell $(nccl_and_mpi) there '$(CUDA)' $(source/$(STEM))),,$(error count: not built))
endif
# Its objects, whosever kernel it calls.
P := $(B)/programs/$(PROGRAM)-$(BINS)$(ALONE:%=-%)
$(P)/%.o: OWN = $(CALLED)
$(P)/%.o: also = $(addprefix -Icommon/,programs pictures bench/cpu sandbox/rank) $(MPI_COMPILE)
$(P)/%.o: common/%.c $(B)/flags $(LIBRARY)
	$(compile_c)
OF_FOLDER := $(patsubst common/%.c,$(P)/%.o,$(wildcard $(FOLDER)/*.c))
FILE := $(V)/$(one/$(STEM))/$(PROGRAM)
.PHONY: $(PROGRAM) program
$(V)/%/$(PROGRAM): private WITH = $(of_mpi) -lpthread -lm
$(V)/%/$(PROGRAM): $(V)/%/kernel.o $(OF_FOLDER) $(MORE:%.c=$(P)/%.o)
	$(link_kernel)
program: $(FILE)
BUILT := build/$(PROGRAM)$(SUFFIX)$(if $(on_card),-gpu)$(if $(filter chapter,$(KIND)),-yours)
$(PROGRAM): program $(T)/ladder
	$(if $(filter chapter,$(KIND)),$(T)/ladder gaps $(source/$(STEM)) $(BINS:keys=5) >&2)
	ln -f $(FILE) $(BUILT)
	[ -z '$(ALONE)' ] || echo 'without Open MPI $(BUILT) is one process, with one GPU' >&2
	echo "$(BUILT) $(what): $(BUILT) --help"
-include $(wildcard $(P)/*.d $(P)/*/*.d $(P)/*/*/*.d)
