# settings.mk - what every part of the build shares: compilers, flags, folders, and the plan.
#
#   DEVICE  sim, or gpu: common/make/gpu.mk
#   KIND    solution, chapter, mutant, right or cross: whose kernels; FROM, where their sources are
#   BINS    5, 26, 64 or 256, of texts; or "keys": chapters whose contract has an operation,
#           compiled once for each; OPERATION leaves one, KEY_BINS is the number of bins typed
#   STEMS   the kernels that are meant; without it all chapters of FROM
MAKEFLAGS += --no-builtin-rules --no-print-directory
.SILENT .SECONDARY .DELETE_ON_ERROR .SECONDEXPANSION:
.PHONY: FORCE
ifeq ($(origin CC) $(origin CXX),default default)
CC := gcc
CXX := g++
endif
export CC CXX
DEVICE ?= sim
KIND ?= solution
BINS ?= 5
CHAPTERS ?= chapters
export NUM_BINS = $(filter-out keys,$(BINS))# of the judge: bins.h
CFLAGS := -O2 -g1 # no variables: the simulator reads all of it when it names a line
STRICT := -std=c11 -Wall -Wextra -Wshadow -Wconversion
depend = -MMD -MP -MF $(@:.o=.d) -MT $@
# Without Criterion there is a stand-in for it, which runs the suites of chapters.
CRITERION := $(if $(wildcard /usr/include/criterion/criterion.h),-lcriterion,$(shell $(CC) -E \
    -include criterion/criterion.h -x c /dev/null >/dev/null 2>&1 && echo -lcriterion))
MPI_COMPILE = $(shell mpicc --showme:compile 2>/dev/null && \
    echo -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX)
MPI_LINK = $(shell mpicc --showme:link 2>/dev/null)
SIM := build/sim-$(notdir $(CC))
ifeq ($(DEVICE),sim)
B := $(SIM)
ifneq ($(SIM_CFLAGS),)
B := $(SIM)-$(firstword $(shell echo '$(SIM_CFLAGS)' | cksum))
endif
LIBRARY := $(B)/libsim.a
T := $(B)/tools
compile = common/sim/simcc $(CFLAGS) $(depend)
# Plain C needs nothing of simcc, whose own work is as much as the compiler's. Ubuntu's compilers
# guard each stack unasked; what a broken guard calls is the simulator's, which no suite is linked
# with.
PLAIN := -fsigned-char -fno-stack-protector
compile_plain = $(CC) $(CFLAGS) -DSIMULATED_GPU $(PLAIN) \
    -isystem common/sim/include -isystem $(B)/left_out $(depend)
OF_OTHER_DEVICE := unsimulated
# What an unfinished kernel does not use yet is no news to the one who writes it.
of_kernels := -Wall -Wno-unused -Wno-unused-parameter
# What the compiler says a verdict reads: of a mutant, too, whose warnings else nobody wants to see.
quiet := $(if $(filter right cheat break,$(KIND)),-w)
compile_kernel = $(compile) $(DEBUG:%=-g) --closed --log $(@:.o=.log) $(of_kernels) $(quiet)
# gold links in a fifth of the time; where it is missing, or fails, so be it. A link needs nothing
# of simcc but what it says when one fails. WITH is what else a target is linked with.
link = mkdir -p $(@D) && $(CXX) $(CFLAGS) $$(cat $(B)/linker) $(filter %.o %.a,$^) $(LIBRARY) \
    $(WITH) $$(cat $(B)/libraries) -o $@
link_kernel = { $(link); } 2>/dev/null || common/sim/simcc $(CFLAGS) $$(cat $(B)/linker) \
    $(filter %.o %.a,$^) $(WITH) -o $@
else
# Programs for a real GPU, below build/gpu-ARCH/. The probe runs before anything is built: no GPU
# means no build, and a line that says why.
NVCC := $(or $(shell command -v nvcc),$(wildcard /usr/local/cuda/bin/nvcc))
CUDA := $(patsubst %/bin/nvcc,%,$(realpath $(NVCC)))
export ARCH ?= native
export CCCL ?= $(wildcard build/cccl/nvidia/cu*/include/cccl)
B := build/gpu-$(ARCH)
LIBRARY := $(B)/device
T := $(SIM)/tools
OF_OTHER_DEVICE := measure spoil far_reads sample
bytes = $(if $(filter 5 26 256,$(BINS)),,-DBINS_OF_BYTES)# binning.h
nvcc = $(NVCC) -arch=$(ARCH) -ccbin $(CXX) $(bytes)
compile = $(CC) $(CFLAGS) $(bytes) -fPIC -idirafter $(CUDA)/include $(depend)
compile_plain = $(compile)
compile_cu = $(nvcc) -O3 -std=c++17 -Xcompiler -fPIC $(depend)
compile_kernel = $(if $(in_c/$*),$(compile),$(compile_cu) $(nccl))
link = mkdir -p $(@D) && $(nvcc) $(filter %.o %.a,$^) -o $@ $(WITH)
link_kernel = $(link)
nccl_and_mpi = common/bench/gpu/installed/nccl_and_mpi.sh
nccl = $(if $(filter many,$(contract/$*)),$$($(nccl_and_mpi) compile '$(CUDA)' $(source/$*)))
endif
# DEBUG=yes: kernels with all their variables; ALONE: without MPI (goals.mk); SIM_CARD=A100: for
# another card than an H200, whose __CUDA_ARCH__ is another one
ON_CARD := $(if $(filter sim,$(DEVICE)),$(filter-out H200,$(SIM_CARD)))
A := $(B)/common
C := $(B)/common-$(BINS)
V := $(B)/$(KIND)-$(BINS)$(DEBUG:%=-debug)$(ALONE:%=-%)$(ON_CARD:%=-%)
of_mutant := $(B)/mutants
of_chapter := $(CHAPTERS)
FROM ?= $(or $(of_$(KIND)),solutions)
# Files whose text shall be this, whatever the dates say: what depends on them is made anew when it
# is another. CAP is where saturate stops.
flags := $(CC) $(CXX) $(CFLAGS) $(PLAIN) $(STRICT)$(if $(CRITERION),, -stand-in)
$(shell mkdir -p build $(B); f=$(B)/flags; echo '$(flags)' | cmp -s - $$f || echo '$(flags)' >$$f; \
    f=$(B)/cap; echo '$(CAP)' | cmp -s - $$f || echo '$(CAP)' >$$f)

of_cap = $(CAP:%=-DSATURATE_AT=%u)
cap = $(if $(filter %/saturate,$(patsubst %/,%,$(dir $@)) $*),$(B)/cap)
# What is asked, as plain variables: source/05_name, contract/05_name, ... (common/driver/driver.h).
wrong := $(shell common/driver/driver.sh '$(CC)')
$(if $(wrong),$(error $(wrong)))
typed := $(filter command,$(origin STEMS))
asked := DEVICE=$(DEVICE) CXX='$(CXX)' FROM='$(FROM)' BINS=$(BINS) \
    OPERATION=$(OPERATION) PART=$(PART) LADDER=$(LADDER) GOALS='$(MAKECMDGOALS)' \
    $(if $(filter undefined,$(origin STEMS)),,STEMS='$(strip $(STEMS))')
PLAN := $(shell echo build/plan.$$PPID)
$(shell $(asked) build/driver --plan >$(PLAN))
include $(PLAN)
$(PLAN): ;
$(shell mv $(PLAN) build/plan.mk)# for whoever wants to read it

# simcc makes it, too, when it is called first; how programs are linked with it only make writes.
$(B)/libsim.a: common/make/sim.mk $(wildcard $(addprefix common/sim/,* */* */*/*)) \
    $(if $(wildcard $(B)/linker),,FORCE)
	[ -e $@ ] || echo "building the simulated GPU, in $(B): once, some seconds" >&2
	mkdir -p $(@D) && common/sim/simcc --libraries >$(B)/libraries && touch $@
	{ echo 'int main() { return 0; }' | $(CXX) -fuse-ld=gold -x c++ - -o $(B)/linked 2>/dev/null && \
	    echo -fuse-ld=gold; } >$(B)/linker; :
# OWN is the contract of what is compiled. The judge, the suites and the tools hear of the number of
# bins when they run: they are compiled once (binning.h refuses 0 bins).
folders = $(sort $(parts_of/$(OWN))) operation texts
includes = $(addprefix -Icommon/,$(if $(CRITERION),,judge/fallback) contract \
    $(addprefix contracts/,$(folders)) judge run sandbox sim course)
numbered = -DBINS=$(or $(filter-out keys,$(BINS)),5)
compile_c = mkdir -p $(@D) && $(compile_plain) $(STRICT) $(numbered) $(includes) $(also) \
    -c $< -o $@
$(A)/%.o: numbered = -DBINS=0
$(A)/contracts/%.o: OWN = $(notdir $(*D))
$(A)/%.o: common/%.c $(B)/flags $(LIBRARY)
	$(compile_c)
# The names of the system's calls, as the headers of this machine have them.
$(A)/sandbox/filter.o: private also = -I$(B)
$(A)/sandbox/filter.o: $(B)/call_names.h
$(B)/call_names.h: $(B)/flags
	echo '#include <sys/syscall.h>' | $(CC) -dM -E - | \
	    sed -n 's/^#define SYS_\([a-z0-9_]*\) .*/NAMED(\1)/p' >$@
# The program behind the goals. Kernels for a card have the simulator's: it names its counters.
ifeq ($(DEVICE),gpu)
$(B)/device: FORCE
	common/bench/gpu/probe.sh "$(NVCC)" $(ARCH) $(CXX) $(B) >/dev/null
$(T)/ladder: FORCE
	+$(MAKE) -f common/make/variant.mk DEVICE=sim $@
else
$(T)/ladder: $(objects/course) $(patsubst %,$(A)/sandbox/%.o,confine filter reaper) \
    $(A)/judge/grouped.o $(A)/judge/out_of_memory.o $(LIBRARY)
	$(link)
endif
# What an object was compiled from may have moved since: it is made anew from where that is now.
common/% tests/%: ;
-include $(wildcard $(addprefix $(A)/,*/*.d */*/*.d */*/*/*.d))
# What authors and lecturers run; and for make test: tried OUTPUT NAME env COMMAND makes a verdict
# when COMMAND has passed.
python = $(or $(shell command -v python3),$(error $@ needs Python 3: apt-get install python3)) -B
tried = common/tools/progress/tried.sh $@
