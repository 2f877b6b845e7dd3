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
#
# What uses the GPU is one recipe, so that there is one CUDA context at a time; what is
# built for it may be built side by side.

include common/make/gpu_build.mk
$(if $(NVCC),,$(error gpu: nvcc is not installed; it comes with the CUDA Toolkit))
$(if $(word 2,$(filter-out gpu,$(DO))),$(eval .NOTPARALLEL:))
MAKEFLAGS += --output-sync=none # rows appear as they are measured

.PHONY: gpu micro sanitize fidelity
gpu: $(if $(filter-out gpu,$(DO)),,run)
	@:
JUDGED_BINS := $(if $(WHAT),$(BINS),5 26 256)
test: $(foreach b,$(JUDGED_BINS),$(patsubst %,%/test,$(call gpu_folders,$b)))
	failed=; $(foreach b,$(JUDGED_BINS),$(foreach f,$(call gpu_folders,$b),\
	    common/verdict.sh $f/test $(call source,$(KIND),$(notdir $f)) $(call number,$(notdir $f)) $b || failed=1;)) \
	    [ -z "$$failed" ]

R := build/gpu-bench
# $(call time,BINS,OUT.csv,SECONDS,INPUTS,SIZES)
time = $(G)/bench-$(1) $(2) $(3) $(or $(INPUT),$(TEXT),$(4)) $(or $(SIZE),$(5)) $(G)/common-$(1)/baselines.so \
    $(call gpu_libraries,$(1))
timers = $(foreach b,$(1),$(G)/bench-$b $(G)/common-$b/baselines.so $(call gpu_libraries,$b))
run: $(call timers,$(BINS))
	mkdir -p $R; rm -f $R/run.csv
	$(call time,$(BINS),$R/run.csv,40,english,64M)
	echo; echo "The rows are in $R/run.csv."

# The seconds that a row may take keep all of it within ten minutes on an H200. A row that
# would take longer says so in its CSV. BINS, INPUT, TEXT or SIZE choose a part.
KINDS := uniform,english,zipf,single,runs,sorted,smooth,bytes,lower
BENCH_BINS := $(if $(filter command% environment%,$(origin BINS)),$(BINS),5 26 256)
kinds = rm -f $R/$(1).csv; $(foreach b,$(BENCH_BINS),$(call time,$b,$R/$(1).csv,$(2),$(KINDS),$(3)) || exit 1;)
bench: $(call timers,$(sort 5 $(BENCH_BINS)))
	mkdir -p $R; rm -f $R/*.csv; cp $(G)/device $R/machine.txt
	nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem --format=csv \
	    >>$R/machine.txt 2>/dev/null || :
	$(NVCC) --version | tail -n 2 >>$R/machine.txt; LC_ALL=C date -u >>$R/machine.txt
ifneq ($(INPUT)$(TEXT)$(SIZE),)
	$(call kinds,bench-part,40,64M)
else
	$(call kinds,bench-kinds-64M,40,64M)
	$(call time,5,$R/bench-sizes-5.csv,40,english,64K$(,)256K$(,)1M$(,)4M$(,)16M$(,)64M$(,)256M$(,)1G$(,)4294967295)
	$(call kinds,bench-kinds-50M,40,50000000)
	$(call kinds,bench-kinds-1G,5.2,1G)
	common/bench/gpu/plots.sh $R
endif
	echo; awk -F, '$$10 == "left out" { print "left out:", $$1 " on " $$2 ", " $$3 " bins, " $$4 " bytes" }' $R/*.csv
	echo "The rows are in $R."
, := ,

micro: $(foreach b,5 26 256,$(G)/micro-$b)
	mkdir -p $R
	{ $(G)/micro-5 && $(G)/micro-26 characters && $(G)/micro-256 characters; } >$R/micro.csv
	cat $R/micro.csv

TOOLS := memcheck racecheck initcheck synccheck
sanitize: $(patsubst %/histogram.so,%/once,$(call gpu_libraries,$(BINS)))
	for program in $^; do for tool in $(TOOLS); do \
	    $(CUDA)/bin/compute-sanitizer --tool $$tool --error-exitcode 9 $$program english 65521 \
	        >$$program.$$tool 2>&1 && echo "$$tool $$program: clean" || \
	        { echo "$$tool $$program: see $$program.$$tool"; failed=1; }; done; done; [ -z "$$failed" ]

$(G)/fidelity-kernels: tests/fidelity/kernels.cu $(G)/device
	$(NVCC) -O3 -arch=$(ARCH) -ccbin $(CXX) $< -o $@
fidelity: $(G)/fidelity-kernels $(foreach b,$(JUDGED_BINS),$(patsubst %/histogram.so,%/once,$(call gpu_libraries,$b)))
	common/bench/gpu/fidelity.sh $< $(G)/fidelity $(CUDA)/bin/ncu
	common/bench/gpu/chapters.sh "$$(command -v ncu || echo $(CUDA)/bin/ncu)" docs/results/h200/counters.csv \
	    $(filter %/once,$^) >$(G)/fidelity/counters.csv
	echo "The chapters' counters are in $(G)/fidelity/counters.csv."
