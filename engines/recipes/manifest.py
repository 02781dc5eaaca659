# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Manifests, version 1: what the runtime must know about an encoder. Standard library only.

    data = to_bytes(for_encoder(encoder))
    problems = faults(json.loads(data))          # [] if every field is there and of its kind
"""

from __future__ import annotations

import json
import re
from typing import Any

from encoders import VAE, Encoder

VERSION, MAX_BATCH = 1, 48


def _manifest(name: str, description: str, licence: str, source: dict[str, Any], sha256: str, half_sha256: str | None,
              picture: dict[str, Any], size: int) -> dict[str, Any]:
    return {
        "jackdaw_encoder": VERSION, "name": name, "description": description, "licence": licence, "source": source,
        "graph": {"file": f"{name}.onnx", "sha256": sha256,
                  "half_file": f"{name}.fp16.onnx" if half_sha256 else None, "half_sha256": half_sha256,
                  "input": "image", "output": "embedding"},
        "input": picture, "output": {"size": size}, "max_batch": MAX_BATCH, "calibration": None,
    }


def for_encoder(encoder: Encoder) -> dict[str, Any]:
    source = {"package": encoder.package.name, "version": encoder.package.version, "file": encoder.file,
              "sha256": encoder.file_sha256}
    picture = {"width": encoder.side, "height": encoder.side, "channels": 3, "colour": "rgb", "resize": "stretch"}
    if encoder.views != 1:
        picture["views"] = encoder.views
    if encoder.module is None:
        picture["layout"] = "byte pixels"
    else:
        picture |= {"mean": list(encoder.mean), "deviation": list(encoder.deviation)}
    made = _manifest(encoder.name, encoder.description, encoder.licence, source, encoder.sha256, encoder.half_sha256,
                     picture, encoder.size)
    if encoder.module is None:
        made["graph"]["changeable"] = False
    return made


def for_vae(name: str, seed: int, data_sha256: str, sha256: str) -> dict[str, Any]:
    """data_sha256: of the list of training pictures and their hashes (vae_omniglot.load_pictures)."""
    source = {"recipe": VAE, "seed": seed, "data": "omniglot", "sha256": data_sha256}
    picture = {"width": 28, "height": 28, "channels": 1, "colour": "grey", "resize": "stretch",
               "mean": [0.0], "deviation": [1.0]}
    return _manifest(name, "The paper's VAE encoder, trained on Omniglot: 512 tanh means, for white on black drawings.",
                     "Apache-2.0", source, sha256, None, picture, 512)


def to_bytes(manifest: dict[str, Any]) -> bytes:
    return (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode()


def faults(manifest: Any) -> list[str]:
    """What is missing, unknown or of the wrong kind."""
    found: list[str] = []

    def fields(value: Any, where: str, expected: dict[str, Any]) -> None:
        if not isinstance(value, dict):
            found.append(f"{where} is not an object")
            return
        found.extend(f"{where}.{key} is missing" for key in expected if key not in value)
        found.extend(f"{where}.{key} is unknown" for key in value if key not in expected)
        for key, check in expected.items():
            if key in value and not check(value[key]):
                found.append(f"{where}.{key} is {value[key]!r}")

    def text(value: Any) -> bool:
        return isinstance(value, str) and value != ""

    def whole(value: Any) -> bool:
        return type(value) is int and value > 0

    def sha256(value: Any) -> bool:
        return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None

    def numbers(value: Any) -> bool:
        return isinstance(value, list) and len(value) in (1, 3) and all(isinstance(n, float) for n in value)

    def anything(_: Any) -> bool:
        return True

    fields(manifest, "manifest", {
        "jackdaw_encoder": lambda v: v == VERSION, "name": text, "description": text, "licence": text,
        "source": anything, "graph": anything, "input": anything, "output": anything, "max_batch": whole,
        "calibration": lambda v: v is None})
    if found:
        return found
    source, graph, picture = manifest["source"], manifest["graph"], manifest["input"]
    if isinstance(source, dict) and "recipe" in source:
        fields(source, "source", {"recipe": text, "seed": lambda v: type(v) is int, "data": text, "sha256": sha256})
    else:
        fields(source, "source", {"package": text, "version": text, "file": text, "sha256": sha256})
    kept = {"changeable": lambda v: v is False} if "changeable" in graph else {}
    fields(graph, "graph", kept | {
        "file": text, "sha256": sha256, "half_file": lambda v: v is None or text(v),
        "half_sha256": lambda v: v is None or sha256(v), "input": text, "output": text})
    pixels = {"layout": lambda v: v == "byte pixels"}
    views = {"views": lambda v: v == 2} if "views" in picture else {}
    fields(picture, "input", views | (pixels if "layout" in picture else {"mean": numbers, "deviation": numbers}) | {
        "width": whole, "height": whole, "channels": lambda v: v in (1, 3), "colour": lambda v: v in ("rgb", "grey"),
        "resize": lambda v: v == "stretch"})
    fields(manifest["output"], "output", {"size": whole})
    if not found and "mean" in picture and not len(picture["mean"]) == len(picture["deviation"]) == picture["channels"]:
        found.append("input.mean and input.deviation need one number a channel")
    if not found and (graph["half_file"] is None) != (graph["half_sha256"] is None):
        found.append("graph.half_file and graph.half_sha256 must both be there or both be null")
    return found
