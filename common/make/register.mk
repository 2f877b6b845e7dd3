# register.mk - build/register, the program to keep of chapter 71: how far a picture is moved.
#
#   make register              with the solution's kernel
#   make chapter71 register    with your kernel: build/register-yours
#   make gpu register          for the GPU of this machine: build/register-gpu
STEMS ?= $(notdir $(patsubst %/,%,$(dir $(wildcard $(FROM)/*/joint_histogram.cu))))
include common/make/variant.mk
.PHONY: register
COUNTING := $(firstword $(foreach s,$(STEMS),$(if $(filter joint_histogram,$(contract/$s)),$s)))
$(if $(COUNTING),,$(error register: no kernel here counts pairs: make register))
O := $(B)/register
$(O)/%.o: common/%.c $(B)/flags $(LIBRARY)
	$(compile_c) $(patsubst %,-Icommon/%,pictures register)
$(O)/%.o: OWN = joint_histogram
$(V)/%/register: private WITH = -lm
$(V)/%/register: $(V)/%/kernel.o $(patsubst common/%.c,$(O)/%.o,$(wildcard \
    common/register/*.c common/pictures/*.c) common/course/util.c)
	$(link_kernel)
register: $(V)/$(COUNTING)/float_sum/register $(T)/ladder
	$(if $(filter chapter,$(KIND)),$(T)/ladder gaps $(source/$(COUNTING)) 5 >&2)
	ln -f $< build/register$(if $(filter gpu,$(DEVICE)),-gpu)$(if $(filter chapter,$(KIND)),-yours)
	echo "build/register FIXED.pgm MOVING.pgm finds how far one is moved: build/register -h"
-include $(wildcard $(O)/*/*.d)
