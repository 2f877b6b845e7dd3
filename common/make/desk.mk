# desk.mk - what a student asks about the whole course, or about the chapter where he is.
#
#   make -f common/make/desk.mk ready   builds the programs; the goals run them,
#                               without the lock of build/, for some start a make of their own
include common/make/settings.mk
.PHONY: ready next progress score reset watch hint predict trace break
ready: $(AT_DESK:%=$(T)/%) $(T)/verdict
next: ; +$(T)/next_step '$(CHAPTERS)' $(BINS)
progress: ; +$(T)/progress_table '$(CHAPTERS)' $(BINS)
reset: ; $(foreach s,$(STEMS),$(T)/reset '$(CHAPTERS)' $s &&) :
score: ; +$(T)/score $(B) '$(CHAPTERS)' $(BINS) $(STEMS)
ifneq ($(STEMS),)
with = $(if $(filter solution,$(KIND)),solution)
predict: ; +$(foreach s,$(STEMS),$(T)/ask $(B) '$(CHAPTERS)' $s $(with) &&) :
else
# Of the chapter where the student is: as if it had been typed, in a make with jobs of its own.
hint predict trace break:
	+n=$$($(T)/where '$(CHAPTERS)' $(BINS)) || exit; [ "$$n" ] || \
	    { echo "$@: of which chapter? all are solved: make chapterN $@"; exit 1; } >&2; \
	MAKEFLAGS='$(filter-out -j% --jobserver%,$(MAKEFLAGS))' $(MAKE) -f Makefile chapter$$n $@
endif
watch: ; exec $(T)/watch_stubs '$(CHAPTERS)' '$(MAKE_COMMAND)' "$(T)/where '$(CHAPTERS)' $(BINS)"
