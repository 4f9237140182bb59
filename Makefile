# duramen: everything happens in an environment of its own, .venv, which `make clean` takes away.
.POSIX:
.PHONY: help demo test lint compile golden budget clean

VENV = .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check

help:
	@echo 'make demo    install duramen in $(VENV) and extract examples/page.html'
	@echo 'make test    check the style and the types, and run all tests'
	@echo 'make lint    check the style and the types alone'
	@echo 'make compile compile the inner loops again where they have changed'
	@echo 'make golden  compare all outputs with the recorded ones, on the sets in DATA (../shared/data)'
	@echo 'make budget  compare the cost of each step with the recorded one, on the same sets'
	@echo 'make clean   remove $(VENV) and what the tools left behind'

demo: $(VENV)/installed
	@$(BIN)/duramen extract examples/page.html

test: lint compile
	@$(BIN)/pytest -n auto

lint: $(VENV)/installed-test
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy --strict

# Where what is compiled has changed, compile it again: until then Python runs the source.
compile: $(VENV)/installed-test
	@changed=$$(find src -name '*.pxd' -o -name '*.pyx' | sed -E 'p; s/p(xd|yx)$$/py/' | xargs ls -d 2>/dev/null | xargs -I NAME find NAME setup.py -newer $(VENV)/installed); \
	[ -z "$$changed" ] || { $(PIP) --no-deps --editable . && touch $(VENV)/installed; }

# Set DATA to the folder of the sets: make golden DATA=/path/to/sets
DATA = ../shared/data

golden: compile
	@$(BIN)/python benchmarks/golden.py $(DATA)

budget: compile
	@$(BIN)/python benchmarks/budget.py $(DATA)

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	rm -f src/duramen/compiled/*.so src/duramen/compiled/*.pyd

# The installations are editable, so only a change of the dependencies calls for another one.
$(VENV)/installed: $(BIN)/python pyproject.toml
	@$(PIP) --editable .
	@touch $@

$(VENV)/installed-test: $(BIN)/python pyproject.toml
	@$(PIP) --editable '.[test]'
	@touch $@ $(VENV)/installed

# Set PYTHON to choose the interpreter: make test PYTHON=python3.13
$(BIN)/python:
	@set -- $(PYTHON); \
	[ $$# -gt 0 ] || set -- python3 python3.13 python3.12 python3.11 python3.14 python; \
	for python; do \
	    "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	    "$$python" -c 'import ensurepip, venv' 2>/dev/null || { lame=$$python; continue; }; \
	    "$$python" -m venv --clear $(VENV) && exit 0; \
	    exit 1; \
	done; \
	if [ -n "$$lame" ]; then \
	    echo "duramen: $$lame has no venv module; install it (Debian, Ubuntu: apt install python3-venv) and run make again" >&2; \
	else \
	    echo "duramen: no Python 3.11 or newer (tried $$*); install one, or name it: make demo PYTHON=/path/to/python3" >&2; \
	fi; \
	exit 1
