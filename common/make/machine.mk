# machine.mk - what is about this machine, not about a chapter: built without the simulator.
include common/make/settings.mk
.PHONY: editor doctor
editor: build/compile_commands
	$< compile_commands.json $(sort $(CHAPTERS) chapters) $(wildcard solutions) tests common docs
build/compile_commands: common/tools/editor/compile_commands.c
	$(CC) $(STRICT) $< -o $@
doctor: ; common/tools/doctor/doctor.sh '$(CC)' '$(CXX)'
