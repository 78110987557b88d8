# What the README promises. Each target installs what it lacks, then does its work; a second run redoes nothing.
SHELL := /bin/bash
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
# A slow machine must not change what a test sees: the default limit is tested where a test names it.
test check asan asan-all tsan coverage: export BEADWORK_TIME_LIMIT := none

.PHONY: demo build deb data test check test-alone test-exports tests asan asan-all tsan coverage nightly fuzz loaded soak web test-web bench results solvers python lint format hooks install clean wheel check-packages docs test-engines test-clusters \
  setup-build setup-demo setup-test setup-bench setup-python setup-lint setup-web setup-coverage setup-exports setup-package setup-docs setup-engines setup-clusters

demo: setup-demo build/build.ninja
	cmake --build build -j $(JOBS) --target beadwork_cli
	tools/demo.sh build/beadwork out/demo

build: setup-build build/build.ninja
	cmake --build build -j $(JOBS) --target beadwork_cli beadcheck

# The report page's tests need Node's packages and Chromium: without them they are skipped, visibly.
test: tests  # BUT=LABEL leaves tests out
	@$(MAKE) --no-print-directory setup-web || echo "beadwork: without Node's packages or Chromium (make setup-web) the tests of the report page are skipped" >&2
	@python3 tools/tables.py missing
	ctest --test-dir build -j $(JOBS) --output-on-failure $(if $(BUT),-LE $(BUT))

# The tests that read tables and the documents, in a copy of this tree that has nothing beside it.
test-alone: tests
	tests/alone/run.sh build

# The paper's tables and others that are not part of the project, into $BEADWORK_DATA or else ~/.cache/beadwork (docs/data.md):
# make data FROM=FOLDER or FROM=ARCHIVE where there is no network, MIRROR=URL for another server.
data:
	@command -v python3 >/dev/null || tools/setup.sh data
	@python3 tools/tables.py get $(if $(FROM),--from "$(FROM)") $(if $(MIRROR),--mirror "$(MIRROR)")

tests: setup-test build/build.ninja
	@grep -q BEADWORK_TESTS:BOOL=ON build/CMakeCache.txt || cmake --preset release
	cmake --build build -j $(JOBS)

# Minutes after a change: format of the changed files, layers, build, fast tests. make hooks formats with every commit.
check: setup-test build/build.ninja
	tools/check.sh $(JOBS)

hooks:
	git config core.hooksPath tools/hooks

# The sanitizers: in CI what asan runs; make asan-all and tsan, which also run what tests/costs.txt calls long, are for make nightly.
asan: setup-test build-asan/build.ninja
	cmake --build build-asan -j $(JOBS)
	ctest --test-dir build-asan -j $(JOBS) --output-on-failure -LE long
asan-all: setup-test build-asan/build.ninja
	cmake --build build-asan -j $(JOBS)
	ctest --test-dir build-asan -j $(JOBS) --output-on-failure
tsan: setup-test build-tsan/build.ninja
	cmake --build build-tsan -j $(JOBS)
	ctest --test-dir build-tsan -j $(JOBS) --output-on-failure

# Which lines and branches of src the tests reach: out/coverage.
coverage: setup-coverage build-coverage/build.ninja
	cmake --build build-coverage -j $(JOBS)
	tools/coverage.sh build-coverage out/coverage

# What is too long for .ci/run: every file alone without a precompiled header, all tests under the sanitizers, then the hours of
# tests/nightly.sh (faults, oracle, soak, fuzz, frames).
nightly: tests python setup-lint setup-engines
	FULL=1 tools/lint.sh
	ctest --test-dir build -j $(JOBS) --output-on-failure -L nightly
	$(MAKE) asan-all tsan
	tests/nightly.sh

# Every export beside the model on 100,000 random rows, by tools that make test does without.
test-exports: setup-exports build
	tests/exports/all_rows.sh build/beadwork

# make fuzz SECONDS=600: that long for each harness.
fuzz: setup-lint
	fuzz/run.sh $(if $(filter command line,$(origin SECONDS)),$(SECONDS),60)

# All tests beside four busy processes, RUNS times (5): none may depend on the speed of the machine.
loaded: tests setup-web
	tools/loaded.sh build $(RUNS)

soak: setup-test build
	tests/nightly.sh soak

# A Debian package of command line, checker and library: build/beadwork_*.deb.
deb: setup-build build
	cd build && cpack -G DEB

# The documentation site: build/docs/site/index.html. Before that, pictures and outputs in README and docs/ are made anew.
docs: setup-docs build
	tools/docs.sh
# One search on Slurm, MPI, Dask and Ray, which this installs (docs/clusters.md).
test-clusters: setup-clusters
	tests/clusters/run.sh

# The report page: web/dist from web/src, and its tests in a browser.
web: setup-web
	cd web && npm run build

test-web: setup-web tests
	ctest --test-dir build -R '^web_' --output-on-failure

bench: setup-bench tests
	@grep -q BEADWORK_BENCH:BOOL=ON build/CMakeCache.txt || cmake --preset release -DBEADWORK_BENCH=ON
	cmake --build build -j $(JOBS)
	bench/run.sh build

# The paper's Tables 1 and 4 with the figures, run and rendered to out/results (docs/results.md); STUDIES names others.
results: setup-demo build
	tools/results.sh build/beadwork out/results $(STUDIES)

# Kissat and MaxSAT solvers of others, from PyPI, in build/solvers (docs/solver.md); what cannot be had is a line, not a failure.
solvers:
	@tools/setup.sh solvers || true
	@tools/solvers.sh

# Both packages in a new Debian root (as root; a minute and a network).
check-packages: deb wheel setup-package
	tests/package/check_deb.sh build/beadwork_*.deb build/wheel/beadwork-*.whl

# A Python wheel that carries its libraries: build/wheel/beadwork-*.whl. pip install takes it, here or on another machine.
wheel: setup-python build
	tools/wheel.sh

# With the command line and the checker, so that no comparison with them is skipped.
python: setup-python build
	tools/python_tests.sh

# fit_table on Spark and Dask, and a million rows from everywhere; with the wheel of make python.
test-engines: setup-python setup-engines
	tools/engine_tests.sh

lint: setup-lint
	tools/lint.sh

format:
	tools/format.sh

install: build
	cmake --install build --prefix $(PREFIX)

clean:
	rm -rf build build-* out

# A tree that has the tests keeps them.
build/build.ninja: CMakePresets.json
	cmake --preset $$(grep -qs BEADWORK_TESTS:BOOL=ON build/CMakeCache.txt && echo release || echo product)
	@touch $@
build-%/build.ninja: CMakePresets.json
	cmake --preset $*
	@touch $@

setup-build:
	@tools/setup.sh build
setup-demo:
	@tools/setup.sh build demo
setup-test:
	@tools/setup.sh build test
setup-bench:
	@tools/setup.sh build test bench
setup-python:
	@tools/setup.sh build python
setup-docs:
	@tools/setup.sh build docs
setup-package:
	@tools/setup.sh package
setup-engines:
	@tools/setup.sh engines
setup-lint:
	@tools/setup.sh build test bench lint
setup-exports:
	@tools/setup.sh build test exports
setup-coverage:
	@tools/setup.sh build test lint coverage
setup-clusters:
	@tools/setup.sh build python clusters
setup-web: web/node_modules
	@tools/setup.sh browser
web/node_modules: web/package-lock.json
	@tools/setup.sh web
	cd web && npm ci && touch node_modules
