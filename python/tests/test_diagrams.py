"""Truth tables and diagrams without any data."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest

import beadwork
from beadwork import Diagram, TruthTable

ALL = np.array(list(itertools.product([0, 1], repeat=3)), dtype=np.uint8)


@pytest.mark.parametrize("number", range(0, 256, 5))
def test_a_diagram_computes_its_table(number):
    cells = format(number, "08b")
    for order in itertools.permutations(range(3)):
        diagram = TruthTable.parse(cells, list(order)).diagram()
        expected = [int(cells[4 * row[order[0]] + 2 * row[order[1]] + row[order[2]]]) for row in ALL]
        assert diagram.classify(ALL).tolist() == expected
        assert diagram.ordered and diagram.reduced
        assert str(diagram.truth_table(list(order))) == cells
        assert len(TruthTable.parse(cells, list(order)).beads) == diagram.size


def test_the_papers_example():
    table = TruthTable.parse("u0u1011u", [0, 1, 2])
    assert table.depth == 3 and not table.all_decided and table.cells[0] == "0 1" and table.cells[1] == "0"
    counts = np.array([[0, 0], [3, 1], [0, 0], [0, 2], [1, 0], [0, 1], [0, 1], [0, 0]], dtype=np.int64)
    assert TruthTable.from_counts([0, 1, 2], counts) == table
    assert table.fill_by_branch(counts).all_decided


def test_diagrams_by_hand():
    # 0 --x1--> sink 1, else 1 --x0--> sink 1, else sink 0
    diagram = Diagram.from_nodes([(1, 1, 3, None), (0, 2, 3, None), (None, 0, 0, 0), (None, 0, 0, 1)])
    assert diagram.classify(ALL).tolist() == [int(a or b) for a, b, _ in ALL.tolist()]
    assert (diagram.size, diagram.inner_nodes, diagram.depth, diagram.num_paths) == (4, 2, 2, 3)
    assert diagram.used_features == [1, 0]
    assert pickle.loads(pickle.dumps(diagram)) == diagram
    text = beadwork.export_text(beadwork.drawing(diagram, ["rain", "snow"], ["go", "stay"]), kind="diagram")
    assert "snow" in text and "stay" in text
    assert "<svg" in beadwork.export_svg(beadwork.drawing(TruthTable.parse("0110", [0, 1])))
    assert beadwork.export_dot(beadwork.drawing(diagram)).startswith("digraph")


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: TruthTable.parse("012", [0, 1]), "cells"),
        (lambda: Diagram.from_nodes([]), "node"),
        (lambda: Diagram.from_nodes([(0, 0, 1, None), (None, 0, 0, 1)]), "after"),
        (lambda: TruthTable.from_counts([0], np.zeros((4, 2), dtype=np.int64)), "2\\^H"),
        (lambda: TruthTable.parse("01", [4]).diagram().classify(ALL), "no column"),
    ],
)
def test_what_does_not_fit_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()
