#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""lintian finds no error in the newest package of a build, and the package holds what it should.

Usage: lint_test.py BUILD        exit 77: no lintian, or no package
"""
import os
import pathlib
import shutil
import subprocess
import sys

WANTED = ("usr/bin/jackdaw", "usr/share/jackdaw/recipes", "lib/systemd/system/jackdaw.service",
          "lib/udev/rules.d/60-jackdaw.rules", "etc/default/jackdaw", "usr/share/man/man1/jackdaw.1.gz",
          "usr/share/bash-completion/completions/jackdaw", "usr/share/zsh/vendor-completions/_jackdaw",
          "usr/share/doc/jackdaw/copyright")


def main():
    build = pathlib.Path(sys.argv[1])
    packages = sorted(build.glob("jackdaw_*.deb"), key=os.path.getmtime)
    for missing, why in ((shutil.which("lintian") is None, "lintian is not installed (apt-get install lintian)"),
                         (not packages, f"there is no jackdaw_*.deb in {build}")):
        if missing:
            print("skipped:", why)
            return 77
    listed = subprocess.run(["dpkg-deb", "--contents", packages[-1]], check=True, capture_output=True, text=True).stdout
    found = {line.split()[5].removeprefix("./").rstrip("/") for line in listed.splitlines()}
    lacking = [name for name in WANTED if name not in found]
    done = subprocess.run(["lintian", "--fail-on", "error", packages[-1]], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    print(f"{packages[-1].name}: {len(found)} files; lintian: {done.returncode}\n{done.stdout}")
    if lacking:
        print("the package lacks:", *lacking)
    return 1 if lacking or done.returncode != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
