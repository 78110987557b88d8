"""Use the model in other programs: JSON, Python, SQL, scikit-learn's tree. The table has strings."""

import numpy as np
import pandas as pd
from sklearn.model_selection import GridSearchCV
from sklearn.tree import plot_tree

import beadwork
from beadwork import BDDClassifier, to_sklearn_tree

rng = np.random.default_rng(4)
X = pd.DataFrame(
    {
        "day": rng.choice(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"], 300),
        "hour": rng.integers(0, 24, 300),
        "rain_mm": rng.gamma(0.5, 4, 300).round(1),
    }
)
y = np.where(X.day.isin(["Sat", "Sun"]) & (X.rain_mm < 3) | (X.hour > 21), "busy", "quiet")

search = GridSearchCV(BDDClassifier(), {"depth": [2, 3, 4], "thresholds": [4, 8]}, cv=4).fit(X, y)
model = search.best_estimator_
print(f"{search.best_params_}: {100 * search.best_score_:.1f} % on held-out rows")

model.to_json("model.json")  # `beadwork predict model.json rows.csv` reads it
print("the same answers from the file:", (BDDClassifier.from_json("model.json").predict(X) == model.predict(X)).all())
print(beadwork.export_as(model, "sql"))
print(beadwork.export_as(model, "python")[:300], "...")

numbers = X[["hour", "rain_mm"]]
diagram = BDDClassifier(2).fit(numbers, y)
tree = to_sklearn_tree(diagram)
same = (tree.predict(numbers) == diagram.predict(numbers)).mean()
print(f"scikit-learn draws it: {len(plot_tree(tree))} boxes; {100 * same:.0f} % of the answers are the same")
