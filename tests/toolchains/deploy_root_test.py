#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""toolchains/deploy against an sshd in a Debian 12 root of the package's architecture (arm64: under qemu): what it refuses,
a kill in the middle of the copy, and a whole installation, whose dependencies apt-get brings in.

Usage: deploy_root_test.py DEPLOY BUILD CACHE       (CACHE keeps the roots; exit 77 and the reason where it cannot run)
"""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "package"))
from debian_root import (  # noqa: E402
    Root, architecture_of, built_package, enter_or_skip, is_foreign, run, skip, with_version)

SLOW = 200000  # bytes a second of a copy that is to be interrupted


def throttle(port, bytes_a_second):
    """Between ssh and sshd: what goes there goes slowly."""
    there = socket.create_connection(("127.0.0.1", port))

    def back():
        while piece := there.recv(65536):
            os.write(1, piece)
        os._exit(0)

    threading.Thread(target=back, daemon=True).start()
    while piece := os.read(0, 8192):
        there.sendall(piece)
        time.sleep(len(piece) / bytes_a_second)


class Deploy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.path = pathlib.Path(holder.name)
        cls.root = Root(CACHE, ARCHITECTURE, ["openssh-server"]).__enter__()
        cls.addClassCleanup(cls.root.__exit__)
        cls.root.run("apt-get", "update", "-q")  # the kept root's lists may be of another day
        for key in ("host", "user"):
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", cls.path / key)
        for file in ("host", "user.pub"):
            shutil.copy(cls.path / file, cls.root.folder / "etc/ssh")
        (cls.root.folder / "run/sshd").mkdir(exist_ok=True)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            cls.port = probe.getsockname()[1]
        (cls.root.folder / "etc/ssh/test_config").write_text(
            f"ListenAddress 127.0.0.1\nPort {cls.port}\nHostKey /etc/ssh/host\nAuthorizedKeysFile /etc/ssh/user.pub\n"
            "PidFile none\nPasswordAuthentication no\nPermitRootLogin yes\nStrictModes no\nUsePAM no\n")
        (cls.path / "ssh_config").write_text("StrictHostKeyChecking no\nUserKnownHostsFile /dev/null\nLogLevel ERROR\n")
        (cls.path / "slow_config").write_text(
            (cls.path / "ssh_config").read_text() +
            f"ProxyCommand {sys.executable} {pathlib.Path(__file__).resolve()} throttle {cls.port} {SLOW}\n")
        cls.log = (cls.path / "sshd.log").open("w")
        sshd = subprocess.Popen(cls.root.command("/usr/sbin/sshd", "-D", "-e", "-f", "/etc/ssh/test_config"),
                                stderr=cls.log, env=cls.root.environment())
        cls.addClassCleanup(lambda: (sshd.terminate(), sshd.wait()))
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", cls.port)) == 0:
                    break
            time.sleep(0.1)

    def command(self, *options, package=None, port=None):
        return [DEPLOY, "root@127.0.0.1", "--package", package or DEB, "--port", str(port or self.port), "--identity",
                self.path / "user", *options]

    def environment(self, config="ssh_config"):
        return {**os.environ, "JACKDAW_DEPLOY_SSH": f"-F {self.path / config}"}

    def deploy(self, *options, **choices):
        done = subprocess.run(self.command(*options, **choices), env=self.environment(), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=3000)
        return done.returncode, done.stdout

    def copies(self):
        return list((self.root.folder / "tmp").glob("jackdaw-deploy-*"))

    def nothing_happened(self):
        self.assertEqual(self.root.version(), "")
        self.assertEqual(self.copies(), [])
        self.assertFalse((self.root.folder / "usr/bin/jackdaw").exists())

    def refused(self, result, *words):
        code, said = result
        print(said.strip().splitlines()[-2:])
        self.assertEqual(code, 1, said)
        for word in (*words, "->"):
            self.assertIn(word, said)
        self.nothing_happened()

    def test_1_what_is_refused(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            silent = probe.getsockname()[1]
        self.refused(self.deploy(port=silent), "does not answer")

        for_jetpack = with_version(DEB, "0.1.0-1~jp6", self.path)
        self.refused(self.deploy(package=for_jetpack), "for JetPack 6", "has no JetPack")
        release = self.root.folder / "etc/nv_tegra_release"
        release.write_text("# R35 (release), REVISION: 4.1, GCID: 1\n")
        self.refused(self.deploy(package=for_jetpack), "for JetPack 6", "runs JetPack 5")
        release.unlink()

        run("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", self.root.folder / "tmp")
        self.refused(self.deploy(), "no room", "its temporary folder has 2048 kB")
        run("umount", self.root.folder / "tmp")

        whole = DEB.read_bytes()
        middle = len(whole) // 2
        for damaged in (whole[:-100000], whole[:middle] + bytes(1000) + whole[middle + 1000:]):
            (self.path / "damaged.deb").write_bytes(damaged)
            self.refused(self.deploy(package=self.path / "damaged.deb"), "is damaged")

    def test_2_killed_in_the_middle_of_the_copy(self):
        for kind in (signal.SIGTERM, signal.SIGKILL):
            running = subprocess.Popen(self.command(), env=self.environment("slow_config"), stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            self.addCleanup(running.kill)
            sizes = []
            for _ in range(1200):
                sizes = [f.stat().st_size for d in self.copies() for f in d.glob("jackdaw.deb")]
                if sizes and sizes[0] > 0:
                    break
                time.sleep(0.05)
            self.assertEqual(len(sizes), 1)
            self.assertLess(sizes[0], DEB.stat().st_size)
            if kind == signal.SIGKILL:  # with its ssh: nothing is left here that could clean up
                os.killpg(running.pid, kind)
            else:
                running.send_signal(kind)
            begin = time.monotonic()
            self.assertNotEqual(running.wait(60), 0)
            whole = DEB.stat().st_size / SLOW
            self.assertLess(time.monotonic() - begin, whole, "it must not go on copying")
            for _ in range(600):
                if not self.copies():
                    break
                time.sleep(0.05)
            print(f"{kind.name} at {sizes[0]} of {DEB.stat().st_size} bytes: {len(self.copies())} copies are left")
            self.nothing_happened()

    def test_3_a_whole_installation(self):
        self.assertEqual(self.root.run("dpkg-query", "-W", "libopencv-core406", check=False).returncode, 1)
        code, said = self.deploy("--encoder", "vae-omniglot")
        print(said[-6000:])
        self.assertEqual(code, 0, said[-6000:])
        self.assertRegex(said, r"Setting up libopencv-core406")
        self.assertRegex(said, r"ok +encoder +")
        self.assertRegex(said, r"\d+ ok, \d+ warning\w*, 0 failed")
        self.assertIn("no TensorRT on the device: no engine is built", said)
        self.assertRegex(said, r"done: jackdaw \S+ is on root@127.0.0.1")
        self.assertRegex(self.root.version(), r"^\S+ install ok installed$")
        self.assertEqual(self.copies(), [])
        self.assertIn("Usage: jackdaw", self.root.run("jackdaw", "--help").stdout)
        # Settings that were changed there stay, also where the package brings others; what was built anew under the
        # same version comes, too, and an older version over a newer one.
        settings, note = "etc/default/jackdaw", "usr/share/doc/jackdaw/note"
        (self.root.folder / settings).write_text("JACKDAW_OPTIONS=--source csi://1\n")
        newer = with_version(DEB, "9.0.0-1", self.path, {settings: "JACKDAW_OPTIONS=\n", note: "one\n"})
        rebuilt = with_version(DEB, "9.0.0-1", self.path / "rebuilt", {settings: "JACKDAW_OPTIONS=\n", note: "two\n"})
        for package, text in ((newer, "one\n"), (rebuilt, "two\n"), (DEB, None)):
            again, said = self.deploy("--no-engine", package=package)
            self.assertEqual(again, 0, said)
            self.assertEqual((self.root.folder / settings).read_text(), "JACKDAW_OPTIONS=--source csi://1\n")
            there = self.root.folder / note
            self.assertEqual(there.read_text() if there.exists() else None, text)
            self.assertRegex(self.root.version(), r"install ok installed$")
            self.assertEqual(self.copies(), [])


if __name__ == "__main__":
    if sys.argv[1] == "throttle":
        throttle(int(sys.argv[2]), int(sys.argv[3]))
        sys.exit(0)
    DEPLOY, BUILD, CACHE = sys.argv[1:4]
    if shutil.which("ssh") is None:
        skip("ssh is not installed (apt-get install openssh-client)")
    DEB = built_package(BUILD)
    ARCHITECTURE = architecture_of(DEB)
    enter_or_skip(ARCHITECTURE)
    print(f"{DEB.name}, {'emulated' if is_foreign(ARCHITECTURE) else 'native'}", flush=True)
    unittest.main(argv=sys.argv[:1], verbosity=2, warnings="ignore")
