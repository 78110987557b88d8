# What the README promises. Each target installs what it lacks, then does its work; a second run redoes nothing.
SHELL := /bin/bash
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
SHARED ?= $(abspath ../shared)
export BEADWORK_SHARED ?= $(SHARED)

.PHONY: demo test build bench lint asan install clean setup-build setup-test setup-demo setup-lint setup-web web test-web exhaustive setup-python python results

demo: setup-demo build
	tools/demo.sh build/beadwork out/demo

build: setup-build build/build.ninja
	cmake --build build -j $(JOBS)

test: setup-test build
	ctest --test-dir build -j $(JOBS) --output-on-failure

asan: setup-test build-asan/build.ninja
	cmake --build build-asan -j $(JOBS)
	ctest --test-dir build-asan -j $(JOBS) --output-on-failure

# The report page: web/dist from web/src, and its tests in a browser.
web: setup-web
	cd web && npm run build

test-web: setup-web setup-test build
	ctest --test-dir build -R '^web_' --output-on-failure

bench: build
	bench/run.sh build

# The paper's Tables 1 and 4 with the figures, run and rendered to out/results (docs/results.md); STUDIES names others.
results: setup-demo build
	tools/results.sh build/beadwork out/results $(STUDIES)

# With the command line and the checker, so that no comparison with them is skipped.
python: setup-python build
	tools/python_tests.sh

lint: setup-lint
	tools/lint.sh

install: build
	cmake --install build --prefix $(PREFIX)

clean:
	rm -rf build build-debug build-asan build-clang build-wheel out

build/build.ninja: CMakeLists.txt CMakePresets.json
	cmake --preset release
build-asan/build.ninja: CMakeLists.txt CMakePresets.json
	cmake --preset asan

setup-build:
	@tools/setup.sh build
setup-demo:
	@tools/setup.sh build demo
setup-test:
	@tools/setup.sh build test
setup-python:
	@tools/setup.sh build python
setup-lint:
	@tools/setup.sh build lint
setup-web: web/node_modules
	@command -v chromium >/dev/null || tools/setup.sh browser
web/node_modules: web/package-lock.json
	@command -v npm >/dev/null || tools/setup.sh web
	cd web && npm ci && touch node_modules
