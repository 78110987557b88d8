#!/usr/bin/env bash
# Builds the documentation site into build/docs/site, from the tree and without a network once its packages are there
# (tools/docs_packages.txt, in build/venv-docs). A warning, a dead link or a page that would load something from elsewhere fails.
# First the pictures and outputs in README and docs/ are made anew, those of Python where make python has run. --check leaves them
# as they are, and does not run the tutorial.
set -euo pipefail
cd "$(dirname "$0")/.."
FOR=docs tools/python_env.sh
python=build/venv-docs/bin/python
quick=(--quick)
if [ "${1:-}" != --check ]; then
  quick=()
  with=()
  [ ! -x build/venv-python/bin/python ] || with=(--python "$PWD/build/venv-python/bin/python")
  python3 tests/documents/run.py --update "${with[@]}" build
fi
"$python" tools/site/assemble.py build/beadwork build/docs "${quick[@]}"
NO_MKDOCS_2_WARNING=1 "$python" -m mkdocs build --strict --quiet -f build/docs/mkdocs.yml
"$python" tools/site/check.py build/docs/site
echo "docs: build/docs/site/index.html"
