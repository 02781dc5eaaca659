# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Gets a pinned package with pip and reads one file out of it; both are checked by SHA-256.

    wheel = download(package, cache / "downloads", steps)
    data = read_member(wheel, "imgsim/model.pth", sha256)

The package is never installed and none of its code is run: a wheel is a zip file. A wheel that is there and whole
is not fetched again; one that is torn is.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path

from files import check_sha256, held, sha256_bytes, sha256_file, sync_folder
from report import Problem, Steps


@dataclass(frozen=True)
class Package:
    name: str
    version: str
    wheel: str     # file name
    size: int      # bytes
    sha256: str
    target: tuple[str, ...] = ()   # options of pip: for which Python and machine, where that is not this one


def pip_command(package: Package, folder: Path) -> list[str]:
    return [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
            "--only-binary", ":all:", *package.target, "--dest", str(folder), f"{package.name}=={package.version}"]


def bytes_under(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:
            pass  # pip has just moved it
    return total


def run_pip(package: Package, folder: Path, steps: Steps) -> None:
    """pip's own temporary files go into folder too, so that its progress can be seen."""
    environment = dict(os.environ, TMPDIR=str(folder))
    log = folder / "pip.log"
    with open(log, "wb") as output:
        process = subprocess.Popen(pip_command(package, folder), stdout=output, stderr=subprocess.STDOUT,
                                   env=environment)
        try:
            shown = time.monotonic()
            while process.poll() is None:
                time.sleep(0.1)
                if time.monotonic() - shown > 2:
                    shown = time.monotonic()
                    steps.also(f"{min(bytes_under(folder), package.size):,} of {package.size:,} bytes")
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait()
    if process.returncode != 0:
        lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
        last = lines[-1] if lines else "no output"
        raise Problem(f"pip could not download {package.name} {package.version}: {last}; "
                      "check the network and pip's settings, then run this again")


def download(package: Package, folder: Path, steps: Steps) -> Path:
    """The path of the whole, checked wheel in folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with held(folder / f".{package.wheel}.lock"):
        return download_alone(package, folder, steps)


def download_alone(package: Package, folder: Path, steps: Steps) -> Path:
    wheel = folder / package.wheel
    if wheel.is_file():
        if wheel.stat().st_size == package.size and sha256_file(wheel) == package.sha256:
            steps.next(f"{package.wheel} is there already ({package.size:,} bytes)")
            return wheel
        steps.next(f"{package.wheel} is torn; downloading it again ({package.size:,} bytes)")
    else:
        steps.next(f"downloading {package.name} {package.version} ({package.size:,} bytes)")
    partial = folder / f".partial-{package.wheel}"
    shutil.rmtree(partial, ignore_errors=True)   # of one that was killed
    partial.mkdir()
    try:
        run_pip(package, partial, steps)
        arrived = partial / package.wheel
        if not arrived.is_file():
            raise Problem(f"pip did not bring {package.wheel} but {sorted(p.name for p in partial.glob('*.whl'))}; "
                          "check pip's settings (index, find-links)")
        check_sha256(package.wheel, sha256_file(arrived), package.sha256,
                     "this is not the package that the recipe was written for; it was thrown away")
        os.replace(arrived, wheel)
        sync_folder(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return wheel


def read_member(wheel: Path, member: str, sha256: str | None = None) -> bytes:
    """One file of a wheel."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            data = archive.read(member)
    except (KeyError, zipfile.BadZipFile, OSError) as error:
        raise Problem(f"{wheel}: cannot read {member}: {error}; delete the wheel and run this again") from error
    if sha256 is not None:
        check_sha256(f"{member} in {wheel.name}", sha256_bytes(data), sha256, "delete the wheel and run this again")
    return data
