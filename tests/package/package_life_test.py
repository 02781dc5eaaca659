#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""The package's life in a Debian 12 root: install, start and teach, upgrade, a downgrade that is refused, remove, purge.

Usage: package_life_test.py BUILD MAKE_ENCODER

Needs root and debootstrap; exit 77 and the reason where one is missing. The root is kept in BUILD/package-root.tar.
JACKDAW_DEBIAN_MIRROR: where Debian's packages are. This machine's /etc/apt is used inside the root.
"""
import hashlib
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

BUILD, MAKE_ENCODER = pathlib.Path(sys.argv[1]), sys.argv[2]
MIRROR = os.environ.get("JACKDAW_DEBIAN_MIRROR", "http://deb.debian.org/debian")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "apps/live/program"))
from camera_program import Camera  # noqa: E402


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def run(*command, check=True, **options):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", **options)
    if check and done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout[-3000:]}")
    return done


class Root:
    """A Debian 12 root, with what the package depends on."""

    def __init__(self, folder, deb):
        self.folder = folder
        tar = BUILD / "package-root.tar"
        if tar.exists():
            run("tar", "-xpf", tar, "-C", folder)
        else:
            run("debootstrap", "--variant=minbase", "bookworm", folder, MIRROR)
            shutil.rmtree(folder / "etc/apt")
            shutil.copytree("/etc/apt", folder / "etc/apt", symlinks=True)
            shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
        run("mount", "-t", "proc", "proc", folder / "proc")
        if not tar.exists():
            fields = run("dpkg-deb", "-f", deb, "Depends").stdout
            names = [part.split()[0] for part in fields.split(",")]
            self.run("apt-get", "update", "-q")
            self.run("apt-get", "install", "-q", "-y", "--no-install-recommends", *names)
            self.run("apt-get", "clean")
            run("tar", "-cpf", f"{tar}.part", "-C", folder, "--exclude=./proc/*", ".")
            os.rename(f"{tar}.part", tar)

    def run(self, *command, **options):
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C",
                       "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
        return run("chroot", self.folder, *command, env=environment, **options)

    def install(self, deb, **options):
        shutil.copy(deb, self.folder / "tmp")
        return self.run("dpkg", "-i", f"/tmp/{deb.name}", **options)

    def version(self):
        return self.run("dpkg-query", "-W", "-f", "${Version} ${Status}", "jackdaw", check=False).stdout

    def close(self):
        run("umount", "-l", self.folder / "proc")


def with_version(deb, version, folder):
    """The same package under another version."""
    run("dpkg-deb", "-R", deb, folder / version)
    control = folder / version / "DEBIAN/control"
    text = control.read_text()
    old = run("dpkg-deb", "-f", deb, "Version").stdout.strip()
    control.write_text(text.replace(f"Version: {old}\n", f"Version: {version}\n"))
    run("dpkg-deb", "--root-owner-group", "-Zgzip", "-b", folder / version, folder / f"jackdaw_{version}.deb")
    return folder / f"jackdaw_{version}.deb"


class Life(unittest.TestCase):
    def test_from_install_to_purge(self):
        deb = next(iter(sorted(BUILD.glob("jackdaw_*_amd64.deb"))))
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "root").mkdir()
            root = Root(folder / "root", deb)
            try:
                self.live(root, deb, with_version(deb, "9.0.0-1", folder))
            finally:
                root.close()

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
        script.write_text('#!/bin/sh\nexec setpriv --reuid jackdaw --regid jackdaw --init-groups '
                                 '/usr/bin/jackdaw "$@"\n')
        script.chmod(0o755)
        wrapper = root.folder.parent / "start"
        wrapper.write_text(f'#!/bin/sh\nexec chroot {root.folder} /tmp/start "$@"\n')
        wrapper.chmod(0o755)
        environment = {"NOTIFY_SOCKET": "@" + name, "WATCHDOG_USEC": "30000000",
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
        camera.post("/api/teach", {"class": mug, "seconds": 1.0})
        time.sleep(1.5)
        camera.wait_until(lambda: all(b["durable"] for b in camera.state()["bursts"]), "everything on disk")
        return camera.classes()["mug"]["lessons"]

    def live(self, root, old, new):
        said = root.install(old).stdout
        self.assertIn("systemctl enable --now jackdaw", said)
        groups = root.run("id", "-nG", "jackdaw").stdout.split()
        self.assertIn("video", groups)
        encoders = root.folder / "var/cache/jackdaw/encoders"
        encoders.mkdir()
        run(MAKE_ENCODER, encoders / "tiny", "16")
        root.run("chown", "-R", "jackdaw:jackdaw", "/var/cache/jackdaw")
        lessons = self.started(root, self.teach)
        self.assertGreater(lessons, 0)

        def known(camera):
            return camera.classes()["mug"]["lessons"]

        root.install(new)
        self.assertEqual(self.started(root, known), lessons, "after the upgrade")
        root.install(old)  # its state is of a format that the older version reads
        self.assertEqual(self.started(root, known), lessons, "after the downgrade")
        root.install(new)

        learner = root.folder / "var/lib/jackdaw/learner"
        file = sorted(learner.glob("*.journal"))[-1]
        whole = file.read_bytes()
        file.write_bytes(whole[:8] + struct.pack("<I", 2) + whole[12:])  # as a newer version would write it
        before = self.digests(root)
        refused = root.install(old, check=False)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("was written by a newer version (format 2;", refused.stdout)
        self.assertEqual(root.version(), "9.0.0-1 install ok installed")
        self.assertEqual(self.digests(root), before)
        file.write_bytes(whole)

        root.run("dpkg", "-r", "jackdaw")
        self.assertFalse((root.folder / "usr/bin/jackdaw").exists())
        self.assertFalse((root.folder / "usr/share/jackdaw").exists())
        self.assertTrue(any(learner.iterdir()))
        root.install(new)
        self.assertEqual(self.started(root, known), lessons, "after removal and installation")
        root.run("dpkg", "-P", "jackdaw")
        for path in ("var/lib/jackdaw", "var/cache/jackdaw", "etc/default/jackdaw"):
            self.assertFalse((root.folder / path).exists(), path)


if __name__ == "__main__":
    if os.geteuid() != 0:
        skip("only root can chroot and mount")
    for tool in ("debootstrap", "dpkg-deb"):
        if shutil.which(tool) is None:
            skip(f"{tool} is not installed (apt-get install {tool.replace('dpkg-deb', 'dpkg')})")
    if not list(BUILD.glob("jackdaw_*_amd64.deb")):
        skip(f"there is no jackdaw_*_amd64.deb in {BUILD}; make it: cmake --build {BUILD} --target package")
    unittest.main(argv=sys.argv[:1])
