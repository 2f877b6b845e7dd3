# library.mk - make library, install, uninstall: libladder, for the card where there is nvcc, else on the simulated GPU.
#
#   LADDER_ON=sim      on the simulated GPU, though there is nvcc
#   LADDER_ARCH=...    nvcc's options for cards, in place of those from compute capability 8.0 to 12.0
#   PREFIX, DESTDIR    where it is installed: /usr/local, and what stands before that
NVCC      := $(firstword $(wildcard $(addsuffix /nvcc,$(subst :, ,$(PATH)))))
LADDER_ON := $(or $(LADDER_ON),$(if $(NVCC),card,sim))
PREFIX    := $(or $(PREFIX),/usr/local)
LADDER_ARCH := $(or $(LADDER_ARCH),$(foreach a,80 86 89 90 100 120,-gencode arch=compute_$a,code=sm_$a) \
    -gencode arch=compute_120,code=compute_120)
I := build/ladder-$(LADDER_ON)
IN_LADDER := common/ladder
BY_INDEX  := count count_64 saturate sum_u32 sum_f32 powers minmax argmax
REDUCED   := sum max dot float_sum reproducible
OF_LIBRARY := $(patsubst $(IN_LADDER)/%.c,$I/%.o,$(wildcard $(IN_LADDER)/*.c)) $I/text.o \
    $(BY_INDEX:%=$I/by_index-%.o) $(REDUCED:%=$I/reduce-%.o)
ifeq ($(LADDER_ON),card)
CUDA_HOME := $(patsubst %/bin/nvcc,%,$(realpath $(NVCC)))
IN_CUDA   := -isystem $(CUDA_HOME)/include
COMPILE_CU = $(NVCC) -O3 -std=c++17 $(LADDER_ARCH) -Xcompiler -fPIC,-Wall,-Wextra -MMD -MF $(@:.o=.d)
LINK_LADDER = $(NVCC) -shared -cudart shared -Xlinker -soname,libladder.so.1,--version-script,$(IN_LADDER)/exported.map
FOR_PC    := s,@INCLUDE@,-I$(CUDA_HOME)/include,; s,@LIBS@,-L$(CUDA_HOME)/lib64 -lcudart,
else
FOR_PC    := s,@INCLUDE@,-I$${prefix}/include/ladder-simulated,; s,@LIBS@,,
SIMULATED := $(addprefix common/sim/include/,cuda_runtime_api.h driver_types.h sim_attributes.h sim_errors.h vector_types.h)
IN_CUDA   := -DSIMULATED_GPU -isystem common/sim/include
COMPILE_CU = SIM_CFLAGS=-fPIC common/sim/simcc -O2 -g1 -fPIC -Wall -MMD -MF $(@:.o=.d)
LINK_LADDER = SIM_CFLAGS=-fPIC common/sim/simcc -shared -Wl,-soname,libladder.so.1,--version-script,$(IN_LADDER)/exported.map
$(OF_LIBRARY): $(OF_SIMULATOR)
$I/tested.so: $(OF_LIBRARY)# which does not hide CUDA
	SIM_CFLAGS=-fPIC common/sim/simcc -shared $^ -o $@
endif
$(if $(filter library install,$(words)),$(if $(wildcard $I/libladder.a),,$(info compiling the library: some minutes, once)))
library: $I/libladder.so.1 $I/libladder.a $I/ladder.pc
	echo "$I has libladder.so.1, libladder.a and ladder.pc; make install PREFIX=folder copies them"
$I/%.o: $(IN_LADDER)/%.c
	mkdir -p $I; $(CC) -std=c11 -O2 -g1 -fPIC -Wall -Wextra -Wshadow -Wconversion $(IN_CUDA) \
	    -MMD -MP -MF $(@:.o=.d) -c $< -o $@
$I/text.o: $(IN_LADDER)/kernels/text.cu
	mkdir -p $I; $(COMPILE_CU) -c $< -o $@
$I/by_index-%.o: $(IN_LADDER)/kernels/by_index.cu
	mkdir -p $I; $(COMPILE_CU) -DOPERATION=$* -c $< -o $@
$I/reduce-%.o: $(IN_LADDER)/kernels/reduce.cu
	mkdir -p $I; $(COMPILE_CU) -DREDUCTION=$* -c $< -o $@
# One object, in which all names but those of the library are local.
$I/libladder.a: $(OF_LIBRARY)
	rm -f $@; ld -r $^ -o $I/ladder.o && objcopy --wildcard --keep-global-symbol='ladder_*' \
	    --localize-hidden $I/ladder.o && ar rcs $@ $I/ladder.o
$I/libladder.so.1: $(OF_LIBRARY) $(IN_LADDER)/exported.map
	$(LINK_LADDER) $(filter %.o,$^) -o $@
$I/ladder.pc: $(IN_LADDER)/ladder.pc.in FORCE
	sed 's,@PREFIX@,$(PREFIX),; $(FOR_PC)' $< >$@
-include $(wildcard $I/*.d)

INSTALLED := include/ladder.h $(addprefix lib/,libladder.a libladder.so.1 libladder.so pkgconfig/ladder.pc cmake/ladder/ladder-config.cmake python/ladder.py)
BELOW := $(DESTDIR)$(PREFIX)
install: library
	mkdir -p $(addprefix $(BELOW)/,include lib/pkgconfig lib/cmake/ladder lib/python)
	$(if $(SIMULATED),mkdir -p $(BELOW)/include/ladder-simulated; cp $(SIMULATED) $(BELOW)/include/ladder-simulated)
	cp $(IN_LADDER)/ladder.h $(BELOW)/include; cp $I/libladder.a $I/libladder.so.1 $(BELOW)/lib
	ln -sf libladder.so.1 $(BELOW)/lib/libladder.so; cp $I/ladder.pc $(BELOW)/lib/pkgconfig
	cp $(IN_LADDER)/ladder-config.cmake $(BELOW)/lib/cmake/ladder; cp $(IN_LADDER)/python/ladder.py $(BELOW)/lib/python
uninstall:
	rm -rf $(INSTALLED:%=$(BELOW)/%) $(BELOW)/include/ladder-simulated; rmdir $(BELOW)/lib/cmake/ladder 2>/dev/null || :
