# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Hashes of files, and files that are there whole or not at all.

    write_atomically(folder / "a.onnx", data)
    check_sha256("a.onnx", sha256_bytes(data), expected, "delete it and run again")
    with held(cache / ".a.lock"): ...                # one process at a time
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import tempfile
from pathlib import Path
from typing import Iterator

from report import Problem, say


def sha256_bytes(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def sha256_file(path: Path) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def check_sha256(what: str, found: str, expected: str, remedy: str) -> None:
    if found != expected:
        raise Problem(f"{what}: SHA-256 is {found}, expected {expected}; {remedy}")


def sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_atomically(path: Path, data: bytes) -> None:
    """Temporary file beside it, fsync, rename, fsync of the folder: a reader sees the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


@contextlib.contextmanager
def held(path: Path) -> Iterator[None]:
    """Waits until no other process is in here with the same path; the lock goes with the process."""
    with open(path, "wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say(f"waiting for another get.py that holds {path}")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
