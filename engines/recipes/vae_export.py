# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the VAE's encoder as a graph with its manifest and training log.

    write(folder, "vae-omniglot", weights, log, listing, seed)

weights: conv1, conv2, mean1, mean2, each as .weight and .bias, laid out as vae_omniglot.initial says. Needs numpy and onnx only.
"""

from __future__ import annotations

from pathlib import Path
from typing import Mapping

import numpy as np
import onnx

import manifest
from encoders import VAE_LICENCE
from files import sha256_bytes, write_atomically
from graph import Graph

SAME = (1, 1, 2, 2)   # an even kernel of 4: one pixel before, two behind


def encoder_graph(name: str, weights: Mapping[str, np.ndarray]) -> onnx.ModelProto:
    graph = Graph(name, channels=1, width=28, height=28)

    def pair(layer: str, order: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        kernel = np.ascontiguousarray(weights[f"{layer}.weight"].transpose(order), np.float32)
        return kernel, weights[f"{layer}.bias"].astype(np.float32)

    x = graph.relu(graph.conv(graph.image, *pair("conv1", (3, 2, 0, 1)), pads=SAME))
    x = graph.relu(graph.conv(x, *pair("conv2", (3, 2, 0, 1)), pads=SAME))
    # The graph flattens channels first, the training channels last.
    mean1, bias1 = pair("mean1", (1, 0))
    mean1 = np.ascontiguousarray(mean1.reshape(-1, 28, 28, 16).transpose(0, 3, 1, 2)).reshape(len(mean1), -1)
    x = graph.relu(graph.linear(graph.flatten(x), mean1, bias1))
    return graph.model(graph.tanh(graph.linear(x, *pair("mean2", (1, 0)))), size=512)


def write(folder: Path, name: str, weights: Mapping[str, np.ndarray], log: str, listing: str, seed: int) -> None:
    """The manifest comes last: where it is, everything is."""
    data = encoder_graph(name, weights).SerializeToString()
    write_atomically(folder / f"{name}.onnx", data)
    write_atomically(folder / "training.log", log.encode())
    write_atomically(folder / "LICENCE", VAE_LICENCE.encode())
    write_atomically(folder / "manifest.json",
                     manifest.to_bytes(manifest.for_vae(name, seed, listing, sha256_bytes(data))))
