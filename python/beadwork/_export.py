"""Models as text for people and for Graphviz."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sklearn.utils.validation import check_is_fitted

from . import _core
from ._arrays import text_of
from ._options import names_of


def model_of(model: Any) -> _core.Model:
    """The engine's model inside a fitted classifier."""
    if isinstance(model, _core.Model):
        return model
    _refuse_others(model)
    check_is_fitted(model, "status_")
    inner = model._model
    if isinstance(inner, _core.Committee):
        raise ValueError("a committee is not a single diagram; export_as takes it for code, sql, dbt, onnx and json")
    assert isinstance(inner, _core.Model)
    return inner


_INSIDE = {  # what holds a classifier, and where
    "steps": "its last step, for example pipeline[-1], and rows as pipeline[:-1].transform(X) makes them",
    "best_estimator_": "its best_estimator_",
    "estimators_": "one of its estimators_",
    "points_": "one of its points_",
    "estimator": "its estimator",
}


def _refuse_others(model: Any) -> None:
    """What is no classifier of ours has no diagram, fitted or not."""
    if hasattr(type(model), "_keep_model"):
        return
    kind = model.__name__ if isinstance(model, type) else type(model).__name__
    for name, what in _INSIDE.items():
        if not isinstance(model, type) and hasattr(model, name):
            raise TypeError(f"a {kind} has no diagram of its own: give {what}")
    if isinstance(model, type):
        raise TypeError(f"expected a fitted classifier of beadwork, got the class {kind} itself: {kind}(...).fit(X, y) is one")
    raise TypeError(f"expected a fitted classifier of beadwork, got a {kind}")


def names_in(model: Any, inner: _core.Model) -> list[str]:
    """The names of the columns that a classifier was fitted on."""
    if hasattr(model, "feature_names_in_"):
        return list(model.feature_names_in_)
    if hasattr(model, "n_features_in_"):
        return [f"x{j}" for j in range(model.n_features_in_)]
    return [name for name, *_ in inner.binarizer.inputs]


def renamed(inner: _core.Model, feature_names: Any, class_names: Any, model: Any) -> _core.Model:
    """The same model with other names of columns and classes.

    ``feature_names`` is a dict from the model's column names to others, or a list for all columns that the classifier
    ``model`` was fitted on; ``class_names`` is a list in the order of the classes.
    """
    if feature_names is None and class_names is None:
        return inner
    if feature_names is not None and not isinstance(feature_names, Mapping):
        names = names_in(model, inner)
        feature_names = names_of("feature_names", feature_names)
        if len(feature_names) != len(names):
            raise ValueError(f"feature_names has length {len(feature_names)}, expected {len(names)}")
        feature_names = dict(zip(names, feature_names))
    classes = inner.class_names if class_names is None else names_of("class_names", class_names)
    if len(classes) != len(inner.class_names):
        raise ValueError(f"class_names has length {len(classes)}, expected {len(inner.class_names)}")
    columns = [text_of((feature_names or {}).get(name, name)) for name, *_ in inner.binarizer.inputs]
    return inner.renamed(columns, classes)


def export_text(model: Any, *, kind: str = "report", feature_names: Any = None, class_names: Any = None) -> str:
    """A fitted model in words.

    Parameters
    ----------
    model : fitted classifier
    kind : {"report", "rules", "diagram"}
        Rules: one a path. Diagram: indented, shared nodes named. Report: both, under one headline.
    feature_names : dict or sequence of str, default=None
        Other names for the columns: a dict from old to new names, or a list for all columns of X in order.
    class_names : sequence of str, default=None
        Other names for the classes, in the order of ``classes_``.
    """
    inner = renamed(model_of(model), feature_names, class_names, model)
    if kind == "rules":
        return inner.text_rules()
    if kind == "diagram":
        return inner.text_diagram()
    if kind == "report":
        return inner.text_report()
    raise ValueError(f'kind: expected "report", "rules" or "diagram", got {kind!r}')


def export_dot(
    model: Any, out_file: Any = None, *, feature_names: Any = None, class_names: Any = None
) -> str:
    """A fitted model as Graphviz: one rank per level, names in a column on the left.

    Parameters
    ----------
    model : fitted classifier
    out_file : path or file object, default=None
        Also write the text to this file.
    feature_names, class_names : as in export_text
    """
    return write_text(renamed(model_of(model), feature_names, class_names, model).to_dot(), out_file)


def write_text(text: str, out_file: Any) -> str:
    """The text, also written to a path or a file object, if there is one."""
    if hasattr(out_file, "write"):
        out_file.write(text)
    elif out_file is not None:
        Path(out_file).write_text(text, encoding="utf-8")
    return text


def export_svg(model: Any, out_file: Any = None, *, feature_names: Any = None, class_names: Any = None) -> str:
    """A fitted model as an SVG picture; parameters as in export_dot."""
    return write_text(renamed(model_of(model), feature_names, class_names, model).to_svg(), out_file)


def export_as(
    model: Any,
    format: str,
    out_file: str | Path | None = None,
    *,
    inputs: str | None = None,
    name: str = "beadwork",
    probabilities: bool = False,
    **options: Any,
) -> str | bytes:
    """A fitted model for other programs: code, queries, circuits, diagrams, ONNX.

    Parameters
    ----------
    model : fitted classifier
    format : str
        One of ``beadwork.export_formats()``, for example "c", "sql", "onnx" or "blif"; a committee goes to code,
        "sql", "dbt", "onnx" and "json".
    out_file : path, default=None
        Also write it to this file.
    inputs : {"raw", "binary"}, default=None
        Raw columns or 0/1 features; raw columns by default if the format allows them.
    name : str, default="beadwork"
        Prefix of the names in the output.
    probabilities : bool, default=False
        Also write the shares of the classes, as ``predict_proba`` gives them.
    **options
        As the command line has them: ``numbers="int16"``, ``scale=10``, ``point=4``, ``categories="enum"``,
        ``header="model.h"``, ``dialect="bigquery"``.

    Returns
    -------
    str, or bytes for formats that are not text
    """
    if inputs not in (None, "raw", "binary"):
        raise ValueError(f'inputs: expected "raw" or "binary", got {inputs!r}')
    texts = [("name", name), ("probabilities", "yes" if probabilities else "no"), *((k, str(v)) for k, v in options.items())]
    if inputs is not None:
        texts.append(("inputs", inputs))
    inner = getattr(model, "_model", None)
    data: bytes = (inner if isinstance(inner, _core.Committee) else model_of(model)).export_as(format, texts)
    if out_file is not None:
        Path(out_file).write_bytes(data)
    is_text = {f: text for f, _, _, _, text in _core.export_formats()}[format]
    return data.decode() if is_text else data


def drawing(diagram: _core.Diagram, feature_names: Any = None, class_names: Any = None) -> _core.Model:
    """A diagram or truth table without rows, for export_text, export_dot, export_svg and plot_bdd.

    Parameters
    ----------
    diagram : Diagram or TruthTable
    feature_names : sequence of str, default=None
        Names of features 0, 1, ...; x0, x1, ... by default.
    class_names : sequence of str, default=None
        Names of classes 0, 1, ...; their numbers by default.
    """
    if isinstance(diagram, _core.TruthTable):
        diagram = diagram.diagram()
    num_features = max(diagram.used_features, default=-1) + 1
    num_classes = max((node[3] for node in diagram.nodes if node[3] is not None), default=0) + 1
    features = [f"x{f}" for f in range(num_features)] if feature_names is None else names_of("feature_names", feature_names)
    classes = [str(k) for k in range(num_classes)] if class_names is None else names_of("class_names", class_names)
    return diagram.drawing(features, classes)
