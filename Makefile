# make play: sets up and starts a game; make test: sets up and runs every check.
# Both need only Python 3.11 or newer, make and git.

SHELL = /bin/sh
BIN = .venv/bin
# Variables that would change Python: tests without asserts, modules from elsewhere, every module
# compiled again by every process.
unexport PYTHONDONTWRITEBYTECODE PYTHONPATH PYTHONHOME PYTHONOPTIMIZE PYTHONWARNINGS PYTHONINSPECT PYTHONSAFEPATH \
	PYTHONIOENCODING PYTHONUSERBASE PYTHONPLATLIBDIR PYTHONCASEOK CDPATH

.PHONY: help play demo test setup-test style types imports compiled tests traced untraced test-lowest test-bench soak clean

help:
	@echo "make play         a game of Ra against three bots (without a terminal: a demo game)"
	@echo "make test         all checks: style, types, imports, tests, coverage of the rules and the wire"
	@echo "make test-lowest  the end-to-end tests with the oldest dependencies allowed"
	@echo "make test-bench   the bounds that benchmarks are held to, on a quiet machine"
	@echo "make soak         long runs: chaos, kills, a failing store, hostile frames, twin games, one address's abuse"
	@echo "make clean        remove what the others made"

play:
	@./.ci/setup play
	@case "$$TERM" in ""|dumb|unknown) how=--plain;; *) how=;; esac; \
	if [ -t 0 ] && [ -t 1 ]; then $(BIN)/python -m client --solo 3 $$how || [ $$? -eq 130 ]; \
	else $(BIN)/python -m client.demo; fi

demo:
	@./.ci/setup play
	@$(BIN)/python -m client.demo

# What needs one core runs beside the traced tests, which measure no time.
test: setup-test
	@$(MAKE) --no-print-directory -j 2 traced style types imports compiled
	@$(MAKE) --no-print-directory untraced

setup-test:
	@./.ci/setup test

style: setup-test
	$(BIN)/python -m ruff format --check --quiet
	$(BIN)/python -m ruff check --quiet

types: setup-test
	$(BIN)/python -m mypy --strict

imports: setup-test
	$(BIN)/python -c "from importlinter.cli import lint_imports_command as run; run()" --no-cache >.venv/imports.txt || { cat .venv/imports.txt; exit 1; }

# All test modules are compiled once, and not by each process that runs some of them.
compiled: setup-test
	$(BIN)/python -m pytest --collect-only -q >.venv/collected.txt || { cat .venv/collected.txt; exit 1; }

tests: traced untraced

# The pure packages are traced, because their coverage is asserted (tests/conftest.py).
traced: setup-test
	$(BIN)/python -m pytest -n 2 -m traced --cov --cov-report=term tests/engine tests/protocol tests/rules

# Most of these wait for something, so there are more of them than cores.
untraced: setup-test
	$(BIN)/python -m pytest -n 6 -m "not traced and not lowest" --dist worksteal --ignore tests/bench

# `make test` measures no time: on a busy machine it would fail correct code.
test-bench: setup-test
	$(BIN)/python -m pytest tests/bench

test-lowest: setup-test
	$(BIN)/python -m pytest -m lowest -s tests/house/test_lowest.py

# About half an hour. FAULTS, KILLS, FAILURES, FRAMES, SERVED, TWINS, MINUTES and SEED (numbers)
# change that.
soak: setup-test
	$(BIN)/python -m tests.chaos.run --faults $(or $(FAULTS),5000) $(if $(SEED),--seed $(SEED))
	$(BIN)/python -m tests.soak.kills --kills $(or $(KILLS),200) $(if $(SEED),--seed $(SEED))
	$(BIN)/python -m tests.soak.failing --failures $(or $(FAILURES),3000) $(if $(SEED),--seed $(SEED))
	$(BIN)/python -m tests.soak.hostile --frames $(or $(FRAMES),1000000) \
		--served $(or $(SERVED),1000000) $(if $(SEED),--seed $(SEED))
	$(BIN)/python -m tests.soak.twins --games $(or $(TWINS),1000) $(if $(SEED),--seed $(SEED))
	$(BIN)/python -m tests.soak.abuse --minutes $(or $(MINUTES),10) $(if $(SEED),--seed $(SEED))

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage* dist build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
