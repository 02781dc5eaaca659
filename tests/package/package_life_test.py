#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""The package's life in a Debian 12 root: install, start and teach, upgrade, a downgrade that is refused, remove, purge.

Usage: package_life_test.py BUILD CACHE MAKE_ENCODER...

The package in BUILD says for which architecture; arm64 runs under qemu. CACHE keeps the roots (debian_root.py).
MAKE_ENCODER: how this machine starts it. Exit 77 and the reason where the test cannot run.
"""
import hashlib
import os
import pathlib
import shutil
import socket
import struct
import sys
import tempfile
import unittest

from debian_root import Root, architecture_of, built_package, enter_or_skip, is_foreign, run, with_version

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "apps/live/program"))
from camera_program import Camera  # noqa: E402

BUILD, CACHE, MAKE_ENCODER = sys.argv[1], sys.argv[2], sys.argv[3:]


def install(root, deb, **options):
    shutil.copy(deb, root.folder / "tmp")
    return root.run("dpkg", "-i", f"/tmp/{deb.name}", **options)


class Life(unittest.TestCase):
    def test_from_install_to_purge(self):
        names = [part.split()[0] for part in run("dpkg-deb", "-f", DEB, "Depends").stdout.split(",")]
        with tempfile.TemporaryDirectory() as folder, Root(CACHE, ARCHITECTURE, names) as root:
            self.live(root, DEB, with_version(DEB, "9.0.0-1", pathlib.Path(folder)))

    def digests(self, root):
        learner = root.folder / "var/lib/jackdaw/learner"
        return {f.name: hashlib.sha256(f.read_bytes()).hexdigest() for f in learner.iterdir() if f.is_file()}

    def started(self, root, use):
        """As the unit's ExecStart, as its user, with a notify socket: what use(camera) gives."""
        manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        name = f"jackdaw-life-{os.getpid()}"
        manager.bind("\0" + name)
        manager.settimeout(60)
        unit = (root.folder / "lib/systemd/system/jackdaw.service").read_text()
        line = next(l for l in unit.splitlines() if l.startswith("ExecStart="))
        self.assertEqual(line, "ExecStart=/usr/bin/jackdaw camera --state /var/lib/jackdaw $JACKDAW_OPTIONS")
        script = root.folder / "tmp/start"
        script.write_text('#!/bin/sh\nexec setpriv --reuid jackdaw --regid jackdaw --init-groups /usr/bin/jackdaw "$@"\n')
        script.chmod(0o755)
        wrapper = root.folder / "tmp/enter"
        wrapper.write_text(f'#!/bin/sh\nexec chroot {root.folder} /tmp/start "$@"\n')
        wrapper.chmod(0o755)
        environment = {"NOTIFY_SOCKET": "@" + name, "WATCHDOG_USEC": "30000000", "HOME": "/var/cache/jackdaw",
                       "JACKDAW_CACHE": "/var/cache/jackdaw", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
        with Camera(wrapper, "/var/lib/jackdaw", "--source", "demo://mug", encoder="tiny",
                    environment=environment) as camera:
            self.assertIn(b"READY=1", manager.recv(4096))
            found = use(camera)
            self.assertEqual(camera.stop(), 0, camera.said())
        manager.close()
        return found

    def teach(self, camera):
        mug = camera.post("/api/classes", {"name": "mug"})["id"]
        camera.teach(mug, seconds=1.0)
        return camera.classes()["mug"]["lessons"]

    def live(self, root, old, new):
        said = install(root, old).stdout
        self.assertIn("systemctl enable --now jackdaw", said)
        groups = root.run("id", "-nG", "jackdaw").stdout.split()
        self.assertIn("video", groups)
        encoders = root.folder / "var/cache/jackdaw/encoders"
        encoders.mkdir()
        run(*MAKE_ENCODER, encoders / "tiny", "16")
        root.run("chown", "-R", "jackdaw:jackdaw", "/var/cache/jackdaw")
        lessons = self.started(root, self.teach)
        self.assertGreater(lessons, 0)
        settings = root.folder / "etc/default/jackdaw"
        settings.write_text('JACKDAW_OPTIONS="--source csi://0"\n')

        def known(camera):
            return camera.classes()["mug"]["lessons"]

        install(root, new)
        self.assertEqual(self.started(root, known), lessons, "after the upgrade")
        self.assertIn("csi://0", settings.read_text(), "after the upgrade")
        install(root, old)  # its state is of a format that the older version reads
        self.assertEqual(self.started(root, known), lessons, "after the downgrade")
        install(root, new)

        learner = root.folder / "var/lib/jackdaw/learner"
        file = sorted(learner.glob("*.journal"))[-1]
        whole = file.read_bytes()
        newer = struct.unpack("<I", whole[8:12])[0] + 1
        file.write_bytes(whole[:8] + struct.pack("<I", newer) + whole[12:])  # as a newer version would write it
        before = self.digests(root)
        refused = install(root, old, check=False)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn(f"was written by a newer version (format {newer};", refused.stdout)
        self.assertEqual(root.version(), "9.0.0-1 install ok installed")
        self.assertEqual(self.digests(root), before)
        file.write_bytes(whole)
        self.assertEqual(self.started(root, known), lessons, "after the refused downgrade")

        root.run("dpkg", "-r", "jackdaw")
        self.assertFalse((root.folder / "usr/bin/jackdaw").exists())
        self.assertFalse((root.folder / "usr/share/jackdaw").exists())
        self.assertTrue(any(learner.iterdir()))
        install(root, new)
        self.assertEqual(self.started(root, known), lessons, "after removal and installation")
        root.run("dpkg", "-P", "jackdaw")
        for path in ("var/lib/jackdaw", "var/cache/jackdaw", "etc/default/jackdaw"):
            self.assertFalse((root.folder / path).exists(), path)


if __name__ == "__main__":
    DEB = built_package(BUILD)
    ARCHITECTURE = architecture_of(DEB)
    enter_or_skip(ARCHITECTURE)
    print(f"{DEB.name}, {'emulated' if is_foreign(ARCHITECTURE) else 'native'}")
    unittest.main(argv=sys.argv[:1], warnings="ignore")
