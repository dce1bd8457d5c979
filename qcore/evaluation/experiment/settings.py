"""The settings of an experiment: one frozen object, which reads from and writes to TOML."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, field, fields
from typing import Any, Final, Self

from qcore._base.validation import (
    InvalidInput,
    check_choice,
    check_fraction,
    check_integer,
    check_positive,
    check_seed,
    optional_package,
)
from qcore.classifiers import CLASSIFIERS
from qcore.datasets import DatasetReference
from qcore.datasets.sample_folder import SOURCE
from qcore.losses import LOSSES, ORDERED_LOSSES
from qcore.protocols import (
    ArtificialPrevalence,
    BetaPrevalence,
    NaturalPrevalence,
    SamplingProtocol,
    SimplexPrevalence,
    UniformPrevalence,
    largest_grid,
)
from qcore.quantifiers import NAMED_QUANTIFIERS, QUANTIFIERS
from qcore.scoring.calibration import CALIBRATIONS

FOLDS, GIVEN = "stratified folds", "given samples"
GIVEN_SCORES = "given scores"
"""In place of a classifier, where the tables hold scores."""
ALL_CLASSES = "(all classes)"
"""What the name of a problem of all classes ends with."""
FEATURES = ("standardised", "as they are", "deviation 0.5")
COMPARED = {key: loss for key, loss in {**LOSSES, **ORDERED_LOSSES}.items() if not loss.signed}
UNSIGNED = tuple(COMPARED)
"""Losses by which methods can be ranked; for a signed loss, the lowest value is not the best."""
_MOST_SAMPLES = 10_000
"""Of several classes, APP has the largest grid, up to its own, that gives no more samples."""


def _check_texts(settings: object, *names: str) -> None:
    for name in names:
        value = getattr(settings, name)
        if not isinstance(value, str):
            raise InvalidInput(name, "be text", repr(value)[:40], f"Write {name} in quotes.")


def _check_list(settings: object, name: str) -> None:
    value = getattr(settings, name)
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InvalidInput(name, "be a list", repr(value)[:40], "Write it in brackets.")
    object.__setattr__(settings, name, tuple(value))


def is_user_class(word: str) -> bool:
    """Whether a word names a user's own class, as package.module:Class."""
    return ":" in word


@dataclass(frozen=True)
class Problem:
    """A problem: one class of a data set against the rest, or all of its classes.

    Attributes
    ----------
    data : reference to the data set, as `load_dataset` takes it.
    positive : the class against the rest; empty for the data set's default.
    features : how features are scaled, one of FEATURES.
    all_classes : whether all classes are estimated at once.
    order : the classes in their order, lowest first, if they have one: NMD and RNOD need it. Only with `all_classes`.
    are_scores : whether its table, or those of its folder of samples, hold scores of a classifier of the user's own, as
        `as_given_scores` reads them. Then all problems do, and the pairs have the classifier GIVEN_SCORES.

    Examples
    --------
    >>> Problem("iris", "setosa").name
    'iris setosa'
    """

    data: str
    positive: str = ""
    features: str = "standardised"
    all_classes: bool = False
    order: tuple[str, ...] = ()
    are_scores: bool = False

    def __post_init__(self) -> None:
        _check_texts(self, "data", "positive", "features")
        _check_list(self, "order")
        DatasetReference.parse(self.data)
        check_choice("features", self.features, FEATURES)
        for name in ("all_classes", "are_scores"):
            value = getattr(self, name)
            if not isinstance(value, bool):
                raise InvalidInput(name, "be true or false", repr(value)[:40], f"Write {name} = true.")
        if self.are_scores and self.features != FEATURES[0]:
            hint = "Scores are taken as they are: leave it out."
            raise InvalidInput("features", "be left out with are_scores", repr(self.features), hint)
        if self.all_classes and self.positive:
            hint = "Leave one of them out, or write two problems."
            raise InvalidInput("positive", "be left out with all_classes", repr(self.positive), hint)
        if self.order and not self.all_classes:
            hint = "Write all_classes = true, too."
            raise InvalidInput("order", "be given with all_classes", ", ".join(map(str, self.order))[:40], hint)

    @property
    def name(self) -> str:
        """The problem's name in results."""
        return f"{self.data} {ALL_CLASSES if self.all_classes else self.positive}".strip()


@dataclass(frozen=True)
class Pair:
    """A method: a classifier with a quantifier.

    Attributes
    ----------
    classifier, quantifier : keys of CLASSIFIERS and QUANTIFIERS, or the user's own classes as package.module:Class; where the
        tables hold scores, GIVEN_SCORES in place of a classifier.
    name : name in results; if empty, the quantifier's name, with the classifier's unless it is logistic regression, and the
        calibration.
    parameters : parameters of the user's own quantifier.
    classifier_parameters : parameters of the classifier, instead of its registered ones.
    calibration : a key of CALIBRATIONS; empty: posteriors are calibrated only where a classifier gives none. Not for problems
        of all classes.

    Examples
    --------
    >>> Pair("random forest", "EMQ").label
    'EMQ (random forest)'
    """

    classifier: str
    quantifier: str
    name: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    classifier_parameters: Mapping[str, Any] = field(default_factory=dict)
    calibration: str = ""

    def __post_init__(self) -> None:
        _check_texts(self, "classifier", "quantifier", "name", "calibration")
        if self.calibration:
            check_choice("calibration", self.calibration, CALIBRATIONS)
        for name in ("parameters", "classifier_parameters"):
            value = getattr(self, name)
            if not isinstance(value, Mapping):
                raise InvalidInput(name, "be a table", repr(value)[:40], f"Write [pairs.{name}].")
        self._check_quantifier()
        if not is_user_class(self.classifier):
            check_choice("classifier", self.classifier, (*CLASSIFIERS, GIVEN_SCORES))
            for name in self.classifier_parameters:
                if self.classifier == GIVEN_SCORES:
                    hint = "No classifier is trained."
                    raise InvalidInput("classifier_parameters", f"be left out with {GIVEN_SCORES}", repr(name), hint)
                known = CLASSIFIERS[self.classifier].make(0, 100).get_params()
                check_choice(f"parameter of {self.classifier}", name, known)

    def _check_quantifier(self) -> None:
        if is_user_class(self.quantifier):
            return
        if named := NAMED_QUANTIFIERS.get(self.quantifier):
            hint = f'Write classifier = "{named.classifier}", quantifier = "{named.quantifier}".'
            if self.classifier == GIVEN_SCORES:
                hint = f"It learns from features, as classifier = {named.classifier!r}: take it where the tables hold features."
            raise InvalidInput("quantifier", "be one that aggregates scores", repr(self.quantifier), hint)
        check_choice("quantifier", self.quantifier, QUANTIFIERS)
        if self.parameters:
            hint = "Write its class, such as qcore.quantifiers:MedianSweep."
            raise InvalidInput("parameters", "be those of a quantifier given as a class", repr(self.quantifier), hint)

    @property
    def label(self) -> str:
        """The method's name in results."""
        words = ["" if self.classifier in ("logistic regression", GIVEN_SCORES) else self.classifier, self.calibration]
        added = ", ".join(filter(None, words))
        return self.name or f"{self.quantifier}{f' ({added})' if added else ''}"


@dataclass(frozen=True)
class Sampling:
    """Which samples are drawn.

    Attributes
    ----------
    protocol : "stratified folds" (Barranquero 2013, 4.1: the largest sample at each prevalence of each fold), or APP, UPP, NPP
        or Beta of the registry PROTOCOLS, from a pool: the part of the data set that is not in the training part; or "given
        samples", of problems whose data are folders of samples. Problems of all classes take APP, UPP, NPP or given samples.
    sizes : sample sizes; those that a pool cannot give are left out. With folds, samples are as large as possible.
    grid : number of equally spaced prevalences, for folds (11 in the thesis) and for APP.
    repeats : samples at each prevalence of APP; the other protocols draw 100 x repeats samples.
    folds : number of folds of the cross-validation.
    a, b : parameters of the Beta density, whose mean is a / (a + b).
    part : of given samples "dev" or "test"; empty for the first that is there, test before dev.

    Examples
    --------
    >>> Sampling("UPP", sizes=(50, 100)).has_several_sizes
    True
    """

    protocol: str = FOLDS
    sizes: tuple[int, ...] = (100,)
    grid: int = 11
    repeats: int = 10
    folds: int = 10
    a: float = 1.0
    b: float = 5.0
    part: str = ""

    def __post_init__(self) -> None:
        _check_texts(self, "protocol", "part")
        _check_list(self, "sizes")
        check_positive("a", self.a)
        check_positive("b", self.b)
        check_choice("protocol", self.protocol, SAMPLINGS)
        for name, low in (("grid", 2), ("repeats", 1), ("folds", 2)):
            check_integer(name, getattr(self, name), low=low)
        if not self.sizes:
            raise InvalidInput("sizes", "name a sample size", "none", "Write for example [100].")
        for size in self.sizes:
            check_integer("a sample size", size, low=1)

    @property
    def has_random_prevalences(self) -> bool:
        """Whether the prevalences of the samples are drawn, and not those of a grid."""
        return self.protocol not in (FOLDS, "APP")

    @property
    def has_several_sizes(self) -> bool:
        """Whether samples of several sizes are drawn; with folds, they are as large as possible."""
        return self.protocol in _PROTOCOLS and len(self.sizes) > 1

    @property
    def takes_all_classes(self) -> bool:
        """Whether problems of all classes can be sampled by it."""
        return self.protocol in (GIVEN, "APP", "UPP", "NPP")

    def protocol_of(self, size: int, n_classes: int = 2) -> SamplingProtocol:
        """The protocol that draws samples of a size from a pool; with folds and given samples, there is none."""
        if self.protocol == "APP" and n_classes > 2:
            most = largest_grid(max(_MOST_SAMPLES, n_classes * self.repeats), n_classes, self.repeats)
            return SimplexPrevalence(min(self.grid, most), size, self.repeats)
        return _PROTOCOLS[self.protocol](self, size)


_PROTOCOLS: Final[Mapping[str, Callable[[Sampling, int], SamplingProtocol]]] = {
    "APP": lambda sampling, size: ArtificialPrevalence(sampling.grid, size, sampling.repeats),
    "UPP": lambda sampling, size: UniformPrevalence(100 * sampling.repeats, size),
    "NPP": lambda sampling, size: NaturalPrevalence(100 * sampling.repeats, size),
    "Beta": lambda sampling, size: BetaPrevalence(sampling.a, sampling.b, 100 * sampling.repeats, size),
}
SAMPLINGS = (FOLDS, *_PROTOCOLS, GIVEN)
"""The protocols that an experiment can use."""


@dataclass(frozen=True)
class ExperimentSettings:
    """The settings of an experiment: problems x methods, how samples are drawn, and the seed.

    Attributes
    ----------
    name : name of the experiment.
    problems, pairs, sampling : see Problem, Pair and Sampling.
    draws : number of random splits of each data set; with folds, each fold is a draw.
    training_share : share of the data set in the training part of a split.
    training_sizes : numbers of training instances, drawn from the training part; empty to use all of it.
    training_prevalences : shares of positives in the training part, by under-sampling; empty to keep the share as found. Not
        with problems of all classes.
    seed : seed of all random draws.
    losses : what the results are summed up by, the first one first; others can be chosen when they are read.

    Raises
    ------
    InvalidInput
        An unknown name, with the nearest known one; a value out of range; two methods or problems with the same name.

    Examples
    --------
    >>> settings = ExperimentSettings("try", (Problem("iris"), Problem("wine")), (Pair("logistic regression", "AC"),))
    >>> ExperimentSettings.from_toml(settings.to_toml()) == settings
    True
    """

    name: str
    problems: tuple[Problem, ...]
    pairs: tuple[Pair, ...]
    sampling: Sampling = Sampling()
    draws: int = 1
    training_share: float = 0.5
    training_sizes: tuple[int, ...] = ()
    training_prevalences: tuple[float, ...] = ()
    seed: int = 0
    losses: tuple[str, ...] = ("AE",)

    def __post_init__(self) -> None:
        _check_texts(self, "name")
        for name in ("problems", "pairs", "training_sizes", "training_prevalences", "losses"):
            _check_list(self, name)
        for name, names in (("problems", self.problem_names), ("pairs", self.methods)):
            if not names or len(set(names)) < len(names):
                value = "none" if not names else ", ".join(sorted(one for one in set(names) if names.count(one) > 1))
                raise InvalidInput(name, "be at least one, each with a name of its own", value, "Give each its own name.")
        check_integer("draws", self.draws, low=1)
        check_seed(self.seed)
        check_fraction("training_share", self.training_share, low=0.02, high=0.98)
        for size in self.training_sizes:
            check_integer("a training size", size, low=4)
        for prevalence in self.training_prevalences:
            check_fraction("a training prevalence", prevalence, low=0.01, high=0.99)
        for loss in self.losses or ("",):
            check_choice("loss", loss, COMPARED)
        self._check_all_classes()
        self._check_given()
        self._check_scores()

    def _check_all_classes(self) -> None:
        if not (several := [problem for problem in self.problems if problem.all_classes]):
            return
        if not self.sampling.takes_all_classes:
            rule = f"be APP, UPP, NPP or {GIVEN} for all classes of {several[0].data}"
            raise InvalidInput("protocol", rule, repr(self.sampling.protocol), 'Write for example protocol = "UPP".')
        for name, given in (("training_prevalences", self.training_prevalences), ("calibration", self._calibrations)):
            if given:
                rule, hint = "be left out where all classes are estimated", "Name a positive class, or leave it out."
                raise InvalidInput(name, rule, ", ".join(map(str, given)), hint)

    @property
    def _calibrations(self) -> list[str]:
        return [pair.calibration for pair in self.pairs if pair.calibration]

    def _check_given(self) -> None:
        if self.sampling.protocol != GIVEN:
            return
        for problem in self.problems:
            if DatasetReference.parse(problem.data).source != SOURCE:
                hint = "Put the folder into the data folder, or choose another protocol."
                raise InvalidInput(f"data of {GIVEN}", f"be a folder of samples, such as {SOURCE}:T1A", problem.data, hint)
            if problem.features == FEATURES[2]:
                hint = "Samples are scored one by one: leave it out."
                raise InvalidInput(f"features of {GIVEN}", f"be {FEATURES[0]} or {FEATURES[1]}", repr(problem.features), hint)

    def _check_scores(self) -> None:
        scored = [problem.name for problem in self.problems if problem.are_scores]
        trained = [pair for pair in self.pairs if pair.classifier != GIVEN_SCORES]
        if not scored:
            if len(trained) < len(self.pairs):
                rule, hint = "be one that can be trained where the tables hold features", "Or write are_scores = true."
                raise InvalidInput("classifier", rule, repr(GIVEN_SCORES), hint)
            return
        if len(scored) < len(self.problems):
            others = ", ".join(name for name in self.problem_names if name not in scored)
            hint = "Make two experiments of them."
            raise InvalidInput("problems", "all hold scores, or none", f"scores in {', '.join(scored)}, none in {others}", hint)
        if trained:
            rule = f"be {GIVEN_SCORES!r} where the tables hold scores, from which no classifier can be trained"
            hint = f'Write classifier = "{GIVEN_SCORES}".'
            raise InvalidInput(f"the classifier of {trained[0].label}", rule, repr(trained[0].classifier), hint)
        for name in ("training_sizes", "training_prevalences"):
            if value := getattr(self, name):
                hint = "Trained on other instances, the classifier would give other scores."
                raise InvalidInput(name, f"be left out with {GIVEN_SCORES}", ", ".join(map(str, value)), hint)

    @property
    def problem_names(self) -> list[str]:
        """Names of the problems, as in the results."""
        return [problem.name for problem in self.problems]

    @property
    def user_classes(self) -> list[str]:
        """The Python classes of the user's own that it names."""
        return [word for pair in self.pairs for word in (pair.classifier, pair.quantifier) if is_user_class(word)]

    def check_no_user_class(self) -> None:
        """Raise InvalidInput where a Python class of the user's own is named: what somebody sends must not import code."""
        if own := self.user_classes:
            hint = "Run it with python -m qcore experiment, where the class is."
            raise InvalidInput("the settings", "name no Python class of your own", repr(own[0]), hint)

    @property
    def several_classes(self) -> list[str]:
        """Names of the problems of all classes: their losses are means over all prevalences."""
        return [problem.name for problem in self.problems if problem.all_classes]

    @property
    def ranking_losses(self) -> tuple[str, ...]:
        """Losses by which the methods can be ranked: those of ordered classes only where problems of all classes have an order.

        For one class against the rest these are the absolute error, and left out.
        """
        orders = [bool(problem.order) for problem in self.problems if problem.all_classes]
        return tuple(key for key in COMPARED if key in LOSSES or (orders and all(orders)))

    @property
    def methods(self) -> list[str]:
        """Names of the pairs, as in the results."""
        return [pair.label for pair in self.pairs]

    def to_toml(self) -> str:
        """The settings as TOML, which `from_toml` reads."""
        writer = optional_package("tomli_w", "keep an experiment's settings", '"quantification-lab[experiments]"')
        text: str = writer.dumps(_plain(asdict(self)))
        return text

    @classmethod
    def from_toml(cls, text: str) -> Self:
        """Settings from TOML. Raises InvalidInput for invalid TOML or an unknown name."""
        try:
            table = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise InvalidInput("settings", "be TOML", str(error)[:80], "docs/experiments.md shows an example.") from error
        for name in ("name", "problems", "pairs"):
            if name not in table:
                raise InvalidInput("settings", f"name {name}", ", ".join(table) or "nothing", "See docs/experiments.md.")
        made = {"problems": Problem, "pairs": Pair}
        values: dict[str, Any] = dict(_known(cls, "settings", table))
        for name, kind in made.items():
            if not isinstance(values[name], list):
                raise InvalidInput(name, "be tables", repr(values[name])[:40], f"Write [[{name}]] before each.")
            values[name] = tuple(_made(kind, name, row) for row in values[name])
        if "sampling" in values:
            values["sampling"] = _made(Sampling, "sampling", values["sampling"])
        return cls(**values)


def _known(kind: type, where: str, table: object) -> dict[str, Any]:
    if not isinstance(table, dict):
        raise InvalidInput(where, "be a table", repr(table)[:60], "See docs/experiments.md.")
    known, at_the_top = ([one.name for one in fields(of)] for of in (kind, ExperimentSettings))
    for name in table:
        if name not in known and name in at_the_top and name != "name":
            hint = "It belongs to the whole experiment: write it above the first [table]."
            raise InvalidInput(f"name in {where}", "belong there", repr(name), hint)
        check_choice(f"name in {where}", name, known)
    return table


def _made(kind: type, where: str, table: object) -> Any:
    values = _known(kind, where, table)
    for one in fields(kind):
        if one.default is MISSING and one.default_factory is MISSING and one.name not in values:
            raise InvalidInput(where, f"name {one.name}", ", ".join(values) or "nothing", "docs/experiments.md has an example.")
    return kind(**values)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items() if part not in ({}, ())}
    return [_plain(part) for part in value] if isinstance(value, tuple | list) else value
