#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Teaches the same stream here and on another machine (or qemu), and compares.

    compare.py --native build/cuda/tests/cross/cross_stream --other qemu-aarch64-static -L SYSROOT .../cross_stream

Store and chosen classifiers: bit for bit. Then each opens the state that the other wrote: the same store, the same
labels, scores and confidences to 1e-5 (they are float sums in one order; only exp() is the machine's own).
Exit 0: they agree, 1: not, 77: there is no native build.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

TOLERANCE = 1e-5


def lines(command, what, folder):
    done = subprocess.run([*command, what, str(folder)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} {what} failed ({done.returncode}): {done.stderr}")
    return done.stdout.splitlines()


def differences(a, b):
    """Lines that do not agree; the first says on which backend they were made and may differ."""
    if len(a) != len(b):
        return [f"{len(a)} lines against {len(b)}"]
    wrong = []
    for x, y in zip(a[1:], b[1:]):
        if x.startswith("answer") and y.startswith("answer"):
            *name_x, score_x, sure_x = x.split()
            *name_y, score_y, sure_y = y.split()
            same = (name_x == name_y and abs(float(sure_x) - float(sure_y)) <= TOLERANCE and
                    abs(float(score_x) - float(score_y)) <= TOLERANCE * max(1.0, abs(float(score_x))))
        else:
            same = x == y
        if not same:
            wrong.append(f"{x[:120]}\n  against {y[:120]}")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--native", required=True)
    parser.add_argument("--other", nargs=argparse.REMAINDER, required=True)
    options = parser.parse_args()
    if not pathlib.Path(options.native).is_file():
        print(f"skipped: no {options.native}; configure with -DJACKDAW_NATIVE_BUILD=<a build for this machine>")
        return 77
    native, other = [options.native], options.other
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        taught = {"here": lines(native, "teach", root / "here"), "there": lines(other, "teach", root / "there")}
        print(taught["here"][0], "and", taught["there"][0])
        tail = [x for x in taught["here"] if x.startswith("store")]
        questions = [x for x in taught["here"]][-200:]
        expected = [taught["here"][0], *tail, *questions]
        checks = {"taught here and there": (taught["here"], taught["there"]),
                  "written there, read here": (expected, lines(native, "answer", root / "there")),
                  "written here, read there": (expected, lines(other, "answer", root / "here"))}
        for name, (a, b) in checks.items():
            wrong = differences(a, b)
            print(f"{name}: {len(a) - 1} lines, {len(wrong)} differ")
            for line in wrong[:3]:
                print(" ", line)
            failed = failed or bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
