#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Profile seed's step against JAX on the same cores, in one run.

    tests/bench/compare.py JACKDAW VENV_FOLDER [--rounds 5] [--threads 2]

Both programs take turns; each round gives the median of its repetitions, and the medians over the rounds
are compared. JAX's figure is the faster of its two forms. Required: teaching a batch of 60 at least 15
times faster, answering at least 4 times faster. Exits with 1 if a ratio is not reached.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess

REQUIRED = {"teach": 15.0, "answer": 4.0}
HERE = pathlib.Path(__file__).resolve().parent


def lines(command, cores):
    output = subprocess.run(command, check=True, capture_output=True, text=True,
                            preexec_fn=lambda: os.sched_setaffinity(0, cores)).stdout
    return output


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jackdaw")
    parser.add_argument("venv")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    cores = set(sorted(os.sched_getaffinity(0))[:options.threads])

    ours = {"teach": [], "answer": []}
    peer = {"teach": [], "answer": []}
    for _ in range(options.rounds):
        result = json.loads(lines([options.jackdaw, "bench", "batch", "--json", "--repetitions", "201",
                                    "--threads", str(options.threads)], cores))
        for row in result["measured"]:
            ours["teach" if "teach" in row["name"] else "answer"].append(row["ours_us"] / 1e3)
        forms = [json.loads(line) for line in lines(
            [HERE / "peer.sh", options.venv, "--rounds", "1", "--repetitions", "41"], cores).splitlines()
            if line.startswith("{")]
        peer["teach"].append(min(form["update_ms"] for form in forms))
        peer["answer"].append(min(form["predict_ms"] for form in forms))

    failed = False
    print(f"n = 1024, k = 32, d = 512, 10 classes, a batch of 60, {options.threads} threads; ms, medians of {options.rounds}")
    for step, required in REQUIRED.items():
        mine, theirs = statistics.median(ours[step]), statistics.median(peer[step])
        ratio = theirs / mine
        failed |= ratio < required
        print(f"{step:7} jackdaw {mine:7.3f} (from {min(ours[step]):.3f} to {max(ours[step]):.3f})   "
              f"JAX {theirs:7.3f} (from {min(peer[step]):.3f} to {max(peer[step]):.3f})   ratio {ratio:5.1f}   required {required:.0f}")
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
