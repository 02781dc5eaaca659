#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""toolchains/deploy against a real sshd on 127.0.0.1, whose session finds a made-up device: its own /etc, and stand-ins
for apt-get, df, jackdaw and others that note what they were asked.

Usage: deploy_test.py DEPLOY
"""
import getpass
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

DEPLOY = sys.argv.pop(1)
SSHD = shutil.which("sshd", path=os.environ["PATH"] + ":/usr/sbin")
for tool, where in (("sshd", SSHD), ("ssh", shutil.which("ssh")), ("dpkg-deb", shutil.which("dpkg-deb"))):
    if where is None:
        print(f"skipped: {tool} is not installed")
        sys.exit(77)

STAND_INS = {
    "apt-get": 'echo "apt-get $*" >>"$DEVICE/log"; [ ! -e "$DEVICE/apt-fails" ]',
    "dpkg": '[ "$1" != --print-architecture ] || cat "$DEVICE/architecture"',
    "dpkg-query": 'case "$*" in *"Status"*) echo "install ok half-installed 0.1.0" ;; *) exit 1 ;; esac',
    "df": 'echo head; echo "/dev/x 1 1 $(cat "$DEVICE/room") 1% /"',
    "sudo": 'shift; exec "$@"',
    "runuser": 'shift 3; exec "$@"',
    "ldconfig": 'cat "$DEVICE/libraries"',
    "jackdaw": 'echo "jackdaw $*" >>"$DEVICE/log"; [ "$1" != doctor ] || [ ! -e "$DEVICE/ill" ]',
}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Deploy(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.path = pathlib.Path(holder.name)
        self.device = self.path / "device"
        for folder in ("bin", "tmp", "root/etc", "root/usr"):
            (self.device / folder).mkdir(parents=True)
        for name, text in STAND_INS.items():
            tool = self.device / "bin" / name
            tool.write_text("#!/bin/sh\n" + text + "\n")
            tool.chmod(0o755)
        self.set("architecture", "arm64")
        self.set("room", "9000000")
        self.set("libraries", "libnvinfer.so.10")
        self.set("root/etc/nv_tegra_release", "# R36 (release), REVISION: 4.3, GCID: 1")
        for key in ("host", "user", "stranger"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.path / key], check=True)
        self.port = free_port()
        self.start_sshd()
        self.package = self.make_package("0.1.0+jp6")

    def set(self, name, text):
        (self.device / name).write_text(text + "\n")

    def start_sshd(self):
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        (self.path / "sshd_config").write_text(f"""
ListenAddress 127.0.0.1
Port {self.port}
HostKey {self.path}/host
AuthorizedKeysFile {self.path}/user.pub
PidFile none
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
StrictModes no
UsePAM no
SetEnv PATH={self.device}/bin:/usr/bin:/bin TMPDIR={self.device}/tmp DEVICE={self.device}
""")
        sshd = subprocess.Popen([SSHD, "-D", "-e", "-f", self.path / "sshd_config"], stderr=subprocess.DEVNULL)
        self.addCleanup(lambda: (sshd.terminate(), sshd.wait()))
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    break
            time.sleep(0.05)
        # Before anything else: the real apt-get must be out of reach.
        found = subprocess.run(["ssh", "-o", "BatchMode=yes", "-i", self.path / "user", *self.ssh_options(), "-p",
                                str(self.port), self.target(), "command -v apt-get"], capture_output=True, text=True)
        self.assertEqual(found.stdout.strip(), str(self.device / "bin/apt-get"), found.stderr)

    @staticmethod
    def target():
        return getpass.getuser() + "@127.0.0.1"

    @staticmethod
    def ssh_options():
        return ["-F", "/dev/null", "-oStrictHostKeyChecking=no", "-oUserKnownHostsFile=/dev/null", "-oLogLevel=ERROR"]

    def make_package(self, version):
        tree = self.path / "tree"
        shutil.rmtree(tree, ignore_errors=True)
        (tree / "DEBIAN").mkdir(parents=True)
        (tree / "DEBIAN/control").write_text(
            f"Package: jackdaw\nVersion: {version}\nArchitecture: arm64\nMaintainer: x <x@example.org>\n"
            "Installed-Size: 1000\nDescription: test\n")
        (tree / "filling").write_bytes(os.urandom(20000))
        package = self.path / "jackdaw.deb"
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "--build", tree, package], check=True,
                       stdout=subprocess.DEVNULL)
        return package

    def command(self, *options, key="user", port=None):
        return [DEPLOY, self.target(), "--package", self.package, "--port", str(port or self.port), "--identity",
                self.path / key, *options]

    def environment(self):
        return {**os.environ, "JACKDAW_DEPLOY_ROOT": str(self.device / "root"),
                "JACKDAW_DEPLOY_SSH": " ".join(self.ssh_options())}

    def deploy(self, *options, **choices):
        return subprocess.run(self.command(*options, **choices), env=self.environment(), capture_output=True,
                              text=True, timeout=60, stdin=subprocess.DEVNULL)

    def log(self):
        log = self.device / "log"
        return log.read_text() if log.exists() else ""

    def refused(self, result, *words):
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        for word in (*words, "->"):
            self.assertIn(word, result.stderr)
        self.assertEqual(self.log(), "")
        self.assertEqual(list((self.device / "tmp").iterdir()), [])

    def test_success(self):
        result = self.deploy()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual([line.split(" ./")[0] for line in self.log().splitlines()], [
            "apt-get install -q -y --reinstall --allow-downgrades -o Dpkg::Options::=--force-confdef "
            "-o Dpkg::Options::=--force-confold", "jackdaw engine get efficientnet-lite0@cifar100-256",
            "jackdaw engine build --encoder efficientnet-lite0@cifar100-256", "jackdaw doctor --state /var/lib/jackdaw "
            "--encoder efficientnet-lite0@cifar100-256"])
        self.assertEqual(list((self.device / "tmp").iterdir()), [])

    def test_no_engine_without_tensorrt_or_on_request(self):
        self.set("libraries", "libc.so.6")
        self.assertEqual(self.deploy().returncode, 0)
        self.assertNotIn("engine build", self.log())
        (self.device / "log").unlink()
        self.assertEqual(self.deploy("--no-engine").returncode, 0)
        self.assertNotIn("engine", self.log())

    def test_dry_run_contacts_nothing(self):
        result = self.deploy("--dry-run", port=1)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("apt-get install", result.stdout)
        self.assertEqual(self.log(), "")

    def test_no_answer(self):
        self.refused(self.deploy(port=free_port()), "does not answer")

    def test_refused_key(self):
        self.refused(self.deploy(key="stranger"), "refuses the key", "ssh-copy-id")

    def test_wrong_architecture(self):
        self.set("architecture", "amd64")
        self.refused(self.deploy(), "is amd64, the package is for arm64")

    def test_wrong_jetpack(self):
        self.set("root/etc/nv_tegra_release", "# R35 (release), REVISION: 4.1, GCID: 1")
        self.refused(self.deploy(), "for JetPack 6", "runs JetPack 5")
        (self.device / "root/etc/nv_tegra_release").unlink()
        self.refused(self.deploy(), "has no JetPack")

    def test_no_room(self):
        self.set("room", "1000")
        self.refused(self.deploy(), "no room", "1000 kB")

    def test_broken_package(self):
        whole = self.package.read_bytes()
        for broken in (whole[:-5000], b"no package"):
            self.package.write_bytes(broken)
            self.refused(self.deploy(), "damaged")
        self.package.unlink()
        self.refused(self.deploy(), "there is no package")

    def test_failed_installation_reports_dpkg(self):
        self.set("apt-fails", "")
        result = self.deploy()
        self.assertEqual(result.returncode, 1)
        self.assertIn("half-installed", result.stderr)
        self.assertNotIn("jackdaw", self.log().replace("jackdaw.deb", ""))
        self.assertEqual(list((self.device / "tmp").iterdir()), [])

    def test_an_ill_device_is_reported(self):
        self.set("ill", "")
        result = self.deploy()
        self.assertEqual(result.returncode, 1)
        self.assertIn("found faults", result.stderr)

    def test_killed_before_the_copy_is_checked_leaves_nothing(self):
        slow = self.device / "bin/sha256sum"
        slow.write_text("#!/bin/sh\nsleep 5\nexec /usr/bin/sha256sum\n")
        slow.chmod(0o755)
        running = subprocess.Popen(self.command(), env=self.environment(), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            if list((self.device / "tmp").iterdir()):
                break
            time.sleep(0.05)
        else:
            self.fail("the copy never began")
        running.send_signal(signal.SIGTERM)
        self.assertNotEqual(running.wait(30), 0)
        self.assertEqual(list((self.device / "tmp").iterdir()), [])
        self.assertEqual(self.log(), "")

    def test_wrong_calls(self):
        for arguments in ([], ["--package", "x.deb"], ["me@h"], ["me@h;ls", "--package", "x.deb"],
                          ["me@h", "--fly"], ["me@h", "--package", "x.deb", "--port", "many"]):
            result = subprocess.run([DEPLOY, *arguments], capture_output=True, text=True, timeout=20)
            self.assertEqual(result.returncode, 2, (arguments, result.stderr))


if __name__ == "__main__":
    unittest.main(verbosity=1)
