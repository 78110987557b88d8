"""
The C++ engine, layer by layer. Use the classes of the package beadwork instead.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


def version() -> str: ...

class Frame:
    """Columns to predict on."""

    def __init__(self) -> None: ...

    def add_numbers(self, name: str, values: Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)], nominal: bool | None = False) -> None:
        """
        Numbers, NaN where missing; as categories if `nominal`, by what they are if that is None.
        """

    def add_times(self, name: str, values: Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)], kind: str) -> None:
        """Days ('date') or seconds ('moment', 'duration'), NaN where missing."""

    def add_codes(self, name: str, codes: Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)], levels: Sequence[str]) -> None:
        """Codes into levels, negative where missing."""

    @property
    def num_columns(self) -> int: ...

class Binarizer:
    """Tests on raw columns."""

    @staticmethod
    def make(inputs: Sequence[tuple[str, str, Sequence[str], tuple[str, str, str, str, str, int, Sequence[str], str]]], tests: Sequence[tuple[int, str, float, str]], target: str, class_names: Sequence[str], target_cuts: Sequence[float]) -> Binarizer: ...

    def __getstate__(self) -> tuple[str, list[tuple[str, str, list[str], tuple[str, str, str, str, str, int, list[str], str]]], list[tuple[int, str, float, str]], str, list[str], list[float], object]: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    @property
    def inputs(self) -> list[tuple[str, str, list[str], tuple[str, str, str, str, str, int, list[str], str]]]:
        """
        (name, 'numeric' or 'nominal', levels, reading) of each raw column (levels also of kind ordinal); a reading is (kind, decimal, thousands, unit, order of dates, fields, missing, other).
        """

    @property
    def tests(self) -> list[tuple[int, str, float, str]]:
        """(column, 'at_most', 'equals' or 'missing', threshold, level) of each."""

    @property
    def feature_names(self) -> list[str]: ...

    @property
    def class_names(self) -> list[str]: ...

    @property
    def target(self) -> str: ...

    def bits(self, frame: Frame) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None))]:
        """The 0/1 matrix of the tests over a frame, as uint8."""

class Dataset:
    """The 0/1 matrix with classes and integer weights."""

    def __getstate__(self) -> tuple[str, bytes, list[str], bytes, list[str], bytes, int, int, str, object, list[int], list[str]]: ...

    def __setstate__(self, arg: tuple, /) -> None: ...

    @property
    def num_rows(self) -> int: ...

    @property
    def num_features(self) -> int: ...

    @property
    def feature_names(self) -> list[str]: ...

    @property
    def class_names(self) -> list[str]: ...

    @property
    def total_weight(self) -> int: ...

    @property
    def weight_scale(self) -> int: ...

    @property
    def sha256(self) -> str:
        """Of names and distinct rows, in any order of rows."""

    def is_of(self, model: Model) -> bool:
        """Was the model learnt from these rows?"""

    def bits(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None))]:
        """The 0/1 matrix, as uint8."""

    @property
    def unavoidable_errors(self) -> int:
        """Weight that no classifier on these features gets right."""

class DataBuilder:
    """Columns in, one by one; a binarizer and a dataset out."""

    def __init__(self, labels: Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)], class_names: Sequence[str], target: str, weights: Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)] | None, weight_scale: int, rounding: int, thresholds: str, reading: dict, times: Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)] | None = None) -> None: ...

    def add_numbers(self, name: str, values: Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)]) -> None:
        """Numbers, NaN where missing."""

    def add_times(self, name: str, values: Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)], kind: str) -> None:
        """Days ('date') or seconds ('moment', 'duration'), NaN where missing."""

    def add_codes(self, name: str, codes: Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)], levels: Sequence[str], typed: bool, ordered: bool = False) -> None:
        """
        Codes into levels, negative where missing. Texts that are not `typed` are read as what they mean; `ordered` levels become their places.
        """

    def warn(self, message: str) -> None:
        """One more for `warnings`."""

    @property
    def warnings(self) -> list[tuple[str, list[tuple[str, str]], str]]:
        """(message, (option, value) of each that settles it, what for) of each."""

    @property
    def thresholds(self) -> str: ...

    def finish(self, options: dict | None = None) -> tuple[Binarizer, Dataset]:
        """
        The binarizer and the dataset; the builder is empty after. Columns may be sorted for a fit with `options`.
        """

class RowGroups:
    """Distinct rows as codes of their columns in; a dataset out."""

    def __init__(self, labels: Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)], weights: Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)], weight_scale: int, rounding: int, rows_of_table: int) -> None: ...

    def add(self, codes: Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)], bits: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """
        The next column: the code of each row, and the results of its tests for each code.
        """

    def finish(self, binarizer: Binarizer, thresholds: str) -> Dataset:
        """The dataset of the binarizer's tests; the builder is empty after."""

MOST_TOTAL: int = 72057594037927936

def automatic_thresholds(rows: int, columns: int, depth: int) -> str:
    """The rule for thresholds where nobody names one."""

def round_weights(weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], times: Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)] | None = None) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], int, int]:
    """
    Integers and a scale with weight = integer / scale, exactly where that is possible; rounding / scale is how far all are away together.
    """

class TruthTable:
    """
    An order of features and the classes that each of its 2^H cells may take.
    """

    @staticmethod
    def parse(cells: str, order: Sequence[int], num_classes: int = 2) -> TruthTable:
        """
        From text, a character a cell: the class, or u for any. The first feature is the most significant bit.
        """

    @staticmethod
    def from_counts(order: Sequence[int], counts: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> TruthTable:
        """Majority of each cell; ties and empty cells are free."""

    def fill_by_branch(self, counts: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> TruthTable:
        """Free cells follow the majority of their branch."""

    @property
    def order(self) -> list[int]: ...

    @property
    def depth(self) -> int: ...

    @property
    def num_cells(self) -> int: ...

    @property
    def num_classes(self) -> int: ...

    @property
    def all_decided(self) -> bool: ...

    @property
    def cells(self) -> list[str]:
        """The classes that each cell allows, as text with blanks between."""

    @property
    def beads(self) -> list[tuple[int, int, int]]:
        """
        (level, first cell, cells) of each distinct bead: one a node of the reduced diagram.
        """

    def diagram(self) -> Diagram:
        """The reduced ordered diagram of this table."""

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def __eq__(self, arg: object, /) -> bool: ...

class Diagram:
    """A rooted acyclic graph of binary tests; node 0 is the root."""

    @staticmethod
    def from_nodes(nodes: Sequence[tuple[int | None, int, int, int | None]]) -> Diagram:
        """
        (feature, low, high, None) of a test, (None, 0, 0, class) of a sink; children after parents.
        """

    @property
    def nodes(self) -> list[tuple[int | None, int, int, int | None]]: ...

    @property
    def size(self) -> int:
        """Nodes, sinks counted."""

    @property
    def inner_nodes(self) -> int: ...

    @property
    def depth(self) -> int:
        """Tests on the longest path."""

    @property
    def used_features(self) -> list[int]: ...

    @property
    def ordered(self) -> bool: ...

    @property
    def reduced(self) -> bool: ...

    @property
    def num_paths(self) -> int: ...

    def classify(self, bits: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """Classes of the rows of a 0/1 matrix, as uint8; column f is feature f."""

    def truth_table(self, order: Sequence[int], num_classes: int = 2) -> TruthTable: ...

    def drawing(self, feature_names: Sequence[str], class_names: Sequence[str]) -> Model:
        """A model without rows, to be drawn and exported."""

    def __getstate__(self) -> list[tuple[int | None, int, int, int | None]]: ...

    def __setstate__(self, arg: Sequence[tuple[int | None, int, int, int | None]], /) -> None: ...

    def __len__(self) -> int: ...

    def __eq__(self, arg: object, /) -> bool: ...

class Progress:
    """A moment of a fit. Bounds are weighted errors, memory is in bytes."""

    def __init__(self, phase: str, share: float, lower_bound: float, upper_bound: float | None, seconds: float) -> None: ...

    @property
    def phase(self) -> str: ...

    @property
    def share(self) -> float: ...

    @property
    def lower_bound(self) -> float: ...

    @property
    def upper_bound(self) -> float | None: ...

    @property
    def seconds(self) -> float: ...

    @property
    def memory(self) -> int: ...

    def __repr__(self) -> str: ...

class Outcome:
    """What an engine found, checked on the rows."""

    @property
    def status(self) -> str: ...

    @property
    def optimal(self) -> bool: ...

    @property
    def light_left_out(self) -> bool:
        """The proof is that of the answer before drop_light."""

    @property
    def sentence(self) -> str:
        """What is proven, in words."""

    def to_json(self, dataset: Dataset) -> str:
        """What the command line's --json prints."""

    @property
    def parts(self) -> int:
        """In which the search was run."""

    @property
    def lower_bound(self) -> int: ...

    @property
    def upper_bound(self) -> int | None: ...

    @property
    def scale(self) -> int:
        """Divide bounds by this for the user's units."""

    @property
    def rounding(self) -> int:
        """How far rounded weights may move the bounds, in the same units."""

    @property
    def depth(self) -> int: ...

    @property
    def costs(self) -> bool: ...

    @property
    def features(self) -> list[int]: ...

    @property
    def table(self) -> TruthTable | None: ...

    @property
    def diagram(self) -> Diagram | None: ...

    @property
    def certificate(self) -> str: ...

    @property
    def seconds(self) -> float: ...

    @seconds.setter
    def seconds(self, arg: float, /) -> None: ...

    @property
    def interrupted(self) -> bool: ...

    @interrupted.setter
    def interrupted(self, arg: bool, /) -> None: ...

    @property
    def stopped(self) -> bool: ...

    @stopped.setter
    def stopped(self, arg: bool, /) -> None: ...

    @property
    def notes(self) -> list[str]: ...

    @property
    def warnings(self) -> list[str]: ...

    def drop_light(self, binarizer: Binarizer, dataset: Dataset, least: int) -> None:
        """
        Leave out tests that send less weight one way; status and upper bound follow.
        """

    @property
    def front(self) -> list[Outcome]:
        """An outcome for each point, with option front."""

    @property
    def front_complete(self) -> bool: ...

    @property
    def size_proof(self) -> object:
        """(status, least nodes), with bias size."""

def learn(binarizer: Binarizer, dataset: Dataset, options: dict, callback: object | None, keep: bool = False, folds: Sequence[tuple[Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)], Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)]]] = [], least_depth: bool = False) -> Outcome:
    """
    Learn with options by name. A true answer of callback(progress) stops. Ctrl-C raises KeyboardInterrupt, or stops where `keep` is set. Folds are (train, test) rows; none: those of the command line. `least_depth`: of the depths up to the one asked for the least without avoidable errors.
    """

def make_model(binarizer: Binarizer, dataset: Dataset, outcome: Outcome, thresholds: str) -> Model: ...

def make_committee(binarizer: Binarizer, dataset: Dataset, outcome: Outcome, thresholds: str) -> Committee: ...

def lasting_options() -> list[str]:
    """Options whose runs have no time limit by default."""

def option_table() -> list:
    """(name, type, default, least, most, help) of each option."""

def default_depth(options: dict, thresholds: str) -> int:
    """
    The depth where nobody says one, by the other options and the rule for thresholds.
    """

def engines() -> list:
    """(name, summary, exact, options) of each engine."""

class Model:
    """
    A binarizer, a diagram over its tests, and the training rows on each path.
    """

    @staticmethod
    def from_json(text: str, name: str = 'model') -> Model: ...

    def to_json(self) -> str: ...

    def renamed(self, columns: Sequence[str], classes: Sequence[str]) -> Model:
        """The same under other names of its columns and classes."""

    def __getstate__(self) -> str: ...

    def __setstate__(self, arg: str, /) -> None: ...

    @property
    def binarizer(self) -> Binarizer: ...

    @property
    def diagram(self) -> Diagram: ...

    @property
    def class_names(self) -> list[str]: ...

    @property
    def feature_names(self) -> list[str]: ...

    @property
    def matrix_columns(self) -> list[int]: ...

    @property
    def training(self) -> dict: ...

    @property
    def claim(self) -> str:
        """As JSON."""

    def sentence(self, parts: int = 1) -> str:
        """What is proven, in words, by a search in so many parts."""

    def predict(self, frame: Frame) -> tuple:
        """
        Class and path of each row, and (column, rows) with categories that did not occur in training.
        """

    def probabilities(self, paths: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

    def visits(self, paths: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple:
        """Nodes of each path as (starts, nodes)."""

    def steps(self, path: int) -> tuple:
        """((node, passed), ...) and the sink."""

    def path_counts(self, path: int) -> list[int]:
        """Training weight of each class on a path."""

    def node_counts(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None))]:
        """Training weight of each class at each node."""

    def text_rules(self) -> str: ...

    def text_diagram(self) -> str: ...

    def text_report(self) -> str: ...

    def to_dot(self) -> str: ...

    def to_svg(self) -> str: ...

    def export_as(self, format: str, options: Sequence[tuple[str, str]]) -> bytes:
        """The model for other programs, as bytes."""

    def layout(self) -> dict: ...

def export_formats() -> list:
    """(name, what, raw, binary, text) of each format."""

def class_colour(k: int) -> str: ...

class Committee:
    """Diagrams that vote, over the tests of the optimum's model."""

    @staticmethod
    def from_json(text: str, name: str = 'model') -> Committee: ...

    def to_json(self) -> str: ...

    def __getstate__(self) -> str: ...

    def __setstate__(self, arg: str, /) -> None: ...

    @property
    def optimum(self) -> Model: ...

    @property
    def feature_names(self) -> list[str]: ...

    @property
    def members(self) -> list:
        """(cost, features, diagram) of each, the optimum first."""

    @property
    def extent(self) -> str: ...

    @property
    def within(self) -> int: ...

    def sentence(self, parts: int = 1) -> str:
        """Who votes and what is proven, in words, by a search in so many parts."""

    def vote(self, frame: Frame) -> tuple:
        """
        Winner and votes of each row, and (column, rows) with unseen categories.
        """

    def text_report(self) -> str: ...

    def export_as(self, format: str, options: Sequence[tuple[str, str]]) -> bytes:
        """The committee for other programs, as bytes."""

def html_report(model: Model, rows: tuple[Frame, Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)], Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)] | None] | None, test: tuple[Frame, Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)], Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)] | None] | None, binarizer: Binarizer | None, dataset: Dataset | None, outcome: Outcome | None, command: str, title: str, positive: str, date: str, labels: Sequence[tuple[str, str, str]]) -> str:
    """
    The report page. Rows are (frame, class numbers, weights); binarizer and dataset are those of the training, if the rows are; outcome is that of the fit, where it is known.
    """

class Plan:
    """A search divided into ranges of about equal work."""

    @staticmethod
    def from_text(text: str) -> Plan: ...

    def to_text(self) -> str: ...

    def __getstate__(self) -> str: ...

    def __setstate__(self, arg: str, /) -> None: ...

    @property
    def num_parts(self) -> int: ...

    def is_empty(self, part: int) -> bool: ...

    def work(self, part: int) -> float:
        """Its estimated share."""

    def standing(self, parts: Sequence[Part]) -> tuple:
        """
        (parts that are not done, lower bound, errors of the best set), once these parts are put together.
        """

class Part:
    """Where a part of a search stands."""

    @staticmethod
    def from_text(text: str) -> Part: ...

    def to_text(self) -> str: ...

    def __getstate__(self) -> str: ...

    def __setstate__(self, arg: str, /) -> None: ...

    @property
    def number(self) -> int: ...

    @property
    def complete(self) -> bool: ...

    @property
    def error(self) -> int:
        """Of its best set, in the dataset's units."""

def indivisible(binarizer: Binarizer, options: dict) -> str | None:
    """Why such a search is not divided; None where it can be."""

def plan_search(binarizer: Binarizer, dataset: Dataset, options: dict, num_parts: int, callback: object | None) -> Plan | None:
    """Divide a search; None where a limit came first."""

def search_part(binarizer: Binarizer, dataset: Dataset, options: dict, plan: Plan, part: int, resume: Part | None, best: Part | None) -> Part:
    """
    Search one part, from where `resume` stands; `best` is the part that has found the best set so far.
    """

def learn_merged(binarizer: Binarizer, dataset: Dataset, options: dict, plan: Plan, parts: Sequence[Part], callback: object | None, keep: bool = False) -> Outcome:
    """
    As learn, with these parts in place of the search; it searches what is missing.
    """

def learn_shards(binarizer: Binarizer, frame: Dataset, count: int, open: object, options: dict, callback: object | None, keep: bool = False) -> tuple[Outcome, Dataset]:
    """
    As learn, from rows in parts: open(i) gives part i, several times; frame has their tests and classes. Also the rows added up that agree on the features found.
    """

class Encoded:
    """A table as a formula."""

    @property
    def model(self) -> str: ...

    @property
    def depth(self) -> int: ...

    @property
    def maxsat(self) -> bool: ...

    @property
    def num_vars(self) -> int: ...

    @property
    def base_errors(self) -> int: ...

    def hard(self) -> list[list[int]]: ...

    def soft(self) -> list[list[int]]: ...

    def weights(self) -> list[int]: ...

    def names(self) -> list[tuple[int, str]]: ...

    def dimacs(self) -> str: ...

    def decode(self, literals: Sequence[int]) -> tuple[TruthTable | None, Diagram, int, int]:
        """
        (table or None, diagram, cost of the soft clauses, weight of the rows that are wrong).
        """

def encode(dataset: Dataset, model: str, depth: int, maxsat: bool | None) -> Encoded:
    """The clauses of a model."""
