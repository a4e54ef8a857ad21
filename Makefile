# Each target makes what it needs: a virtual environment in .venv, filrouge in it, and the tools of the target.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo test lint bench party clean help

help:
	@echo "make demo   install filrouge and score the bundled example"
	@echo "make test   install filrouge with its test tools and run all tests"
	@echo "make lint   ruff and mypy --strict"
	@echo "make party  learn the weights of the metric party again; see training/party/README.md"
	@echo "make bench  filrouge and its peers on the same work in one run, as ratios"
	@echo "make clean  remove the virtual environment and all caches"

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "filrouge needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'

# Stamps: reinstall when the declaration of dependencies changes.
$(VENV)/.base: pyproject.toml setup.py src/filrouge/_meteor.c | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.test: pyproject.toml $(VENV)/.base
	$(BIN)/python -m pip install --quiet --group test
	@touch $@

$(VENV)/.lint: pyproject.toml $(VENV)/.test
	$(BIN)/python -m pip install --quiet --group lint
	@touch $@

$(VENV)/.bench: pyproject.toml $(VENV)/.base
	$(BIN)/python -m pip install --quiet --group bench
	@touch $@

demo: $(VENV)/.base
	$(BIN)/filrouge demo

test: $(VENV)/.test
	$(BIN)/python -m pytest

lint: $(VENV)/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# DATA holds judged test sets, STORE scores of them, PREDICTIONS what networks of `judge` say of years that they never saw.
# Matrices here are small: one thread for each is twice as fast as several that wait for each other.
party: PREDICTIONS ?= training/party/predictions
party: export OMP_NUM_THREADS := 1
party: $(VENV)/.test
	@test -n "$(DATA)" -a -n "$(STORE)" || { echo "name two folders: make party DATA=FOLDER STORE=FOLDER"; exit 2; }
	$(BIN)/python training/party/train.py $(DATA) $(STORE) $(PREDICTIONS) src/filrouge/models/party --check
	$(BIN)/python training/party/score.py $(DATA) $(STORE)
	$(BIN)/python training/party/train.py $(DATA) $(STORE) $(PREDICTIONS) src/filrouge/models/party
	$(BIN)/python training/party/new.py $(DATA) src/filrouge/models/party
	$(BIN)/python docs/scripts/results_party.py $(PREDICTIONS) --data $(DATA) --scores $(STORE)
	$(BIN)/python docs/scripts/results_languages.py $(PREDICTIONS) --data $(DATA) --scores $(STORE)

bench: $(VENV)/.bench
	$(BIN)/python bench/run.py
	$(BIN)/python bench/classic.py
	$(BIN)/python bench/meteor.py
	$(BIN)/python bench/compare.py
	$(BIN)/python bench/meta.py --scipy

clean:
	rm -rf $(VENV) build dist src/*.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
