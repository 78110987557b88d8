"""Some errors are worse than others: class weights and a cost matrix. A missed tumour costs as much as 20 false alarms."""

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import confusion_matrix

from beadwork import BDDClassifier

X, y = load_breast_cancer(return_X_y=True, as_frame=True)  # 0 is malignant
plain = BDDClassifier(depth=3).fit(X, y)
balanced = BDDClassifier(depth=3, class_weight="balanced").fit(X, y)
costly = BDDClassifier(depth=3, costs=[[0, 20], [1, 0]]).fit(X, y)

for name, model in (("plain", plain), ("balanced", balanced), ("costs 20 : 1", costly)):
    missed, alarms = confusion_matrix(y, model.predict(X))[[0, 1], [1, 0]]
    print(f"{name:13s} missed tumours {missed:2d}, false alarms {alarms:2d}, objective {model.upper_bound_:g} ({model.status_})")

assert np.isclose(costly.upper_bound_, 20 * (costly.predict(X)[y == 0] == 1).sum() + (costly.predict(X)[y == 1] == 0).sum())
