# teach.mk - what a lecturer asks: grades, an autograder, a copy without answers, a book, an exam.
include common/make/settings.mk
.PHONY: handout grade gradescope book exam
# What is typed reaches a program as it stands there, with each $.
handout exam: export CHAPTERS := $(value CHAPTERS)
handout: export ANSWERS := $(value ANSWERS)
handout: export TO := $(value TO)
handout book exam: export BUILD := $(B)
handout: $(T)/ladder # which knows what is in a gap, too
	$(python) common/handout/hand_out.py
book: $(T)/ladder # which reads the lessons in other languages
	+$(python) common/book/bind.py
exam: ; $(python) common/reports/exam.py
gradescope: ; $(python) common/grading/autograder.py $(foreach k,$(STEMS),$(number/$k))
# Suites are built for each variant; one run grades all chapters.
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
	$(python) common/grading/grade.py $(if $(OF_TEXTS),$(kit_of_texts)) \
	    $(if $(BY_KEY),$(kit_by_key)) $(patsubst -j%,%,$(filter -j%,$(MAKEFLAGS)))
