# duramen: all work is done in an environment of its own, .venv, which `make clean` removes.
.PHONY: help demo test lint compile docs docs-serve docs-release golden budget evidence clean

VENV = .venv
ifeq ($(OS),Windows_NT)  # GNU make with the shell of Git for Windows
BIN = $(VENV)/Scripts
EXE = .exe
else
BIN = $(VENV)/bin
EXE =
endif
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Folder of the data sets for `make golden`, `make budget` and `make evidence`: make golden DATA=/path/to/sets
DATA = ../shared/data

# What is compiled: a .pyx file, or a .py file with the types of the .pxd file beside it.
TYPES = $(shell find src -name '*.pyx' -o -name '*.pxd')
COMPILED = $(TYPES) $(wildcard $(TYPES:.pxd=.py)) setup.py src/duramen/build_info.py

help:
	@echo 'make demo     install duramen in $(VENV) and extract the text of examples/page.html'
	@echo 'make test     check style and types, compile, and run all tests; compiled and pure Python are compared'
	@echo 'make lint     check style and types only'
	@echo 'make compile  compile the modules that have changed since they were compiled'
	@echo 'make docs     build the documentation site in build/site'
	@echo 'make docs-serve  show the documentation site on this computer, and build it again after each change'
	@echo 'make docs-release  add the site of this version to the local branch gh-pages, which has a menu of versions'
	@echo 'make golden   compare all outputs with the recorded ones, on the data sets in DATA ($(DATA))'
	@echo 'make budget   compare the cost of each step with the recorded cost, on the same data sets'
	@echo 'make evidence make all tables and figures of the documents again that are not current; OPTIONS=--sample is a trial, OPTIONS=--full takes every page'
	@echo 'make clean    remove $(VENV), the compiled modules and the caches of the tools'

demo: $(VENV)/installed
	@$(BIN)/duramen extract examples/page.html

test: lint compile
	@$(BIN)/python -m pytest -n auto -p tests.skip_summary

lint: $(VENV)/installed-test
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy --strict

compile: build/compiled

build/compiled: $(VENV)/installed-test $(COMPILED)
	@$(BIN)/python setup.py --quiet build_ext --inplace
	@mkdir -p build
	@touch $@

docs: $(VENV)/installed-test
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo 'build/site/index.html (the search needs a server: make docs-serve)'

docs-serve: $(VENV)/installed-test
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve

docs-release: $(VENV)/installed-test
	@NO_MKDOCS_2_WARNING=1 PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/mike --quiet deploy --update-aliases \
	    "$$($(BIN)/python -c 'import duramen; print(duramen.__version__)')" latest
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mike --quiet set-default latest
	@echo 'branch gh-pages: look at it with mike serve, publish it with git push'

golden: compile
	@$(BIN)/python benchmarks/golden.py $(DATA)

budget: compile
	@$(BIN)/python benchmarks/budget.py $(DATA)

evidence: compile $(VENV)/installed-evidence
	@$(BIN)/python benchmarks/evidence.py $(DATA) $(OPTIONS)

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist src/*.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	find src \( -name '*.so' -o -name '*.pyd' \) -exec rm -f {} +

# The installations are editable: only a change of pyproject.toml, which names the dependencies, asks for another one.
$(VENV)/installed: $(BIN)/python$(EXE) pyproject.toml
	@$(PIP) --editable .
	@$(BIN)/python -c 'from duramen.build_info import explain_build as explain; print(explain().strip(), end="\n" if explain() else "")'
	@touch $@

# The tools that `make compile` builds with are those of [build-system] in pyproject.toml.
$(VENV)/installed-test: $(BIN)/python$(EXE) pyproject.toml
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' > $(VENV)/build-tools.txt
	@$(PIP) --requirement $(VENV)/build-tools.txt
	@$(PIP) --no-build-isolation --editable '.[test]'
	@touch $@ $(VENV)/installed

# What `make evidence` compares with and trains with. Older versions of pip cannot resolve the dependencies of the peers.
$(VENV)/installed-evidence: $(VENV)/installed-test
	@$(PIP) --upgrade 'pip>=23.3'
	@$(PIP) --no-build-isolation --editable '.[test,batch,evaluation,peers,training]'
	@touch $@

# Set PYTHON to choose the interpreter: make test PYTHON=python3.13
$(BIN)/python$(EXE):
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
