# program.mk - a program to keep that calls the function of one contract.
#
#   make kmeans                the solution's: build/kmeans
#   make chapterN kmeans       with your kernel: build/kmeans-yours
#   make gpu kmeans            for the GPU of this machine: build/kmeans-gpu
#
# The goal is its name, and that of its folder in common/programs. Its contract is the header of
# common/contract that its files include.
PROGRAM ?= $(firstword $(MAKECMDGOALS))
ROOM := common/programs/$(PROGRAM)
include common/make/variant.mk
CALLED := $(firstword $(filter $(notdir $(wildcard common/contracts/*)),$(shell \
    sed -n 's/^\# *include "\(.*\)\.h"/\1/p' $(ROOM)/*.c)))
CALLING := $(strip $(foreach k,$(STEMS),$(if $(filter $(CALLED),$(contract/$k)),$k)))
OTHERS := $(strip $(filter-out $(CALLING),$(if $(typed),$(STEMS))))
$(if $(OTHERS),$(error $(PROGRAM): the kernel of $(OTHERS) has no $(CALLED)(): make $(PROGRAM)))
$(if $(CALLING),,$(error $(PROGRAM): $(FROM)/ has no kernel with $(CALLED)()))
STEM := $(firstword $(CALLING))
P := $(B)/programs/$(CALLED)# whosever kernels
$(P)/%.o: OWN = $(CALLED)
$(P)/%.o: also = $(patsubst %,-Icommon/%,programs pictures)
$(P)/%.o: common/%.c $(B)/flags $(LIBRARY)
	$(compile_c)
.PHONY: $(PROGRAM) program
$(V)/%/$(PROGRAM): private WITH = -lpthread -lm
$(V)/%/$(PROGRAM): $(V)/%/kernel.o $(patsubst common/%.c,$(P)/%.o,$(wildcard $(ROOM)/*.c \
    common/programs/*.c common/pictures/*.c common/judge/grouped.c common/course/util.c))
	$(link_kernel)
PROGRAM_FILE := $(V)/$(one/$(STEM))/$(PROGRAM)
program: $(PROGRAM_FILE)
BUILT := build/$(PROGRAM)$(if $(filter gpu,$(DEVICE)),-gpu)$(if $(filter chapter,$(KIND)),-yours)
$(PROGRAM): program $(T)/ladder
	$(if $(filter chapter,$(KIND)),$(T)/ladder gaps $(source/$(STEM)) $(BINS:keys=5) >&2)
	ln -f $(PROGRAM_FILE) $(BUILT)
	echo "$(BUILT) is there: $(BUILT) --help"
-include $(wildcard $(P)/*/*/*.d $(P)/*/*.d)
