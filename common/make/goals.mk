# goals.mk - goals about the whole course, or the chapter where a student is, and this machine.
#
#   make -f common/make/goals.mk ready   builds the program; the goals run it,
#                               without the lock of build/, for some start a make of their own
include common/make/settings.mk
.PHONY: ready next progress score reset watch hint lesson predict trace break
ready: $(T)/ladder
next progress: ; +$(T)/ladder $@ '$(CHAPTERS)' $(BINS)
reset: ; $(if $(STEMS),$(foreach s,$(STEMS),$(T)/ladder reset '$(CHAPTERS)' $s &&) \
    :,$(T)/ladder reset '$(CHAPTERS)')
score: ; +$(T)/ladder score $(B) '$(CHAPTERS)' $(BINS) $(STEMS)
ifneq ($(STEMS),)
with = $(if $(filter solution,$(KIND)),solution)
predict: ; +$(foreach s,$(STEMS),$(T)/ladder predict $(B) '$(CHAPTERS)' $s $(with) &&) :
else
# Of the chapter where the student is: as if it had been typed, in a make with jobs of its own.
hint lesson predict trace break:
	+n=$$($(T)/ladder where '$(CHAPTERS)' $(BINS)) || exit; [ "$$n" ] || \
	    { echo "$@: of which chapter? all are solved: make chapterN $@"; exit 1; } >&2; \
	MAKEFLAGS='$(filter-out -j% --jobserver%,$(MAKEFLAGS))' $(MAKE) -f Makefile chapter$$n $@
endif
watch:
	exec $(T)/ladder watch '$(CHAPTERS)' '$(MAKE_COMMAND)' \
	    "$(T)/ladder where '$(CHAPTERS)' $(BINS)"
# What is about this machine is built without the simulator.
.PHONY: editor update
editor:
	common/tools/editor/commands/compile_commands.sh compile_commands.json \
	    $(sort $(CHAPTERS) chapters) $(wildcard solutions) tests common docs
# It needs no more of the course than the driver does: what else there is may have to be mended.
update: export COURSE := $(value COURSE)
update: build/take_update
	common/course/update/update.sh $<
build/take_update: common/course/update/update.c common/course/util.c common/course/util.h
	$(CC) $(CFLAGS) $(STRICT) -Icommon/course $(filter %.c,$^) -o $@
