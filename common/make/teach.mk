# teach.mk - what a lecturer asks: grades, an autograder, a copy without answers, a book, an exam.
include common/make/settings.mk
.PHONY: handout grade gradescope book exam
handout: export CHAPTERS := $(value CHAPTERS)
handout: export ANSWERS := $(value ANSWERS)
handout: export TO := $(value TO)
handout:
	$(or $(shell command -v python3),$(error a handout needs Python 3)) -B \
	    common/handout/hand_out.py
# Suites are built for each variant; one run grades all chapters.
PYTHON = $(or $(shell command -v python3),$(error grades need Python 3: apt-get install python3))
BY_KEY := $(filter $(KEYED),$(STEMS))
OF_TEXTS := $(filter-out $(BY_KEY),$(STEMS))
none :=
of_texts = $(foreach k,$(OF_TEXTS),-$(number/$k))
by_key = $(foreach k,$(BY_KEY),-$(number/$k))
kit_of_texts = $(B)/grading-$(BINS)/kit$(subst $(none) $(none),,$(of_texts))
kit_by_key = $(B)/grading-keys/kit$(subst $(none) $(none),,$(by_key))
grade:
	+$(if $(OF_TEXTS),$(MAKE) -f common/make/variant.mk BINS=$(BINS) STEMS='$(OF_TEXTS)' \
	    $(kit_of_texts))
	+$(if $(BY_KEY),$(MAKE) -f common/make/variant.mk BINS=keys STEMS='$(BY_KEY)' $(kit_by_key))
	$(PYTHON) -B common/grading/grade.py $(if $(OF_TEXTS),$(kit_of_texts)) \
	    $(if $(BY_KEY),$(kit_by_key)) $(patsubst -j%,%,$(filter -j%,$(MAKEFLAGS)))
gradescope:
	$(PYTHON) -B common/grading/autograder.py $(foreach k,$(STEMS),$(number/$k))
book: export BUILD := $(B)
book: $(T)/ladder # which reads the lessons in other languages
	+$(or $(shell command -v python3),$(error \
	    the book needs Python 3: sudo apt-get install -y python3)) -B common/book/bind.py
exam: export BUILD := $(B)
exam: export CHAPTERS := $(value CHAPTERS)
exam:
	$(or $(shell command -v python3),$(error an exam needs Python 3)) -B common/reports/exam.py
