#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""The device code in a library: exactly the asked architectures, and rows read 128 bits at a time.

    check_device_code.py --architectures "87-real;110-real" --tools DIR libjackdaw-runtime.a

Each global load's address is followed back to the kernel's parameters (sass.py). No load of rows, class sums, scatter or
keys may be narrower than 128 bits, and every kernel below must hold one.

Needs cuobjdump and nvdisasm: the toolkit's on the PATH, or PyPI's, which are downloaded to DIR once. Exit 0: as asked,
1: not, 77: neither is to be had.
"""
import argparse
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

import sass

TOOLS = {"cuobjdump": "nvidia-cuda-cuobjdump==13.4.92", "nvdisasm": "nvidia-cuda-nvdisasm==13.4.92"}

# Where the pointers are among the parameters, in bytes. A StoreView comes first (core/store_view.hpp) ...
STORE = {40: "rows", 56: "class sums", 64: "scatter"}
# ... or a StoreShape, and then the keys.
KEYS = {24: "keys"}
KERNELS = {"row_answers_kernel": STORE, "read_out_seed_kernel": STORE, "seed_coefficient_kernel": STORE,
           "teach_default_kernel": STORE, "teach_seed_kernel": STORE, "seed_step_kernel": STORE,
           "similarity_i8_kernel": KEYS, "similarity_seed_kernel": KEYS, "ask_kernel": KEYS}


def cuobjdump(*arguments):
    return subprocess.run(["cuobjdump", *arguments], capture_output=True, text=True, check=True).stdout


def find_tools(folder):
    """Puts both on the PATH; why that is not possible, or None."""
    if all(shutil.which(tool) for tool in TOOLS):
        return None
    programs = folder / "nvidia/cu13/bin"
    if not all((programs / tool).exists() for tool in TOOLS):
        folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                               "--only-binary", ":all:", "--dest", folder, *TOOLS.values()], capture_output=True, text=True)
        if done.returncode != 0:
            return (f"no {' and '.join(TOOLS)} on the PATH (the CUDA toolkit has them), and pip could not download them: "
                    f"{done.stderr.strip().splitlines()[-1:]}")
        for wheel in folder.glob("*.whl"):
            zipfile.ZipFile(wheel).extractall(folder)
        for tool in TOOLS:
            (programs / tool).chmod(0o755)
    os.environ["PATH"] = f"{programs}:{os.environ['PATH']}"
    return None


def by_architecture(text):
    """Number of the architecture and its part of what cuobjdump printed."""
    for part in re.split(r"(?=^arch = sm_)", text, flags=re.M)[1:]:
        yield re.match(r"arch = sm_(\d+)", part)[1], part


def parameter_bases(library):
    """{architecture: where the parameters begin in constant bank 0}"""
    bases = {}
    for architecture, part in by_architecture(cuobjdump("--dump-elf", library)):
        for value in re.findall(r"EIATTR_PARAM_CBANK\s+Format:\s+EIFMT_SVAL\s+Value:\s+0x[0-9a-f]+ 0x([0-9a-f]+)", part):
            bases[architecture] = int(value, 16) & 0xFFFF
    return bases


def kernel_problems(text, base, memory):
    """What is wrong with one kernel's row loads, and how many of each memory's there are, by width."""
    code = sass.instructions(text)
    counts = collections.Counter()
    for offsets, bits, _ in sass.loads(code, base):
        for offset in offsets & memory.keys():
            counts[memory[offset], bits] += 1
    problems = [f"{n} loads of {name} are {bits} bits wide" for (name, bits), n in counts.items() if bits != 128]
    if not counts[memory[min(memory)], 128]:
        problems.append(f"no 128-bit load of {memory[min(memory)]} was found")
    if sass.spills(code):
        problems.append("registers are spilled, so addresses cannot be followed")
    return problems, counts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--architectures", required=True)
    parser.add_argument("--tools", required=True, type=pathlib.Path)
    parser.add_argument("library")
    options = parser.parse_args()
    if why := find_tools(options.tools):
        print("skipped:", why)
        return 77
    asked = {re.match(r"\d+", one).group(0) for one in options.architectures.split(";")}
    held = set(re.findall(r"\.sm_(\d+)\w*\.cubin", cuobjdump("--list-elf", options.library)))
    print(f"asked: {sorted(asked)}, held: {sorted(held)}")
    failed = asked != held
    bases, seen = parameter_bases(options.library), set()
    for architecture, part in by_architecture(cuobjdump("--dump-sass", options.library)):
        for block in re.split(r"(?=Function : )", part)[1:]:
            name = block.split()[2]
            kernel = next((k for k in KERNELS if k in name), None)
            if kernel is None:
                continue
            seen.add((architecture, kernel))
            problems, counts = kernel_problems(block, bases[architecture], KERNELS[kernel])
            what = ", ".join(f"{n} of {memory}, {bits} bits" for (memory, bits), n in sorted(counts.items()))
            print(f"sm_{architecture} {name}: {what}")
            for problem in problems:
                print(f"  WRONG: {problem}")
            failed = failed or bool(problems)
    for missing in sorted({(a, k) for a in held for k in KERNELS} - seen):
        print(f"WRONG: sm_{missing[0]} has no {missing[1]}")
        failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
