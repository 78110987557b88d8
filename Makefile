# What the README promises. Each target installs what it lacks, then does its work; a second run redoes nothing.
SHELL := /bin/bash
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
SHARED ?= $(abspath ../shared)
export BEADWORK_SHARED ?= $(SHARED)
# A slow machine must not change what a test sees: the default limit is tested where a test names it.
test asan tsan coverage: export BEADWORK_TIME_LIMIT := none

.PHONY: demo build deb test test-clusters tests asan tsan coverage nightly fuzz soak web test-web bench results python lint format install clean \
  setup-build setup-demo setup-test setup-bench setup-python setup-lint setup-web setup-coverage setup-clusters

demo: setup-demo build/build.ninja
	cmake --build build -j $(JOBS) --target beadwork_cli
	tools/demo.sh build/beadwork out/demo

build: setup-build build/build.ninja
	cmake --build build -j $(JOBS) --target beadwork_cli beadcheck

test: tests
	ctest --test-dir build -j $(JOBS) --output-on-failure

tests: setup-test build/build.ninja
	@grep -q BEADWORK_TESTS:BOOL=ON build/CMakeCache.txt || cmake --preset release
	cmake --build build -j $(JOBS)

tsan: export TSAN_OPTIONS := suppressions=$(CURDIR)/cmake/tsan.supp
asan tsan: %: setup-test build-%/build.ninja
	cmake --build build-$@ -j $(JOBS)
	ctest --test-dir build-$@ -j $(JOBS) --output-on-failure

# Which lines and branches of src the tests reach: out/coverage.
coverage: setup-coverage build-coverage/build.ninja
	cmake --build build-coverage -j $(JOBS)
	tools/coverage.sh build-coverage out/coverage

# What is too long for .ci/run: the thread sanitizer, then the hours of tests/nightly.sh (faults, oracle, soak, fuzz, frames).
nightly: tsan tests python setup-lint
	tests/nightly.sh

# make fuzz SECONDS=600: that long for each harness.
fuzz: setup-lint
	fuzz/run.sh $(if $(filter command line,$(origin SECONDS)),$(SECONDS),60)

soak: setup-test build
	tests/nightly.sh soak

# A Debian package of command line, checker and library: build/beadwork_*.deb.
deb: setup-build build
	cd build && cpack -G DEB

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

# With the command line and the checker, so that no comparison with them is skipped.
python: setup-python build
	tools/python_tests.sh

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
setup-lint:
	@tools/setup.sh build test bench lint
setup-coverage:
	@tools/setup.sh build test lint coverage
setup-clusters:
	@tools/setup.sh build python clusters
setup-web: web/node_modules
	@command -v chromium >/dev/null || tools/setup.sh browser
web/node_modules: web/package-lock.json
	@command -v npm >/dev/null || tools/setup.sh web
	cd web && npm ci && touch node_modules
