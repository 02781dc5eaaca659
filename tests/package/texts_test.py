#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""The manual page names every command; bash and zsh complete commands and options as the program lists them.

Usage: texts_test.py PROGRAM TEXTS
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

PROGRAM, TEXTS = sys.argv[1], pathlib.Path(sys.argv[2])

# zsh's completion, without a line editor: what the function hands to compadd or _files is printed.
ZSH = """
compadd() { print -l -- ${(P)2} }
_files() { print files }
complete() { source "$file" }
words=("$@") CURRENT=$#words
complete
"""
BASH = """
source "$file"
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_jackdaw
printf '%s\\n' "${COMPREPLY[@]}"
"""


def commands(*of):
    text = subprocess.run([PROGRAM, *of, "--help"], check=True, capture_output=True, text=True).stdout
    return re.findall(r"^  ([a-z]+) ", text.partition("Subcommands:\n")[2], re.M)


class Texts(unittest.TestCase):
    def test_the_manual_names_every_command(self):
        page = (TEXTS / "jackdaw.1").read_text().partition(".SH COMMANDS")[2].partition(".SH")[0]
        bold = "\n".join(line for line in page.splitlines() if line.startswith(".B "))
        self.assertGreater(len(commands()), 5)
        for name in commands():
            self.assertRegex(bold, rf"(?m)^\.B {name}\b")
            for part in commands(name):
                self.assertRegex(bold, rf"(?m)^\.B {name} .*\b(fB)?{part}\b")

    @unittest.skipIf(shutil.which("groff") is None, "groff is not installed")
    def test_the_manual_is_formatted_without_warnings(self):
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", TEXTS / "jackdaw.1"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def check(self, shell, script, file):
        def offered(*words):
            done = subprocess.run([*shell, script, shell[0], PROGRAM, *words], capture_output=True, text=True, check=True,
                                  env={**os.environ, "file": str(TEXTS / file)})
            return done.stdout.split()

        self.assertLessEqual({"camera", "doctor"}, set(offered("")))
        self.assertEqual(set(offered("engine", "")), set(commands("engine")))
        self.assertLessEqual({"--classes", "--dim"}, set(offered("plan", "--")))
        self.assertNotIn("--classes", offered("doctor", "--"))
        return offered

    @unittest.skipIf(shutil.which("bash") is None, "bash is not installed")
    def test_bash(self):
        offered = self.check(["bash", "-c"], BASH, "jackdaw.bash")
        self.assertEqual(offered("doctor", "--js"), ["--json"])

    @unittest.skipIf(shutil.which("zsh") is None, "zsh is not installed")
    def test_zsh(self):
        offered = self.check(["zsh", "-fc"], ZSH, "jackdaw.zsh")
        self.assertEqual(offered("inspect", ""), ["files"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
