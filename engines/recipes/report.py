# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""What the user sees: one line per step on stderr, and errors that are one line.

    steps = Steps(5); steps.next("downloading imgsim 0.1.2")   # [1/5] downloading imgsim 0.1.2
    raise Problem("model.pth: SHA-256 is ..., expected ...; delete it and run again")
"""

from __future__ import annotations

import sys


class Problem(Exception):
    """An error for the user: what was wrong, with which file or option, and what to do."""


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


class Steps:
    def __init__(self, total: int) -> None:
        self._total, self._done = total, 0

    def next(self, what: str) -> None:
        self._done += 1
        say(f"[{self._done}/{self._total}] {what}")

    def also(self, what: str) -> None:
        """More about the step that is under way."""
        say(f"[{self._done}/{self._total}]   {what}")
