#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Small scripts of toolchains/ that no whole build or installation drives into every corner.

    scripts_test.py SOURCE
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(SOURCE / "toolchains/package"))
sys.dont_write_bytecode = True
import cross_depends  # noqa: E402


class Folder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)


class Links(Folder):
    def test_a_chain_of_links_stays_inside_the_sysroot_in_whatever_order(self):
        for number, order in enumerate((("usr/local/cuda", "etc/alternatives/cuda"),
                                        ("etc/alternatives/cuda", "usr/local/cuda"))):
            root = self.folder / str(number)
            targets = {"usr/local/cuda": "/etc/alternatives/cuda", "etc/alternatives/cuda": "/usr/local/cuda-99"}
            (root / "usr/local/cuda-99").mkdir(parents=True)
            (root / "etc/alternatives").mkdir(parents=True)
            for link in order:
                (root / link).symlink_to(targets[link])
                script = f"source {SOURCE}/toolchains/sysroots/links.sh; relative_links '{root}'"
                subprocess.run(["bash", "-ec", script], check=True)  # after each: the other is there later, or not yet
            self.assertEqual((root / "usr/local/cuda").resolve(), (root / "usr/local/cuda-99").resolve())
            for link in order:
                self.assertFalse(os.readlink(root / link).startswith("/"), link)

    def test_links_that_are_there_already(self):
        root = self.folder
        (root / "a").mkdir()
        (root / "a/one").symlink_to("/b/two")
        (root / "b").mkdir()
        (root / "b/two").symlink_to("/c")
        subprocess.run(["bash", "-ec", f"source {SOURCE}/toolchains/sysroots/links.sh; relative_links '{root}'"], check=True)
        self.assertEqual(os.readlink(root / "a/one"), "../b/two")
        self.assertEqual(os.readlink(root / "b/two"), "../c")


@unittest.skipIf(shutil.which("rsync") is None, "rsync is not installed")
class FromDevice(Folder):
    def test_a_device_is_copied_without_what_no_build_needs(self):
        device, shell, copy = self.folder / "device", self.folder / "shell", self.folder / "copy"
        for name in ("etc/os-release", "usr/lib/aarch64-linux-gnu/libc.so.6", "usr/include/a.h", "usr/lib/firmware/big",
                     "usr/local/cuda-12/lib/libcudart_static.a", "usr/lib/aarch64-linux-gnu/libx_static.a"):
            (device / name).parent.mkdir(parents=True, exist_ok=True)
            (device / name).write_text('PRETTY_NAME="A board"\n')
        (device / "lib").symlink_to("usr/lib")
        (device / "etc/alternatives").mkdir()
        (device / "etc/alternatives/cuda").symlink_to("/usr/local/cuda-12")
        (device / "usr/local/cuda").symlink_to("/etc/alternatives/cuda")
        shell.write_text(  # stands in for ssh: the host is this machine
            '#!/bin/sh\nwhile [ "${1#-}" != "$1" ]; do shift 2; done\nshift\nexec sh -c "$*"\n')
        shell.chmod(0o755)

        def call():
            return subprocess.run([SOURCE / "toolchains/sysroot", "from-device", f"me@board:{device}", copy], check=False,
                                  capture_output=True, text=True, env={**os.environ, "RSYNC_RSH": str(shell)})

        done = call()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("A board", (copy / "sysroot.txt").read_text())
        self.assertTrue((copy / "lib/aarch64-linux-gnu/libc.so.6").is_file())
        self.assertTrue((copy / "usr/local/cuda/lib/libcudart_static.a").is_file())
        self.assertEqual((copy / "usr/local/cuda").resolve(), (copy / "usr/local/cuda-12").resolve())
        for name in ("usr/lib/firmware", "usr/lib/aarch64-linux-gnu/libx_static.a"):
            self.assertFalse((copy / name).exists(), name)
        (device / "usr/include/a.h").unlink()
        (device / "usr/include/b.h").touch()
        self.assertEqual(call().returncode, 0)  # called again it brings what has changed
        self.assertEqual([f.name for f in (copy / "usr/include").iterdir()], ["b.h"])
        (device / "usr/lib/aarch64-linux-gnu/libc.so.6").unlink()
        done = call()
        self.assertEqual(done.returncode, 1)
        self.assertIn("no C library for aarch64", done.stderr)
        self.assertTrue((copy / "lib/aarch64-linux-gnu/libc.so.6").is_file(), "the sysroot that was there stays")


class Depends(unittest.TestCase):
    def test_names_of_packages(self):
        for library, listed, package in (("libopencv_core.so.406", {"libopencv-core406": "4.6"}, "libopencv-core406"),
                                         ("libopencv_core.so.408", {"libopencv": "4.8.0"}, "libopencv"),
                                         ("libstdc++.so.6", {"libstdc++6": "12"}, "libstdc++6"),
                                         ("libpng16.so.16", {"libpng16-16t64": "1.6"}, "libpng16-16t64"),
                                         ("libc.so.6", {}, "libc6"), ("libnone.so.1", {}, None)):
            self.assertEqual(cross_depends.package_of(library, listed), package, library)


class BeforeStart(Folder):
    """The pauses before the service starts again."""

    def setUp(self):
        super().setUp()
        tools = self.folder / "bin"
        tools.mkdir()
        (tools / "sleep").write_text(f'#!/bin/sh\necho "$1" >>{self.folder}/slept\n')
        (tools / "sleep").chmod(0o755)
        (self.folder / "encoders/tiny").mkdir(parents=True)
        (self.folder / "encoders/tiny/manifest.json").touch()
        self.environment = {"PATH": f"{tools}:{os.environ['PATH']}", "RUNTIME_DIRECTORY": str(self.folder),
                            "CACHE_DIRECTORY": str(self.folder)}

    def call(self, *arguments, **environment):
        return subprocess.run([SOURCE / "toolchains/package/service/before-start", *arguments], check=False,
                              capture_output=True, text=True, env={**self.environment, **environment})

    def slept(self):
        file = self.folder / "slept"
        return file.read_text().split() if file.exists() else []

    def test_it_waits_longer_and_longer_after_failures(self):
        for _ in range(8):
            self.assertEqual(self.call().returncode, 0)
            self.assertEqual(self.call("--after-stop", SERVICE_RESULT="exit-code").returncode, 0)
        self.assertEqual(self.slept(), ["2", "4", "8", "16", "32", "60", "60"])

    def test_a_stop_that_was_asked_for_is_forgotten(self):
        for _ in range(3):
            self.assertEqual(self.call().returncode, 0)
            self.assertEqual(self.call("--after-stop", SERVICE_RESULT="success").returncode, 0)
        self.assertEqual(self.slept(), [])

    def test_an_empty_note_does_not_lock_it_out(self):
        (self.folder / "starts").touch()
        for _ in range(2):
            self.assertEqual(self.call().returncode, 0)

    def test_no_encoder(self):
        (self.folder / "encoders/tiny/manifest.json").unlink()
        done = self.call()
        self.assertEqual(done.returncode, 1)
        self.assertIn("jackdaw engine get", done.stderr)
        self.assertEqual(self.call(JACKDAW_OPTIONS="--encoder /srv/manifest.json").returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
