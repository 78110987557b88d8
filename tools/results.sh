#!/usr/bin/env bash
# results.sh BEADWORK OUT [STUDY...]: runs studies, each into OUT/STUDY.jsonl, and renders their tables and figures to OUT/STUDY.
# By default the cheap ones: Table 1, and Table 4 with the figures. Ended at any moment, the same command goes on.
set -euo pipefail
beadwork=$1 out=$2
shift 2
mkdir -p "$out"
[ $# -gt 0 ] || set -- table1 exact
for study; do
  "$beadwork" study "studies/$study.json" -o "$out/$study.jsonl" --jobs "${JOBS:-$(nproc)}"
  "$beadwork" study report "$out/$study.jsonl" --study "studies/$study.json" -o "$out/$study"
done
