# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Gets ONNX Runtime's library out of its PyPI package, for machines whose distribution has none. Standard library only.

    get(cache, steps)          # CACHE/onnxruntime/libonnxruntime.so, checked by hash

The library alone is used: no Python code of the package is run, nothing is installed.
"""

from __future__ import annotations

import platform
from pathlib import Path

from files import sha256_file, write_atomically
from packages import Package, download, read_member
from report import Problem, Steps

NAME, VERSION = "onnxruntime", "1.31.1"
MEMBER = f"onnxruntime/capi/libonnxruntime.so.{VERSION}"


def _package(machine: str, size: int, sha256: str) -> Package:
    where = f"manylinux_2_28_{machine}"
    return Package(NAME, VERSION, f"onnxruntime-{VERSION}-cp311-cp311-{where}.whl", size, sha256,
                   ("--python-version", "3.11", "--implementation", "cp", "--abi", "cp311", "--platform", where))


# By machine: the package, and the SHA-256 of the library in it.
LIBRARIES = {
    "x86_64": (_package("x86_64", 23753652, "5752bd508126ae7c49894d3b9d2e83f0c3d487319246d04c444b393308d7ad7f"),
               "fc44112fbe06d7d689c57e11d3862031f64711007e4ee020f8eed5185fd2c1d3"),
    "aarch64": (_package("aarch64", 21413526, "da05378364c44d4407e463982d2bf8d5e4cfea873283757e48beeb41df97b7f3"),
                "8aa3b76b28c778a2b1dd660d34161adb1d508c9ccd04ff9dc80e26eca5df8467"),
}


def ready(cache: Path) -> bool:
    library = cache / NAME / "libonnxruntime.so"
    _, sha256 = LIBRARIES.get(platform.machine(), (None, None))
    return library.is_file() and sha256_file(library) == sha256


def get(cache: Path, steps: Steps) -> None:
    if platform.machine() not in LIBRARIES:
        raise Problem(f"{NAME} has no package for {platform.machine()} machines; encoders run on OpenCV")
    package, sha256 = LIBRARIES[platform.machine()]
    wheel = download(package, cache / "downloads", steps)
    steps.next(f"writing {cache / NAME}")
    for member, name, expected in ((f"{NAME}/LICENSE", "LICENCE", None),
                                   (f"{NAME}/ThirdPartyNotices.txt", "ThirdPartyNotices.txt", None),
                                   (MEMBER, "libonnxruntime.so", sha256)):
        write_atomically(cache / NAME / name, read_member(wheel, member, expected))


def summary(cache: Path) -> None:
    library = cache / NAME / "libonnxruntime.so"
    print(f"library  {NAME} {VERSION}: {library}, {library.stat().st_size:,} bytes\n"
          f"from     {NAME} {VERSION}, {MEMBER}, SHA-256 {sha256_file(library)}\nlicence  MIT (see LICENCE)")
