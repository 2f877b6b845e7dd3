# machine.mk - what is about this machine, not about a chapter: built without the simulator.
include common/make/settings.mk
.PHONY: editor doctor update
editor: build/compile_commands
	$< compile_commands.json $(sort $(CHAPTERS) chapters) $(wildcard solutions) tests common docs
build/compile_commands: $(addprefix common/,tools/editor/compile_commands.c course/chapter.c course/util.c)
	$(CC) $(STRICT) -Icommon/course $^ -o $@
doctor: ; common/tools/doctor/doctor.sh '$(CC)' '$(CXX)'
# It needs no other part of the course, for one of them may be what has to be mended.
update: export COURSE := $(value COURSE)
update: build/take_update
	common/tools/update/update.sh $<
build/take_update: $(wildcard common/tools/update/*.[ch])
	$(CC) $(CFLAGS) $(STRICT) $(filter %.c,$^) -o $@
