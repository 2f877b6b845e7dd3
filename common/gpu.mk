# gpu.mk - the goal `gpu`: the same chapters, commands and suites on a real GPU.
#
#   make chapter5 gpu test    your kernel, judged by its results
#   make gpu test             all solutions, with 5, 26 and 256 bins
#   make chapter5 gpu run     its time on a text, next to reading alone, CUB and Thrust
#   make gpu bench            all chapters: kinds of text, numbers of bins, sizes; plots
#   make gpu micro            the constants of the prediction, measured (docs/prediction.md)
#   make gpu sanitize         compute-sanitizer's four tools over every solution
#   make gpu fidelity         the simulator's counters against Nsight Compute's
#   ARCH=sm_90                another architecture than that of the GPU that is here

NVCC := $(or $(shell command -v nvcc),$(wildcard /usr/local/cuda/bin/nvcc))
$(if $(NVCC),,$(error gpu: nvcc is not installed; it comes with the CUDA Toolkit))
CUDA := $(patsubst %/bin/nvcc,%,$(realpath $(NVCC)))
ARCH := native
B := build/gpu-$(ARCH)
nvcc = mkdir -p $(@D) && $(NVCC) -O3 -arch=$(ARCH) -std=c++17 -ccbin $(CXX) -Icommon -MMD -MF $(@:.o=.d) -c $< -o $@
cc = mkdir -p $(@D) && $(CC) $(CFLAGS) $(STRICT) -fPIC -Icommon -idirafter $(CUDA)/include \
    -MMD -MP -MF $(@:.o=.d) -c $< -o $@
link = $(NVCC) -arch=$(ARCH) -ccbin $(CXX) $(filter %.o,$^) -o $@
common = $(patsubst %,$(B)/common-$(1)/%.o,$(2))

# Stops at once, with one line, where no GPU can be used.
$(B)/probe: common/gpu/probe.cu
	mkdir -p $(@D); $(NVCC) -arch=$(ARCH) -ccbin $(CXX) $< -o $@ 2>/dev/null || \
	    { echo "gpu: $(NVCC) cannot compile for this machine; ARCH=sm_90 and the like choose another target" >&2; exit 1; }
$(B)/device: $(B)/probe FORCE
	$< >$@ || { rm -f $@; exit 1; }

define gpu_binning
$(B)/common-$(1)/%.o: common/%.c $(B)/device
	$$(cc) -DBINS=$(1)
$(B)/common-$(1)/%.o: common/%.cu $(B)/device
	$$(nvcc) -DBINS=$(1)
$(B)/suite-$(1)/%.o: tests/%.c $(B)/device
	$$(cc) -DBINS=$(1)
$(B)/bench-$(1): $(call common,$(1),gpu/bench gpu/peers gpu/roofline text check)
	$$(link) -cudart shared -ldl
$(B)/micro-$(1): $(call common,$(1),gpu/micro gpu/roofline)
	$$(link)
endef
$(foreach b,5 26 256,$(eval $(call gpu_binning,$b)))

# $(call gpu_program,FOLDER,SOURCE,STEM,BINS). The device file is an order-only
# prerequisite of nothing: all objects depend on it, so that no GPU means no build.
define gpu_program
$(1)/histogram.o: $(2) $(B)/device
	$$($(if $(filter %.c,$(2)),cc,nvcc)) -DBINS=$(4) $(if $(filter %.cu,$(2)),-Xcompiler -fPIC)
$(1)/histogram.so: $(1)/histogram.o
	$$(link) -shared -cudart shared
$(1)/test: $(1)/histogram.o $(B)/suite-$(4)/$(3).o $(call common,$(4),runner harness facts check text \
    target_$(if $(filter %.c,$(2)),host,device) gpu/uncounted)
	$$(link) -lcriterion
$(1)/once: $(1)/histogram.o $(call common,$(4),gpu/once check text target_device)
	$$(link)
$(1)/verdict: $(1)/test FORCE
	common/verdict.sh $$< $(2) $(call number,$(3)) $(4) >$$@ 2>&1; status=$$$$?; cat $$@; exit $$$$status
endef
refuses = $(shell CXX=$(CXX) common/refusal.sh $(call source,$(1),$(2)) $(3))
GPU_BINS := $(if $(WHAT),$(BINS),5 26 256)
$(foreach s,$(PICKED),$(foreach b,$(sort $(GPU_BINS) $(BINS)),\
    $(eval $(call gpu_program,$(B)/$(KIND)-$b/$s,$(call source,$(KIND),$s),$s,$b))))
folders = $(foreach s,$(PICKED),$(if $(call refuses,$(KIND),$s,$(1)),,$(B)/$(KIND)-$(1)/$s))
kernels = $(filter-out %/01_sequential,$(folders))

.PHONY: gpu micro sanitize fidelity
gpu: $(if $(filter-out gpu,$(DO)),,run)
	@:
# One at a time: one CUDA context.
.NOTPARALLEL:
test: $(foreach b,$(GPU_BINS),$(patsubst %,%/verdict,$(call folders,$b)))

SOS = $(patsubst %,%/histogram.so,$(call kernels,$(1)))
run: $(B)/bench-$(BINS) $(call SOS,$(BINS))
	$< $(or $(INPUT),$(TEXT),english) $(or $(SIZE),64M) $(call SOS,$(BINS))

R := build/gpu-bench
KINDS := uniform,english,zipf,single,runs,sorted,smooth
bench: $(foreach b,5 26 256,$(B)/bench-$b $(call SOS,$b)) $(B)/device
	mkdir -p $R; cp $(B)/device $R/machine.txt
	nvidia-smi --query-gpu=driver_version,clocks.sm,clocks.mem --format=csv >>$R/machine.txt 2>/dev/null || :
	$(NVCC) --version | tail -n 2 >>$R/machine.txt; date -u >>$R/machine.txt
	$(foreach b,5 26 256,echo "kinds of text, $b bins"; \
	    $(B)/bench-$b $(or $(INPUT),$(TEXT),$(KINDS)) $(or $(SIZE),64M) $(call SOS,$b) >$R/kinds-$b.csv || exit 1;)
	$(if $(INPUT)$(TEXT)$(SIZE),exit 0;) echo sizes; \
	    $(B)/bench-5 english 64K,256K,1M,4M,16M,64M,256M,1G,4294967295 $(call SOS,5) >$R/sizes-5.csv && \
	    { command -v gnuplot >/dev/null || { echo "no plots: gnuplot is not installed"; exit 0; }; \
	    gnuplot -e "folder='$R'; device='$$(cut -d, -f1 $(B)/device)'" common/gpu/plots.gp; }
	echo "times are in $R"

micro: $(foreach b,5 26 256,$(B)/micro-$b)
	mkdir -p $R
	{ $(B)/micro-5 && $(B)/micro-26 characters && $(B)/micro-256 characters; } >$R/micro.csv
	cat $R/micro.csv

TOOLS := memcheck racecheck initcheck synccheck
sanitize: $(patsubst %,%/once,$(call kernels,$(BINS)))
	for program in $^; do for tool in $(TOOLS); do \
	    $(CUDA)/bin/compute-sanitizer --tool $$tool --error-exitcode 9 $$program english 65521 \
	        >$$program.$$tool 2>&1 && echo "$$tool $$program: clean" || \
	        { echo "$$tool $$program: see $$program.$$tool"; failed=1; }; done; done; [ -z "$$failed" ]

$(B)/fidelity-kernels: tests/fidelity/kernels.cu $(B)/device
	$(NVCC) -O3 -arch=$(ARCH) -ccbin $(CXX) $< -o $@
fidelity: $(B)/fidelity-kernels
	common/gpu/fidelity.sh $< $(B)/fidelity $(CUDA)/bin/ncu

