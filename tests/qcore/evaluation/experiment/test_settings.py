"""The settings of an experiment: what is written to TOML is read again, and what is not known is named with the nearest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qcore import CLASSIFIERS, QUANTIFIERS, InvalidInput
from qcore.evaluation.experiment import EXPERIMENTS, ExperimentSettings, Pair, Problem, Sampling
from qcore.evaluation.experiment.settings import FEATURES, GIVEN, SAMPLINGS

words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
problems = st.builds(Problem, words.map(lambda word: f"folder:x{word}"), words, st.sampled_from(FEATURES))
pairs = st.builds(Pair, st.sampled_from(list(CLASSIFIERS)), st.sampled_from(list(QUANTIFIERS)), words)
own = st.builds(
    Pair, st.just("logistic regression"), st.just("qcore.quantifiers:MedianSweep"), words,
    st.dictionaries(st.sampled_from(["a", "b"]), st.one_of(st.booleans(), st.integers(-9, 9), st.floats(-9, 9), words)),
)  # fmt: skip
samplings = st.builds(
    Sampling, st.sampled_from([one for one in SAMPLINGS if one != GIVEN]),
    st.lists(st.integers(1, 500), min_size=1, max_size=3), st.integers(2, 101),
    st.integers(1, 9), st.integers(2, 10), st.floats(0.1, 9), st.floats(0.1, 9),
)  # fmt: skip
settings = st.builds(
    ExperimentSettings, words, st.lists(problems, min_size=1, max_size=3, unique_by=lambda one: one.name),
    st.lists(st.one_of(pairs, own), min_size=1, max_size=3, unique_by=lambda one: one.label), samplings, st.integers(1, 5),
    st.floats(0.1, 0.9), st.lists(st.integers(4, 900), max_size=2), st.lists(st.floats(0.01, 0.99), max_size=2),
    st.integers(0, 99),
)  # fmt: skip


@given(settings)
def test_toml_gives_the_same_settings(made):
    assert ExperimentSettings.from_toml(made.to_toml()) == made


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_preset_reads_from_its_toml(name):
    assert ExperimentSettings.from_toml(EXPERIMENTS[name].to_toml()) == EXPERIMENTS[name]


GOOD = 'name = "x"\n[[problems]]\ndata = "iris"\n[[pairs]]\nclassifier = "KNN"\nquantifier = "AC"\n'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (GOOD.replace('"KNN"', '"logistic regresion"'), "Did you mean logistic regression?"),
        (GOOD.replace(chr(34) + "AC" + chr(34), chr(34) + "DyS-PSS" + chr(34)), "Did you mean DyS-PS?"),
        (GOOD.replace("quantifier", "quantifer"), "Did you mean quantifier?"),
        ("sed = 3\n" + GOOD, "Did you mean seed?"),
        (GOOD + '[sampling]\nprotocol = "stratified fold"\n', "Did you mean stratified folds?"),
        (GOOD + "[sampling]\nfolds = 1\n", "folds must be a whole number of at least 2"),
        (GOOD + '[sampling]\nsizes = ["a"]\n', "a sample size must be a whole number"),
        (GOOD + '[[pairs]]\nclassifier = "KNN"\nquantifier = "AC"\n', "each with a name of its own"),
        (GOOD + "[pairs.parameters]\nx = 1\n", "parameters must be those of a quantifier given as a class"),
        ("name = [", "settings must be TOML"),
        ('name = "x"\n', "settings must name problems"),
        (GOOD.replace("[[problems]]", "[problems]"), "problems must be tables"),
        (GOOD.replace('quantifier = "AC"', ""), "pairs must name quantifier"),
        (GOOD.replace('data = "iris"', 'positive = "x"'), "problems must name data"),
        (GOOD.replace('data = "iris"', "data = 5"), "data must be text"),
        (GOOD.replace('quantifier = "AC"', "quantifier = 5"), "quantifier must be text"),
        (GOOD + "[sampling]\nsizes = 100\n", "sizes must be a list"),
        (GOOD + "[sampling]\nprotocol = 5\n", "protocol must be text"),
        (GOOD + "[sampling]\na = -1.0\n", "a must be a number above 0"),
        ("training_sizes = 5\n" + GOOD, "training_sizes must be a list"),
        (GOOD.replace('name = "x"', "name = 5"), "name must be text"),
        ("draws = 0\n" + GOOD, "draws must be a whole number"),
        ("training_prevalences = [2.0]\n" + GOOD, "a training prevalence must be a number"),
    ],
)
def test_what_is_not_known_is_one_sentence(text, sentence):
    assert ExperimentSettings.from_toml(GOOD).seed == 0
    with pytest.raises(InvalidInput, match=sentence.replace("?", r"\?")):
        ExperimentSettings.from_toml(text)
