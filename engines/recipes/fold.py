# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Folds a batch normalisation into the convolution before it.

    weight, bias = fold_tensors(tensors, "layer1.0.conv1", "layer1.0.bn1", epsilon=1e-5)

The sums are made in float64 and rounded once, so the result is the same on every machine.
"""

from __future__ import annotations

from typing import Mapping

import numpy as np


def fold(weight: np.ndarray, scale: np.ndarray, shift: np.ndarray, mean: np.ndarray, variance: np.ndarray,
         epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    """[out, in, h, w] and a bias that together give scale * (conv - mean) / sqrt(variance + epsilon) + shift."""
    factor = scale.astype(np.float64) / np.sqrt(variance.astype(np.float64) + epsilon)
    folded = weight.astype(np.float64) * factor[:, None, None, None]
    bias = shift.astype(np.float64) - mean.astype(np.float64) * factor
    return folded.astype(np.float32), bias.astype(np.float32)


def fold_tensors(tensors: Mapping[str, np.ndarray], conv: str, norm: str,
                 epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    return fold(tensors[f"{conv}.weight"], tensors[f"{norm}.weight"], tensors[f"{norm}.bias"],
                tensors[f"{norm}.running_mean"], tensors[f"{norm}.running_var"], epsilon)
