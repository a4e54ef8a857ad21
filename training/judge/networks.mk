# The second step for all networks of the card, by its recipe.
#
# usage: make -f training/judge/networks.mk ENGLISH=FOLDER OTHER=FOLDER OUT=FOLDER [-j N] [TARGET ...]
#
# ENGLISH and OTHER are the folders that pack.py made (the card has its two commands). Targets: `shipped`, and what
# networks say of test sets that they never saw, which training/party reads: `years`, `pairs`, `languages`. What is done is
# not done again; -j trains networks side by side. PYTHON names the interpreter. MORE may hold options for all runs of
# train.py (--limit 20 to try this out), COMPILE=--compile makes the large networks faster.

$(foreach name,ENGLISH OTHER OUT,$(if $($(name)),,$(error name a folder: $(name)=FOLDER)))

PYTHON ?= python3
here := $(dir $(lastword $(MAKEFILE_LIST)))
export PYTHONPATH := $(here)../../src

name = $(basename $(basename $(@F)))
english = $(PYTHON) $(here)train.py $(ENGLISH) $(OUT) --name $(name) $(MORE)
other = $(PYTHON) $(here)train.py $(OTHER) $(OUT) --name $(name) --glosses $(MORE)

# Into English a large network teaches a small one. Errors are put into English alone.
large = --encoder mpnet --teach --epochs 2 --spoil 0.08 $(COMPILE)
small = --spoil 0.15 --strange 0.05 --spoil-in en
# Into other languages a small network learns to read, then to judge. Its teachers are a large one that reads as that for
# English does, a large one that reads as it does itself, and one like itself.
glosses = --epochs 2 --spoil 0.3 --strange 0.4 --within 1
teachers = english other like

.PHONY: all shipped years pairs languages
.DELETE_ON_ERROR:

all: shipped years pairs languages
shipped: $(OUT)/judge-en.weights.npz $(OUT)/judge-other.weights.npz
years: $(patsubst %,$(OUT)/%.predictions.npz,without20 without21 glosses20 glosses21 without19 glosses19) $(OUT)/encoder.npz
pairs: $(patsubst %,$(OUT)/%.predictions.npz,without.zh-en glosses.en-de glosses.en-ru)
languages: $(patsubst %,$(OUT)/%.predictions.npz,glosses-without-czech glosses-without-slavic)

$(OUT)/teacher.lessons.npz:
	$(english) $(large) --spoil-in en --leave-out wmt12
$(OUT)/teacher20.lessons.npz $(OUT)/teacher21.lessons.npz: $(OUT)/teacher%.lessons.npz:
	$(english) $(large) --spoil-in en --leave-out wmt12 wmt$*
$(OUT)/judge-en.weights.npz: $(OUT)/teacher.lessons.npz
	$(english) $(small) --mild --lessons $< --save --leave-out wmt12
$(OUT)/without20.predictions.npz $(OUT)/without21.predictions.npz: $(OUT)/without%.predictions.npz: $(OUT)/teacher%.lessons.npz
	$(english) $(small) --mild --lessons $< --leave-out wmt12 wmt$*
$(OUT)/without19.predictions.npz:
	$(english) $(small) --leave-out wmt12 wmt19
$(OUT)/without.zh-en.predictions.npz:
	$(english) $(small) --leave-out wmt12 zh-en

$(OUT)/english20.lessons.npz $(OUT)/english21.lessons.npz: $(OUT)/english%.lessons.npz:
	$(english) $(large) --within 1 --leave-out wmt12 wmt$*
$(OUT)/other20.lessons.npz $(OUT)/other21.lessons.npz: $(OUT)/other%.lessons.npz:
	$(other) $(large) --leave-out wmt$*
$(OUT)/like20.lessons.npz $(OUT)/like21.lessons.npz: $(OUT)/like%.lessons.npz:
	$(other) $(glosses) --read 4 --teach --leave-out wmt$*
# Of each test set the shipped network hears those teachers that learned from it.
$(OUT)/judge-other.weights.npz: $(foreach year,20 21,$(patsubst %,$(OUT)/%$(year).lessons.npz,$(teachers)))
	$(other) $(glosses) --read 4 --lessons $^ --beside --save
$(OUT)/glosses20.predictions.npz $(OUT)/glosses21.predictions.npz: \
    $(OUT)/glosses%.predictions.npz: $(patsubst %,$(OUT)/%%.lessons.npz,$(teachers))
	$(other) $(glosses) --read 4 --lessons $^ --beside --leave-out wmt$*
$(OUT)/glosses19.predictions.npz:
	$(other) $(glosses) --read 4 --leave-out wmt19
$(OUT)/glosses.en-de.predictions.npz $(OUT)/glosses.en-ru.predictions.npz: $(OUT)/glosses.%.predictions.npz:
	$(other) $(glosses) --read 4 --leave-out $*
$(OUT)/glosses-without-czech.predictions.npz:
	$(other) $(glosses) --read 2 --leave-out en-cs
$(OUT)/glosses-without-slavic.predictions.npz:
	$(other) $(glosses) --read 2 --leave-out en-cs en-pl en-ru

$(OUT)/encoder.npz:
	mkdir -p $(OUT)
	$(PYTHON) $(here)../party/encode.py $(ENGLISH) $(OUT)
