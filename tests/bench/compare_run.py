#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""A whole CIFAR-10 run from the embedding cache against a jitted JAX version of it, on the same cores.

    tests/bench/compare_run.py JACKDAW VENV_FOLDER --data cifar10 --encoder NAME [--rounds 3] [--share 1]

Profile seed, n = 1024, k = 32, 1000 batches of 48, all 10,000 test pictures every 10 batches. NAME: an encoder
of 512 numbers, for which JAX's version is written. Both take turns; the fastest of each is compared. JAX's
figure is the better of its two forms. --share 0.1: both run a tenth of the batches. Required: JAX takes at
least 10 times as long. Exits with 1 if it does not. tests/bench/peer.sh makes the VENV_FOLDER.
"""
import argparse
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
REQUIRED = 10.0


def output(command):
    return json.loads(subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jackdaw")
    parser.add_argument("venv")
    parser.add_argument("--data", required=True)
    parser.add_argument("--encoder", required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--share", type=float, default=1.0)
    options = parser.parse_args()
    batches = round(1000 * options.share)

    ours, theirs = {"seed": [], "default": []}, {"gather": [], "dense": []}
    for _ in range(options.rounds):
        for profile, seconds in ours.items():
            row = output([options.jackdaw, "replay", "--data", options.data, "--schedule", "5way", "--encoder",
                          options.encoder, "--runs", 1, "--batches", batches, "--batch-size", 48, "--profile", profile,
                          "--json"])["rows"][0]
            assert row["settings"]["dimensions"] == 512, "give an encoder of 512 numbers"
            seconds.append(row["seconds"]["teach"] + row["seconds"]["predict"])
        for form, seconds in theirs.items():
            seconds.append(output([pathlib.Path(options.venv) / "bin" / "python", HERE / "run_jax.py", "--batches",
                                   batches, "--form", form])["seconds"])

    peer = min(min(seconds) for seconds in theirs.values())
    for form, seconds in theirs.items():
        print(f"JAX, {form:8} {min(seconds):8.1f} s")
    for profile, seconds in ours.items():
        print(f"jackdaw, {profile:8} {min(seconds):8.2f} s   ratio {peer / min(seconds):5.1f}"
              + (f"   required {REQUIRED:.0f}" if profile == "seed" else "   (JAX runs profile seed)"))
    return 0 if peer / min(ours["seed"]) >= REQUIRED else 1


if __name__ == "__main__":
    sys.exit(main())
