#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Refuses a cross-built program that would not start on the target.

    check_elf.py --sysroot DIR --source DIR PROGRAM...

AArch64; no path of the source folder inside; no RPATH or RUNPATH but $ORIGIN; every needed library is in the sysroot; no version of a glibc or libstdc++
symbol that the sysroot's libraries do not define. Exit 0: clean, 1: not, 77: no readelf.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys


def readelf(*arguments):
    return subprocess.run(["readelf", "--wide", *map(str, arguments)], capture_output=True, text=True, check=True).stdout


def section(text, name):
    """The part of readelf -V about .gnu.version_d or .gnu.version_r."""
    found = re.search(rf"section '{re.escape(name)}'.*?(?=\n\S.*section '|\Z)", text, re.S)
    return found.group(0) if found else ""


def library(sysroot, name):
    for folder in ("usr/lib/aarch64-linux-gnu", "lib/aarch64-linux-gnu", "lib"):
        if (path := sysroot / folder / name).exists():
            return path
    return None


def problems(program, sysroot, source):
    if "AArch64" not in readelf("-h", program):
        return ["is not for AArch64"]
    found = [f"holds the build host's {source}/"] if f"{source}/".encode() in program.read_bytes() else []
    dynamic = readelf("-d", program)
    for path in re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", dynamic):
        found += [f"RUNPATH holds {p}" for p in path.split(":") if not p.startswith("$ORIGIN")]
    for name in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
        if library(sysroot, name) is None:
            found.append(f"needs {name}, which the sysroot does not have")
    needs = section(readelf("-V", program), ".gnu.version_r")
    for block in re.split(r"(?=File: )", needs)[1:]:
        name = re.match(r"File: (\S+)", block).group(1)
        if (path := library(sysroot, name)) is None:
            continue
        defined = set(re.findall(r"Name: (\S+)", section(readelf("-V", path), ".gnu.version_d")))
        for version in re.findall(r"Name: (\S+)", block):
            if version not in defined:
                found.append(f"needs {version} of {name}, which is newer than the sysroot's")
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sysroot", required=True, type=pathlib.Path)
    parser.add_argument("--source", required=True)
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    if shutil.which("readelf") is None:
        print("skipped: readelf is not installed (binutils)")
        return 77
    failed = False
    for program in options.programs:
        found = problems(program, options.sysroot, options.source)
        print(f"{program.name}: {'clean' if not found else ''}")
        for problem in found:
            print(f"  {problem}")
        failed = failed or bool(found)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
