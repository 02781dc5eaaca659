#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles the kernels for each architecture and refuses warnings and register spills.

    check_ptxas.py --nvcc /usr/local/cuda/bin/nvcc --source . --arch 87 --arch 110

Prints one line a kernel: registers, shared memory, spills. Exit 0: clean, 1: not, 77: no nvcc.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# What the specification needs: nothing contracted that the source does not contract, IEEE / and sqrt.
FLAGS = ["-std=c++17", "-O3", "-fmad=false", "-prec-div=true", "-prec-sqrt=true", "-ftz=false",
         "--expt-relaxed-constexpr", "-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra"]

UNITS = ["runtime/src/cuda/sequences.cu", "engines/src/preprocess/enqueue_preprocess.cu"]
INCLUDES = ["runtime/include", "runtime/src", "engines/include", "engines/src"]


def kernel_name(mangled):
    """jackdaw::cuda::top_k_kernel<float> from its mangled name, well enough to read."""
    found = re.match(r"_ZN7jackdaw4cudaL?(\d+)(.*)", mangled)
    if not found:
        return mangled
    length, rest = int(found.group(1)), found.group(2)
    name, tail = rest[:length], rest[length:]
    for mark, text in (("12Int16Element", "<int16>"), ("11HalfElement", "<half>"), ("IiE", "<int>"),
                       ("IfE", "<float>")):
        if mark in tail[:24]:
            return name + text
    return name


def parse(output):
    """Rows (kernel, registers, shared bytes, spilled bytes) of ptxas -v."""
    rows, name, spill = [], None, 0
    for line in output.splitlines():
        if found := re.search(r"Compiling entry function '(\S+)'", line):
            name = kernel_name(found.group(1))
        elif found := re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", line):
            spill = int(found.group(1)) + int(found.group(2))
        elif (found := re.search(r"Used (\d+) registers", line)) and name:
            shared = re.search(r"(\d+) bytes smem", line)
            rows.append((name, int(found.group(1)), int(shared.group(1)) if shared else 0, spill))
            name, spill = None, 0
    return rows


def compile_unit(nvcc, root, unit, arch):
    """What nvcc and ptxas say, or None after printing why it did not compile."""
    with tempfile.TemporaryDirectory() as folder:
        command = [nvcc, *FLAGS, f"-arch=sm_{arch}", "-Xptxas", "-v",
                   *(f"-I{root / include}" for include in INCLUDES), "-c", str(root / unit),
                   "-o", str(pathlib.Path(folder) / "unit.o")]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
    output = run.stdout + run.stderr
    if run.returncode != 0:
        print(output)
        return None
    return output


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--source", required=True, type=pathlib.Path, help="the repository")
    parser.add_argument("--arch", action="append", required=True, help="87, 110, ...")
    arguments = parser.parse_args()
    if shutil.which(arguments.nvcc) is None:
        print(f"skipped: no {arguments.nvcc}")
        return 77
    bad = 0
    for arch in arguments.arch:
        rows = []
        for unit in UNITS:
            output = compile_unit(arguments.nvcc, arguments.source, unit, arch)
            if output is None:
                return 1
            found = parse(output)
            if not found:
                print(output)
                print(f"sm_{arch}: ptxas named no kernel of {unit}")
                return 1
            rows += found
        print(f"sm_{arch}: {len(rows)} kernels")
        for name, registers, shared, spill in sorted(rows):
            bad += spill > 0
            note = f"  SPILLS {spill} bytes" if spill else ""
            print(f"  {name:36} {registers:4} registers {shared:6} bytes shared{note}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
