# teach.mk - what a lecturer asks: grades, an autograder, a copy without solutions, the book.
include common/make/settings.mk
.PHONY: handout grade gradescope book
handout: export CHAPTERS := $(value CHAPTERS)
handout: export ANSWERS := $(value ANSWERS)
handout: export TO := $(value TO)
handout:
	$(or $(shell command -v python3),$(error a handout needs Python 3)) -B \
	    common/handout/hand_out.py
# Suites are built for each variant; one run grades all chapters.
PYTHON = $(or $(shell command -v python3),$(error grades need Python 3: apt-get install python3))
BY_KEY := $(strip $(foreach s,$(STEMS),$(if $(call keyed,$s),$s)))
OF_TEXTS := $(filter-out $(BY_KEY),$(STEMS))
numbers = $(foreach s,$(1),$(call number,$s))
kit = $(if $(2),$(B)/grading-$(1)/kit$(shell printf -- '-%s' $(call numbers,$(2))))
build_kit = $(if $(2),$(MAKE) -f common/make/grading.mk BINS=$(1) STEMS='$(2)' \
    $(call kit,$(1),$(2)))
grade:
	+$(call build_kit,$(BINS),$(OF_TEXTS))
	+$(call build_kit,keys,$(BY_KEY))
	$(PYTHON) -B common/grading/grade.py $(call kit,$(BINS),$(OF_TEXTS)) \
	    $(call kit,keys,$(BY_KEY)) $(patsubst -j%,%,$(filter -j%,$(MAKEFLAGS)))
gradescope:
	$(PYTHON) -B common/grading/autograder.py $(call numbers,$(STEMS))
book:
	+$(or $(shell command -v python3),$(error \
	    the book needs Python 3: sudo apt-get install -y python3)) -B common/book/bind.py
