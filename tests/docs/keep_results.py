#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Makes results small enough to be kept in docs/results.

    jackdaw replay report docs/results/mnist.json new.json --merged all.json   # to add rows to kept ones
    tests/docs/keep_results.py all.json --data ~/data --out docs/results/mnist.json

Left out are the curves of single classes, the figures of the report, the kernel's version, and how fast pictures were encoded, which
depends on what else the machine did; means and runs stay. The folder of the data becomes DATA.
"""
import argparse
import json
import pathlib


def kept(results):
    results.pop("exhibits", None)
    for row in results["rows"]:
        row["curves"].pop("classes", None)
    for encoder in results["encoders"]:
        encoder["pictures_per_second"] = 0.0
    system = results["machine"]["system"].split()
    results["machine"]["system"] = f"{system[0]} {system[-1]}"
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--data", required=True, help="the folder of the data sets, as it was given to jackdaw")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    results = kept(json.loads(arguments.results.read_text()))
    folder = arguments.data.rstrip("/")
    for data in results["data"]:
        data["path"] = data["path"].replace(folder + "/", "DATA/")
    for call in [results, *results.get("calls", [])]:
        call["command"] = call["command"].replace(f"--data {folder} ", "--data DATA ")
    arguments.out.write_text(json.dumps(results, ensure_ascii=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
