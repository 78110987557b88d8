#!/usr/bin/env bash
# Writes the stubs of the extension that is installed in an environment: tools/python_stubs.sh [PYTHON].
set -euo pipefail
cd "$(dirname "$0")/.."
"${1:-build/venv-python/bin/python}" -m nanobind.stubgen -m beadwork._core -o python/beadwork/_core.pyi
