#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""MNIST digits as embeddings: pixels, whitened by the principal components of Omniglot.

usage: unknown_mnist.py MNIST OMNIGLOT OUT TRAIN TEST

Nothing is learned from MNIST: mean and components come from Omniglot's characters, made 28x28 and
white on black; the variances are shrunk towards their mean, as in Jackdaw's calibration. Writes OUT/train.f32 and OUT/test.f32, raw float32 [10 digits][TRAIN or TEST][256].
Exits with 77 if NumPy or Pillow is missing.
"""
import pathlib
import sys

try:
    import numpy as np
    from PIL import Image, ImageFilter
except ImportError as error:
    print(f"{error}; install python3-numpy and python3-pil", file=sys.stderr)
    sys.exit(77)

COMPONENTS = 256
SHRINK = 0.3


def pixels(path, invert):
    image = Image.open(path).convert("L")
    if invert:
        image = image.point(lambda value: 255 - value)
    if image.size != (28, 28):
        image = image.resize((28, 28), Image.BOX)
    values = np.asarray(image.filter(ImageFilter.GaussianBlur(0.7)), np.float64).ravel()
    return values / max(values.max(), 1.0)


def main(mnist, omniglot, out, train, test):
    characters = sorted(pathlib.Path(omniglot).rglob("*.png"))
    known = np.stack([pixels(path, True) for path in characters])
    mean = known.mean(0)
    variances, axes = np.linalg.eigh(np.cov(known.T))
    variances = (1 - SHRINK) * np.maximum(variances, 0) + SHRINK * variances.mean()
    largest = np.argsort(variances)[::-1][:COMPONENTS]
    whiten = axes[:, largest] / np.sqrt(variances[largest])
    for split, count in (("train", int(train)), ("test", int(test))):
        embeddings = []
        for digit in range(10):
            paths = sorted((pathlib.Path(mnist) / split / str(digit)).glob("*.png"))
            if len(paths) < count:
                sys.exit(f"{mnist}/{split}/{digit} holds {len(paths)} images; {count} are needed")
            embeddings += [(pixels(path, False) - mean) @ whiten for path in paths[:count]]
        np.asarray(embeddings, np.float32).tofile(pathlib.Path(out) / f"{split}.f32")


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    main(*sys.argv[1:])
