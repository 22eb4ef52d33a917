# Two commands do everything: `make play` and `make test`. Both can be repeated at any time. `make quick` is a faster check.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Always write compiled files, because every worker and every bot that a test starts needs them.
export PYTHONDONTWRITEBYTECODE :=
unexport PYTHONSAFEPATH # with it, `python -m` finds nothing in this folder

# Files of slow tests, mostly because they wait for processes, clocks and faults. CI runs them in soak-ci, and with them
# the tests that are marked as long.
LONG := $(addprefix tests/,processes/test_failing_disk.py processes/test_stutter.py processes/test_lost_time.py \
	processes/test_thinking.py processes/test_kill.py processes/test_calls.py processes/test_several.py \
	processes/test_forgetting.py processes/test_beside.py processes/test_starting.py processes/test_damaged_files.py \
	processes/test_postgres.py processes/test_shards.py processes/test_backups.py storage/postgres/test_storms.py \
	processes/test_benchmarks.py processes/test_container.py processes/test_second_bot.py \
	engines/jesters/test_trials.py engines/jesters/test_balance.py plain/test_several.py page/test_phone.py live)

.PHONY: play test quick lint types check bench mutants soak soak-ci audit release live screenshots components stock trials clean

play: $(VENV)/.play
	@$(BIN)/python play.py

# mypy runs beside the tests: it takes one core, and the tests do not always use all of them.
test: $(VENV)/.test lint
	@$(MAKE) --no-print-directory -j 2 types check

lint: $(VENV)/.test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/.test
	$(BIN)/mypy .

check: $(VENV)/.test
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not long" $(LONG:%=--ignore=%)

quick: $(VENV)/.test
	$(BIN)/python -m pytest -n logical --dist worksteal -m "not long and not whole_bot and not browser and not process" \
		tests/engines tests/contract tests/golden tests/storage tests/cogs tests/example

bench: .venv-bench/.bench
	.venv-bench/bin/python -m bench

# Plant 200 small faults, one at a time, and count how many the tests find.
mutants: $(VENV)/.test
	$(BIN)/python -m tests.mutants

soak: $(VENV)/.test
	MOTLEY_KILLS=1000 $(BIN)/python -m pytest -n auto --dist worksteal -rP tests/processes/test_kill.py
	MOTLEY_SOAK=1 $(BIN)/python -m pytest -s --timeout 7200 tests/engines tests/plain/test_model.py tests/processes/test_logs.py \
		tests/processes/test_stutter.py tests/processes/test_damaged_files.py
	MOTLEY_MINUTES=30 $(BIN)/python -m pytest -s tests/processes/test_beside.py
	MOTLEY_SOAK=1 $(BIN)/python -m pytest -n auto --dist worksteal tests/plain/test_hostile.py
	MOTLEY_SOAK=1 $(BIN)/python -m pytest -n 2 --dist worksteal -rP tests/plain/test_leaks.py
	MOTLEY_SOAK=1 $(BIN)/python -m pytest -s tests/faults
	MOTLEY_SOAK=1 $(BIN)/python -m pytest --timeout 600 tests/storage/postgres/test_storms.py

soak-ci: $(VENV)/.test
	$(BIN)/python -m tests.platforms
	$(BIN)/python -m pytest tests/processes/test_container.py
	$(BIN)/python -m pytest -n auto --dist worksteal $(filter-out %/test_container.py %/test_kill.py %/test_beside.py,$(LONG))
	$(BIN)/python -m pytest -n auto --dist worksteal -m long $(LONG:%=--ignore=%)
	MOTLEY_KILLS=100 $(BIN)/python -m pytest -n auto --dist worksteal -rP tests/processes/test_kill.py
	MOTLEY_FIRST=1 MOTLEY_INTERACTIONS=20000 $(BIN)/python -m pytest -n 2 --dist worksteal tests/plain/test_hostile.py
	MOTLEY_STARTS=all $(BIN)/python -m pytest -n auto --dist worksteal tests/plain/test_leaks.py -k test_law
	MOTLEY_STARTS=all $(BIN)/python -m pytest -n auto --dist worksteal tests/plain/test_outsiders.py -k something
	MOTLEY_STARTS=all $(BIN)/python -m pytest -n auto --dist worksteal tests/contract/test_laws.py
	MOTLEY_STARTS=all $(BIN)/python -m pytest -n auto --dist worksteal tests/golden/test_watched.py
	MOTLEY_STARTS=all $(BIN)/python -m pytest -n auto --dist worksteal tests/plain/test_take_backs.py -k undo_mode
	MOTLEY_COMPARISONS=6000 $(BIN)/python -m pytest -n 2 -rP tests/plain/test_leaks.py -k whole_matches
	MOTLEY_SEED="414392216 695793580 929082577" $(BIN)/python -m pytest -s tests/faults
	$(BIN)/python -m pytest -s tests/processes/test_beside.py

# If a package or the database of vulnerabilities is not available here, this reports it and does not fail.
audit:
	@if $(MAKE) --silent .venv-release/.release; then .venv-release/bin/python -m release audit; \
	else echo "The dependencies were not audited: pip-audit cannot be installed here."; fi

# `make release TO=1.2.3` begins that version and makes it. Without TO, it makes the version that was begun.
release: $(VENV)/.test .venv-release/.release
	@$(if $(TO),$(BIN)/python -m release begin $(TO),:)
	@.venv-release/bin/python -m release make

live: $(VENV)/.play
	@$(BIN)/python -m live $(CHANNEL)

screenshots: $(VENV)/.test
	$(BIN)/python -m tests.page.screenshots

components: $(VENV)/.test
	$(BIN)/python -m tests.engines.jesters.page

# Rebuild the stored sprites after a change of the code that draws them.
stock: $(VENV)/.test
	$(BIN)/python -m tests.cogs.pictures.make_stock

trials: $(VENV)/.test
	$(BIN)/python -m tests.engines.jesters.trials

$(VENV)/.play: requirements/play.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing Motley ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/play.txt
	@touch $@

$(VENV)/.test: requirements/test.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing Motley and its test tools ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/test.txt
	@touch $@ $(VENV)/.play

.venv-bench/.bench: requirements/bench.txt
	@test -x .venv-bench/bin/python || $(PYTHON) -m venv .venv-bench
	@.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/bench.txt
	@touch $@

.venv-release/.release: requirements/release.txt
	@test -x .venv-release/bin/python || $(PYTHON) -m venv .venv-release
	@.venv-release/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/release.txt
	@touch $@

clean:
	rm -rf $(VENV) .venv-bench .venv-release dist .mypy_cache .ruff_cache
