"""python -m qcore estimate: an unlabelled table, a labelled one, and an estimate with its interval."""

import json
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from qcore import (
    CLASSIFIERS,
    QUANTIFIERS,
    Dataset,
    InvalidInput,
    estimate_sample,
    load_dataset,
    read_dataset,
    score_sample,
    scores_dataset,
)
from qcore.__main__ import main
from qcore.datasets.folder import file_name
from qcore.scoring.sample_scores import (
    aligned,
    outside_training,
    unknown_sentence,
    unknown_values,
    unusable_sentence,
    unusable_values,
)
from tests.browser.server import ROOT


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Waveform: 600 labelled instances, and 500 others without labels, 60% of them of class 0."""
    folder = tmp_path_factory.mktemp("files")
    data = load_dataset("waveform")
    rows = np.random.default_rng(0).permutation(len(data.labels))
    table = data.features.assign(y=data.labels).iloc[rows].reset_index(drop=True)
    table[:600].to_csv(folder / "train.csv", index=False)
    rest = table[600:]
    sample = pd.concat([rest[rest.y == "0"][:300], rest[rest.y != "0"][:200]]).drop(columns="y")
    sample[sample.columns[::-1]].assign(name="x").to_csv(folder / "sample.csv", index=False, sep=";")
    return folder


def words(files, *more):
    return ["estimate", str(files / "train.csv"), str(files / "sample.csv"), "--label", "y", "--positive", "0", *more]


def test_help_lists_what_can_be_chosen(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["estimate", "--help"])
    said = "".join(capsys.readouterr().out.split())
    assert ",".join(QUANTIFIERS) in said
    assert ",".join(CLASSIFIERS).replace(" ", "") in said


@pytest.mark.parametrize(
    ("path", "called"),
    [
        ("-", "standard input"),
        ("/dev/stdin", "standard input"),
        ("/dev/fd/63", "pipe 63"),
        ("data/63", "63"),
        ("a/b.csv", "b.csv"),
    ],
)
def test_a_pipe_is_called_one(path, called):
    assert file_name(path) == called


def test_it_answers_with_intervals_that_hold_the_truth(files, capsys):
    assert main(words(files, "--json")) == 0
    result = json.loads(capsys.readouterr().out)
    assert [one["method"] for one in result["estimates"]] == ["AC", "PACC", "EMQ"]
    assert all(one["low"] <= 0.6 <= one["high"] for one in result["estimates"])
    assert result["mixture"]["p_value"] > 0.05


def test_it_says_what_the_functions_say(files, capsys):
    assert main(words(files, "--method", "PACC", "--seed", "3", "--classifier", "Gaussian naive Bayes", "--json")) == 0
    (text,) = json.loads(capsys.readouterr().out)["estimates"]
    data, sample = read_dataset(files / "train.csv", "y"), pd.read_csv(files / "sample.csv", sep=";")
    scored = score_sample(data, sample, "0", "Gaussian naive Bayes", seed=3)
    (row,) = estimate_sample(*scored, ["PACC"], seed=3).table.to_dict("records")
    assert text == row


def test_it_speaks_plainly(files):
    command = [sys.executable, "-m", "qcore", *words(files, "--method", "AC")]
    text = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "Share of '0' in" in text
    assert "500 instances, with 95% intervals" in text
    assert "(Lang-Reiczigel)" in text
    assert "tpr 0." in text


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("--label", "z"), "label must be a column"), (("--positive", "9"), "positive must be a class"),
        (("--level", "2"), "level must be"),
        (("--seed", "-1"), "seed must be a whole number from 0 to"),
        (("--seed", "99999999999"), "seed must be a whole number from 0 to"),
        (("--score", "x1"), "score column 'x1' must hold numbers from 0 to 1"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence(files, capsys, change, sentence):
    assert main(words(files, *change)) == 2
    assert sentence in capsys.readouterr().err


def test_scores_of_a_classifier_of_ones_own_need_no_features(tmp_path, capsys):
    rng = np.random.default_rng(1)
    labels = np.repeat(["ill", "well"], 200)
    scores = np.clip(rng.normal(np.where(labels == "ill", 0.7, 0.3), 0.2), 0.0, 1.0)
    pd.DataFrame({"p": scores, "truth": labels}).to_csv(tmp_path / "labelled.csv", index=False)
    pd.DataFrame({"p": scores[140:260]}).to_csv(tmp_path / "sample.csv", index=False)
    files = [str(tmp_path / "labelled.csv"), str(tmp_path / "sample.csv")]
    assert main(["estimate", *files, "--label", "truth", "--score", "p", "--method", "PACC", "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["estimates"]
    assert result["low"] < 0.5 < result["high"]


def test_the_named_column_of_scores_is_used_whatever_else_the_sample_holds(tmp_path, capsys):
    rng = np.random.default_rng(2)
    labels = np.repeat(["ill", "well"], 200)
    scores = np.clip(rng.normal(np.where(labels == "ill", 0.7, 0.3), 0.2), 0.0, 1.0)
    pd.DataFrame({"p": scores, "truth": labels}).to_csv(tmp_path / "labelled.csv", index=False)
    sample = pd.DataFrame({"score": 0.9, "age": 40, "p": scores[150:260]})
    command = ["estimate", str(tmp_path / "labelled.csv"), str(tmp_path / "sample.csv"), "--label", "truth", "--score", "p"]
    answers = []
    for table in (sample, sample[["p"]]):
        table.to_csv(tmp_path / "sample.csv", index=False)
        assert main([*command, "--json"]) == 0
        answers.append(capsys.readouterr().out)
    assert answers[0] == answers[1]
    sample[["score"]].to_csv(tmp_path / "sample.csv", index=False)
    assert main(command) == 2
    assert "have the column 'p'" in capsys.readouterr().err


def test_values_that_are_no_numbers_are_said(files, capsys):
    sample = pd.read_csv(files / "sample.csv", sep=";").astype({"x1": object})
    sample.loc[:2, "x1"] = "n.n."
    sample.to_csv(files / "odd.csv", index=False)
    command = ["estimate", str(files / "train.csv"), str(files / "odd.csv"), "--label", "y", "--positive", "0"]
    assert main([*command, "--method", "AC"]) == 0
    assert "Not a finite number, so the median of the labelled data is taken: 3 in x1." in capsys.readouterr().err


def test_words_that_are_numbers_are_the_same_words_beside_an_empty_cell(tmp_path):
    zones = pd.DataFrame({"zone": ["1", "2"] * 20, "u": np.arange(40.0), "y": ["a", "b", "b", "a"] * 10})
    zones.to_csv(tmp_path / "zones.csv", index=False)
    data = read_dataset(tmp_path / "zones.csv", "y", as_text=["zone"])
    sample = pd.read_csv(tmp_path / "zones.csv").drop(columns="y").head(4)
    assert aligned(sample, data).zone.tolist() == ["1", "2", "1", "2"]
    sample.loc[0, "zone"] = None
    assert aligned(sample, data).zone.tolist() == ["missing", "2", "1", "2"]
    assert unknown_values(sample, data) == {"zone": 1}
    assert aligned(pd.DataFrame({"zone": [True, None], "u": 0.0}), data).zone.tolist() == ["True", "missing"], "no number 1"
    decimals = pd.DataFrame({"zone": ["1.0", "2.5", "x"] * 2, "u": np.arange(6.0), "y": ["a", "b"] * 3})
    known = Dataset.from_frame(decimals, "y")
    assert aligned(pd.DataFrame({"zone": [1, 2.5, 3], "u": 0.0}), known).zone.tolist() == ["1.0", "2.5", "3"]


def test_values_that_no_labelled_instance_has_are_said(tmp_path, capsys):
    colours = pd.DataFrame({"colour": ["Red", "blue"] * 20, "u": np.arange(40.0), "y": ["a", "b", "b", "a"] * 10})
    colours.loc[0, "u"] = np.nan
    colours.to_csv(tmp_path / "train.csv", index=False)
    colours.drop(columns="y").replace("Red", "red").to_csv(tmp_path / "sample.csv", index=False)
    assert main(["estimate", str(tmp_path / "train.csv"), str(tmp_path / "sample.csv"), "--method", "AC"]) == 0
    said = capsys.readouterr().err
    assert "Values that the labelled data do not have: 20 of colour." in said
    assert "1 value is missing" in said, "what is said of the data set"
    assert "Of the sample, 1 number is missing, and filled alike." in said
    assert unknown_sentence({}) == ""
    assert "1 of c4 and 3 features more." in unknown_sentence({f"c{i}": 1 for i in range(8)})


def test_scores_without_a_named_label_take_the_usual_column(tmp_path, capsys):
    pd.DataFrame({"s": np.linspace(0.0, 1.0, 40), "y": ["n"] * 18 + ["p"] * 22}).to_csv(tmp_path / "train.csv", index=False)
    pd.DataFrame({"s": np.linspace(0.1, 0.9, 30)}).to_csv(tmp_path / "sample.csv", index=False)
    assert main(["estimate", str(tmp_path / "train.csv"), str(tmp_path / "sample.csv"), "--score", "s", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["positive"] == "p"


def test_the_usual_label_counts_in_the_sample_too(tmp_path, capsys):
    rng = np.random.default_rng(3)
    labels = np.repeat(["n", "p"], 200)
    scores = np.clip(rng.normal(np.where(labels == "p", 0.7, 0.3), 0.2), 0.0, 1.0)
    pd.DataFrame({"s": scores, "y": labels}).to_csv(tmp_path / "train.csv", index=False)
    pd.DataFrame({"s": scores[150:], "y": np.where(rng.random(250) < 0.4, labels[150:], None)}).to_csv(
        tmp_path / "sample.csv", index=False
    )
    command = ["estimate", str(tmp_path / "train.csv"), str(tmp_path / "sample.csv"), "--score", "s", "--shift", "--json"]
    answers = []
    for more in ([], ["--label", "y"]):
        assert main([*command, *more]) == 0
        answers.append(capsys.readouterr().out)
    assert answers[0] == answers[1]


def test_who_has_read_enough_of_the_output_sees_no_fault(monkeypatch, files):
    def closed(*_arguments, **_how):
        raise BrokenPipeError

    monkeypatch.setattr("builtins.print", closed)
    assert main(words(files, "--method", "CC")) == 141


def test_a_fault_of_the_program_has_a_status_of_its_own(tmp_path, capsys, monkeypatch):
    """1 says of `watch` that the share has moved."""

    def broken(_path, **_how):
        raise RuntimeError("broken")

    monkeypatch.setattr("qcore.watching.watch_command.read_file", broken)
    assert main(["watch", str(tmp_path / "days.csv"), "--baseline", "1"]) == 3
    assert "RuntimeError: broken" in capsys.readouterr().err


def test_a_class_that_was_hardly_labelled_is_said(tmp_path, capsys):
    pd.DataFrame({"p": [0.9, 0.8, *np.linspace(0.05, 0.4, 40)], "y": [1, 1, *[0] * 40]}).to_csv(
        tmp_path / "few.csv", index=False
    )
    pd.DataFrame({"p": np.linspace(0.05, 0.95, 60)}).to_csv(tmp_path / "sample.csv", index=False)
    command = ["estimate", str(tmp_path / "few.csv"), str(tmp_path / "sample.csv"), "--label", "y", "--positive", "1"]
    assert main([*command, "--score", "p"]) == 0
    assert (
        "Only 2 labelled positives: tpr is hardly known. Default intervals are widened; others may be too short."
        in capsys.readouterr().out
    )


def test_a_column_that_numbers_the_rows_is_named(files, capsys):
    table = pd.read_csv(files / "train.csv")
    table.assign(customer_id=np.arange(1000, 1000 + len(table))).to_csv(files / "numbered.csv", index=False)
    sample = pd.read_csv(files / "sample.csv", sep=";")
    sample.assign(customer_id=np.arange(9000, 9000 + len(sample))).to_csv(files / "numbered-sample.csv", index=False)
    command = ["estimate", str(files / "numbered.csv"), str(files / "numbered-sample.csv"), "--label", "y", "--positive", "0"]
    assert main([*command, "--method", "AC"]) == 0
    said = capsys.readouterr()
    assert "Left out: customer_id (it seems to number or name the rows)." in said.err
    assert main([*command, "--method", "AC", "--leave-out", "customer_id"]) == 0
    assert capsys.readouterr().out == said.out
    assert main([*command, "--method", "AC", "--keep", "customer_id"]) == 0
    kept = capsys.readouterr()
    assert kept.out != said.out
    assert "customer_id" not in kept.err


def test_dates_are_said_to_be_no_feature(files, capsys):
    train, sample = pd.read_csv(files / "train.csv"), pd.read_csv(files / "sample.csv", sep=";")
    for frame, month, name in ((train, 1, "dated.csv"), (sample, 2, "dated-sample.csv")):
        frame.assign(day=[f"2025-0{month}-{1 + i % 28:02d}" for i in range(len(frame))]).to_csv(files / name, index=False)
    command = ["estimate", str(files / "dated.csv"), str(files / "dated-sample.csv"), "--label", "y", "--positive", "0"]
    assert main([*command, "--method", "AC"]) == 0
    assert "Left out: day (dates, which a later sample does not repeat)." in capsys.readouterr().err


def test_a_file_that_is_not_there_is_one_sentence(files, capsys):
    assert main(["estimate", str(files / "none.csv"), str(files / "sample.csv")]) == 2
    assert "must be a file" in capsys.readouterr().err


class TestScoreSample:
    data = load_dataset("tictactoe")

    def test_columns_may_stand_in_any_order_with_others_beside_them(self):
        sample = self.data.features[:50]
        shuffled = sample[sample.columns[::-1]].assign(more=1)
        one, two = (score_sample(self.data, table, "x wins", seed=1) for table in (sample, shuffled))
        assert one.sample.tolist() == two.sample.tolist()
        assert len(one.training_scores) == len(self.data.labels)

    def test_training_scores_are_out_of_fold(self):
        data = load_dataset("iris")
        result = score_sample(data, data.features + 1e-9, "versicolor", "k nearest neighbours")
        assert not np.allclose(result.training_scores, result.sample)
        repeated = score_sample(data, data.features, "versicolor", "k nearest neighbours")
        assert np.allclose(repeated.training_scores, repeated.sample), "the rows are training rows"

    @pytest.mark.parametrize(
        ("table", "sentence"),
        [
            (lambda features: features[:0], "have a row"),
            (lambda features: features.drop(columns=list(features)[:2]), "none called"),
        ],
    )
    def test_a_sample_that_does_not_fit_is_one_sentence(self, table, sentence):
        with pytest.raises(InvalidInput, match=sentence):
            score_sample(self.data, table(self.data.features), "x wins")

    def test_new_values_and_missing_ones_are_scored_and_counted(self):
        sample = self.data.features[:10].copy()
        sample.iloc[0, 0] = "?!"
        sample.iloc[1, 1] = None
        assert np.isfinite(score_sample(self.data, sample, "x wins").sample).all()
        beyond = outside_training(sample, self.data)
        assert beyond.any(axis=1).tolist() == [True, True, *[False] * 8]
        assert beyond.sum().tolist() == [1, 1, *[0] * 7]
        assert not outside_training(self.data.features, self.data).to_numpy().any()

    def test_given_scores_are_taken_as_they_are(self):
        table = pd.DataFrame({"p": [0.9, 0.7, 0.2, 0.1], "y": ["a", "a", "b", "b"]})
        data = scores_dataset(table, "y", "p")
        result = score_sample(data, pd.DataFrame({"id": list("xyz"), "p": [0.8, 0.3, 0.4]}), "a")
        assert result.sample.tolist() == [0.8, 0.3, 0.4]
        assert result.training_scores.tolist() == [0.9, 0.7, 0.2, 0.1]
        other = score_sample(data, pd.DataFrame({"p": [0.8]}), "b")
        assert other.sample == pytest.approx([0.2])
        # Another column of numbers is no reason to refuse, and none to be taken.
        assert score_sample(data, pd.DataFrame({"score": [0.9], "p": [0.1]}), "a").sample.tolist() == [0.1]

    @pytest.mark.parametrize(
        ("sample", "sentence"),
        [
            ({"score": [0.2, 0.3]}, "sample must have the column 'p', as the labelled scores have it, got 'score'"),
            ({"age": [20, 30], "name": ["x", "y"]}, "got 'age', 'name'"),
            ({"p": ["0.2", "high"]}, "hold numbers from 0 to 1, got 1 others, such as high"),
            ({"p": [0.2, None]}, "hold numbers from 0 to 1"),
            ({"p": [0.2, 1.0000001]}, r"values from 0\.2 to 1\.0000001"),
        ],
    )
    def test_no_other_column_is_taken_for_the_scores(self, sample, sentence):
        data = scores_dataset(pd.DataFrame({"p": [0.9, 0.7, 0.2, 0.1], "y": ["a", "a", "b", "b"]}), "y", "p")
        with pytest.raises(InvalidInput, match=sentence):
            score_sample(data, pd.DataFrame(sample), "a")

    def test_text_and_infinities_in_place_of_numbers_are_counted(self):
        data = load_dataset("iris")
        sample = data.features[:6].astype(object)
        sample.iloc[0, 0], sample.iloc[1, 0], sample.iloc[2, 1], sample.iloc[3, 2] = "tall", np.inf, -np.inf, None
        counts = unusable_values(sample, data)
        first, second, third = data.features.columns[:3]
        assert counts == {first: 2, second: 1, third: 1}, "what is missing in the sample alone counts, too"
        assert unusable_sentence(counts) == (
            f"Not a finite number, so the median of the labelled data is taken: 2 in {first}, 1 in {second}, 1 in {third}."
        )
        assert unusable_sentence(unusable_values(data.features, data)) == ""


@pytest.mark.parametrize("option", [["--population"], ["--prediction", "x"]])
def test_an_option_that_would_do_nothing_is_refused(files, capsys, option):
    assert main(words(files, *option)) == 2
    assert "must be given with --labelled-sample FILE" in capsys.readouterr().err


def test_options_of_two_tables_are_refused_beside_a_labelled_sample(tmp_path, capsys):
    path = tmp_path / "part.csv"
    pd.DataFrame({"prediction": ["yes", "no"] * 50, "label": ["yes", "no"] * 10 + [None] * 80}).to_csv(path, index=False)
    assert main(["estimate", "--labelled-sample", str(path)]) == 0
    for option in (["--method", "EMQ"], ["--shift"], ["--score", "z"], ["--seed", "9"], ["--keep", "z"]):
        assert main(["estimate", "--labelled-sample", str(path), *option]) == 2
        assert f"{option[0]} must be given with two tables" in capsys.readouterr().err


def test_tables_after_the_columns_to_leave_out_are_missed_by_name(files, capsys):
    assert main(["estimate", "--leave-out", "id", str(files / "train.csv"), str(files / "sample.csv")]) == 2
    assert "train.csv" in (error := capsys.readouterr().err)
    assert "put it last" in error


def test_a_missing_file_is_named_as_it_was_given(capsys):
    assert main(["watch", "no/such/file.csv"]) == 2
    assert "'no/such/file.csv'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("prediction", "label", "sentence"),
    [
        (["yes", None, "no", "no"], ["yes", None, "no", None], "none in row 2"),
        ([0, 1, 0, 1], ["no", "yes", None, None], "got no, yes beside 0, 1"),
    ],
)
def test_columns_that_are_called_so_are_tried_where_none_fits(tmp_path, capsys, prediction, label, sentence):
    path = tmp_path / "part.csv"
    pd.DataFrame({"prediction": prediction, "label": label}).to_csv(path, index=False)
    assert main(["estimate", "--labelled-sample", str(path)]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.filterwarnings("error")
def test_a_sample_that_is_labelled_as_a_whole(tmp_path, capsys):
    path = tmp_path / "all.csv"
    pd.DataFrame({"prediction": ["yes", "no"] * 50, "label": ["yes"] * 60 + ["no"] * 40}).to_csv(path, index=False)
    for more in ([], ["--population"]):
        assert main(["estimate", "--labelled-sample", str(path), *more]) == 0
        assert "60.0%" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("power", "spread", "why"),
    [(4, 1.0, "its scores are not probabilities"), (1, 0.02, "no mixture of the classes explains its scores")],
)
def test_what_the_classifier_does_is_unknown_and_why(tmp_path, capsys, power, spread, why):
    rng = np.random.default_rng(0)
    truth = rng.random(800) < 0.5
    logits = rng.normal(2 * truth - 1, 1) * np.where(np.arange(800) < 500, 1.0, spread)
    table = pd.DataFrame({"y": truth.astype(int), "score": (1 / (1 + np.exp(-2 * logits))) ** power})
    table[:500].to_csv(tmp_path / "train.csv", index=False)
    table[500:].drop(columns="y").to_csv(tmp_path / "sample.csv", index=False)
    files = [str(tmp_path / name) for name in ("train.csv", "sample.csv")]
    assert main(["estimate", *files, "--label", "y", "--score", "score", "--method", "AC"]) == 0
    said = capsys.readouterr().out
    assert f"The classifier on this sample: unknown, since {why}" in said
    assert ("does not explain" in said and "No estimate here is to be trusted." in said) == (spread < 1.0)


@pytest.mark.parametrize(("factor", "hint"), [(100, "Divide percentages by 100"), (-500, "Map them to probabilities")])
def test_scores_of_other_scales_get_advice_that_helps(factor, hint):
    table = pd.DataFrame({"y": ["a", "b"] * 10, "score": np.linspace(0.0, 1.0, 20) * factor})
    with pytest.raises(InvalidInput, match=hint):
        scores_dataset(table, "y", "score")


class TestGroups:
    """`--by`: an estimate for each value of a column, and by how much they differ."""

    @pytest.fixture
    def months(self, tmp_path):
        rng = np.random.default_rng(4)

        def rows(n, share):
            truth = rng.random(n) < share
            return pd.DataFrame({"x": rng.normal(1.6 * truth), "kind": np.where(truth, "refund", "other")})

        rows(400, 0.4).to_csv(tmp_path / "train.csv", index=False)
        parts = [rows(1500, share).assign(month=month) for month, share in (("2026-05", 0.30), ("2026-06", 0.45))]
        pd.concat(parts).drop(columns="kind").to_csv(tmp_path / "sample.csv", index=False)
        return [str(tmp_path / "train.csv"), str(tmp_path / "sample.csv"), "--positive", "refund", "--method", "AC"]

    def test_what_rose_is_said_with_its_interval(self, months, capsys):
        assert main(["estimate", *months, "--by", "month"]) == 0
        said = capsys.readouterr().out
        assert re.search(r"\n  2026-05 +\d+\.\d%   \d+\.\d% to \d+\.\d%   \(1,500 instances\)\n", said)
        (found,) = re.findall(
            r"The share of 'refund' rose by ([\d.]+) points \(([\d.]+) to ([\d.]+)\) from 2026-05 to 2026-06", said
        )
        _, low, high = map(float, found)
        assert low < 15 < high
        assert high - low < 20

    def test_as_json_and_against_another(self, months, capsys):
        assert main(["estimate", *months, "--by", "month", "--against", "2026-06", "--json"]) == 0
        answer = json.loads(capsys.readouterr().out)["by_group"]
        assert [group["group"] for group in answer["groups"]] == ["2026-05", "2026-06"]
        assert answer["against"] == "2026-06"
        assert answer["differences"][0]["difference"] < 0
        assert answer["differences"][0]["differs"] is True

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            (["--by", "mont"], "Did you mean month"),
            (["--by", "month", "--against", "2026-5"], "Did you mean 2026-05"),
            (["--against", "2026-05"], "be given with --by COLUMN"),
        ],
    )
    def test_what_is_not_there_is_one_sentence(self, months, capsys, words, sentence):
        assert main(["estimate", *months, *words]) == 2
        assert sentence in capsys.readouterr().err
