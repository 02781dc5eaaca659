#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""The Debian packages that a cross-built program needs: its libraries' names, turned into package names by Debian's rule
(libopencv_core.so.406 is in libopencv-core406), each of which must be listed in SYSROOT/sysroot.txt. Of glibc the version
is the newest that a symbol asks for; of the others, that of the sysroot, which the program was built with.

    cross_depends.py --sysroot build/sysroot --readelf aarch64-linux-gnu-readelf build/jetson-jp7/apps/jackdaw
"""
import argparse
import pathlib
import re
import subprocess
import sys

OF_GLIBC = re.compile(r"(libc|libm|libdl|librt|libpthread|ld-linux[\w-]*)\.so\.\d+")
OTHER_NAMES = {"libz.so.1": "zlib1g", "libjpeg.so.62": "libjpeg62-turbo"}


def package_of(library, listed):
    if OF_GLIBC.fullmatch(library):
        return "libc6"
    name, _, version = library.partition(".so.")
    name = name.replace("_", "-").lower()
    hyphen = "-" if name[-1:].isdigit() else ""
    plain = OTHER_NAMES.get(library, name + hyphen + version)
    for candidate in (plain, plain + "t64"):  # Ubuntu 24.04 renamed some
        if candidate in listed:
            return candidate
    if library.startswith("libopencv_") and "libopencv" in listed:  # JetPack's own: one package holds them all
        return "libopencv"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sysroot", required=True, type=pathlib.Path)
    parser.add_argument("--readelf", default="readelf")
    parser.add_argument("program")
    given = parser.parse_args()
    listing = given.sysroot / "sysroot.txt"
    if not listing.is_file():
        sys.exit(f"package: {listing} is missing; make the sysroot with toolchains/sysroot")
    listed = dict(line.split()[1:3] for line in listing.read_text().splitlines()
                  if line.startswith("package ") and len(line.split()) == 3)
    text = subprocess.run([given.readelf, "-dVW", given.program], check=True, capture_output=True, text=True).stdout
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", text)
    packages = {library: package_of(library, listed) for library in needed}
    if missing := [library for library, package in packages.items() if package is None]:
        sys.exit(f"package: no package in {listing} is known to hold {', '.join(missing)}")
    newest = max((tuple(map(int, v.split("."))) for v in re.findall(r"GLIBC_([\d.]+)", text)), default=None)
    # Without the distribution's own revision: a rebuild of the same version does as well.
    versions = {package: listed[package].rpartition("-")[0] or listed[package] for package in packages.values()}
    if newest:
        versions["libc6"] = ".".join(map(str, newest))
    print(", ".join(sorted(f"{package} (>= {version})" for package, version in versions.items())))


if __name__ == "__main__":
    main()
