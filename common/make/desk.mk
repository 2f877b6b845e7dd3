# desk.mk - what a student asks about the whole course, or about the chapter where he is.
#
#   make -f common/make/desk.mk ready   builds the program; the goals run it,
#                               without the lock of build/, for some start a make of their own
include common/make/settings.mk
.PHONY: ready next progress score reset watch hint predict trace break
ready: $(T)/ladder
next: ; +$(T)/ladder next '$(CHAPTERS)' $(BINS)
progress: ; +$(T)/ladder progress '$(CHAPTERS)' $(BINS)
reset: ; $(foreach s,$(STEMS),$(T)/ladder reset '$(CHAPTERS)' $s &&) :
score: ; +$(T)/ladder score $(B) '$(CHAPTERS)' $(BINS) $(STEMS)
ifneq ($(STEMS),)
with = $(if $(filter solution,$(KIND)),solution)
predict: ; +$(foreach s,$(STEMS),$(T)/ladder predict $(B) '$(CHAPTERS)' $s $(with) &&) :
else
# Of the chapter where the student is: as if it had been typed, in a make with jobs of its own.
hint predict trace break:
	+n=$$($(T)/ladder where '$(CHAPTERS)' $(BINS)) || exit; [ "$$n" ] || \
	    { echo "$@: of which chapter? all are solved: make chapterN $@"; exit 1; } >&2; \
	MAKEFLAGS='$(filter-out -j% --jobserver%,$(MAKEFLAGS))' $(MAKE) -f Makefile chapter$$n $@
endif
watch: ; exec $(T)/ladder watch '$(CHAPTERS)' '$(MAKE_COMMAND)' "$(T)/ladder where '$(CHAPTERS)' $(BINS)"
