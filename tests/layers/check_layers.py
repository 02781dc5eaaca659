#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Holds the repository to its layers: runtime <- engines <- apps, never back.

    check_layers.py [--root FOLDER] [--compiler c++]

Prints one line for each violation, "FILE:LINE: what is wrong", and exits with 1 if there is one.
The rules are the functions named rule_*; each says in its first line what it asks for.
"""

import argparse
import itertools
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCES = {".hpp", ".cpp", ".h", ".c", ".cu", ".cuh", ".inl"}
COUNTED = SOURCES | {".py", ".cmake", ".sh", ".md", ".js", ".html", ".css"}
FOLDERS = ("runtime", "engines", "apps", "toolchains", "tests", "docs", ".ci")
MOST_LINES, MOST_LINES_TEST = 600, 700

OPENCV = r"opencv2?/"
TENSORRT = r"(NvInfer|NvOnnx)\w*\.h"
CUDA = r"(cuda|cublas|curand|cusparse|cooperative_groups|cub/|thrust/|device_launch|driver_types)"
JSON = r"nlohmann/"

# Which includes a folder must not have: (folder, pattern of the included name, why). A folder of
# one layer may be reached by its name ("engines/...") or by its public headers ("jackdaw/engines/").
FORBIDDEN = (
    ("runtime", OPENCV, "runtime must not know OpenCV"),
    ("runtime", TENSORRT, "runtime must not know TensorRT"),
    ("runtime", r"(\.\./)*(jackdaw/)?engines/", "runtime must not include from engines"),
    ("runtime", r"(\.\./)*(jackdaw/)?(apps|live)/", "runtime must not include from apps"),
    ("runtime/include", CUDA, "public headers must not include CUDA"),
    ("runtime/include", JSON, "public headers must not include nlohmann_json"),
    ("runtime/include", r"(?!jackdaw/)[^<>]*\.(cuh|hpp)$", "public headers include public headers only"),
    ("engines", r"(\.\./)*(jackdaw/)?(apps|live)/", "engines must not include from apps"),
    ("engines/include", TENSORRT, "public headers must not include TensorRT"),
    ("engines/include", CUDA, "public headers must not include CUDA"),
)

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


class Repository:
    def __init__(self, root):
        self.root = Path(root).resolve()
        self.files = self._list()

    def _list(self):
        """Every file that is or could be committed, relative to the root."""
        try:
            out = subprocess.run(
                ["git", "-C", str(self.root), "ls-files", "-z", "--cached", "--others",
                 "--exclude-standard"], capture_output=True, check=True).stdout.decode()
            top = subprocess.run(["git", "-C", str(self.root), "rev-parse", "--show-toplevel"],
                                 capture_output=True, check=True).stdout.decode().strip()
            if Path(top).resolve() == self.root:
                return sorted(f for f in out.split("\0") if f and (self.root / f).is_file())
        except (OSError, subprocess.CalledProcessError):
            pass  # an unpacked archive, or git is not installed or not allowed here
        found = []
        for folder, folders, names in os.walk(self.root):
            at_root = Path(folder) == self.root
            folders[:] = [d for d in folders if d not in (".git", "__pycache__") and
                          not (at_root and (d == "data" or d.split("-")[0] == "build"))]
            found += [os.path.relpath(os.path.join(folder, n), self.root) for n in names]
        return sorted(found)

    def lines(self, name):
        return (self.root / name).read_text(encoding="utf-8", errors="replace").splitlines()

    def under(self, folder, endings):
        return [f for f in self.files
                if f.startswith(folder + "/") and Path(f).suffix in endings]


def rule_includes(repository):
    """No folder includes what belongs to a layer above it or to a dependency that it may not have."""
    for name in repository.files:
        rules = [(pattern, why) for folder, pattern, why in FORBIDDEN
                 if name.startswith(folder + "/") and Path(name).suffix in SOURCES]
        for number, line in enumerate(repository.lines(name) if rules else [], 1):
            included = INCLUDE.match(line)
            broken = [why for pattern, why in rules
                      if included and re.match(pattern, included.group(1))]
            if broken:
                yield f"{name}:{number}: {broken[0]}: {line.strip()}"


def rule_links(repository):
    """The CMake file of a layer names no target of a layer above it."""
    for folder, above in (("runtime", r"jackdaw(::|-)(engines|live)\b|opencv|nvinfer"),
                          ("engines", r"jackdaw(::|-)live\b")):
        for name in repository.files:
            if name.startswith(folder + "/") and Path(name).name == "CMakeLists.txt":
                for number, line in enumerate(repository.lines(name), 1):
                    if re.search(above, line.split("#")[0], re.IGNORECASE):
                        yield f"{name}:{number}: {folder} must not depend on this: {line.strip()}"


def rule_one_cuda_switch(repository):
    """Whether CUDA was built in is asked in one .cpp of runtime; CMake leaves out whole files."""
    asked = [name for name in repository.under("runtime", SOURCES)
             if any(re.match(r"\s*#\s*(el)?if.*\bJACKDAW_HAS_CUDA\b", line)
                    for line in repository.lines(name))]
    if len(asked) > 1:
        yield f"{asked[1]}:1: JACKDAW_HAS_CUDA is asked in more than one file: {', '.join(asked)}"
    for name in asked:
        if not name.endswith(".cpp"):
            yield f"{name}:1: JACKDAW_HAS_CUDA is asked in a header; ask it in one .cpp"


def rule_length(repository):
    """No file is longer than one can read: 600 lines, tests 700."""
    for name in repository.files:
        if Path(name).suffix in COUNTED or Path(name).name == "CMakeLists.txt":
            most = MOST_LINES_TEST if name.startswith("tests/") else MOST_LINES
            count = len(repository.lines(name))
            if count > most:
                yield f"{name}:{count}: {count} lines, at most {most} are allowed; split it"


def expanded(text):
    """a/b.{hpp,cpp} -> a/b.hpp, a/b.cpp"""
    parts = [part[1:-1].split(",") if part.startswith("{") else [part]
             for part in re.split(r"(\{[^{}]*\})", text)]
    return ["".join(choice) for choice in itertools.product(*parts)]


def looks_like_path(text):
    if not re.fullmatch(r"[\w.\-/*{},]+", text):
        return False  # a command, a URI, a placeholder such as <name>
    if any(re.fullmatch(r"[A-Z]+", part) for part in text.split("/")[1:]):
        return False  # tests/NAME_test.cpp is a path, data/CLASS/ is a placeholder
    first = text.split("/")[0]
    return (("/" in text and first in FOLDERS) or re.fullmatch(r"\./[\w\-]+", text) is not None or
            re.fullmatch(r"[\w\-]+\.md", text) is not None)


def exists(repository, document, path):
    for base in (repository.root, (repository.root / document).parent):
        plain = path[2:] if path.startswith("./") else path
        if (base / plain).exists() or ("*" in plain and any(base.glob(plain.rstrip("/")))):
            return True
    return False


def rule_documents(repository):
    """Paths that documents name in `quotes` or link to exist ("(planned)" in the line excuses it)."""
    for name in repository.files:
        if not name.endswith(".md"):
            continue
        fenced = False
        for number, line in enumerate(repository.lines(name), 1):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            if fenced or "(planned)" in line:
                continue
            quoted = [word for code in re.findall(r"`([^`]+)`", line) for word in code.split()[:1]]
            named = [p.rstrip(",") for word in quoted if looks_like_path(word) for p in expanded(word)]
            linked = [target.split("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", line)
                      if not re.match(r"[a-z]+:", target)]
            for path in named + [target for target in linked if target]:
                if not exists(repository, name, path):
                    yield f"{name}:{number}: there is no {path} in the repository"


def rule_headers_alone(repository, compiler):
    """Each public header compiles on its own, twice in one file, without a warning."""
    for top in ("runtime/include",):
        for name in repository.under(top, {".hpp", ".h"}):
            included = os.path.relpath(name, top)
            with tempfile.TemporaryDirectory() as folder:
                unit = Path(folder) / "unit.cpp"
                unit.write_text(f'#include "{included}"\n#include "{included}"\n', encoding="utf-8")
                result = subprocess.run(
                    [compiler, "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic",
                     "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Werror",
                     f"-I{repository.root / top}", str(unit)],
                    capture_output=True, text=True, check=False)
            if result.returncode != 0:
                yield f"{name}:1: this header does not compile alone\n{result.stderr.rstrip()}"


def violations(root, compiler):
    repository = Repository(root)
    rules = [rule_includes, rule_links, rule_one_cuda_switch, rule_length, rule_documents]
    found = [text for rule in rules for text in rule(repository)]
    if compiler:
        found += rule_headers_alone(repository, compiler)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", default=Path(__file__).resolve().parents[2])
    parser.add_argument("--compiler", help="compile each public header alone with this")
    arguments = parser.parse_args()
    found = violations(arguments.root, arguments.compiler)
    for text in found:
        print(text)
    print(f"{len(found)} violations" if found else "layers, lengths, documents and headers: in order")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
