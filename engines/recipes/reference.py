# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""The networks once more, in plain numpy and float64, to compare the converted graphs with.

    embeddings = REFERENCES["resnet50-augnet"](data, images)     # images: [n, 3, 128, 128]

Written apart from the converters: batch norm is applied, not folded, and padding is worked out from the picture at
hand. Slow; a handful of pictures is enough.
"""

from __future__ import annotations

from typing import Callable, Mapping

import numpy as np

import torch_files

Tensors = Mapping[str, np.ndarray]


def convolve(x: np.ndarray, weight: np.ndarray, stride: int, before: int, behind: int) -> np.ndarray:
    """Plain when weight is [out, in, k, k], one filter a channel when it is [channels, 1, k, k]."""
    kernel = weight.shape[2]
    x = np.pad(x, ((0, 0), (0, 0), (before, behind), (before, behind)))
    windows = np.lib.stride_tricks.sliding_window_view(x, (kernel, kernel), axis=(2, 3))[:, :, ::stride, ::stride]
    if weight.shape[1] == 1 and x.shape[1] == weight.shape[0]:
        return np.einsum("nchwij,cij->nchw", windows, weight[:, 0])
    return np.moveaxis(np.tensordot(windows, weight, axes=((1, 4, 5), (1, 2, 3))), 3, 1)


def normalise(x: np.ndarray, tensors: Tensors, name: str, epsilon: float) -> np.ndarray:
    scale, shift, mean, variance = (tensors[f"{name}.{part}"].astype(np.float64)[:, None, None]
                                    for part in ("weight", "bias", "running_mean", "running_var"))
    return (x - mean) / np.sqrt(variance + epsilon) * scale + shift


def resnet50_augnet(data: bytes, images: np.ndarray) -> np.ndarray:
    tensors = torch_files.load(data)

    def unit(x: np.ndarray, conv: str, norm: str, stride: int = 1) -> np.ndarray:
        weight = tensors["module.pre." + conv + ".weight"].astype(np.float64)
        pad = (weight.shape[2] - 1) // 2
        return normalise(convolve(x, weight, stride, pad, pad), tensors, "module.pre." + norm, 1e-5)

    x = np.maximum(unit(images.astype(np.float64), "conv1", "bn1", 2), 0)
    x = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=-np.inf)
    x = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(2, 3))[:, :, ::2, ::2].max(axis=(4, 5))
    blocks = sorted({name.split(".")[2] + "." + name.split(".")[3] for name in tensors if ".layer" in name})
    for block in blocks:
        shortcut = f"module.pre.{block}.downsample.0.weight" in tensors
        stride = 2 if shortcut and not block.startswith("layer1") else 1
        y = np.maximum(unit(x, f"{block}.conv1", f"{block}.bn1"), 0)
        y = np.maximum(unit(y, f"{block}.conv2", f"{block}.bn2", stride), 0)
        y = unit(y, f"{block}.conv3", f"{block}.bn3")
        x = np.maximum(y + (unit(x, f"{block}.downsample.0", f"{block}.downsample.1", stride) if shortcut else x), 0)
    return x.mean(axis=(2, 3))


def efficientnet_lite0(data: bytes, images: np.ndarray) -> np.ndarray:
    tensors = torch_files.load(data)

    def unit(x: np.ndarray, conv: str, norm: str, stride: int = 1) -> np.ndarray:
        weight = tensors[conv + ".weight"].astype(np.float64)
        side, kernel = x.shape[2], weight.shape[2]
        overhang = kernel - (stride if side % stride == 0 else side % stride)
        pad = max(overhang, 0)
        return normalise(convolve(x, weight, stride, pad // 2, pad - pad // 2), tensors, norm, 1e-3)

    def relu6(x: np.ndarray) -> np.ndarray:
        return np.clip(x, 0, 6)

    x = relu6(unit(images.astype(np.float64), "_conv_stem", "_bn0", 2))
    # repeats and first stride of each stage
    index = 0
    for repeats, first in ((1, 1), (2, 2), (2, 2), (3, 2), (3, 1), (4, 2), (1, 1)):
        for repeat in range(repeats):
            name = f"_blocks.{index}"
            y = relu6(unit(x, f"{name}._expand_conv", f"{name}._bn0")) if index > 0 else x
            y = relu6(unit(y, f"{name}._depthwise_conv", f"{name}._bn1", first if repeat == 0 else 1))
            y = unit(y, f"{name}._project_conv", f"{name}._bn2")
            x = x + y if repeat > 0 else y
            index += 1
    return relu6(unit(x, "_conv_head", "_bn1")).mean(axis=(2, 3))


REFERENCES: dict[str, Callable[[bytes, np.ndarray], np.ndarray]] = {
    "resnet50-augnet": resnet50_augnet,
    "efficientnet-lite0": efficientnet_lite0,
}
