# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the Python packages a recipe needs importable, in a virtual environment of their own. Standard library only.

    ensure(CONVERT, cache)        # returns, or starts this program again inside CACHE/recipe-venv

Nothing is installed outside the cache. Versions are those the recipes were tested with; another version that is
already importable is used as it is, because the results are checked by hash.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

from report import Problem, say

FETCH = {"pip": "pip"}
CONVERT = {**FETCH, "numpy": "numpy==2.4.6", "onnx": "onnx==1.23.2"}
CHECK = {**CONVERT, "onnxruntime": "onnxruntime==1.31.1", "PIL": "pillow==13.0.0"}
TRAIN = {**CONVERT, "jax": "jax==0.10.2", "PIL": "pillow==13.0.0"}


def missing(modules: dict[str, str]) -> list[str]:
    """The requirements whose module cannot be imported."""
    wanted = []
    for module, requirement in modules.items():
        try:
            importlib.import_module(module)
        except ImportError:
            wanted.append(requirement)
    return wanted


def run(command: list[str], what: str, remedy: str) -> None:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if done.returncode != 0:
        lines = [line for line in done.stdout.splitlines() if line.strip()] or ["no output"]
        raise Problem(f"{what} failed: {lines[-1]}; {remedy}")


def works(python: Path) -> bool:
    return python.exists() and subprocess.run([str(python), "-m", "pip", "--version"], capture_output=True,
                                              check=False).returncode == 0


def ensure(modules: dict[str, str], cache: Path) -> None:
    wanted = missing(modules)
    if not wanted:
        return
    folder = cache / "recipe-venv"
    python = folder / "bin" / "python"
    inside = Path(sys.prefix).resolve() == folder.resolve()
    if not inside:
        if not works(python):
            say(f"making a virtual environment in {folder}")
            run([sys.executable, "-m", "venv", "--clear", str(folder)], f"making {folder}",
                "install Python's venv module (Debian, Ubuntu: apt-get install python3-venv)")
        check = [str(python), "-c", f"import {', '.join(modules)}"]
        if subprocess.run(check, capture_output=True, check=False).returncode != 0:
            install(python, list(modules.values()))
        os.execv(python, [str(python), *sys.argv])
    install(python, wanted)
    importlib.invalidate_caches()
    if still := missing(modules):
        raise Problem(f"{folder}: {', '.join(still)} cannot be imported after it was installed; delete the folder "
                      "and run this again")


def install(python: Path, requirements: list[str]) -> None:
    say(f"installing {' '.join(requirements)}")
    run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements],
        f"installing {' '.join(requirements)}", "check the network and pip's settings, then run this again")
