# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""What a test of the camera app cannot do without: says so and ends with 77, which ctest lists as skipped."""
import os
import pathlib
import sys


def encoder_or_skip(name):
    cache = pathlib.Path(os.environ.get("JACKDAW_CACHE", "~/.cache/jackdaw")).expanduser()
    if not (cache / "encoders" / name / "manifest.json").is_file():
        print(f"skipped: the encoder {name} is not in {cache}; get it: jackdaw engine get {name}")
        sys.exit(77)
