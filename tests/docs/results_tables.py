#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Holds the tables of README.md and docs/results.md against the results in docs/results/*.json that they show.

    tests/docs/results_tables.py            # exit 1, and the lines that differ, where a table is not what its results give
    tests/docs/results_tables.py --write    # write the tables anew

A table stands below a line `<!-- results: GROUP DATA -->` and ends with an empty line. GROUP is one of `replay paper`, or
"differences": of the main rows, profile default less the others, run by run; or "headline": README's.
"""
import argparse
import difflib
import json
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "docs" / "results.md"]
MARKER = re.compile(r"<!-- results: (\w+) (\w+) -->")
HEADS = {"ensemble default": "ensemble, default", "ensemble seed": "ensemble, seed", "ncm": "nearest class mean",
         "slda": "SLDA", "knn": "kNN", "vanilla": "one softmax classifier", "tanh": "one tanh classifier"}
SCHEDULES = ["5way", "lowdata", "20way", "10way", "100way", "gaussian", "iid", "shots:1", "shots:5", "shots:20", "unequal"]
DATA = ["mnist", "cifar10", "cifar100"]
OTHER = "another ResNet-50"
HEADLINE = [("mnist", "5way", "MNIST 5-way", "CN-DPM 93.23; the paper forgets 6.2"),
            ("mnist", "lowdata", "MNIST low data", "GDumb 91.9"),
            ("cifar10", "5way", "CIFAR-10 5-way", f"the paper 79.0 (7.5), {OTHER}"),
            ("cifar10", "gaussian", "CIFAR-10 Gaussian", ""),
            ("cifar100", "20way", "CIFAR-100 20-way, two fifths of the data", f"the paper 55.3, all data, {OTHER}"),
            ("cifar100", "100way", "CIFAR-100 100-way, two fifths of the data", f"the paper 54.1, all data, {OTHER}"),
            ("mnist", "shots:5", "MNIST, 5 pictures a class", ""), ("cifar10", "shots:5", "CIFAR-10, 5 pictures a class", ""),
            ("cifar10", "unequal", "CIFAR-10, 5 to 1000 pictures a class", "")]


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


def headline_table(rows):
    """Accuracy (forgetting), where it was tested more than once."""
    heads = ["ensemble default", "knn", "slda", "ncm", "ensemble seed"]
    found = {(r["data"], r["schedule"], f"{r['head']} {r['profile']}".strip()): r for r in rows if not r["label"]}
    lines = []
    for data, schedule, name, published in HEADLINE:
        cells = [name]
        for head in heads:
            r = found.get((data, schedule, head))
            forgotten = f" ({r['forgetting']['mean']:.1f})" if r and len(r["curves"]["batches"]) > 1 else ""
            cells.append(f"{r['accuracy']['mean']:.1f}{forgotten}" if r else "")
        lines.append([*cells, megabytes(found[data, schedule, heads[0]]["memory_bytes"]), published])
    return table(["stream", "Jackdaw", "kNN", "SLDA", "class mean", "paper's rule", "memory", "published"], lines)


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
          "encoders": (encoders_table, ["encoders"]), "headline": (headline_table, ["main", "few"])}


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
    rows = read_rows(ROOT / "docs" / "results")
    differ = False
    for page in PAGES:
        text = page.read_text()
        right = with_tables(text, rows)
        if arguments.write:
            page.write_text(right)
        elif right != text:
            differ = True
            sys.stdout.writelines(f"{line}\n" for line in difflib.unified_diff(
                text.split("\n"), right.split("\n"), page.name, "what its results give", n=0, lineterm=""))
        print(f"{page.name}: {len(MARKER.findall(text))} tables of what {len(rows)} rows of results give")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
