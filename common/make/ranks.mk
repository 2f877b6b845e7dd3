# ranks.mk - chapters for the ranks of MPI, of variant.mk: the kernel's program is that of one rank,
# and the judge has mpirun start it. Without Open MPI one line says so, and they do not count.
NO_MPI := $(strip $(foreach s,$(STEMS),$(if $(call of_mpi,$s),$(if $(shell command -v mpirun),$(if \
    $(MPI_LINK),,$s),$s))))
# Whoever names a chapter is refused; a ladder, and who proves all, goes on.
typed := $(filter command,$(origin STEMS))
override STEMS := $(filter-out $(NO_MPI),$(STEMS))
with_mpi = sudo apt-get install -y libopenmpi-dev openmpi-bin && make chapter$(number) solution test
.PHONY: $(NO_MPI:%=without-mpi/%)
verdicts test: $(NO_MPI:%=without-mpi/%)
run profile: $(if $(typed)$(filter 4,$(PART)),$(NO_MPI:%=without-mpi/%))
$(NO_MPI:%=without-mpi/%): without-mpi/%:
	mkdir -p $(V)/$* && { echo 'left out: chapter $(call number,$*); $(call with_mpi,$*)'; \
	    echo '0 passed, 0 failed'; } >$(V)/$*/test.out
	echo "chapter $(call number,$*) needs Open MPI: libopenmpi-dev, openmpi-bin" >&2
	$(if $(typed),$(if $(filter test run profile,$(MAKECMDGOALS)),exit 1))
in_rank = $(call objects,common/sandbox/$(1)/*.c)
of_ranks = $(call in_rank,ranks)
of_a_rank = $(call in_rank,rank) $(call objects,common/sandbox/ranks/rank_facts.c)
$(A)/sandbox/rank/%.o $(A)/sandbox/ranks/%.o $(A)/contracts/many/by_ranks.o: also = \
    $(patsubst %,-Icommon/%,contracts/many sandbox/ranks) $(MPI_COMPILE)
of_count = $(patsubst %,-Icommon/%,bench/cpu sandbox/rank) $(MPI_COMPILE)
