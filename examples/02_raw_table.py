"""A raw table: numbers, categories, booleans and missing values in one pandas frame, without any preparation."""

import io

import pandas as pd

from beadwork import BDDClassifier, export_text

TABLE = """age,income,housing,employed,missed_payments,approved
23,1200,rent,True,0,no
35,3100,own,True,0,yes
41,,rent,True,1,no
52,4100,own,True,0,yes
29,2100,rent,False,2,no
61,1900,own,False,0,yes
47,5200,mortgage,True,0,yes
33,2600,mortgage,True,3,no
26,1500,rent,True,0,no
58,,own,False,0,yes
39,3300,mortgage,True,0,yes
44,2900,rent,True,0,yes
31,1800,,True,1,no
50,3900,own,True,1,no
"""

table = pd.read_csv(io.StringIO(TABLE))
X, y = table.drop(columns="approved"), table.approved
model = BDDClassifier(depth=2, thresholds="all").fit(X, y)

print(f"{model.status_}, {model.upper_bound_} errors. Of {model.n_binary_features_} features it uses these:")
print(export_text(model, kind="rules"))
print("One applicant in words:")
print(model.explain(X.iloc[[2]]))
