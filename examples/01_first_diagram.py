"""A first diagram: fit it, read it, trust it.

Iris has three classes and raw numbers. The diagram is proven optimal for the thresholds that were chosen.
"""

from sklearn.datasets import load_iris

from beadwork import BDDClassifier, export_text

X, y = load_iris(return_X_y=True, as_frame=True)
model = BDDClassifier(depth=3).fit(X, y)

print(f"{model.status_}: {model.upper_bound_} errors in {len(X)} rows, {model.n_nodes_} nodes")
print("features:", ", ".join(model.features_))
print()
print(export_text(model, class_names=["setosa", "versicolor", "virginica"]))
print(model.explain(X.iloc[70]))
