# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the tensors of a torch state dict, zip format or legacy format, without torch.

    tensors = load(data)          # {"conv1.weight": numpy array, ...}

A state dict is a pickle, and a pickle can name any function to call. The unpickler here knows the few names a plain
state dict needs and refuses every other one; it runs no code of the file.
"""

from __future__ import annotations

import collections
import io
import pickle
import zipfile
from typing import Any

import numpy as np

MAGIC, PROTOCOL = 0x1950A86A20F9469CFC6C, 1001
STORAGES = {"FloatStorage": "<f4", "DoubleStorage": "<f8", "HalfStorage": "<f2", "LongStorage": "<i8",
            "IntStorage": "<i4", "ShortStorage": "<i2", "CharStorage": "i1", "ByteStorage": "u1", "BoolStorage": "?"}


class Storage:
    """The flat array that tensors are views of; in the legacy format it is filled after the pickle was read."""

    def __init__(self, dtype: str, count: int) -> None:
        self.dtype, self.count = np.dtype(dtype), count
        self.values: np.ndarray | None = None

    def fill(self, data: bytes) -> None:
        if len(data) != self.count * self.dtype.itemsize:
            raise ValueError(f"a storage holds {len(data)} bytes, not {self.count * self.dtype.itemsize}")
        self.values = np.frombuffer(data, self.dtype)


class Tensor:
    """A view that is looked up once every storage is filled."""

    def __init__(self, storage: Storage, offset: int, shape: tuple[int, ...], stride: tuple[int, ...]) -> None:
        self.storage, self.offset, self.shape, self.stride = storage, offset, tuple(shape), tuple(stride)

    def array(self) -> np.ndarray:
        values = self.storage.values
        numbers = (self.offset, *self.shape, *self.stride)
        if values is None or len(self.shape) != len(self.stride) or any(type(n) is not int or n < 0 for n in numbers):
            raise ValueError("a tensor has an impossible shape or no storage")
        last = self.offset + sum((size - 1) * step for size, step in zip(self.shape, self.stride))
        if 0 not in self.shape and last >= self.storage.count:
            raise ValueError("a tensor reaches past the end of its storage")
        steps = tuple(step * values.itemsize for step in self.stride)
        return np.lib.stride_tricks.as_strided(values[self.offset:], self.shape, steps, writeable=False).copy()


def rebuild_tensor(storage: Storage, offset: int, shape: tuple[int, ...], stride: tuple[int, ...],
                   *_unused: Any) -> Tensor:
    if not isinstance(storage, Storage):
        raise pickle.UnpicklingError("a tensor without a storage")
    return Tensor(storage, offset, shape, stride)


class StorageType:
    def __init__(self, dtype: str) -> None:
        self.dtype = dtype


ALLOWED: dict[tuple[str, str], Any] = {
    ("collections", "OrderedDict"): collections.OrderedDict,
    ("torch._utils", "_rebuild_tensor_v2"): rebuild_tensor,
    **{("torch", name): StorageType(dtype) for name, dtype in STORAGES.items()},
}


class StateUnpickler(pickle.Unpickler):
    def __init__(self, file: io.BufferedIOBase, storages: dict[str, Storage]) -> None:
        super().__init__(file)
        self._storages = storages

    def find_class(self, module: str, name: str) -> Any:
        try:
            return ALLOWED[module, name]
        except KeyError:
            raise pickle.UnpicklingError(f"the file names {module}.{name}, which a state dict does not need") from None

    def persistent_load(self, pid: Any) -> Storage:
        if not isinstance(pid, tuple) or len(pid) < 5 or pid[0] != "storage" or not isinstance(pid[1], StorageType):
            raise pickle.UnpicklingError("a persistent object that is not a storage")
        if len(pid) > 5 and pid[5] is not None:
            raise pickle.UnpicklingError("a storage that is a view of another one")
        _, kind, key, _, count = pid[:5]
        if not isinstance(key, str) or type(count) is not int or count < 0:
            raise pickle.UnpicklingError("a storage without a name or a size")
        return self._storages.setdefault(key, Storage(kind.dtype, count))


def finish(state: Any) -> dict[str, np.ndarray]:
    if not isinstance(state, dict) or not all(isinstance(key, str) for key in state):
        raise ValueError("the file holds no state dict")
    return {key: value.array() for key, value in state.items() if isinstance(value, Tensor)}


def load_zip(data: bytes) -> dict[str, np.ndarray]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        main = [name for name in archive.namelist() if name.endswith("/data.pkl")]
        if len(main) != 1:
            raise ValueError("a zip file without one data.pkl is not a torch file")
        storages: dict[str, Storage] = {}
        state = StateUnpickler(io.BytesIO(archive.read(main[0])), storages).load()
        for key, storage in storages.items():
            storage.fill(archive.read(f"{main[0][:-len('data.pkl')]}data/{key}"))
        return finish(state)


def load_legacy(data: bytes) -> dict[str, np.ndarray]:
    file = io.BytesIO(data)
    storages: dict[str, Storage] = {}
    magic, protocol, _system = (StateUnpickler(file, {}).load() for _ in range(3))
    if magic != MAGIC or protocol != PROTOCOL:
        raise ValueError("not a torch file")
    state = StateUnpickler(file, storages).load()
    keys = StateUnpickler(file, {}).load()
    if not isinstance(keys, list) or set(keys) != set(storages):
        raise ValueError("the list of storages does not fit the tensors")
    for key in keys:
        if int.from_bytes(file.read(8), "little") != storages[key].count:
            raise ValueError(f"storage {key} has another size than its tensors say")
        storages[key].fill(file.read(storages[key].count * storages[key].dtype.itemsize))
    return finish(state)


def load(data: bytes) -> dict[str, np.ndarray]:
    """Every tensor of the file by its name."""
    return load_zip(data) if data[:2] == b"PK" else load_legacy(data)
