#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of what reads and writes weights and graphs: offline, in seconds, with numpy and onnx.

    python3 test_graphs.py
"""

from __future__ import annotations

import io
import pickle
import struct
import sys
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

import efficientnet_lite0
import fold
import half
import reference
import torch_files
import vae_export
import vae_omniglot
from graph import Graph


def state_pickle(count: int = 6, shape: tuple[int, ...] = (2, 3), name: str = "FloatStorage",
                 legacy: bool = False) -> bytes:
    """By hand, as torch writes it: {"w": _rebuild_tensor_v2(persistent storage "0", 0, shape, stride, False, {})}."""
    def text(value: str) -> bytes:
        return b"X" + struct.pack("<I", len(value)) + value.encode()

    def numbers(values: tuple[int, ...]) -> bytes:
        return b"(" + b"".join(b"J" + struct.pack("<i", value) for value in values) + b"t"

    strides = tuple(int(np.prod(shape[i + 1:])) for i in range(len(shape)))
    storage = (b"(" + text("storage") + f"ctorch\n{name}\n".encode() + text("0") + text("cpu") +
               b"J" + struct.pack("<i", count) + (b"N" if legacy else b"") + b"tQ")
    tensor = (b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + b"J" + struct.pack("<i", 0) + numbers(shape) +
              numbers(strides) + b"\x89" + b"}" + b"tR")
    return b"\x80\x02}" + text("w") + tensor + b"s."


def zip_file(main: bytes, storage: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("archive/data.pkl", main)
        archive.writestr("archive/data/0", storage)
    return out.getvalue()


class TorchFiles(unittest.TestCase):
    values = np.arange(6, dtype=np.float32)

    def test_zip_files_are_read(self) -> None:
        found = torch_files.load(zip_file(state_pickle(), self.values.tobytes()))
        np.testing.assert_array_equal(found["w"], self.values.reshape(2, 3))

    def test_legacy_files_are_read(self) -> None:
        head = b"".join(pickle.dumps(part, 2) for part in (torch_files.MAGIC, torch_files.PROTOCOL, {}))
        data = (head + state_pickle(legacy=True) + pickle.dumps(["0"], 2) + struct.pack("<q", 6) +
                self.values.tobytes())
        np.testing.assert_array_equal(torch_files.load(data)["w"], self.values.reshape(2, 3))
        with self.assertRaises(ValueError):
            torch_files.load(data[:-1])

    def test_foreign_names_are_refused_and_not_called(self) -> None:
        for module, name in (("os", "system"), ("builtins", "eval"), ("torch", "load"), ("collections", "deque")):
            attack = b"\x80\x02c" + f"{module}\n{name}\n".encode() + b"(X\x04\0\0\0exittR."
            with self.assertRaisesRegex(pickle.UnpicklingError, f"{module}.{name}"):
                torch_files.load(zip_file(attack, b""))
            with self.assertRaises(pickle.UnpicklingError):
                torch_files.load(attack)

    def test_storages_that_do_not_fit_are_refused(self) -> None:
        whole = self.values.tobytes()
        for main, storage in ((state_pickle(), whole[:-4]), (state_pickle(shape=(2, 4)), whole),
                              (state_pickle(count=2**30, shape=(1,)), whole)):
            with self.assertRaises(ValueError):
                torch_files.load(zip_file(main, storage))


class Graphs(unittest.TestCase):
    def setUp(self) -> None:
        self.random = np.random.default_rng(1)

    def draw(self, *shape: int) -> np.ndarray:
        return self.random.normal(size=shape).astype(np.float32)

    def small(self) -> tuple[onnx.ModelProto, np.ndarray]:
        graph = Graph("small", channels=3, width=8, height=8)
        x = graph.relu6(graph.conv(graph.image, self.draw(4, 3, 3, 3), self.draw(4), stride=2, pads=(0, 0, 1, 1)))
        return graph.model(graph.pool(x), size=4), self.draw(2, 3, 8, 8)

    def run_model(self, model: onnx.ModelProto, images: np.ndarray) -> np.ndarray:
        return ReferenceEvaluator(model).run(None, {"image": images})[0]

    def test_fold_equals_batch_norm_after_the_convolution(self) -> None:
        x, weight = self.draw(2, 3, 6, 6), self.draw(5, 3, 3, 3)
        tensors = {"c.weight": weight, "n.weight": self.draw(5), "n.bias": self.draw(5),
                   "n.running_mean": self.draw(5), "n.running_var": self.draw(5) ** 2}
        folded, bias = fold.fold_tensors(tensors, "c", "n", 1e-3)
        direct = reference.normalise(reference.convolve(x, weight, 1, 1, 1), tensors, "n", 1e-3)
        np.testing.assert_allclose(reference.convolve(x, folded, 1, 1, 1) + bias[:, None, None], direct, atol=1e-5)

    def test_graphs_keep_to_the_operators_of_old_readers(self) -> None:
        model, _ = self.small()
        self.assertEqual((model.ir_version, model.opset_import[0].version), (5, 10))
        for node in model.graph.node:
            self.assertLessEqual(len(node.input), 1 if node.op_type == "Clip" else 3)
        self.assertEqual(model.graph.input[0].type.tensor_type.shape.dim[0].dim_param, "batch")

    def test_the_same_calls_give_the_same_bytes(self) -> None:
        first = self.small()[0].SerializeToString()
        self.setUp()
        self.assertEqual(self.small()[0].SerializeToString(), first)

    def test_half_keeps_the_borders_and_nearly_the_result(self) -> None:
        model, images = self.small()
        small = half.to_half(model)
        self.assertEqual({t.data_type for t in small.graph.initializer}, {onnx.TensorProto.FLOAT16})
        for value in (*small.graph.input, *small.graph.output):
            self.assertEqual(value.type.tensor_type.elem_type, onnx.TensorProto.FLOAT)
        found, expected = self.run_model(small, images), self.run_model(model, images)
        self.assertEqual(found.dtype, np.float32)
        np.testing.assert_allclose(found, expected, rtol=5e-3)  # 2^-11 a rounding, some ten in a row

    def test_half_refuses_weights_it_cannot_hold(self) -> None:
        model, _ = self.small()
        model.graph.initializer[0].CopyFrom(onnx.numpy_helper.from_array(np.full((4, 3, 3, 3), 7e4, np.float32), "w0"))
        with self.assertRaisesRegex(ValueError, "w0"):
            half.to_half(model)

    def test_same_padding_is_tensorflows(self) -> None:
        for side, kernel, stride, pads in ((128, 3, 2, (0, 1)), (64, 5, 2, (1, 2)), (8, 3, 1, (1, 1)),
                                           (7, 3, 2, (1, 1)), (8, 1, 1, (0, 0))):
            before, behind = pads
            self.assertEqual(efficientnet_lite0.same_padding(side, kernel, stride), (before, before, behind, behind))

    def test_the_vae_graph_is_the_vae(self) -> None:
        shapes = {"conv1": (4, 4, 1, 16), "conv2": (4, 4, 16, 16), "mean1": (12544, 128), "mean2": (128, 512)}
        w = {f"{name}.weight": self.draw(*shape) * 0.05 for name, shape in shapes.items()}
        w |= {f"{name}.bias": self.draw(shape[-1]) * 0.05 for name, shape in shapes.items()}
        images = self.random.random((2, 1, 28, 28)).astype(np.float32)
        x = images
        for name in ("conv1", "conv2"):
            kernel = w[f"{name}.weight"].transpose(3, 2, 0, 1)
            x = np.maximum(reference.convolve(x, kernel, 1, 1, 2) + w[f"{name}.bias"][:, None, None], 0)
        x = np.maximum(x.transpose(0, 2, 3, 1).reshape(2, -1) @ w["mean1.weight"] + w["mean1.bias"], 0)
        expected = np.tanh(x @ w["mean2.weight"] + w["mean2.bias"])
        np.testing.assert_allclose(self.run_model(vae_export.encoder_graph("v", w), images), expected, atol=1e-5)

    def test_area_resizing_keeps_the_mean_and_counts_parts(self) -> None:
        matrix = vae_omniglot.area_matrix(105, 28)
        np.testing.assert_allclose(matrix.sum(1), 1)
        np.testing.assert_allclose(matrix.sum(0), 28 / 105)
        np.testing.assert_allclose(vae_omniglot.area_matrix(3, 2), [[2 / 3, 1 / 3, 0], [0, 1 / 3, 2 / 3]])


if __name__ == "__main__":
    unittest.main()
