# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""EfficientNet-Lite0, trained on ImageNet with labels, as a graph: the 1280 pooled features.

    model = convert(data)         # data: the torch state dict as bytes

No squeeze and excitation, ReLU6, TensorFlow's "same" padding. That padding depends on the size of the picture and is
written out for 128x128, so the graph takes no other size.
"""

from __future__ import annotations

import onnx

import torch_files
from fold import fold_tensors
from graph import Graph

SIDE, EPSILON = 128, 1e-3
STRIDES = {1: 2, 3: 2, 5: 2, 11: 2}   # by block; all others 1
BLOCKS = 16


def same_padding(side: int, kernel: int, stride: int) -> tuple[int, int, int, int]:
    """TensorFlow's: as many outputs as strides fit, what is odd goes behind. top, left, bottom, right."""
    outputs = -(-side // stride)
    total = max((outputs - 1) * stride + kernel - side, 0)
    return (total // 2, total // 2, total - total // 2, total - total // 2)


def convert(data: bytes) -> onnx.ModelProto:
    tensors = torch_files.load(data)
    graph = Graph("efficientnet-lite0", channels=3, width=SIDE, height=SIDE)
    side = SIDE

    def conv(x: str, name: str, norm: str, stride: int = 1, depthwise: bool = False) -> str:
        nonlocal side
        weight, bias = fold_tensors(tensors, name, norm, EPSILON)
        pads = same_padding(side, weight.shape[2], stride)
        side = -(-side // stride)
        return graph.conv(x, weight, bias, stride, pads, weight.shape[0] if depthwise else 1)

    x = graph.relu6(conv(graph.image, "_conv_stem", "_bn0", stride=2))
    for index in range(BLOCKS):
        block, stride = f"_blocks.{index}", STRIDES.get(index, 1)
        y = x
        if f"{block}._expand_conv.weight" in tensors:
            y = graph.relu6(conv(y, f"{block}._expand_conv", f"{block}._bn0"))
        y = graph.relu6(conv(y, f"{block}._depthwise_conv", f"{block}._bn1", stride, depthwise=True))
        y = conv(y, f"{block}._project_conv", f"{block}._bn2")
        inputs = tensors[f"{block}.{'_expand_conv' if index else '_depthwise_conv'}.weight"].shape[1 if index else 0]
        same = stride == 1 and inputs == tensors[f"{block}._project_conv.weight"].shape[0]
        x = graph.add(y, x) if same else y
    x = graph.relu6(conv(x, "_conv_head", "_bn1"))
    return graph.model(graph.pool(x), size=1280)
