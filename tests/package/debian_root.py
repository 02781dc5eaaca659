# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""A Debian 12 root, of this machine's architecture or arm64 under qemu, for tests that install packages. Standard library only.

    debian_root.enter_or_skip("arm64")                    # first of all; exit 77 and the reason where it is not possible
    with debian_root.Root(cache, "arm64", ["openssh-server"]) as root:
        root.run("apt-get", "install", "-y", "./jackdaw.deb")

Roots are made once with debootstrap and kept as tar files in the folder `cache`; a Root is a copy that is thrown away.
JACKDAW_DEBIAN_MIRROR, JACKDAW_DEBIAN_SECURITY_MIRROR: where Debian's packages are.
"""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

MIRROR = os.environ.get("JACKDAW_DEBIAN_MIRROR", "http://deb.debian.org/debian")
SECURITY = os.environ.get("JACKDAW_DEBIAN_SECURITY_MIRROR", "http://deb.debian.org/debian-security")
INSIDE = "JACKDAW_TEST_INSIDE_NAMESPACE"
BINFMT = pathlib.Path("/proc/sys/fs/binfmt_misc")
QEMU_FORMAT = pathlib.Path("/usr/lib/binfmt.d/qemu-aarch64.conf")


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def run(*command, check=True, **options):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", **options)
    if check and done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout[-3000:]}")
    return done


def built_package(build):
    """The newest package that cpack made there."""
    packages = sorted(pathlib.Path(build).glob("jackdaw_*.deb"), key=os.path.getmtime)
    if not packages:
        skip(f"there is no jackdaw_*.deb in {build}; make it: cpack --config {build}/CPackConfig.cmake -B {build}")
    return packages[-1]


def architecture_of(deb):
    return deb.stem.rpartition("_")[2]


def is_foreign(architecture):
    return run("dpkg", "--print-architecture").stdout.strip() != architecture


def enter_or_skip(architecture):
    """Starts the test again with mounts of its own, which end with it."""
    if os.geteuid() != 0:
        skip("only root can chroot and mount")
    for tool in ("debootstrap", "dpkg-deb", "unshare"):
        if shutil.which(tool) is None:
            skip(f"{tool} is not installed (apt-get install debootstrap dpkg util-linux)")
    if is_foreign(architecture):
        if architecture != "arm64":
            skip(f"a root of {architecture} would have to be emulated; only arm64 is")
        if not QEMU_FORMAT.exists():
            skip("qemu for arm64 is not installed (apt-get install qemu-user-static)")
    with tempfile.TemporaryDirectory() as folder:
        release = f"{MIRROR}/dists/bookworm/InRelease"
        asked = run("/usr/lib/apt/apt-helper", "download-file", release, f"{folder}/release", check=False)
        if asked.returncode != 0:
            skip(f"{release} cannot be had, so nothing can be installed: {asked.stdout.strip()[-200:]}")
    if os.environ.get(INSIDE) != "yes":
        os.environ[INSIDE] = "yes"
        os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", sys.executable, *sys.argv])
    if is_foreign(architecture) and not (BINFMT / "register").exists():
        mounted = run("mount", "-t", "binfmt_misc", "binfmt_misc", BINFMT, check=False)
        if mounted.returncode != 0:
            skip(f"the kernel cannot be told to run arm64 programs with qemu: {mounted.stdout.strip()}")


class Emulation:
    """Tells the kernel to run arm64 programs with qemu, unless it does so already; undone at the end."""

    def __enter__(self):
        self.entry = None
        if not (BINFMT / "qemu-aarch64").exists():
            (BINFMT / "register").write_text(QEMU_FORMAT.read_text())
            self.entry = BINFMT / "qemu-aarch64"
        return self

    def __exit__(self, *_):
        if self.entry:
            self.entry.write_text("-1")


class Root:
    def __init__(self, cache, architecture, packages=()):
        self.cache, self.architecture, self.packages = pathlib.Path(cache), architecture, sorted(packages)
        self.emulation = Emulation() if is_foreign(architecture) else None

    def __enter__(self):
        if self.emulation:
            self.emulation.__enter__()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="jackdaw-root-"))
        self.folder.chmod(0o755)
        try:
            self.make()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for mount in reversed([line.split()[1] for line in pathlib.Path("/proc/mounts").read_text().splitlines()]):
            if mount.startswith(f"{self.folder}/"):
                run("umount", "-l", mount)
        if not os.path.ismount(self.folder / "proc"):
            shutil.rmtree(self.folder)
        if self.emulation:
            self.emulation.__exit__()

    def make(self):
        self.cache.mkdir(parents=True, exist_ok=True)
        plain = self.cache / f"bookworm-{self.architecture}.tar"
        name = hashlib.sha256(" ".join(self.packages).encode()).hexdigest()[:12]
        whole = self.cache / f"bookworm-{self.architecture}-{name}.tar" if self.packages else plain
        if whole.exists():
            self.unpack(whole)
            return
        if plain.exists():
            self.unpack(plain)
        else:
            run("debootstrap", f"--arch={self.architecture}", "--variant=minbase", "bookworm", self.folder, MIRROR)
            self.prepare()
            self.mount_proc()
            self.keep(plain)
        if self.packages:
            self.run("apt-get", "update", "-q")
            self.run("apt-get", "install", "-q", "-y", *self.packages)
            self.run("apt-get", "clean")
            self.keep(whole)

    def unpack(self, tar):
        run("tar", "-xpf", tar, "-C", self.folder)
        self.mount_proc()

    def mount_proc(self):
        if not os.path.ismount(self.folder / "proc"):  # debootstrap may have left it
            run("mount", "-t", "proc", "proc", self.folder / "proc")

    def prepare(self):
        (self.folder / "etc/apt/sources.list").write_text(
            f"deb {MIRROR} bookworm main\ndeb {MIRROR} bookworm-updates main\ndeb {SECURITY} bookworm-security main\n")
        proxies = [line for line in run("apt-config", "dump").stdout.splitlines()
                   if line.startswith(("Acquire::http::", "Acquire::https::"))]
        settings = ['APT::Install-Recommends "false";', 'APT::Sandbox::User "root";', *proxies]
        (self.folder / "etc/apt/apt.conf.d/90test").write_text("\n".join(settings) + "\n")
        shutil.copy("/etc/resolv.conf", self.folder / "etc/resolv.conf")
        (self.folder / "etc/dpkg/dpkg.cfg.d/test").write_text("force-unsafe-io\n")  # no fsync for what is thrown away
        policy = self.folder / "usr/sbin/policy-rc.d"  # no service is started in the root
        policy.write_text("#!/bin/sh\nexit 101\n")
        policy.chmod(0o755)

    def keep(self, tar):
        run("tar", "-cpf", f"{tar}.part", "-C", self.folder, "--exclude=./proc/*", "--exclude=./sys/*", ".")
        os.rename(f"{tar}.part", tar)

    def command(self, *command):
        return ["chroot", str(self.folder), *map(str, command)]

    def environment(self):
        return {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}

    def run(self, *command, **options):
        return run(*self.command(*command), env=self.environment(), **options)

    def version(self):
        """Version and state of jackdaw as dpkg has it; empty: never installed."""
        done = self.run("dpkg-query", "-W", "-f", "${Version} ${Status}", "jackdaw", check=False)
        return done.stdout if done.returncode == 0 else ""


def with_version(deb, version, folder, files=None):
    """The same package under another version, with other texts in some files."""
    folder.mkdir(exist_ok=True)
    run("dpkg-deb", "-R", deb, folder / version)
    for name, text in (files or {}).items():
        (folder / version / name).write_text(text)
    control = folder / version / "DEBIAN/control"
    old = run("dpkg-deb", "-f", deb, "Version").stdout.strip()
    control.write_text(control.read_text().replace(f"Version: {old}\n", f"Version: {version}\n"))
    run("dpkg-deb", "--root-owner-group", "-Zgzip", "-b", folder / version, folder / f"jackdaw_{version}.deb")
    return folder / f"jackdaw_{version}.deb"
