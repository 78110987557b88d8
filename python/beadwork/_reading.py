"""Reading a fitted model: paths, words, pictures, files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._columns import row_columns
from ._export import names_in as names_of_columns
from ._export import write_text
from ._words import path_in_words, steps_in_words


def _labels(names: list[str]) -> NDArray[Any]:
    """Classes of a model file as numbers where all of them are."""
    for kind in (int, float):
        try:
            values = [kind(name) for name in names]
        except ValueError:
            continue
        if kind is float or [str(v) for v in values] == names:
            return np.array(values)
    if set(names) <= {"False", "True"}:
        return np.array([name == "True" for name in names])
    return np.array(names)


def in_units(value: int, scale: int) -> int | float:
    """An integer of the engine in the user's units."""
    return value if scale == 1 else value / scale


def model_text(source: str | Path) -> tuple[str, str]:
    """The text of a model file, given itself or by its path, and a name for messages."""
    is_text = isinstance(source, str) and source.lstrip().startswith("{")
    return (str(source), "model") if is_text else (Path(source).read_text(encoding="utf-8"), str(source))


def take_training(self: Any, model: _core.Model) -> None:
    """Parameters and attributes of an estimator, as far as a model knows them."""
    training = model.training
    known = {name: training[name] for name in ("depth", "engine", "thresholds") if name in self.get_params()}
    self.set_params(**known)
    self.classes_ = _labels(model.class_names)
    names = [name for name, *_ in model.binarizer.inputs]
    self.n_features_in_ = len(names)
    self.feature_names_in_ = np.array(names, dtype=object)
    scale = training["scale"]
    self.status_ = training["status"]
    self.optimal_ = training["optimal"]
    self.lower_bound_ = in_units(max(0, training["lower_bound"] - training["rounding"]), scale)
    self.upper_bound_ = in_units(training["upper_bound"], scale)
    self.rounding_ = in_units(training["rounding"], scale)
    self.gap_ = self.upper_bound_ - self.lower_bound_
    self.features_ = model.feature_names
    self.n_binary_features_ = training["num_features"]
    self.certificate_ = None


class ModelReading:
    """What a fitted classifier answers about itself. Mixed into the classifiers."""

    _model: _core.Model
    classes_: NDArray[Any]
    status_: str
    _loaded: bool

    def _follow(self, X: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        raise NotImplementedError

    @property
    def diagram_(self) -> _core.Diagram:
        """The diagram; its feature f is ``features_[f]``."""
        return self._fitted().diagram

    @property
    def n_nodes_(self) -> int:
        """Nodes of the diagram, answers included."""
        return self._fitted().diagram.size

    @property
    def claim_(self) -> str:
        """What is proven, in one sentence; of a model from a file or a pickle: what that claims."""
        return self._fitted().sentence(self.__dict__.get("_num_parts", 1))

    def _fitted(self) -> _core.Model:
        if "_model" not in self.__dict__:
            raise AttributeError(f"this {type(self).__name__} is not fitted yet")
        return self._model

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Names of the selected binary features, for example ``age <= 37.5``."""
        check_is_fitted(self, "status_")
        return np.asarray(self._model.feature_names, dtype=object)

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Number of the answer node that each row reaches."""
        check_is_fitted(self, "status_")
        starts, nodes = self._model.visits(self._follow(X)[1])
        return np.asarray(nodes[starts[1:] - 1])

    def decision_path(self, X: Any) -> sparse.csr_matrix:
        """Which nodes each row passes through, as in scikit-learn's trees.

        Returns
        -------
        csr_matrix of shape (n_samples, n_nodes_)
        """
        check_is_fitted(self, "status_")
        starts, nodes = self._model.visits(self._follow(X)[1])
        shape = (len(starts) - 1, self._model.diagram.size)
        return sparse.csr_matrix((np.ones(len(nodes), dtype=np.int64), nodes, starts), shape=shape)

    def path(self, X: Any) -> list[str]:
        """The path of each row in words, one line per row.

        Returns
        -------
        list of str
            For example ``age <= 37.5, not color = red -> yes (0.93, 14 of 15 rows)``.
        """
        check_is_fitted(self, "status_")
        words: dict[int, str] = {}
        out = []
        for number in self._follow(X)[1].tolist():
            if number not in words:
                words[number] = path_in_words(self._model, number)
            out.append(words[number])
        return out

    def explain(self, row: Any) -> str:
        """Why the model gives its answer for one row: its tests one by one, and the training rows on that path.

        Parameters
        ----------
        row : one row of X, as an array, a list, a dict by names, a pandas Series, or a frame of one row
        """
        check_is_fitted(self, "status_")
        return steps_in_words(self._model, self._path_of(row))

    def _path_of(self, row: Any) -> int:
        """The number of the path of one row."""
        if isinstance(row, Mapping):
            row = row_columns(row, [] if self._loaded else names_of_columns(self, self._model))
        elif hasattr(row, "to_frame") and hasattr(row, "index") and not hasattr(row, "columns"):
            row = row.to_frame().T.infer_objects()
        elif not hasattr(row, "columns") and not isinstance(row, str):
            row = np.asarray(row).reshape(1, -1)
        paths = self._follow(row)[1]
        if len(paths) != 1:
            raise ValueError(f"expected one row, got {len(paths)}")
        return int(paths[0])

    # Files

    def to_json(self, path: str | Path | None = None) -> str:
        """The model as the command line's ``fit -o`` writes it; also into a file, if a path is given."""
        check_is_fitted(self, "status_")
        return write_text(self._model.to_json(), path)

    @classmethod
    def from_json(cls, source: str | Path) -> Any:
        """A fitted estimator from a model file or its text.

        The file names the columns it needs; frames may have more. If these are named x0, x1, ..., arrays work as well. If all
        classes are numbers, they come back as numbers.
        """
        text, name = model_text(source)
        model = _core.Model.from_json(text, name)
        self: Any = cls()
        take_training(self, model)
        self._model, self._loaded = model, True
        return self

    # Pictures

    def to_svg(self) -> str:
        """The diagram as an SVG picture."""
        check_is_fitted(self, "status_")
        return self._model.to_svg()
