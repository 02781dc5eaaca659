# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Trains the paper's autoencoder (supplement S1.1) on Omniglot and keeps the encoder of its means.

    python3 vae_omniglot.py --data OMNIGLOT --seed 0 --out FOLDER

OMNIGLOT holds ALPHABET/CHARACTER/*.png, black on white. FOLDER receives vae-omniglot.onnx, manifest.json and
training.log. Needs torch (CPU) and Pillow besides numpy and onnx; about 25 minutes on two cores. Usually called
by get.py. Where the paper is silent this follows what the authors published with it: weights start as a truncated
normal of deviation 1/sqrt(inputs), biases at 0; KL is the mean over all 512 dimensions; 1e-10 is added to the
deviation inside the logarithm; the reconstruction error is that of a sampled code. A training whose error on the
held-out pictures is above 0.025 is thrown away and repeated with the next seed.
"""

from __future__ import annotations

import argparse
import hashlib
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
    """All pictures, white on black, [n, 1, 28, 28] in 0..1, in the order of their names; and a hash of the list."""
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
    return np.stack(pictures)[:, None].astype(np.float32), listing.hexdigest()


def train_once(pictures: np.ndarray, seed: int, say: Callable[[str], None],
               batches: int = BATCHES) -> tuple[dict[str, np.ndarray], float]:
    """One training: the encoder's weights and the held-out reconstruction error."""
    import torch
    from torch import nn
    from torch.nn import functional as F

    torch.set_num_threads(2)
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(seed)
    order = np.random.default_rng(20210527).permutation(len(pictures))  # the same held-out pictures for every seed
    held_out = torch.from_numpy(pictures[order[:HELD_OUT]])
    training = torch.from_numpy(pictures[order[HELD_OUT:]])
    flat = CHANNELS * SIDE * SIDE

    def layer(module: nn.Module, inputs: int) -> nn.Module:
        nn.init.trunc_normal_(module.weight, std=inputs ** -0.5, a=-2 * inputs ** -0.5, b=2 * inputs ** -0.5)
        nn.init.zeros_(module.bias)
        return module

    def conv(inputs: int, outputs: int) -> nn.Module:
        return layer(nn.Conv2d(inputs, outputs, KERNEL), inputs * KERNEL * KERNEL)

    def linear(inputs: int, outputs: int) -> nn.Module:
        return layer(nn.Linear(inputs, outputs), inputs)

    net = nn.ModuleDict({
        "conv1": conv(1, CHANNELS), "conv2": conv(CHANNELS, CHANNELS),
        "mean1": linear(flat, HIDDEN), "mean2": linear(HIDDEN, CODE),
        "deviation1": linear(flat, HIDDEN), "deviation2": linear(HIDDEN, CODE),
        "code1": linear(CODE, HIDDEN), "code2": linear(HIDDEN, flat),
        "back1": conv(CHANNELS, CHANNELS), "back2": conv(CHANNELS, 1),
    })

    def losses(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        # "Same" with an even kernel: one pixel before and two behind; the other way round for the transposed ones,
        # which at stride 1 are convolutions with a kernel that is learned anyway.
        h = F.relu(net["conv1"](F.pad(x, (1, 2, 1, 2))))
        h = F.relu(net["conv2"](F.pad(h, (1, 2, 1, 2)))).flatten(1)
        mean = torch.tanh(net["mean2"](F.relu(net["mean1"](h))))
        deviation = F.relu(net["deviation2"](F.relu(net["deviation1"](h))))
        code = mean + deviation * torch.randn(mean.shape)
        h = F.relu(net["code2"](F.relu(net["code1"](code)))).view(-1, CHANNELS, SIDE, SIDE)
        h = F.relu(net["back1"](F.pad(h, (2, 1, 2, 1))))
        out = torch.sigmoid(net["back2"](F.pad(h, (2, 1, 2, 1))))
        safe = deviation + 1e-10
        kl = -0.5 * (1.0 + torch.log(safe ** 2) - mean ** 2 - safe ** 2)
        return ((x - out) ** 2).mean(), kl.mean()

    optimiser = torch.optim.Adam(net.parameters(), lr=RATE)
    shuffle = np.random.default_rng(seed)
    queue = np.empty(0, np.int64)
    for step in range(1, batches + 1):
        if len(queue) < BATCH:
            queue = shuffle.permutation(len(training))
        chosen, queue = queue[:BATCH], queue[BATCH:]
        error, kl = losses(training[torch.from_numpy(chosen)])
        optimiser.zero_grad()
        (error + KL_WEIGHT * kl).backward()
        optimiser.step()
        if step % 500 == 0:
            say(f"seed {seed} batch {step}: error {error.item():.5f}, KL {kl.item():.4f}")
    with torch.no_grad():
        error, kl = losses(held_out)
    say(f"seed {seed} held out: error {error.item():.5f}, KL {kl.item():.4f}")
    weights = {name: value.detach().numpy() for name, value in net.state_dict().items()
               if name.split(".")[0] in ("conv1", "conv2", "mean1", "mean2")}
    return weights, float(error)


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
