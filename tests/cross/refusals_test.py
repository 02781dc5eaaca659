#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Mistakes with toolchain files and sysroots give one clear message, and leave nothing behind.

    refusals_test.py SOURCE

Exit 0: they do, 1: not, 77: the cross compiler is missing.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

failures = []


def expect(what, command, text, **environment):
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})
    said = " ".join((done.stdout + done.stderr).split())
    good = done.returncode != 0 and text in said
    print(f"{'ok' if good else 'WRONG'}: {what}")
    if not good:
        failures.append(what)
        print(f"  exit {done.returncode}, wanted '{text}', said: {said[-600:]}")


def main():
    source = pathlib.Path(sys.argv[1])
    if shutil.which("aarch64-linux-gnu-g++") is None:
        print("skipped: aarch64-linux-gnu-g++ is not installed (g++-aarch64-linux-gnu)")
        return 77
    script = str(source / "toolchains" / "sysroot")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def configure(toolchain, sysroot):
            shutil.rmtree(folder / "build", ignore_errors=True)
            return ["cmake", "-S", str(source), "-B", str(folder / "build"), "-G", "Ninja", f"-DJACKDAW_SYSROOT={sysroot}",
                    f"-DCMAKE_TOOLCHAIN_FILE={source}/toolchains/{toolchain}.cmake"]

        expect("no sysroot", configure("aarch64", folder / "none"), "There is no sysroot at")
        (folder / "amd64/lib/x86_64-linux-gnu").mkdir(parents=True)
        expect("a sysroot of another architecture", configure("aarch64", folder / "amd64"),
               "but libraries for x86_64-linux-gnu")
        arm = folder / "arm"
        (arm / "lib/aarch64-linux-gnu").mkdir(parents=True)
        (arm / "lib/aarch64-linux-gnu/libc.so.6").touch()
        expect("a sysroot without CUDA", configure("jetson-jp7", arm), "holds no CUDA")
        header = arm / "usr/local/cuda/targets/aarch64-linux/include/cuda_runtime_api.h"
        header.parent.mkdir(parents=True)
        header.write_text("#define CUDART_VERSION 12060\n")
        expect("the wrong CUDA target", configure("jetson-jp7", arm), "is for aarch64-linux; jetson-jp7 needs sbsa-linux")
        expect("the wrong CUDA release", configure("jetson-jp5", arm), "CUDA is 12.6; jetson-jp5 is for CUDA 11.4")

        (folder / "file").touch()
        expect("a folder that cannot be written", [script, "make", "debian12-arm64", str(folder / "file/sysroot")],
               "cannot be written")
        target = folder / "sysroot"
        nowhere = "http://127.0.0.1:9/debian"
        expect("no network", [script, "make", "debian12-arm64", str(target)], "check the network",
               JACKDAW_DEBIAN_MIRROR=nowhere, JACKDAW_DEBIAN_SECURITY_MIRROR=nowhere)
        if target.exists():
            failures.append("a failed download left a sysroot")
        expect("a name that is not known", [script, "make", "debian99", str(target)], "there is no sysroot 'debian99'")
        expect("a device that does not answer", [script, "from-device", "user@host", str(target)], "does not answer",
               RSYNC_RSH="false")
        if target.exists():
            failures.append("a device that does not answer left a sysroot")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
