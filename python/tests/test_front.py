"""Errors against nodes."""

from __future__ import annotations

import numpy as np
import pytest

from beadwork import BDDClassifier, ParetoFront


def test_no_point_beats_another_and_each_is_a_classifier(bits):
    X, y = bits
    front = ParetoFront(3).fit(X, y)
    assert front.complete_ and len(front) == len(front.points_) > 2
    points = [(len(m.diagram_.used_features), m.n_nodes_, m.upper_bound_) for m in front]
    for m, point in zip(front, points):
        assert (m.predict(X) != y).sum() == m.upper_bound_ and m.optimal_
        assert not any(all(a <= b for a, b in zip(other, point)) for other in points if other != point)
        assert f"of at most {m.n_nodes_} node" in m.claim_ and f"on at most {point[0]} of these 9 features" in m.claim_
        again = BDDClassifier.from_json(m.to_json())
        assert again.n_nodes_ == m.n_nodes_ and again.claim_.startswith("claimed optimal")
        sized = BDDClassifier(point[0], max_nodes=m.n_nodes_).fit(X, y)
        assert sized.upper_bound_ == m.upper_bound_ and sized.n_nodes_ <= m.n_nodes_
    assert points[-1][2] == BDDClassifier(3).fit(X, y).upper_bound_
    assert front.table().count("yes") == len(front)


def test_bias_and_penalty(bits):
    X, y = bits
    sizes = {bias: BDDClassifier(4, bias=bias).fit(X, y) for bias in ("P", "C", "S", "N", "size")}
    assert len({m.upper_bound_ for m in sizes.values()}) == 1
    assert sizes["size"].n_nodes_ == min(m.n_nodes_ for m in sizes.values())
    penalised = BDDClassifier(3, node_penalty=2).fit(X, y)
    value = (penalised.predict(X) != y).sum() + 2 * penalised.n_nodes_
    least = min((m.upper_bound_ + 2 * m.n_nodes_) for m in ParetoFront(3).fit(X, y))
    assert value == least
    with pytest.raises(ValueError, match="bias"):
        BDDClassifier(2, bias="best").fit(X, y)
    assert np.isfinite(penalised.lower_bound_)
