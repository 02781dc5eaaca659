#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Encoders in Jackdaw beside ONNX Runtime, on the same cores, in one run.

    tests/bench/encoders.py JACKDAW PYTHON_WITH_ONNXRUNTIME CACHE [--rounds 3]

CACHE is where `jackdaw engine get` put the encoders (JACKDAW_CACHE). The programs take turns; medians over the
rounds. Jackdaw's figure includes resizing a 640x480 picture, ONNX Runtime's is the graph alone.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess

ORT = """
import json, statistics, sys, time
import numpy as np, onnxruntime as ort
for path in sys.argv[1:]:
    manifest = json.load(open(path)); folder = path.rsplit("/", 1)[0]; size = manifest["input"]
    session = ort.InferenceSession(folder + "/" + manifest["graph"]["file"], providers=["CPUExecutionProvider"])
    x = np.random.default_rng(0).normal(size=(1, size["channels"], size["height"], size["width"])).astype(np.float32)
    times = []
    for _ in range(43):
        start = time.perf_counter(); session.run(None, {manifest["graph"]["input"]: x})
        times.append(time.perf_counter() - start)
    print(json.dumps({"name": manifest["name"], "us": statistics.median(times[2:]) * 1e6}))
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jackdaw")
    parser.add_argument("python")
    parser.add_argument("cache")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    manifests = sorted(map(str, pathlib.Path(options.cache).glob("encoders/*/manifest.json")))
    environment = {**os.environ, "JACKDAW_CACHE": options.cache}
    ours, peer = {}, {}
    for _ in range(options.rounds):
        output = subprocess.run([options.jackdaw, "bench", "encoders", "--json"], check=True, capture_output=True,
                                text=True, env=environment).stdout
        for row in json.loads(output)["measured"]:
            ours.setdefault(row["name"].split(",")[0], []).append(row["ours_us"])
        output = subprocess.run([options.python, "-c", ORT, *manifests], check=True, capture_output=True, text=True).stdout
        for line in output.splitlines():
            row = json.loads(line)
            peer.setdefault(row["name"], []).append(row["us"])
    for name in sorted(ours):
        mine, theirs = statistics.median(ours[name]), statistics.median(peer[name])
        print(f"{name:34} jackdaw {1e6 / mine:7.1f} pictures/s   ONNX Runtime {1e6 / theirs:7.1f}   ratio {theirs / mine:.2f}")


if __name__ == "__main__":
    main()
