#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""lintian finds no error in the newest package of a build, and the package holds what it should.

Usage: lint_test.py BUILD        exit 77: no lintian, or no package
"""
import shutil
import subprocess
import sys

from debian_root import built_package, skip

WANTED = ("usr/bin/jackdaw", "usr/share/jackdaw/recipes", "lib/systemd/system/jackdaw.service",
          "lib/udev/rules.d/60-jackdaw.rules", "etc/default/jackdaw", "usr/share/man/man1/jackdaw.1.gz",
          "usr/share/bash-completion/completions/jackdaw", "usr/share/zsh/vendor-completions/_jackdaw",
          "usr/share/doc/jackdaw/copyright")


def main():
    if shutil.which("lintian") is None:
        skip("lintian is not installed (apt-get install lintian)")
    deb = built_package(sys.argv[1])
    listed = subprocess.run(["dpkg-deb", "--contents", deb], check=True, capture_output=True, text=True).stdout
    found = {line.split()[5].removeprefix("./").rstrip("/") for line in listed.splitlines()}
    lacking = [name for name in WANTED if name not in found]
    done = subprocess.run(["lintian", "--fail-on", "error", deb], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    print(f"{deb.name}: {len(found)} files; lintian: {done.returncode}\n{done.stdout}")
    if lacking:
        print("the package lacks:", *lacking)
    return 1 if lacking or done.returncode != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
