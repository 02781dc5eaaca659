#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Holds the tables of docs/results.md against the results in docs/results/*.json that they show.

    tests/docs/results_tables.py            # exit 1, and the lines that differ, where a table is not what its results give
    tests/docs/results_tables.py --write    # write the tables anew

A table stands below a line `<!-- results: GROUP DATA -->` and ends with an empty line. GROUP is one of `replay paper`, or
"differences": of the main rows, profile default less the others, run by run.
"""
import argparse
import difflib
import json
import pathlib
import re
import statistics
import sys

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
MARKER = re.compile(r"<!-- results: (\w+) (\w+) -->")
HEADS = {"ensemble default": "ensemble, default", "ensemble seed": "ensemble, seed", "ncm": "nearest class mean",
         "slda": "SLDA", "knn": "kNN", "vanilla": "one softmax classifier", "tanh": "one tanh classifier"}
SCHEDULES = ["5way", "lowdata", "20way", "10way", "100way", "gaussian", "iid", "shots:1", "shots:5", "shots:20", "unequal"]
DATA = ["mnist", "cifar10", "cifar100"]


def head_of(row):
    name = HEADS[f"{row['head']} {row['profile']}".strip()]
    return f"{name} ({row['label']})" if row["label"] else name


def rank(row):
    base = HEADS[f"{row['head']} {row['profile']}".strip()]
    return (DATA.index(row["data"]), SCHEDULES.index(row["schedule"]), list(HEADS.values()).index(base))


def spread(figure):
    return f"{figure['mean']:.1f} ± {figure['std']:.1f}"


def megabytes(count):
    value = count / 1e6
    return f"{value:.0f} MB" if value >= 100 else f"{value:.1f} MB" if value >= 0.1 else f"{value:.2f} MB"


def table(header, rows):
    """Of equal first cells that follow one another only the first is shown."""
    lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
    before = None
    for cells in rows:
        lines.append("| " + " | ".join(["" if cells[0] == before else cells[0], *cells[1:]]) + " |")
        before = cells[0]
    return lines


def main_table(rows):
    return table(["schedule", "head", "encoder", "accuracy", "forgetting", "unknown", "memory"],
                 [[r["schedule"], head_of(r), r["encoder"], spread(r["accuracy"]), spread(r["forgetting"]),
                   "-" if r["unknown_auroc"] is None else f"{r['unknown_auroc']:.3f}", megabytes(r["memory_bytes"])] for r in rows])


def difference(a, b):
    """Of runs that saw the same streams: the mean of a - b, and its standard error."""
    each = [x - y for x, y in zip(a["runs"], b["runs"], strict=True)]
    return f"{statistics.mean(each):+.2f} ({statistics.stdev(each) / len(each) ** 0.5:.2f})"


def differences_table(rows):
    found = {(r["schedule"], head_of(r)): r for r in rows}
    others = [HEADS[head] for head in ("ncm", "slda", "knn", "ensemble seed")]
    lines = []
    for schedule in dict.fromkeys(r["schedule"] for r in rows):
        ours = found[schedule, HEADS["ensemble default"]]
        lines.append([schedule, *(difference(ours[measure], found[schedule, other][measure])
                                  for measure in ("accuracy", "forgetting") for other in others)])
    return table(["schedule", *(f"{measure}{other}" for measure in ("", "forgetting: ") for other in others)], lines)


def few_table(rows):
    heads = list(dict.fromkeys(head_of(r) for r in rows))
    streams = list(dict.fromkeys((r["data"], r["schedule"]) for r in rows))
    found = {(r["data"], r["schedule"], head_of(r)): spread(r["accuracy"]) for r in rows}
    return table(["data, stream", *heads], [[f"{data}, {schedule}", *(found[data, schedule, head] for head in heads)]
                                            for data, schedule in streams])


def ablation_table(rows):
    return table(["profile", "changed", "accuracy", "forgetting", "memory"],
                 [[r["profile"], r["label"], spread(r["accuracy"]), spread(r["forgetting"]), megabytes(r["memory_bytes"])]
                  for r in rows])


def family(row):
    """An encoder, its calibrations and the one that looks twice."""
    return row["encoder"].split("@")[0].removesuffix("-views")


def encoders_table(rows):
    found = {(family(r), r["profile"]): r for r in rows}
    lines = []
    for name in sorted({family(r) for r in rows}, key=lambda name: -found[name, "default"]["accuracy"]["mean"]):
        ours, seed = found[name, "default"], found[name, "seed"]
        lines.append([ours["encoder"], *(cell for r in (ours, seed) for cell in (
            spread(r["accuracy"]), spread(r["forgetting"]), megabytes(r["memory_bytes"])))])
    return table(["encoder", "default", "forgetting", "memory", "seed", "forgetting", "memory"], lines)


def second_table(rows):
    """Beside the main rows of the same streams: as BYOL stands to ReLIC in the paper."""
    second = [r for r in rows if r["group"] == "second"]
    streams = list(dict.fromkeys((r["data"], r["schedule"]) for r in second))
    first = [r for r in rows if r["group"] == "main" and r["head"] == "ensemble" and (r["data"], r["schedule"]) in streams]
    lines = []
    for stream in streams:
        found = {(family(r), r["profile"]): spread(r["accuracy"]) for r in second + first if (r["data"], r["schedule"]) == stream}
        lines.append([", ".join(stream), *found.values()])
    return table(["data, schedule", *(f"{name}, {profile}" for name, profile in found)], lines)


# Each with the groups of rows that it shows.
TABLES = {"main": (main_table, ["main"]), "differences": (differences_table, ["main"]), "few": (few_table, ["few"]),
          "ablation": (ablation_table, ["ablation"]), "second": (second_table, ["second", "main"]),
          "encoders": (encoders_table, ["encoders"])}


def read_rows(folder):
    rows = [row for path in sorted(folder.glob("*.json")) for row in json.loads(path.read_text())["rows"]]
    return sorted(rows, key=rank)


def with_tables(text, rows):
    out, skipping = [], False
    for line in text.split("\n"):
        if skipping and line:
            continue
        skipping = False
        out.append(line)
        if marker := MARKER.fullmatch(line):
            group, data = marker.groups()
            make, groups = TABLES[group]
            chosen = [r for r in rows if r["group"] in groups and data in (r["data"], "all")]
            if not chosen:
                raise SystemExit(f"{line}: docs/results holds no such rows")
            out += make(chosen)
            skipping = True
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the tables anew")
    arguments = parser.parse_args()
    page = DOCS / "results.md"
    text = page.read_text()
    rows = read_rows(DOCS / "results")
    right = with_tables(text, rows)
    if arguments.write:
        page.write_text(right)
    elif right != text:
        sys.stdout.writelines(f"{line}\n" for line in difflib.unified_diff(
            text.split("\n"), right.split("\n"), "docs/results.md", "what its results give", n=0, lineterm=""))
        return 1
    print(f"docs/results.md: {len(MARKER.findall(text))} tables hold what {len(rows)} rows of results give")
    return 0


if __name__ == "__main__":
    sys.exit(main())
