# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""How a command fails, for the tests of the command line: with its code, on stderr alone, and saying what was wrong.

    class Commands(Refusals): self.fails(1, self.run("inspect", path), "not there")
"""
import unittest


class Refusals(unittest.TestCase):
    def fails(self, code, result, *words):
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertEqual(result.stdout, "")
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertNotIn("terminate", result.stderr)
