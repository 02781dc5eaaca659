#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""The device code in a library: exactly the asked architectures, and rows read 128 bits at a time.

    check_device_code.py --architectures "87-real;110-real" libjackdaw-runtime.a

Needs cuobjdump and nvdisasm (the toolkit's, or PyPI's nvidia-cuda-cuobjdump and nvidia-cuda-nvdisasm from 13.2 on) on
the PATH. Exit 0: as asked, 1: not, 77: no cuobjdump.
"""
import argparse
import re
import shutil
import subprocess
import sys

ROW_KERNELS = ("row_answers", "read_out_seed", "teach_default", "teach_seed")


def cuobjdump(*arguments):
    return subprocess.run(["cuobjdump", *arguments], capture_output=True, text=True, check=True).stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--architectures", required=True)
    parser.add_argument("library")
    options = parser.parse_args()
    for tool in ("cuobjdump", "nvdisasm"):
        if shutil.which(tool) is None:
            print(f"skipped: {tool} is not on the PATH (the CUDA toolkit's, or pip install nvidia-cuda-{tool})")
            return 77
    asked = {re.match(r"\d+", one).group(0) for one in options.architectures.split(";")}
    held = set(re.findall(r"\.sm_(\d+)\w*\.cubin", cuobjdump("--list-elf", options.library)))
    print(f"asked: {sorted(asked)}, held: {sorted(held)}")
    failed = asked != held
    wide, names = {}, set()
    for block in re.split(r"(?=Function : )", cuobjdump("--dump-sass", options.library))[1:]:
        name = block.split()[2]
        if not any(kernel in name for kernel in ROW_KERNELS):
            continue
        names.add(name)
        wide[name] = wide.get(name, True) and bool(re.search(r"LDG\.E\.(\w+\.)*128", block))
    for name in sorted(names):
        print(f"{'128-bit loads' if wide[name] else 'NO 128-bit load'}: {name}")
        failed = failed or not wide[name]
    if not names:
        print("no row kernel was found")
        failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
