# settings.mk - what every part of the build shares: compilers, flags, folders.
#
#   DEVICE  sim, or gpu: common/make/gpu.mk
#   KIND    solution, chapter, mutant or cross: whose kernels; FROM, the folder of their sources
#   BINS    5, 26 or 256
#
#   build/sim-gcc/              the simulated GPU, built with gcc: libsim.a
#     tools/verdict             programs that read files
#     common-5/                 the harness, the suites, and the tools that know a contract
#     solution-5/06_shared/     kernel.o, test, row, replay, and what they printed
MAKEFLAGS += --no-builtin-rules --no-print-directory
.SILENT:
.SECONDARY:
.DELETE_ON_ERROR:
.SECONDEXPANSION:
ifeq ($(origin CC) $(origin CXX),default default)
CC := gcc
CXX := g++
endif
export CC CXX
DEVICE ?= sim
KIND ?= solution
BINS ?= 5
# Lines, but no variables: what the simulator reads when it names a line should be little.
CFLAGS := -O2 -g1
STRICT := -std=c11 -Wall -Wextra -Wshadow -Wconversion
depend = -MMD -MP -MF $(@:.o=.d) -MT $@
ifeq ($(DEVICE),sim)
B := build/sim-$(notdir $(CC))$(if $(SIM_CFLAGS),-$(firstword $(shell echo '$(SIM_CFLAGS)' | cksum)))
LIBRARY := $(B)/libsim.a
SIMCC := common/sim/simcc $(CFLAGS)
# What an unfinished kernel does not use yet is no news to the one who writes it.
compile_kernel = $(SIMCC) $(if $(filter mutant,$(KIND)),-w,-Wall -Wno-unused -Wno-unused-parameter) $(depend)
compile = $(SIMCC) $(depend)
# gold links in a fifth of the time; where it is missing, so be it.
link_with = $(SIMCC) $(if $(shell command -v ld.gold),-fuse-ld=gold)
else
include common/make/nvcc.mk
endif
link = mkdir -p $(@D) && $(link_with) $(filter %.o %.a,$^) -o $@
C := $(B)/common-$(BINS)
V := $(B)/$(KIND)-$(BINS)
T := $(B)/tools
CHAPTERS ?= chapters
FROM ?= $(if $(filter chapter,$(KIND)),$(CHAPTERS),$(if $(filter mutant,$(KIND)),$(B)/mutants,solutions))

# A contract is the name of a header there, and of the kernel's file in a chapter's folder.
CONTRACTS := $(notdir $(basename $(wildcard common/contract/*.h)))
sources = $(wildcard $(foreach c,$(CONTRACTS),$(1)/$c.cu $(1)/$c.c))
# KIND=cross: 05_name/06_name is the suite of the one linked with the kernel of the other
kernel = $(if $(filter cross,$(KIND)),$(notdir $(1)),$(1))
source = $(firstword $(call sources,$(FROM)/$(kernel)) $(FROM)/$(kernel)/histogram.cu)
contract = $(basename $(notdir $(call source,$(1))))
stem = $(firstword $(subst /, ,$(1)))# of 05_privatized_global/non_atomic, which is a mutant
number = $(patsubst 0%,%,$(firstword $(subst _, ,$(1))))
name = $(patsubst $(firstword $(subst _, ,$(1)))_%,%,$(1))
STEMS ?= $(sort $(notdir $(patsubst %/,%,$(dir $(call sources,$(FROM)/*)))))
# $(call includes,CONTRACT): where the headers of its harness, suites and tools lie
includes = $(patsubst %,-Icommon/%,contract harness harness/$(1) tools tools/$(1) sim)

.PHONY: FORCE
# $(call keep,TEXT): a file that changes when its text does, whatever the dates say
keep = mkdir -p $(@D); echo '$(1)' >$@.$(KIND)$(BINS); cmp -s $@.$(KIND)$(BINS) $@ && rm $@.$(KIND)$(BINS) || \
    mv $@.$(KIND)$(BINS) $@
$(B)/flags: FORCE
	$(call keep,$(CC) $(CXX) $(CFLAGS) $(STRICT))
$(B)/libsim.a: common/make/sim.mk $(wildcard common/sim/* common/sim/*/* common/sim/*/*/*)
	[ -e $@ ] || echo "building the simulated GPU, in $(B): once, some seconds" >&2
	common/sim/simcc --library >/dev/null && touch $@

# Programs that read files: they know no contract and no number of bins.
compile_tool = mkdir -p $(@D) && $(CC) $(CFLAGS) $(STRICT) $(includes) $(depend) -c $< -o $@
$(T)/%.o: common/tools/%.c $(B)/flags
	$(compile_tool)
$(T)/grouped.o: common/harness/grouped.c $(B)/flags
	$(compile_tool)
$(T)/%: $(T)/%.o $(addprefix $(T)/,csv.o gap_search.o child.o grouped.o suite_run.o) $(LIBRARY)
	$(link)
-include $(wildcard $(T)/*.d)
