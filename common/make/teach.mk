# teach.mk - what a lecturer asks: grades, an autograder, a copy without solutions, the book.
include common/make/settings.mk
.PHONY: grade gradescope
grade gradescope:
	+$(MAKE) -f common/make/grading.mk $@
