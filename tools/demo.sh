#!/usr/bin/env bash
# Learn a real diagram and leave its model, picture and text: tools/demo.sh BEADWORK FOLDER
set -euo pipefail
beadwork=$1
out=$2
mkdir -p "$out"
"$beadwork" datasets make tic-tac-toe -o "$out/tic-tac-toe.csv"
"$beadwork" fit "$out/tic-tac-toe.csv" --depth 5 -o "$out/model.json" --report "$out/report.html"
"$beadwork" show "$out/model.json" --format text -o "$out/diagram.txt"
"$beadwork" show "$out/model.json" --format svg -o "$out/diagram.svg"
rsvg-convert -o "$out/diagram.png" "$out/diagram.svg"
echo
"$beadwork" evaluate "$out/model.json" "$out/tic-tac-toe.csv"
echo
echo "model    $out/model.json"
echo "picture  $out/diagram.svg, $out/diagram.png"
echo "text     $out/diagram.txt"
echo "page     $out/report.html"
