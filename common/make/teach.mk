# teach.mk - what a lecturer asks: grades, an autograder, a copy without solutions, the book.
include common/make/settings.mk
.PHONY: handout grade gradescope book
handout: export CHAPTERS := $(value CHAPTERS)
handout: export ANSWERS := $(value ANSWERS)
handout: export TO := $(value TO)
handout:
	$(or $(shell command -v python3),$(error a handout needs Python 3)) -B \
	    common/handout/hand_out.py
grade gradescope:
	$(if $(filter keys,$(BINS)),$(foreach s,$(STEMS),$(if $(call keyed,$s),,$(error $s counts texts, \
	    others of these chapters do not: grade them with two commands))))
	+$(MAKE) -f common/make/grading.mk $@
book:
	+$(or $(shell command -v python3),$(error \
	    the book needs Python 3: sudo apt-get install -y python3)) -B common/book/bind.py
