# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Turns a float32 graph of graph.py into half precision: weights and sums fp16, input and output still float32.

    half = to_half(model)

TensorRT takes its precision from the graph (TensorRT 11 has no builder flag for it). OpenCV does not read this file.
"""

from __future__ import annotations

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from graph import INPUT, OUTPUT, finished

LARGEST = 65504.0


def half_tensor(tensor: onnx.TensorProto) -> onnx.TensorProto:
    values = numpy_helper.to_array(tensor)
    if values.dtype != np.float32:
        return tensor
    if not np.all(np.abs(values) <= LARGEST):
        raise ValueError(f"weight {tensor.name} holds a value that half precision cannot")
    return numpy_helper.from_array(values.astype(np.float16), tensor.name)


def to_half(model: onnx.ModelProto) -> onnx.ModelProto:
    inside = {INPUT: f"{INPUT}_half", OUTPUT: f"{OUTPUT}_half"}
    nodes = [helper.make_node("Cast", [INPUT], [inside[INPUT]], name="CastIn", to=TensorProto.FLOAT16)]
    for node in model.graph.node:
        copy = onnx.NodeProto()
        copy.CopyFrom(node)
        copy.input[:] = [inside.get(name, name) for name in node.input]
        copy.output[:] = [inside.get(name, name) for name in node.output]
        nodes.append(copy)
    nodes.append(helper.make_node("Cast", [inside[OUTPUT]], [OUTPUT], name="CastOut", to=TensorProto.FLOAT))
    return finished(helper.make_graph(nodes, f"{model.graph.name}-half", list(model.graph.input),
                                      list(model.graph.output), [half_tensor(t) for t in model.graph.initializer]))
