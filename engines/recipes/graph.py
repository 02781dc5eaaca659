# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Writes ONNX graphs of the operators that OpenCV 4.5.4, ONNX Runtime 1.10 and TensorRT 8.5 all read.

    graph = Graph("name", channels=3, width=128, height=128)
    x = graph.relu(graph.conv(graph.image, weight, bias, stride=2, pads=(3, 3, 3, 3)))
    model = graph.model(graph.pool(x), size=2048)

Opset 10: there Clip has attributes, which is the only form that OpenCV's importer takes. Names are counted, so the
same calls give the same bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET, IR_VERSION = 10, 5
INPUT, OUTPUT = "image", "embedding"


class Graph:
    def __init__(self, name: str, channels: int, width: int, height: int) -> None:
        self.image = INPUT
        self._name, self._shape = name, ["batch", channels, height, width]
        self._nodes: list[onnx.NodeProto] = []
        self._tensors: list[onnx.TensorProto] = []

    def _constant(self, values: np.ndarray) -> str:
        name = f"w{len(self._tensors)}"
        self._tensors.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def _node(self, kind: str, inputs: list[str], **attributes: Any) -> str:
        output = f"x{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, inputs, [output], name=f"{kind}{len(self._nodes)}", **attributes))
        return output

    def conv(self, x: str, weight: np.ndarray, bias: np.ndarray, stride: int = 1,
             pads: tuple[int, int, int, int] = (0, 0, 0, 0), groups: int = 1) -> str:
        """pads: top, left, bottom, right."""
        return self._node("Conv", [x, self._constant(weight), self._constant(bias)], kernel_shape=weight.shape[2:],
                          strides=[stride, stride], pads=pads, dilations=[1, 1], group=groups)

    def relu(self, x: str) -> str:
        return self._node("Relu", [x])

    def relu6(self, x: str) -> str:
        return self._node("Clip", [x], min=0.0, max=6.0)

    def tanh(self, x: str) -> str:
        return self._node("Tanh", [x])

    def add(self, a: str, b: str) -> str:
        return self._node("Add", [a, b])

    def max_pool(self, x: str, kernel: int, stride: int, pad: int) -> str:
        return self._node("MaxPool", [x], kernel_shape=[kernel, kernel], strides=[stride, stride], pads=[pad] * 4)

    def pool(self, x: str) -> str:
        """The mean of every channel: [n, channels]."""
        return self.flatten(self._node("GlobalAveragePool", [x]))

    def flatten(self, x: str) -> str:
        return self._node("Flatten", [x], axis=1)

    def linear(self, x: str, weight: np.ndarray, bias: np.ndarray) -> str:
        """weight: [out, in]."""
        return self._node("Gemm", [x, self._constant(weight), self._constant(bias)], transB=1)

    def model(self, x: str, size: int) -> onnx.ModelProto:
        """The finished, checked model; x becomes the output."""
        self._nodes[-1].output[0] = OUTPUT
        if x != f"x{len(self._nodes) - 1}":
            raise ValueError("the output is not the last node's")
        graph = helper.make_graph(
            self._nodes, self._name, [helper.make_tensor_value_info(INPUT, TensorProto.FLOAT, self._shape)],
            [helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, ["batch", size])], self._tensors)
        return finished(graph)


def finished(graph: onnx.GraphProto) -> onnx.ModelProto:
    model = helper.make_model(graph, producer_name="jackdaw", ir_version=IR_VERSION,
                              opset_imports=[helper.make_opsetid("", OPSET)])
    onnx.checker.check_model(model, full_check=True)
    return model
