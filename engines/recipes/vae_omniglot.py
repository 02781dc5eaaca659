# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Trains the paper's autoencoder (supplement S1.1) on Omniglot and keeps the encoder of its means.

    python3 vae_omniglot.py --data OMNIGLOT --seed 0 --out FOLDER

OMNIGLOT holds ALPHABET/CHARACTER/*.png, black on white. FOLDER receives vae-omniglot.onnx, manifest.json and
training.log. Needs JAX and Pillow besides numpy and onnx; about 25 minutes on two cores. Usually called
by get.py. Where the paper is silent this follows what the authors published with it: weights start as a truncated
normal of deviation 1/sqrt(inputs), biases at 0; KL is the mean over all 512 dimensions; 1e-10 is added to the
deviation inside the logarithm; the reconstruction error is that of a sampled code. A training whose error on the
held-out pictures is above 0.025 is thrown away and repeated with the next seed.
"""

from __future__ import annotations

import argparse
import hashlib
from functools import partial
from pathlib import Path
from typing import Callable

import numpy as np

BATCHES, BATCH, RATE, KL_WEIGHT = 10_000, 48, 1e-3, 0.001
HELD_OUT, WORST_ERROR = 512, 0.025
CHANNELS, KERNEL, HIDDEN, CODE, SIDE = 16, 4, 128, 512, 28


def area_matrix(source: int, target: int) -> np.ndarray:
    """[target, source]: each target pixel is the mean of the source pixels it covers, parts counted as parts."""
    edges = np.arange(target + 1) * (source / target)
    pixel = np.arange(source)
    overlap = np.minimum(edges[1:, None], pixel + 1) - np.maximum(edges[:-1, None], pixel)
    return np.maximum(overlap, 0) * (target / source)


def load_pictures(folder: Path) -> tuple[np.ndarray, str]:
    """All pictures, white on black, [n, 28, 28, 1] in 0..1, in the order of their names; and a hash of the list."""
    from PIL import Image

    paths = sorted(folder.glob("*/*/*.png"), key=lambda path: path.relative_to(folder).as_posix())
    if len(paths) <= 2 * HELD_OUT:
        raise ValueError(f"{folder} holds {len(paths)} pictures as ALPHABET/CHARACTER/*.png; give the Omniglot folder")
    listing, pictures = hashlib.sha256(), []
    for path in paths:
        data = path.read_bytes()
        listing.update(f"{path.relative_to(folder).as_posix()} {hashlib.sha256(data).hexdigest()}\n".encode())
        with Image.open(path) as picture:
            grey = 1.0 - np.asarray(picture.convert("L"), np.float64) / 255.0
        pictures.append(area_matrix(grey.shape[0], SIDE) @ grey @ area_matrix(grey.shape[1], SIDE).T)
    return np.stack(pictures)[..., None].astype(np.float32), listing.hexdigest()


def initial(seed: int) -> dict[str, np.ndarray]:
    """All weights by name; convolutions [height, width, in, out], dense layers [in, out]."""
    random = np.random.default_rng((seed, 1))
    flat = CHANNELS * SIDE * SIDE
    shapes = {"conv1": (KERNEL, KERNEL, 1, CHANNELS), "conv2": (KERNEL, KERNEL, CHANNELS, CHANNELS),
              "mean1": (flat, HIDDEN), "mean2": (HIDDEN, CODE), "deviation1": (flat, HIDDEN),
              "deviation2": (HIDDEN, CODE), "code1": (CODE, HIDDEN), "code2": (HIDDEN, flat),
              "back1": (KERNEL, KERNEL, CHANNELS, CHANNELS), "back2": (KERNEL, KERNEL, CHANNELS, 1)}
    weights = {}
    for name, shape in shapes.items():
        drawn = random.standard_normal(shape)
        while (outside := np.abs(drawn) > 2).any():
            drawn[outside] = random.standard_normal(int(outside.sum()))
        weights[f"{name}.weight"] = (drawn / np.sqrt(np.prod(shape[:-1]))).astype(np.float32)
        weights[f"{name}.bias"] = np.zeros(shape[-1], np.float32)
    return weights


def losses(weights, x, noise):
    """The reconstruction error per pixel and the mean KL of pictures x [n, 28, 28, 1], with noise [n, 512]."""
    import jax
    from jax import numpy as jnp

    def conv(name: str, h, before: int, after: int):
        pads = ((before, after), (before, after))
        h = jax.lax.conv_general_dilated(h, weights[f"{name}.weight"], (1, 1), pads,
                                         dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return h + weights[f"{name}.bias"]

    def dense(name: str, h):
        return h @ weights[f"{name}.weight"] + weights[f"{name}.bias"]

    # "Same" with an even kernel: one pixel before and two behind; the other way round for the transposed ones,
    # which at stride 1 are convolutions with a kernel that is learned anyway.
    relu = jax.nn.relu
    h = relu(conv("conv2", relu(conv("conv1", x, 1, 2)), 1, 2)).reshape(len(x), -1)
    mean = jnp.tanh(dense("mean2", relu(dense("mean1", h))))
    deviation = relu(dense("deviation2", relu(dense("deviation1", h))))
    code = mean + deviation * noise
    h = relu(dense("code2", relu(dense("code1", code)))).reshape(-1, SIDE, SIDE, CHANNELS)
    out = jax.nn.sigmoid(conv("back2", relu(conv("back1", h, 2, 1)), 2, 1))
    safe = deviation + 1e-10
    kl = -0.5 * (1.0 + jnp.log(safe ** 2) - mean ** 2 - safe ** 2)
    return ((x - out) ** 2).mean(), kl.mean()


def train_once(pictures: np.ndarray, seed: int, say: Callable[[str], None],
               batches: int = BATCHES) -> tuple[dict[str, np.ndarray], float]:
    """One training: the encoder's weights and the held-out reconstruction error."""
    import jax
    from jax import numpy as jnp

    order = np.random.default_rng(20210527).permutation(len(pictures))  # the same held-out pictures for every seed
    held_out, training = pictures[order[:HELD_OUT]], pictures[order[HELD_OUT:]]

    def total(weights, x, noise):
        error, kl = losses(weights, x, noise)
        return error + KL_WEIGHT * kl, (error, kl)

    @partial(jax.jit, donate_argnums=(0, 1, 2))
    def step(weights, first, second, count, x, noise):   # Adam
        gradient, measured = jax.grad(total, has_aux=True)(weights, x, noise)
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradient)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradient)
        rate = RATE * jnp.sqrt(1 - 0.999 ** count) / (1 - 0.9 ** count)
        weights = jax.tree.map(lambda w, m, v: w - rate * m / (jnp.sqrt(v) + 1e-8), weights, first, second)
        return weights, first, second, measured

    weights = jax.tree.map(jnp.asarray, initial(seed))
    first, second = jax.tree.map(jnp.zeros_like, weights), jax.tree.map(jnp.zeros_like, weights)
    random = np.random.default_rng(seed)
    queue = np.empty(0, np.int64)
    for count in range(1, batches + 1):
        if len(queue) < BATCH:
            queue = random.permutation(len(training))
        chosen, queue = queue[:BATCH], queue[BATCH:]
        noise = random.standard_normal((BATCH, CODE), np.float32)
        weights, first, second, measured = step(weights, first, second, float(count), training[chosen], noise)
        if count % 500 == 0:
            say(f"seed {seed} batch {count}: error {float(measured[0]):.5f}, KL {float(measured[1]):.4f}")
    noise = random.standard_normal((HELD_OUT, CODE), np.float32)
    error, kl = (float(value) for value in jax.jit(losses)(weights, held_out, noise))
    say(f"seed {seed} held out: error {error:.5f}, KL {kl:.4f}")
    return {name: np.asarray(value) for name, value in weights.items()
            if name.split(".")[0] in ("conv1", "conv2", "mean1", "mean2")}, error


def train(data: Path, seed: int, say: Callable[[str], None]) -> tuple[dict[str, np.ndarray], str, str, int]:
    """Trains until an encoder is good enough: its weights, the log, the hash of the data, the seed that did it."""
    pictures, listing = load_pictures(data)
    lines: list[str] = []

    def note(line: str) -> None:
        lines.append(line)
        say(line)

    note(f"omniglot: {len(pictures)} pictures, {HELD_OUT} held out, list {listing}")
    while True:
        weights, error = train_once(pictures, seed, note)
        if error <= WORST_ERROR:
            return weights, "\n".join(lines) + "\n", listing, seed
        note(f"seed {seed}: the error is above {WORST_ERROR}; training again")
        seed += 1


def main() -> None:
    import vae_export
    from report import say

    parser = argparse.ArgumentParser(description="train the VAE encoder on Omniglot")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    weights, log, listing, seed = train(options.data, options.seed, say)
    vae_export.write(options.out, "vae-omniglot", weights, log, listing, seed)


if __name__ == "__main__":
    main()
