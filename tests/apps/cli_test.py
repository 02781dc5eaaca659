#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""The command line as a person meets it: output, exit codes, and what errors say.

Usage: cli_test.py JACKDAW MAKE_STATE
"""
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from refusals import Refusals

JACKDAW, MAKE_STATE = sys.argv[1:3]


def run(*arguments):
    return subprocess.run([JACKDAW, *map(str, arguments)], capture_output=True, text=True, timeout=120)


class CommandLine(Refusals):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def state(self, name, *lessons, encoder="test"):
        subprocess.run([MAKE_STATE, self.path / name, encoder, *lessons], check=True, timeout=120)
        return self.path / name

    def files(self, folder):
        return {p.name: p.read_bytes() for p in folder.iterdir()}

    def test_every_command_has_help_with_an_example(self):
        for command in ([], ["plan"], ["inspect"], ["merge"], ["bench"], ["doctor"], ["engine"], ["engine", "get"], ["engine", "list"],
                        ["engine", "info"], ["engine", "build"], ["engine", "calibrate"]):
            result = run(*command, "--help")
            self.assertEqual(result.returncode, 0)
            self.assertIn("Example: jackdaw", result.stdout)

    def test_wrong_calls_exit_with_2(self):
        for arguments in ([], ["fly"], ["plan", "--dim", "many"], ["plan", "--dim", "0"],
                          ["plan", "--nearest", "2000"], ["plan", "--store", "int8"], ["inspect"],
                          ["merge", "a", "b"], ["bench", "nothing"], ["doctor", "--source", "fly://1"]):
            result = run(*arguments)
            self.assertEqual(result.returncode, 2, (arguments, result.stderr))
            self.assertNotEqual(result.stderr + result.stdout, "")

    def test_plan_adds_up(self):
        plan = json.loads(run("plan", "--classes", 100, "--dim", 256, "--json").stdout)
        end = 0
        for section in plan["sections"]:
            self.assertGreaterEqual(section["offset"], end)
            self.assertEqual(section["offset"] % 256, 0)
            end = section["offset"] + section["bytes"]
        self.assertGreaterEqual(plan["total_bytes"], end)
        rows = {s["name"]: s["bytes"] for s in plan["sections"]}["rows"]
        self.assertEqual(rows, 1024 * 100 * 256 * 2)
        text = run("plan", "--classes", 100, "--dim", 256).stdout
        self.assertIn(str(plan["total_bytes"]), text)

    def test_plan_over_budget_names_the_numbers(self):
        self.fails(1, run("plan", "--classes", 100, "--dim", 256, "--budget", "10MB"),
                   "10000000", "1024 classifiers", "100 classes", "256 dimensions")

    def test_settings_out_of_range_name_the_range(self):
        self.fails(2, run("plan", "--dim", 0), "dimensions is 0", "from 1 to 8192")

    def test_inspect_shows_classes_and_changes_nothing(self):
        state = self.state("a", "mug=5", "Tasse 杯=3")
        before = self.files(state)
        result = json.loads(run("inspect", state, "--json").stdout)
        self.assertEqual([(c["label"], c["examples"]) for c in result["classes"]],
                         [("mug", 5), ("Tasse 杯", 3)])
        self.assertEqual(result["examples"], 8)
        self.assertEqual(result["encoder"], "test")
        text = run("inspect", state).stdout
        self.assertIn("Tasse 杯", text)
        self.assertEqual(self.files(state), before)

    def test_inspect_of_something_else_says_so(self):
        self.fails(1, run("inspect", self.path / "missing"), "missing")
        self.fails(1, run("inspect", self.path), "no state folder")

    def test_inspect_survives_a_torn_snapshot(self):
        state = self.state("a", "mug=5")
        for snapshot in state.glob("*.snapshot"):
            snapshot.write_bytes(snapshot.read_bytes()[:-10])
        self.fails(1, run("inspect", state), "snapshot")

    def test_merge_adds_up(self):
        a = self.state("a", "mug=5", "cup=2")
        b = self.state("b", "ball=4", "mug=3")
        result = run("merge", a, b, "--out", self.path / "c")
        self.assertEqual(result.returncode, 0, result.stderr)
        merged = json.loads(run("inspect", self.path / "c", "--json").stdout)
        self.assertEqual({c["label"]: c["examples"] for c in merged["classes"]},
                         {"mug": 8, "cup": 2, "ball": 4})

    def test_merge_counts_a_common_ancestor_once(self):
        a = self.state("a", "mug=5")
        merged = self.path / "c"
        self.assertEqual(run("merge", a, a, "--ancestor", a, "--out", merged).returncode, 0)
        self.assertEqual(json.loads(run("inspect", merged, "--json").stdout)["examples"], 5)

    def test_merge_refuses_what_it_cannot_do(self):
        a = self.state("a", "mug=1")
        other = self.state("other", "mug=1", encoder="another")
        many = self.state("many", *(f"c{i}=1" for i in range(6)))
        self.fails(1, run("merge", a, other, "--out", self.path / "c"), "did not start alike")
        self.fails(1, run("merge", a, many, "--out", self.path / "c"), "6 classes")
        self.fails(1, run("merge", a, a, "--out", self.path / "c"), "ancestor")
        self.fails(1, run("merge", a, self.state("b", "ball=1"), "--out", a), "not empty")
        self.assertFalse((self.path / "c").exists())

    def engine(self, *arguments, **variables):
        environment = {"PATH": "/usr/bin:/bin", "JACKDAW_CACHE": str(self.path / "cache"), **variables}
        return subprocess.run([JACKDAW, "engine", *map(str, arguments)], capture_output=True, text=True, timeout=120,
                              env=environment)

    def test_an_empty_cache_says_how_to_fill_it(self):
        result = self.engine("list")
        self.assertEqual(result.returncode, 0)
        self.assertIn("jackdaw engine get", result.stdout)
        self.assertEqual(json.loads(self.engine("list", "--json").stdout), [])

    def test_an_encoder_that_is_not_there(self):
        for command in ("info", "build"):
            arguments = ["nobody"] if command == "info" else ["--encoder", "nobody"]
            self.fails(1, self.engine(command, *arguments), "nobody", "jackdaw engine get")

    def test_a_damaged_manifest_is_listed_as_such(self):
        folder = self.path / "cache" / "encoders" / "broken"
        folder.mkdir(parents=True)
        (folder / "manifest.json").write_text('{"jackdaw_encoder": 2}')
        result = self.engine("list")
        self.assertEqual(result.returncode, 0)
        self.assertIn("broken cannot be used", result.stdout)
        self.fails(1, self.engine("info", "broken"), "jackdaw_encoder")

    def test_wrong_calls(self):
        self.fails(2, self.engine("get"), "--list")
        self.fails(2, self.engine("build", "--encoder", "x", "--batch", "8"), "1:8:48")
        self.fails(2, self.engine("build", "--encoder", "x", "--precision", "int4"), "fp16")
        self.fails(2, self.engine("calibrate", "--encoder", "x"), "--data")

    def test_recipes_that_are_missing(self):
        self.fails(1, self.engine("get", "efficientnet-lite0", JACKDAW_SHARE=str(self.path)), "JACKDAW_SHARE")

    def test_an_encoder_whose_licence_allows_no_changes_is_not_calibrated(self):
        folder = self.path / "cache" / "encoders" / "fixed"
        folder.mkdir(parents=True)
        (folder / "fixed.onnx").write_bytes(b"x")
        facts = {"jackdaw_encoder": 1, "name": "fixed", "description": "-", "licence": "LicenseRef-Fixed", "source": {},
                 "graph": {"file": "fixed.onnx", "sha256": hashlib.sha256(b"x").hexdigest(), "half_file": None,
                           "half_sha256": None, "input": "a", "output": "b", "changeable": False},
                 "input": {"width": 8, "height": 8, "channels": 3, "colour": "rgb", "resize": "stretch",
                           "layout": "byte pixels"},
                 "output": {"size": 4}, "max_batch": 1, "calibration": None}
        (folder / "manifest.json").write_text(json.dumps(facts))
        self.fails(1, self.engine("calibrate", "--encoder", "fixed", "--data", self.path), "LicenseRef-Fixed",
                   "no changed copies")

    def test_the_list_of_recipes(self):
        result = self.engine("get", "--list")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("efficientnet-lite0", result.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
