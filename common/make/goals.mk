# goals.mk - the goals are a set: chapterN, solution, further and gpu say what, others what to do.
OF_CHAPTERS := test run profile replay bench
OF_COURSE := built check selfcheck pictures prediction slides
OF_DESK := next progress watch hint predict trace break score
OF_MACHINE := doctor editor update
OF_TEACHER := grade gradescope handout book
OF_GPU := experiments micro sanitize fidelity
# Some tests of the course wait more than they compute: there are more at a time than cores.
MAKEFLAGS += --jobs=$(shell expr $$(nproc) + $(if $(filter test check,$(firstword \
    $(MAKECMDGOALS))),2,0))
KEYED_PART := $(filter 2 3,$(PART))
WHAT := $(patsubst chapter%,%,$(filter chapter%,$(MAKECMDGOALS)))
FURTHER := $(filter further,$(MAKECMDGOALS))
DO := $(filter-out chapter% solution gpu further,$(MAKECMDGOALS))
KIND := $(if $(WHAT),$(if $(filter solution,$(MAKECMDGOALS)),solution,chapter),solution)
FROM := $(if $(filter chapter,$(KIND)),$(CHAPTERS),solutions)
# A chapter is what has a suite: a copy beside it, such as 05_backup, has none.
ALL := $(sort $(notdir $(wildcard $(addsuffix /[0-9]*_*,$(CHAPTERS) solutions tests/stubs))))
SUITED := $(patsubst tests/%.c,%,$(wildcard $(ALL:%=tests/%.c)))
named = $(filter $(1)_% 0$(1)_%,$(2))
stem_of = $(or $(call named,$1,$(SUITED)),$(error there is no chapter$1; there are $(SUITED)))
CHOSEN := $(foreach n,$(WHAT),$(call stem_of,$n))
# One call for the chapters that count texts; one for those whose contract has an operation.
by_operation := $(notdir $(basename $(shell grep -l '^#include "operation.h"' common/contract/*.h)))
of_keys = $(wildcard $(foreach f,$(CHAPTERS) solutions tests/stubs,$(by_operation:%=$f/$(1)/%.cu)))
KEYED := $(strip $(foreach s,$(CHOSEN),$(if $(call of_keys,$s),$s)))
TEXTS := $(filter-out $(KEYED),$(CHOSEN))
exercises = $(addsuffix $(FURTHER:%=/%),$(1))
STEMS := $(call exercises,$(CHOSEN))
texts = $(if $(TEXTS),$(call make,variant) STEMS='$(call exercises,$(TEXTS))' $(1))
keyed = $(if $(KEYED),$(call make,variant,keys) STEMS='$(call exercises,$(KEYED))' $(1))
COPIES := $(filter-out $(CHOSEN),$(foreach n,$(WHAT),$(call named,$n,$(ALL))))
$(if $(COPIES),$(warning $(COPIES): left out, for tests/ has no suite of it; $(CHOSEN) is meant))
