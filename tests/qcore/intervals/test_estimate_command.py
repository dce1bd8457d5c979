"""python -m qcore estimate beside two tables: counts, several files, weights, pipes, scores of classes, texts, wrong files."""

import json
import os
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from qcore import Counts, __version__, estimate_sample, read_texts, score_sample
from qcore.__main__ import main
from qcore.intervals import count_differences, rate_from_text, sample_size_for_difference
from tests.browser.server import ROOT
from tests.thorough import mostly_thorough


def answer(capsys, *words, status=0):
    """What a command prints as JSON, and its sentences beside it."""
    assert main(["estimate", *map(str, words), "--json"]) == status
    said = capsys.readouterr()
    return json.loads(said.out), said.err


def error(capsys, *words):
    assert main(["estimate", *map(str, words)]) == 2
    said = capsys.readouterr()
    assert not said.out
    assert "Traceback" not in said.err
    return said.err.splitlines()[-1]


def rows(n, share, rng):
    """A measure that tells two classes, and what they are."""
    truth = rng.random(n) < share
    return pd.DataFrame({"x": rng.normal(1.6 * truth), "kind": np.where(truth, "refund", "other")})


@pytest.fixture
def months(tmp_path):
    """A labelled table, and three months of which the second has more refunds."""
    rng = np.random.default_rng(4)
    rows(400, 0.4, rng).to_csv(tmp_path / "train.csv", index=False)
    for name, share in (("may", 0.30), ("june", 0.45), ("july", 0.31)):
        table = rows(1500, share, rng).drop(columns="kind").assign(weight=np.where(rng.random(1500) < 0.5, 1.0, 4.0))
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    return tmp_path


def of_months(months, *names):
    return [months / "train.csv", *(months / f"{name}.csv" for name in names), "--positive", "refund", "--method", "AC"]


class TestCounts:
    def test_totals_cells_and_rates_are_three_ways_to_type_the_same(self, capsys):
        totals, _ = answer(capsys, "--counts", "400/1000", "180/200", "60/200")
        cells, _ = answer(capsys, "--counts", "400/1000", "--confusion", 180, 20, 60, 140)
        rates, _ = answer(capsys, "--counts", "400/1000", "--sensitivity", "0.9/200", "--specificity", "70%/200")
        assert totals == cells == rates
        (row,) = totals["estimates"]
        assert row["estimate"] == pytest.approx(float(Counts(400, 1000, 180, 200, 60, 200).estimate))
        assert totals["counts"]["false_positives"] == 60
        assert totals["rates"]["specificity"] == {"rate": 0.7, "labels": 200, "known_as": "counted"}
        assert {"Lang-Reiczigel", "Bayes"} <= {one["method"] for one in totals["intervals"]}

    def test_published_and_known_rates_say_what_they_are_taken_for(self, capsys):
        found, _ = answer(capsys, "--counts", "400/1000", "--sensitivity", "0.9 (0.85-0.94)", "--specificity", "0.95")
        assert found["rates"]["sensitivity"] == {
            "rate": 0.9,
            "labels": rate_from_text("0.9 (0.85-0.94)").total,
            "known_as": "published",
        }
        assert found["rates"]["specificity"] == {"rate": 0.95, "labels": None, "known_as": "known"}
        assert main(["estimate", "--counts", "400/1000", "--sensitivity", "0.9 (0.85-0.94)", "--specificity", "0.95"]) == 0
        said = capsys.readouterr().out
        assert "as many labels as give an interval of the published width" in said
        assert "specificity 0.95: known exactly" in said

    def test_months_are_compared(self, capsys):
        words = ["--counts", "May=345/1000", "June=430/1000", "July=350/1000", "--confusion", 80, 20, 10, 90]
        found, _ = answer(capsys, *words, "--against", "July")
        counts = Counts(np.array([345, 430, 350]), np.full(3, 1000), 80, 100, 10, 100)
        expected = count_differences(counts, ["May", "June", "July"], against="July").to_dict("positive")
        assert found["by_group"] == json.loads(json.dumps(expected))
        assert main(["estimate", *map(str, words)]) == 0
        assert "The share of positives rose by 12.1 points (6.1 to 19.1) from May to June." in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            (["--counts", "400/1000"], "be a sample, true positives and false positives"),
            (["--counts", f"{10**20}/{10**20}", "180/200", "60/200"], "counts must be a part and its total"),
            (["--counts", "400", "180/200", "60/200"], "counts must be a part and its total, got '400'"),
            (["--counts", "400/1000", "300/200", "60/200"], "true_positives must be from 0 to positives, got 300 of 200"),
            (["--counts", "400/1000", "--sensitivity", "0.9"], "--specificity must be given, too"),
            (["--counts", "400/1000", "--confusion", 1, 2, 3, 4, "--sensitivity", "0.9"], "be given without --sensitivity"),
            (["--counts", "a=1/2", "a=1/2", "--confusion", 1, 2, 3, 4], "samples must have names of their own"),
            (["--counts", "1/2", "--confusion", 8, 2, 1, 9, "--against", "x"], "be given with two samples"),
            (["--counts", "1/2", "1/2", "1/2", "--method", "AC"], "--method must be given with two tables"),
            (["--sensitivity", "0.9", "a.csv", "b.csv"], "--sensitivity must be given with --counts"),
            (["a.csv", "b.csv", "--counts", "1/2"], "be given without other tables, got a.csv"),
        ],
    )
    def test_what_contradicts_itself_is_one_sentence(self, capsys, words, sentence):
        assert sentence in error(capsys, *words)


class TestSeveralFiles:
    def test_each_is_a_group_that_is_called_as_its_file(self, months, capsys):
        found, _ = answer(capsys, *of_months(months, "may", "june", "july"))
        shares = found["by_group"]
        assert [one["group"] for one in shares["groups"]] == ["may.csv", "june.csv", "july.csv"]
        assert shares["against"] == "may.csv"
        assert [one["differs"] for one in shares["differences"]] == [True, False]
        alone, _ = answer(capsys, *of_months(months, "june"))
        assert shares["groups"][1]["share"] == pytest.approx(alone["estimates"][0]["estimate"])
        assert found["counts"]["sample_size"] == 4500

    @pytest.mark.parametrize("against", ["june.csv", "path"])
    def test_against_a_file_by_its_name_or_its_path(self, months, capsys, against):
        named = str(months / "june.csv") if against == "path" else against
        found, _ = answer(capsys, *of_months(months, "may", "june", "july"), "--against", named)
        assert found["by_group"]["against"] == "june.csv"
        assert [one["group"] for one in found["by_group"]["differences"]] == ["may.csv", "july.csv"]

    def test_by_another_quantifier(self, months, capsys):
        words = [word if word != "AC" else "EMQ" for word in of_months(months, "may", "june")]
        found, _ = answer(capsys, *words, "--against", "may.csv")
        assert found["by_group"]["method"] == "EMQ"
        (row,) = found["by_group"]["differences"]
        assert row["low"] < 0.15 < row["high"]
        assert row["high"] - row["low"] < 0.2

    def test_a_file_without_a_feature_is_named(self, months, capsys):
        pd.DataFrame({"z": [1.0, 2.0]}).to_csv(months / "other.csv", index=False)
        assert "other.csv must have the 1 feature of train.csv, got none called 'x'" in error(
            capsys, *of_months(months, "may", "other")
        )

    def test_the_same_file_twice_is_noticed(self, months, capsys):
        (months / "copy.csv").write_bytes((months / "may.csv").read_bytes())
        _, said = answer(capsys, *of_months(months, "may", "copy"))
        assert "copy.csv and may.csv hold the same table: was another file meant?" in said
        assert "may.csv is named twice." in error(capsys, *of_months(months, "may", "may"))
        assert "train.csv is named twice." in error(capsys, months / "train.csv", months / "train.csv")


class TestPipes:
    @pytest.mark.parametrize("way", mostly_thorough(["<(cat {})", "-", "/dev/stdin"], 1))
    def test_a_pipe_is_a_file(self, months, capsys, way):
        expected, _ = answer(capsys, *of_months(months, "may"))
        file = months / "may.csv"
        words = (
            f"{sys.executable} -m qcore estimate {months / 'train.csv'} {way.format(file)} --positive refund --method AC --json"
        )
        fed = "" if "(" in way else f" < {file}"
        said = subprocess.run(["bash", "-c", words + fed], cwd=ROOT, capture_output=True, text=True, check=False)
        assert said.returncode == 0, said.stderr
        assert json.loads(said.stdout)["estimates"] == expected["estimates"]

    def test_what_is_wrong_with_a_pipe_is_said_of_standard_input(self, months):
        command = [sys.executable, "-m", "qcore", "estimate", str(months / "train.csv"), "-"]
        said = subprocess.run(command, cwd=ROOT, input=b"%PDF-1.7", capture_output=True, check=False)
        assert said.returncode == 2
        assert said.stderr.decode().startswith("standard input is a PDF, not a table.")


class TestLimits:
    def test_they_are_options(self, months, capsys):
        said = error(capsys, *of_months(months, "may"), "--most-rows", 1000)
        assert "have at most 1,000 rows" in said
        assert "--most-rows ROWS and --reading-seconds SECONDS allow more." in said
        assert "--largest-file must be above 0" in error(capsys, *of_months(months, "may"), "--largest-file", 0)
        assert main(["watch", str(months / "may.csv"), "--most-rows", "10"]) == 2


class TestWeights:
    def test_shares_are_weighted_by_the_column_which_is_no_feature(self, months, capsys):
        train = pd.read_csv(months / "train.csv")
        train.assign(weight=np.arange(400) % 3 + 0.5).to_csv(months / "train.csv", index=False)
        found, _ = answer(capsys, *of_months(months, "may", "june"), "--weights", "weight")
        weights = pd.concat([pd.read_csv(months / f"{name}.csv") for name in ("may", "june")]).weight
        assert found["weighted"] is True
        assert found["counts"]["sample_size"] == pytest.approx(weights.sum() ** 2 / (weights**2).sum())
        alone, _ = answer(capsys, *of_months(months, "june"), "--weights", "weight")
        assert found["by_group"]["groups"][1]["share"] == pytest.approx(alone["estimates"][0]["estimate"])
        assert main(["estimate", *map(str, of_months(months, "may")), "--weights", "weight"]) == 0
        assert "1,500 instances that count as 1,092" in capsys.readouterr().out

    def test_a_column_that_holds_none_is_refused(self, months, capsys):
        assert "Did you mean weight" in error(capsys, *of_months(months, "may"), "--weights", "weights")
        table = pd.read_csv(months / "may.csv")
        table.loc[3, "weight"] = -1.0
        table.to_csv(months / "may.csv", index=False)
        assert "weights must be 0 or more in every row, got -1 in row 4" in error(
            capsys, *of_months(months, "may"), "--weights", "weight"
        )


class TestScoresOfClasses:
    @pytest.fixture
    def files(self, tmp_path):
        rng = np.random.default_rng(9)

        def table(n, shares):
            truth = rng.choice(3, n, p=shares)
            scores = rng.dirichlet(np.ones(3), n) * 0.4 + 0.6 * np.eye(3)[truth]
            return pd.DataFrame(scores.round(3), columns=["p0", "p1", "p2"]), np.array(["bird", "cat", "dog"])[truth]

        labelled, classes = table(600, [0.3, 0.3, 0.4])
        labelled.assign(animal=classes, age=rng.normal(size=600)).to_csv(tmp_path / "train.csv", index=False)
        table(800, [0.6, 0.3, 0.1])[0].to_csv(tmp_path / "sample.csv", index=False)
        return tmp_path / "train.csv", tmp_path / "sample.csv"

    @pytest.mark.parametrize(("positive", "share", "column"), [("bird", 0.6, "p0"), ("dog", 0.1, "p2")])
    def test_a_column_for_each_class_is_scores(self, files, capsys, positive, share, column):
        found, said = answer(capsys, *files, "--positive", positive, "--label", "animal")
        assert found["positive"] == positive
        assert all(one["low"] <= share <= one["high"] for one in found["estimates"] if one["method"] != "EMQ")
        assert f"p0, p1, p2 are taken as the scores of the classes: nothing is trained, and {column} is used." in said

    def test_all_classes_at_once(self, files, capsys):
        found, _ = answer(capsys, *files, "--label", "animal", "--all-classes", "--method", "AC", "--level", "0.9")
        assert (found["classes"], found["level"]) == (["bird", "cat", "dog"], 0.9)
        rows = [row for row in found["estimates"] if row["method"] == "AC"]
        assert all(row["low"] <= share <= row["high"] for row, share in zip(rows, [0.6, 0.3, 0.1], strict=True))
        assert all(row["joint_low"] < row["low"] < row["high"] < row["joint_high"] for row in rows)
        assert sum(row["estimate"] for row in rows) == pytest.approx(1.0)
        assert main(["estimate", *map(str, files), "--label", "animal", "--all-classes"]) == 0
        assert re.search(r"AC +dog +[\d.]+% +[\d.]+% to [\d.]+% +\[[\d.]+% to ", capsys.readouterr().out)

    @pytest.mark.parametrize("more", [("--positive", "bird"), ("--score", "p0"), ("--plan", "3")])
    def test_what_is_of_one_class_is_not_of_all(self, files, capsys, more):
        assert f"{more[0]} must be given" in error(capsys, *files, "--label", "animal", "--all-classes", *more)

    def test_a_sample_with_the_scores_of_one_class_says_what_the_others_need(self, files, capsys):
        pd.read_csv(files[1])[["p2"]].to_csv(files[1], index=False)
        found, _ = answer(capsys, *files, "--label", "animal", "--positive", "dog", "--method", "AC")
        assert found["estimates"][0]["low"] < 0.1 < found["estimates"][0]["high"]
        assert "have the column 'p0'" in error(capsys, *files, "--label", "animal", "--all-classes")

    def test_two_classes_by_numbers_or_by_names(self, tmp_path, capsys):
        rng = np.random.default_rng(1)
        truth = np.repeat(["no", "yes"], 100)
        p = np.clip(rng.normal(np.where(truth == "yes", 0.7, 0.3), 0.2), 0, 1)
        for names in (["p0", "p1"], ["prob_no", "prob_yes"]):
            table = pd.DataFrame({names[0]: 1 - p, names[1]: p})
            table.assign(truth=truth).to_csv(tmp_path / "train.csv", index=False)
            table[40:160].to_csv(tmp_path / "sample.csv", index=False)
            found, said = answer(capsys, tmp_path / "train.csv", tmp_path / "sample.csv", "--positive", "yes")
            assert f"{names[0]}, {names[1]} are taken as the scores" in said
            assert found["estimates"][0]["low"] < 0.5 < found["estimates"][0]["high"]

    def test_columns_that_do_not_sum_to_one_are_features(self, files, capsys):
        table = pd.read_csv(files[0])
        table["p0"] /= 2
        table.to_csv(files[0], index=False)
        _, said = answer(capsys, *files, "--label", "animal", "--leave-out", "age", "--method", "AC")
        assert "scores of the classes" not in said


class TestVerdicts:
    @pytest.fixture
    def files(self, tmp_path):
        rng = np.random.default_rng(3)

        def table(n, share):
            passes = rng.random(n) < share
            right = np.where(rng.random(n) < 0.9, passes, ~passes)
            verdict = np.where(rng.random(n) < 0.1, "unsure", np.where(right, "pass", "fail"))
            return pd.DataFrame({"verdict": verdict, "human": np.where(passes, "pass", "fail")})

        table(500, 0.5).to_csv(tmp_path / "train.csv", index=False)
        table(900, 0.8)[["verdict"]].to_csv(tmp_path / "sample.csv", index=False)
        return [tmp_path / "train.csv", tmp_path / "sample.csv", "--label", "human", "--positive", "pass", "--method", "AC"]

    def test_a_third_kind_is_said_and_is_not_the_positive_class(self, files, capsys):
        found, said = answer(capsys, *files)
        judged = pd.read_csv(files[1]).verdict
        assert found["counts"]["predicted_positives"] == (judged == "pass").sum()
        assert f"Of the sample: verdict holds {(judged == 'unsure').sum()} times 'unsure', which is not a class" in said
        assert "it counts as not 'pass', unless these rows are left out." in said

    def test_its_rows_may_be_left_out(self, files, capsys):
        found, said = answer(capsys, *files, "--leave-out", "unsure")
        judged = pd.read_csv(files[1]).verdict
        assert found["counts"]["sample_size"] == (judged != "unsure").sum()
        assert "which is not a class" not in said
        assert f"{(judged == 'unsure').sum()} rows with unsure left out" in said
        assert found["estimates"][0]["low"] < 0.8 < found["estimates"][0]["high"]
        assert "Did you mean unsure" in error(capsys, *files, "--leave-out", "unsur")


COMPLAINTS = ["the parcel came {} days late", "it broke after {} days", "refund me, {} weeks of waiting"]
PRAISE = ["lovely colour, bought {} of them", "arrived after {} hours, perfect", "my {} children love it"]


class TestLabelledGroups:
    @pytest.fixture
    def file(self, tmp_path):
        rng = np.random.default_rng(13)
        version = np.repeat(["v1", "v2"], 2000)
        right = rng.random(4000) < np.where(version == "v1", 0.9, 0.75)
        judged = np.where(rng.random(4000) < 0.9, right, ~right)
        words = np.where(rng.random(4000) < 0.05, "unsure", np.where(judged, "right", "wrong"))
        label = np.where(rng.random(4000) < 0.15, np.where(right, "right", "wrong"), None)
        path = tmp_path / "judged.csv"
        pd.DataFrame({"version": version, "judge": words, "human": label}).to_csv(path, index=False)
        return path

    def test_each_version_by_its_own_labels(self, file, capsys):
        words = ["--labelled-sample", file, "--by", "version", "--leave-out", "unsure"]
        found, said = answer(capsys, *words)
        assert "predicted as 'unsure' are left out" in said
        shares = found["by_group"]
        assert [one["group"] for one in shares["groups"]] == ["v1", "v2"]
        assert shares["against"] == "v1"
        (row,) = shares["differences"]
        assert row["low"] < -0.15 < row["high"] < 0
        assert sum(one["labels"] for one in shares["groups"]) == sum(
            found["counts"][name] for name in ("checked_positives", "checked_negatives")
        )
        assert main(["estimate", *map(str, words), "--against", "v2"]) == 0
        assert "The share of 'right' rose by" in capsys.readouterr().out

    def test_a_version_without_labels_is_left_out_and_named(self, file, capsys):
        table = pd.read_csv(file)
        pd.concat([table, table.assign(version="v3", human=None)]).to_csv(file, index=False)
        found, said = answer(capsys, "--labelled-sample", file, "--by", "version")
        assert [one["group"] for one in found["by_group"]["groups"]] == ["v1", "v2"]
        assert "Left out, since no row of them is labelled: v3." in said
        table.loc[table.version == "v2", "human"] = None
        table.to_csv(file, index=False)
        assert "got none in v2" in error(capsys, "--labelled-sample", file, "--by", "version")
        table.assign(version="v1").to_csv(file, index=False)
        assert "two groups with labels or more, got one." in error(capsys, "--labelled-sample", file, "--by", "version")
        assert "Did you mean version" in error(capsys, "--labelled-sample", file, "--by", "versions")
        assert "--against must be given with --by COLUMN" in error(capsys, "--labelled-sample", file, "--against", "v1")


class TestTexts:
    @pytest.fixture
    def files(self, tmp_path):
        rng = np.random.default_rng(8)

        def table(n, share):
            complains = rng.random(n) < share
            said = [rng.choice(COMPLAINTS if one else PRAISE).format(rng.integers(2, 90)) for one in complains]
            return pd.DataFrame({"comment": said, "kind": np.where(complains, "complaint", "praise")})

        table(300, 0.5).to_csv(tmp_path / "train.csv", index=False)
        table(400, 0.2).to_csv(tmp_path / "truth.csv", index=False)
        pd.read_csv(tmp_path / "truth.csv").drop(columns="kind").to_csv(tmp_path / "sample.csv", index=False)
        return tmp_path / "train.csv", tmp_path / "sample.csv"

    def test_free_text_alone_is_said_with_the_way_out(self, files, capsys):
        assert error(capsys, *files, "--label", "kind") == (
            "The column comment of train.csv is free text, and no other column is a feature: --text comment learns from its "
            "words, and from nothing else."
        )

    def test_its_words_are_learnt_out_of_fold(self, files, capsys):
        found, said = answer(capsys, *files, "--text", "comment", "--label", "kind", "--positive", "complaint")
        assert "Learnt from the words of comment: TF-IDF of words" in said
        share = (pd.read_csv(files[0].with_name("truth.csv")).kind == "complaint").mean()
        assert all(one["low"] <= share <= one["high"] for one in found["estimates"])
        scored = score_sample(read_texts(files[0], "kind", "comment"), pd.read_csv(files[1]), "complaint")
        of_labels = found["counts"]
        assert of_labels["true_positives"] > 0.9 * of_labels["positives"]
        assert of_labels["false_positives"] < 0.1 * of_labels["negatives"]
        assert found["estimates"] == estimate_sample(*scored, as_training=scored.as_training, posteriors=False).table.to_dict(
            "records"
        )

    def test_one_file_is_counted_by_its_labelled_rows(self, files, capsys):
        train, sample = (pd.read_csv(file) for file in files)
        both = files[0].with_name("both.csv")
        pd.concat([train, sample], ignore_index=True).to_csv(both, index=False)
        expected, _ = answer(capsys, *files, "--text", "comment", "--label", "kind", "--shift")
        found, said = answer(capsys, both, "--text", "comment", "--label", "kind", "--shift")
        assert found == expected
        assert "The 400 rows of both.csv without a value of kind are counted; the others are learnt from." in said
        assert "be two, or one with rows without a class" in error(capsys, files[0], "--text", "comment", "--label", "kind")

    def test_numbers_are_no_text(self, months, capsys):
        assert "the column x must hold text, got numbers" in error(
            capsys, months / "train.csv", months / "may.csv", "--text", "x"
        )

    def test_beside_features_it_is_offered(self, files, capsys):
        table = pd.read_csv(files[0])
        table.assign(length=table.comment.str.len()).to_csv(files[0], index=False)
        sample = pd.read_csv(files[1])
        sample.assign(length=sample.comment.str.len()).to_csv(files[1], index=False)
        _, said = answer(capsys, *files, "--label", "kind", "--method", "AC")
        assert "The column comment is free text, which is left out. --text comment learns from its words" in said

    @pytest.mark.parametrize(
        ("more", "sentence"),
        [
            (["--text", "coment"], "coment"),
            (["--text", "comment", "--score", "x"], "--score must be given with tables of features, without --text"),
            (["--text", "comment", "--positive", "complaints"], "Did you mean complaint"),
        ],
    )
    def test_what_does_not_fit_is_one_sentence(self, files, capsys, more, sentence):
        assert sentence in error(capsys, *files, "--label", "kind", *more)


class TestWrongFiles:
    @pytest.mark.parametrize(
        ("content", "sentence"),
        [
            (b"%PDF-1.7\n%\xe2\xe3\n", "report.csv is a PDF, not a table."),
            (b"", "report.csv is empty."),
            (b"  \n\n", "report.csv is empty."),
            (b"<!DOCTYPE html><html><table></table></html>", "report.csv is a web page, not a table."),
            (b"\x89PNG\r\n\x1a\n\x00\x00", "report.csv is a picture, not a table."),
            (b"x,kind\n", "Add rows below the header."),
        ],
    )
    def test_a_file_that_is_no_table_is_called_what_it_is(self, months, capsys, content, sentence):
        (months / "report.csv").write_bytes(content)
        assert sentence in error(capsys, months / "report.csv", months / "may.csv")
        if content != b"x,kind\n":
            assert sentence in error(capsys, months / "train.csv", months / "report.csv")

    def test_a_table_without_classes_names_its_columns(self, tmp_path, capsys):
        table = pd.DataFrame({"ticket_id": range(100, 160), "score": np.linspace(0.011, 0.987, 60)})
        table.to_csv(tmp_path / "labelled.csv", index=False)
        table.to_csv(tmp_path / "sample.csv", index=False)
        found = error(capsys, tmp_path / "labelled.csv", tmp_path / "sample.csv")
        assert found.startswith("No column of labelled.csv looks like classes (found: ticket_id, score). --label COLUMN names")
        table.assign(label="a").to_csv(tmp_path / "labelled.csv", index=False)
        found = error(capsys, tmp_path / "labelled.csv", tmp_path / "sample.csv")
        assert found.startswith("The column label of labelled.csv holds only one class, 'a'.")

    def test_groups_that_do_not_follow_each_other_neither_rise_nor_fall(self, months, capsys):
        table = pd.concat([pd.read_csv(months / f"{name}.csv").assign(team=f"of {name}") for name in ("may", "june")])
        table.to_csv(months / "teams.csv", index=False)
        assert main(["estimate", *map(str, of_months(months, "teams")), "--by", "team"]) == 0
        said = capsys.readouterr().out
        assert " above that in of june." in said or " below that in of june." in said
        assert "from of" not in said

    def test_exchanged_files_are_noticed(self, months, capsys):
        for name in ("may", "june"):
            pd.read_csv(months / f"{name}.csv").drop(columns="weight").to_csv(months / f"{name}.csv", index=False)
        expected, _ = answer(capsys, *of_months(months, "may", "june"))
        train, *others = of_months(months, "may", "june")
        found, said = answer(capsys, others[0], train, *others[1:])
        assert found == expected
        assert "has one more column, kind: so it is the labelled table" in said

    def test_a_table_with_the_named_label_is_not_exchanged(self, months, capsys):
        table = pd.read_csv(months / "may.csv")
        table.assign(target=np.where(table.index % 2, "new", "old")).to_csv(months / "may.csv", index=False)
        found, said = answer(capsys, *of_months(months, "may"), "--label", "kind")
        assert found["positive"] == "refund"
        assert "so it is the labelled table" not in said


class TestPlan:
    def test_for_counts_and_for_tables(self, months, capsys):
        found, _ = answer(capsys, "--counts", "400/1000", "180/200", "60/200", "--plan", 3)
        counts = Counts(400, 1000, 180, 200, 60, 200)
        p, rates = float(counts.estimate), (float(counts.tpr), float(counts.fpr))
        expected = max(sample_size_for_difference(p, move, rates) for move in (0.03, -0.03))
        assert found["plan"]["instances"] == expected
        assert main(["estimate", *map(str, of_months(months, "may")), "--plan", "3", "--power", "0.9"]) == 0
        assert "To see a change of 3 points from" in (said := capsys.readouterr().out)
        assert "90% power" in said

    def test_for_labels_inside(self, tmp_path, capsys):
        rng = np.random.default_rng(0)
        truth = rng.random(4000) < 0.3
        judged = np.where(rng.random(4000) < 0.9, truth, ~truth)
        label = np.where(rng.random(4000) < 0.1, np.where(truth, "yes", "no"), None)
        pd.DataFrame({"prediction": np.where(judged, "yes", "no"), "label": label}).to_csv(tmp_path / "s.csv", index=False)
        found, _ = answer(capsys, "--labelled-sample", tmp_path / "s.csv", "--plan", 5)
        assert 100 < found["plan"]["labels_inside"] < 1500
        assert found["plan"]["sample_size"] == 4000

    @pytest.mark.parametrize(
        ("points", "sentence"), [("0", "--plan must be percentage points"), ("300", "--plan must be percentage points")]
    )
    def test_no_change_is_no_plan(self, capsys, points, sentence):
        assert sentence in error(capsys, "--counts", "400/1000", "180/200", "60/200", "--plan", points)


class TestWords:
    def test_another_name_of_a_method_is_understood(self, months, capsys):
        words = [word if word != "AC" else "ACC" for word in of_months(months, "may")]
        assert "Unknown quantifier 'ACC'. Did you mean AC?" in error(capsys, *words)
        assert "Did you mean logistic regression?" in error(capsys, *of_months(months, "may"), "--classifier", "logistic")

    def test_one_instance_is_one(self, months, capsys):
        pd.DataFrame({"x": [1.0]}).to_csv(months / "one.csv", index=False)
        assert main(["estimate", *map(str, of_months(months, "one"))]) == 0
        assert "in one.csv, 1 instance, with" in capsys.readouterr().out

    def test_the_version_is_that_of_the_package(self, capsys):
        with pytest.raises(SystemExit) as ended:
            main(["--version"])
        assert ended.value.code == 0
        assert capsys.readouterr().out == f"qcore {__version__}\n"

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
    def test_a_full_disk_is_one_line(self):
        command = f"{sys.executable} -m qcore estimate --counts 400/1000 180/200 60/200 > /dev/full"
        said = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
        assert said.returncode == 3
        assert said.stderr == "The answer could not be written: No space left on device.\n"

    def test_groups_by_month_stand_in_time_and_are_called_as_they_are_written(self, months, capsys):
        parts = [pd.read_csv(months / f"{name}.csv").assign(month=name) for name in ("july", "june", "may")]
        pd.concat(parts).to_csv(months / "all.csv", index=False)
        found, _ = answer(capsys, *of_months(months, "all"), "--by", "month")
        assert [one["group"] for one in found["by_group"]["groups"]] == ["may", "june", "july"]
        scores = dict.fromkeys(("may", "june", "july"))
        assert found["by_group"]["against"] == next(iter(scores))


def keys(value, path=""):
    """The paths of all values of JSON, such as estimates[].low; of an empty list or null its own."""
    if isinstance(value, dict) and value:
        return set().union(*(keys(one, f"{path}.{key}".lstrip(".")) for key, one in value.items()))
    if isinstance(value, list):
        return set().union(
            {f"{path}[]"} if not value or not isinstance(value[0], dict) else set(),
            *(keys(one, f"{path}[]") for one in value if isinstance(one, dict)),
        )
    return {path}


def documented():
    """Heading -> the keys of the table below it, in docs/command.md."""
    parts = re.split(r"^### ", (ROOT / "docs" / "command.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    rows = {part.splitlines()[0]: [line for line in part.splitlines() if line.startswith("| `")] for part in parts}
    return {
        heading: set(re.findall(r"`([^`]+)`", " ".join(line.split("|")[1] for line in lines)))
        for heading, lines in rows.items()
    }


class TestDocumentedKeys:
    """docs/command.md promises the keys of --json: what is printed is what stands there, no more and no less."""

    known = documented()

    def check(self, headings, *answers):
        """Every key that is printed is documented; each that is documented is printed somewhere."""
        promised = set().union(*(self.known[heading] for heading in headings))
        printed = set().union(*map(keys, answers))
        exact = {one for one in promised if not one.endswith("*")}
        if not any("share_of" in one for one in answers):
            exact -= {one for one in exact if one.endswith(".labels") and one.startswith("by_group")}
        may_be_none = {one.split(".")[0].removesuffix("[]") for one in exact}
        beyond = {
            one
            for one in printed
            if one not in promised
            and not any(one.startswith(many.removesuffix("*")) for many in promised if many.endswith("*"))
        }
        assert beyond <= may_be_none | {"by_group.base"}
        assert exact <= printed

    def test_of_tables_and_groups(self, months, capsys):
        several, _ = answer(capsys, *of_months(months, "may", "june"), "--shift", "--plan", "5")
        others, _ = answer(capsys, *of_months(months, "may", "june"), "--against", "all others")
        self.check(["Tables", "Groups", "A plan"], several, others)

    def test_of_all_classes(self, months, capsys):
        files = months / "train.csv", months / "may.csv"
        found, _ = answer(capsys, *files, "--label", "kind", "--all-classes")
        self.check(["All classes"], found)

    def test_of_counts(self, capsys):
        one, _ = answer(capsys, "--counts", "400/1000", "180/200", "60/200", "--plan", 3)
        several, _ = answer(capsys, "--counts", "4/10", "5/10", "--confusion", 8, 2, 1, 9)
        self.check(["Counts", "Groups", "A plan"], one, several)

    def test_of_a_labelled_sample(self, tmp_path, capsys):
        table = {"prediction": ["yes", "no"] * 500, "label": ["yes", "no", "no", "no", "yes", "yes"] * 20 + [None] * 880}
        pd.DataFrame(table).assign(half=["a"] * 60 + ["b"] * 940).to_csv(tmp_path / "s.csv", index=False)
        found, _ = answer(capsys, "--labelled-sample", tmp_path / "s.csv", "--plan", 5, "--by", "half")
        self.check(["A sample that is labelled in part", "Groups", "A plan"], found)

    def test_of_watch(self, tmp_path, capsys):
        path = tmp_path / "weeks.csv"
        pd.DataFrame({"week": range(1, 13), "positives": [30] * 12, "size": 100}).to_csv(path, index=False)
        answers = []
        for more in ([], ["--baseline", "6"], ["--baseline", "6", "--rates", "80", "100", "10", "100"]):
            assert main(["watch", str(path), *more, "--json"]) == 0
            answers.append(json.loads(capsys.readouterr().out))
        self.check(["`watch`"], *answers)

    def test_every_command_of_the_page_is_understood(self):
        """Options that the page names are options of the commands."""
        page = (ROOT / "docs" / "command.md").read_text(encoding="utf-8")
        said = subprocess.run([sys.executable, "-m", "qcore", "estimate", "--help"], cwd=ROOT, capture_output=True, text=True)
        watch = subprocess.run([sys.executable, "-m", "qcore", "watch", "--help"], cwd=ROOT, capture_output=True, text=True)
        named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", page)) - {"--version", "--help"}
        assert {option for option in named if option not in said.stdout + watch.stdout} == set()
