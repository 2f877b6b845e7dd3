# goals.mk - goals about the whole course, for whom it is: the chapter where a student is, and this
# machine; what a lecturer asks, grades, an autograder, a copy without answers, a book, an exam.
#
#   make -f common/make/goals.mk ready   builds the program; a student's goals run it,
#                               without the lock of build/, for some start a make of their own
include common/make/settings.mk
.PHONY: ready next progress score reset watch hint lesson predict trace break editor update \
    handout grade gradescope book exam
ready: $(T)/ladder
next progress: ; +$(T)/ladder $@ '$(CHAPTERS)' $(BINS)
reset: ; $(foreach s,$(STEMS),$(T)/ladder reset '$(CHAPTERS)' $s &&) \
    $(if $(STEMS),:,$(T)/ladder reset '$(CHAPTERS)')
score: ; +$(T)/ladder score $(B) '$(CHAPTERS)' $(BINS) $(STEMS)
watch:
	exec $(T)/ladder watch '$(CHAPTERS)' '$(MAKE_COMMAND)' \
	    "$(T)/ladder where '$(CHAPTERS)' $(BINS)"
ifneq ($(STEMS),)
with := $(if $(filter solution,$(KIND)),solution)
predict: ; +$(foreach s,$(STEMS),$(T)/ladder predict $(B) '$(CHAPTERS)' $s $(with) &&) :
else
# Of the chapter where the student is: as if it had been typed, in a make with jobs of its own.
hint lesson predict trace break:
	+n=$$($(T)/ladder where '$(CHAPTERS)' $(BINS)) || exit; [ "$$n" ] || \
	    { echo "$@: of which chapter? all are solved: make chapterN $@"; exit 1; } >&2; \
	MAKEFLAGS='$(filter-out -j% --jobserver%,$(MAKEFLAGS))' $(MAKE) -f Makefile chapter$$n $@
endif
# What is about this machine is built without the simulator.
editor:
	common/tools/editor/commands/compile_commands.sh compile_commands.json \
	    $(sort $(CHAPTERS) chapters) $(wildcard solutions) tests common docs
# It needs no more of the course than the driver does: what else there is may have to be mended.
update: build/take_update
	common/course/update/update.sh $<
build/take_update: common/course/update/update.c common/course/util.c common/course/util.h
	$(CC) $(CFLAGS) $(STRICT) -Icommon/course $(filter %.c,$^) -o $@

# A lecturer's. What is typed reaches a program as it stands there, with each $.
update: export COURSE := $(value COURSE)
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
ON_TEXTS := $(filter-out $(BY_KEY),$(STEMS))
none :=
text_stems = $(foreach k,$(ON_TEXTS),-$(number/$k))
by_key = $(foreach k,$(BY_KEY),-$(number/$k))
kit_on_texts = $(B)/grading-$(BINS)/kit$(subst $(none) $(none),,$(text_stems))
kit_by_key = $(B)/grading-keys/kit$(subst $(none) $(none),,$(by_key))
KITS = $(if $(ON_TEXTS),$(kit_on_texts)) $(if $(BY_KEY),$(kit_by_key))
grade:
	+$(if $(ON_TEXTS),$(MAKE) -f common/make/variant.mk STEMS='$(ON_TEXTS)' $(kit_on_texts))
	+$(if $(BY_KEY),$(MAKE) -f common/make/variant.mk BINS=keys STEMS='$(BY_KEY)' $(kit_by_key))
	$(python) common/grading/grade.py $(KITS) $(patsubst -j%,%,$(filter -j%,$(MAKEFLAGS)))
