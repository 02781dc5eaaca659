# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""AugNet's self-supervised ResNet-50 as a graph: the 2048 pooled features, without the projection behind them.

    model = convert(data)         # data: the torch state dict as bytes

The layout is torchvision's resnet50 (the stride of a block is in its 3x3 convolution).
"""

from __future__ import annotations

import onnx

import torch_files
from fold import fold_tensors
from graph import Graph

PREFIX, EPSILON = "module.pre.", 1e-5
BLOCKS = (3, 4, 6, 3)


def convert(data: bytes) -> onnx.ModelProto:
    tensors = torch_files.load(data)
    graph = Graph("resnet50-augnet", channels=3, width=128, height=128)

    def conv(x: str, name: str, norm: str, stride: int = 1, pad: int = 0) -> str:
        weight, bias = fold_tensors(tensors, PREFIX + name, PREFIX + norm, EPSILON)
        return graph.conv(x, weight, bias, stride, (pad,) * 4)

    x = graph.relu(conv(graph.image, "conv1", "bn1", stride=2, pad=3))
    x = graph.max_pool(x, kernel=3, stride=2, pad=1)
    for stage, count in enumerate(BLOCKS, 1):
        for index in range(count):
            block = f"layer{stage}.{index}"
            stride = 2 if stage > 1 and index == 0 else 1
            y = graph.relu(conv(x, f"{block}.conv1", f"{block}.bn1"))
            y = graph.relu(conv(y, f"{block}.conv2", f"{block}.bn2", stride, pad=1))
            y = conv(y, f"{block}.conv3", f"{block}.bn3")
            if index == 0:
                x = conv(x, f"{block}.downsample.0", f"{block}.downsample.1", stride)
            x = graph.relu(graph.add(y, x))
    return graph.model(graph.pool(x), size=2048)
