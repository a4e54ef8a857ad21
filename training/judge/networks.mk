# The second step for all networks of the card, by its recipe.
#
# usage: make -f training/judge/networks.mk ENGLISH=FOLDER OTHER=FOLDER QWEN=FOLDER OUT=FOLDER [-j N] [TARGET ...]
#
# ENGLISH and OTHER are the folders that pack.py made, QWEN is that of pack_qwen.py (the card has the commands). Targets:
# `shipped`, and what networks say of test sets that they never saw, which training/party reads: `years`, `pairs`,
# `languages`. What is done is not done again; -j trains networks side by side. PYTHON names the interpreter. MORE may hold
# options for all runs, --limit 20 to try this out.

$(foreach name,ENGLISH OTHER QWEN OUT,$(if $($(name)),,$(error name a folder: $(name)=FOLDER)))

PYTHON ?= python3
here := $(dir $(lastword $(MAKEFILE_LIST)))
export PYTHONPATH := $(here)../../src

name = $(basename $(basename $(@F)))
english = $(PYTHON) $(here)train.py $(ENGLISH) $(OUT) --name $(name) $(MORE)
other = $(PYTHON) $(here)train.py $(OTHER) $(OUT) --name $(name) --glosses $(MORE)

# A large language model is the teacher of all networks. It learns once without each year: so every test set has lessons
# of a teacher that learned from it or of two, and no network without a year has heard of that year.
teach = $(PYTHON) $(here)teach.py $(QWEN) $(OUT) --name $(name) $(MORE)
# For English, errors are put into English alone.
small = --spoil 0.15 --strange 0.05 --spoil-in en
taught = $(small) --mild --epochs 2 --lessons
# The network of other languages learns to read, then to judge.
glosses = --epochs 2 --spoil 0.3 --strange 0.4 --within 1

.PHONY: all shipped years pairs languages
.DELETE_ON_ERROR:

all: shipped years pairs languages
shipped: $(OUT)/judge-en.weights.npz $(OUT)/judge-other.weights.npz
years: $(patsubst %,$(OUT)/%.predictions.npz,without20 without21 glosses20 glosses21 without19 glosses19) $(OUT)/encoder.npz
pairs: $(patsubst %,$(OUT)/%.predictions.npz,without.zh-en glosses.en-de glosses.en-ru)
languages: $(patsubst %,$(OUT)/%.predictions.npz,glosses-without-czech glosses-without-slavic)

$(OUT)/qwen20.lessons.npz $(OUT)/qwen21.lessons.npz: $(OUT)/qwen%.lessons.npz:
	$(teach) --leave-out wmt$*

$(OUT)/judge-en.weights.npz: $(OUT)/qwen20.lessons.npz $(OUT)/qwen21.lessons.npz
	$(english) $(taught) $^ --save --leave-out wmt12
$(OUT)/without20.predictions.npz $(OUT)/without21.predictions.npz: $(OUT)/without%.predictions.npz: $(OUT)/qwen%.lessons.npz
	$(english) $(taught) $< --leave-out wmt12 wmt$*
$(OUT)/without19.predictions.npz:
	$(english) $(small) --leave-out wmt12 wmt19
$(OUT)/without.zh-en.predictions.npz:
	$(english) $(small) --leave-out wmt12 zh-en

$(OUT)/read.weights.npz:
	$(other) --read 2 --epochs 0 --save
$(OUT)/read20.weights.npz $(OUT)/read21.weights.npz: $(OUT)/read%.weights.npz:
	$(other) --read 2 --epochs 0 --save --leave-out wmt$*
$(OUT)/judge-other.weights.npz: $(OUT)/read.weights.npz $(OUT)/qwen20.lessons.npz $(OUT)/qwen21.lessons.npz
	$(other) $(glosses) --begin $< --lessons $(filter %.lessons.npz,$^) --beside --save
$(OUT)/glosses20.predictions.npz $(OUT)/glosses21.predictions.npz: \
    $(OUT)/glosses%.predictions.npz: $(OUT)/read%.weights.npz $(OUT)/qwen%.lessons.npz
	$(other) $(glosses) --begin $< --lessons $(filter %.lessons.npz,$^) --beside --leave-out wmt$*
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
