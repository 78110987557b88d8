"""Smaller or more accurate? The best trade-offs, and a depth chosen by cross-validation."""

from sklearn.datasets import load_wine
from sklearn.model_selection import cross_val_score

from beadwork import BDDClassifier, ParetoFront

X, y = load_wine(return_X_y=True, as_frame=True)
front = ParetoFront(depth=3, thresholds=3, time_limit=60).fit(X, y)
print(front.table())

for model in front:
    scores = cross_val_score(BDDClassifier(3, thresholds=3, max_nodes=model.n_nodes_), X, y, cv=3)
    print(f"at most {model.n_nodes_:2d} nodes: {100 * scores.mean():.1f} % on held-out rows")

chosen = BDDClassifier("cv", depths=(1, 2, 3, 4)).fit(X, y)
print(f"cross-validation chooses depth {chosen.depth_}")
