"""Hard problems: a time limit raises nothing, and the bounds say how far from optimal the diagram can be."""

import warnings

import numpy as np

from beadwork import BDDClassifier

rng = np.random.default_rng(0)
X = rng.integers(0, 2, size=(400, 120))
y = (X[:, :5].sum(axis=1) > 2) ^ (rng.random(400) < 0.2)

history = []


def watch(progress):
    history.append((progress.seconds, progress.lower_bound, progress.upper_bound))
    return progress.seconds > 1.5  # returning True stops the search


with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    model = BDDClassifier(depth=7, time_limit=30, callback=watch).fit(X, y)

for seconds, low, high in history[:5]:
    print(f"{seconds:4.1f} s: between {low:g} and {high:g} errors")
print(f"{model.status_}: {model.upper_bound_} errors, no diagram has fewer than {model.lower_bound_}, gap {model.gap_}")
print("warned:", caught[0].message)
