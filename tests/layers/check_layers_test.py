#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Breaks every rule of check_layers.py in a small tree and expects exactly that complaint."""

import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True  # the source folder stays as it is
sys.path.insert(0, str(Path(__file__).parent))
import check_layers  # noqa: E402

GOOD = {
    "runtime/include/jackdaw/a.hpp": '#pragma once\n#include <vector>\n#include "jackdaw/b.hpp"\n',
    "runtime/include/jackdaw/b.hpp": "#pragma once\n",
    "runtime/src/cuda/k.cu": "#include <cuda_runtime.h>\n",
    "runtime/src/core/json.cpp": "#include <nlohmann/json.hpp>\n",
    "runtime/CMakeLists.txt": "# not for jackdaw::engines\n",
    "engines/e.cpp": '#include <opencv2/core.hpp>\n#include "NvInfer.h"\n#include "jackdaw/a.hpp"\n',
    "apps/live/l.cpp": '#include "engines/e.hpp"\n',
    "tests/long_test.cpp": "\n" * 700,
    "docs/d.md": "See `runtime/src`, `runtime/include/jackdaw/{a,b}.hpp`, `tests/*_test.cpp`, [b](d.md),\n"
                 "`apps/gone/` (planned), `data/CLASS/`, `a/b`, `runtime/<name>.hpp`, `./check --all`.\n"
                 "```\n`runtime/gone.cpp`\n```\n",
    "check": "",
}

BAD = [  # (file, its text, what the complaint must say)
    ("runtime/src/x.cpp", "#include <opencv2/core.hpp>\n", "x.cpp:1: runtime must not know OpenCV"),
    ("runtime/src/x.cpp", '\n#  include "NvInferRuntime.h"\n', "x.cpp:2: runtime must not know TensorRT"),
    ("runtime/src/x.cpp", '#include "../../engines/e.hpp"\n', "must not include from engines"),
    ("runtime/src/x.cpp", '#include "jackdaw/engines/e.hpp"\n', "must not include from engines"),
    ("runtime/src/x.cu", '#include "apps/live/l.hpp"\n', "must not include from apps"),
    ("runtime/include/jackdaw/x.hpp", "#include <cuda_fp16.h>\n", "must not include CUDA"),
    ("runtime/include/jackdaw/x.hpp", "#include <nlohmann/json_fwd.hpp>\n", "not include nlohmann_json"),
    ("runtime/include/jackdaw/x.hpp", '#include "core/store_view.hpp"\n', "public headers only"),
    ("engines/x.cpp", '#include "../apps/live/l.hpp"\n', "engines must not include from apps"),
    ("runtime/CMakeLists.txt", "target_link_libraries(a jackdaw::engines)\n", "must not depend on this"),
    ("runtime/include/jackdaw/x.hpp", "#if defined(JACKDAW_HAS_CUDA)\n#endif\n", "asked in a header"),
    ("runtime/src/x.cpp", "\n" * 601, "601 lines, at most 600"),
    ("tests/x_test.cpp", "\n" * 701, "701 lines, at most 700"),
    ("README.md", "`runtime/src/gone.cpp`\n", "README.md:1: there is no runtime/src/gone.cpp"),
    ("README.md", "`runtime/include/jackdaw/{a,c}.hpp`\n", "there is no runtime/include/jackdaw/c.hpp"),
    ("README.md", "`./gone --all`\n", "there is no ./gone"),
    ("README.md", "[text](docs/gone.md#part)\n", "there is no docs/gone.md"),
    ("README.md", "`tests/*_gone.cpp`\n", "there is no tests/*_gone.cpp"),
]

COMPILER = os.environ.get("CXX", "c++")


def complaints(changes, compiler=None):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**GOOD, **changes}.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return check_layers.violations(folder, compiler)


class CheckLayers(unittest.TestCase):
    def test_a_tree_in_order_passes(self):
        self.assertEqual(complaints({}, COMPILER), [])

    def test_each_violation_is_found_and_named(self):
        for name, text, wanted in BAD:
            with self.subTest(wanted=wanted):
                found = complaints({name: text})
                self.assertEqual(len(found), 1, found)
                self.assertIn(wanted, found[0])

    def test_two_files_that_ask_for_cuda(self):
        ask = "#ifdef JACKDAW_HAS_CUDA\n#endif\n"
        found = complaints({"runtime/src/x.cpp": ask, "runtime/src/y.cpp": ask})
        self.assertEqual(len(found), 1, found)
        self.assertIn("in more than one file: runtime/src/x.cpp, runtime/src/y.cpp", found[0])

    def test_a_header_that_needs_another_first(self):
        header = "#pragma once\ninline std::vector<int> f() { return {}; }\n"
        found = complaints({"runtime/include/jackdaw/x.hpp": header}, COMPILER)
        self.assertEqual(len(found), 1, found)
        self.assertIn("x.hpp:1: this header does not compile alone", found[0])

    def test_a_header_without_a_guard(self):
        found = complaints({"runtime/include/jackdaw/x.hpp": "struct X {};\n"}, COMPILER)
        self.assertEqual(len(found), 1, found)


if __name__ == "__main__":
    unittest.main()
