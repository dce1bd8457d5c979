"""One table in the spellings that people's files have: each must be read as the plain one."""

import io
import json

import numpy as np
import pandas as pd


def plain(n=120, seed=0, share=0.5, labelled=True):
    """Two measured columns and a colour; labels in alternation, or as many "no" as `share` says."""
    rng = np.random.default_rng(seed)
    positive = np.arange(n) % 2 if labelled else (np.arange(n) >= share * n).astype(int)
    table = pd.DataFrame(
        {
            "len": rng.normal(1.5 * positive, 1).round(3),
            "wid": rng.normal(-positive, 1).round(3),
            "col": rng.choice(["red", "green", "blue"], n),
        }
    )
    return table.assign(y=np.where(positive, "yes", "no")) if labelled else table


def written(table, change):
    """The table with its numbers written in another way."""
    return table.assign(**{name: [change(f"{value:.3f}") for value in table[name]] for name in ("len", "wid")})


def as_csv(table, **how):
    return table.to_csv(index=False, **how).encode()


def as_parquet(table):
    buffer = io.BytesIO()
    table.to_parquet(buffer)
    return buffer.getvalue()


def as_sheet(rows):
    from openpyxl import Workbook

    book, buffer = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(buffer)
    return buffer.getvalue()


def rows_of(table):
    return [list(table.columns), *table.astype(object).to_numpy().tolist()]


def in_blanks(table):
    return "\n".join(" ".join(map(str, row)) for row in rows_of(table)).encode() + b"\n"


def above(table, *lines, sep=","):
    """The CSV of a table, with lines below its header."""
    header, _, rest = table.to_csv(index=False, sep=sep).partition("\n")
    return "\n".join([header, *lines, rest]).encode()


def questions(table, sep=","):
    asked = sep.join(f'"What is\n{name}, {name}?"' for name in table.columns)
    ids = sep.join(f'"{{""ImportId"": ""QID{i}""}}"' for i in range(table.shape[1]))
    return above(table, asked, ids, sep=sep)


def as_arff(table, weights=False):
    kinds = {"len": "numeric", "wid": "numeric", "col": "{red,green,blue}", "y": "{no,yes}"}
    head = [f"@attribute {name} {kinds[name]}" for name in table.columns]
    rows = [",".join(map(str, row)) + (", {2}" if weights and i % 2 else "") for i, row in enumerate(table.to_numpy().tolist())]
    return "\n".join(["% made here", "@relation r", *head, "@data", *rows, ""]).encode()


MINUS, THIN, NARROW = "\u2212", "\u2009", "\u202f"


def spelt(change):
    return lambda table: as_csv(written(table, change))


def in_columns(change):
    return lambda table: as_parquet(written(table, change))


SPELLINGS = {
    "quoted decimal commas": (spelt(lambda text: text.replace(".", ",")), "a.csv"),
    "minus signs": (spelt(lambda text: text.replace("-", MINUS)), "a.csv"),
    "thin spaces around": (spelt(lambda text: f"{THIN}{text}\u00a0"), "a.csv"),
    "a currency": (spelt(lambda text: f"€ {text}"), "a.csv"),
    "text in Parquet": (in_columns(str), "a.parquet"),
    "decimal commas in Parquet": (in_columns(lambda text: text.replace(".", ",")), "a.parquet"),
    "text in a sheet": (lambda table: as_sheet(rows_of(written(table, str))), "a.xlsx"),
    "a merged title": (
        lambda table: as_sheet([["Measures", None, "Other", *[None] * (table.shape[1] - 3)], *rows_of(table)]),
        "a.xlsx",
    ),
    "a merged title in CSV": (lambda table: b"Measures,,Other" + b"," * (table.shape[1] - 3) + b"\n" + as_csv(table), "a.csv"),
    "units": (
        lambda table: above(table, ";".join(["cm", "mm", *[""] * (table.shape[1] - 2)]), sep=";"),
        "a.csv",
    ),
    "questions of a survey": (questions, "a.csv"),
    "blanks": (in_blanks, "a.txt"),
    "blanks in .data": (in_blanks, "a.data"),
    "JSON": (lambda table: table.to_json(orient="records").encode(), "a.json"),
    "JSON lines": (lambda table: table.to_json(orient="records", lines=True).encode(), "a.jsonl"),
    "JSON in columns": (lambda table: json.dumps(table.to_dict("list")).encode(), "a.json"),
    "JSON with a list in it": (lambda table: json.dumps({"n": 1, "rows": table.to_dict("records")}).encode(), "a.json"),
    "ARFF": (as_arff, "a.arff"),
    "ARFF with weights": (lambda table: as_arff(table, weights=True), "a.arff"),
}
"""Spelling -> (function that writes a table in it, file name)."""
