#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""The camera app under a long day: taught, undone, watched by clients that come, go and never read, its disk
full now and then. It must not crash, grow, slow down, or lose what it acknowledged. Beside it a second one reads a
video, whose capture process is killed again and again: the camera must be called lost, and come back.

Usage: camera_soak_test.py JACKDAW MAKE_ENCODER SECONDS

The disk is a small tmpfs where one may be mounted (root); otherwise that fault is left out, which is printed.
"""
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error

from camera_program import Camera, Refused

JACKDAW, MAKE_ENCODER, SECONDS = sys.argv[1], sys.argv[2], float(sys.argv[3])
SEED = int(os.environ.get("JACKDAW_TEST_SEED", "20240607"))
THINGS = ("mug", "ball", "clock")


def resident(process):
    """Bytes that are the process's own: what it maps from files may come and go."""
    for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no RssAnon")


def video(path, frames=30, width=64, height=48):
    """Noise, uncompressed."""
    numbers = random.Random(SEED)
    with open(path, "wb") as file:
        file.write(f"YUV4MPEG2 W{width} H{height} F30:1 Ip A1:1 C420jpeg\n".encode())
        for _ in range(frames):
            file.write(b"FRAME\n" + numbers.randbytes(width * height * 3 // 2))


def children(process):
    """Of all its threads: the capture process belongs to the one that started it."""
    found = []
    for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
        try:
            found += [int(p) for p in (task / "children").read_text().split()]
        except OSError:
            pass  # the thread has just ended
    return found


class SmallDisk:
    """A file system that can be filled."""

    def __init__(self, folder, megabytes=200):
        self.folder = folder
        folder.mkdir()
        self.mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "jackdaw-test", folder],
                                      capture_output=True, check=False).returncode == 0
        if not self.mounted:
            print("left out: a full disk (a tmpfs cannot be mounted here)")

    def fill(self):
        with open(self.folder / "filler", "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(1 << 16))
            except OSError:
                pass

    def free(self):
        (self.folder / "filler").unlink(missing_ok=True)

    def close(self):
        if self.mounted:
            subprocess.run(["umount", "-l", self.folder], check=True)


class Soak(unittest.TestCase):
    def test_a_long_day(self):
        print("seed:", SEED)
        self.numbers = random.Random(SEED)
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            disk = SmallDisk(root / "disk")
            try:
                encoder = root / "tiny"
                subprocess.run([MAKE_ENCODER, encoder, "32"], check=True, timeout=60)
                shown = root / "shown"
                shown.write_text("mug")
                camera = Camera(JACKDAW, disk.folder / "state", "--source", f"demo://?control={shown}",
                                "--classes", "20", encoder=encoder)
                try:
                    video(root / "clip.y4m")
                    with Camera(JACKDAW, root / "lost", "--source", root / "clip.y4m", "--loop", "-1",
                                "--classes", "20", encoder=encoder) as losing:
                        self.day(camera, shown, disk, losing)
                    expected = {n: c["lessons"] for n, c in camera.classes().items()}
                finally:
                    code = camera.stop()
                self.assertEqual(code, 0, camera.said())
                with Camera(JACKDAW, disk.folder / "state", "--source", "demo://", "--classes", "20",
                            encoder=encoder) as again:
                    self.assertEqual({n: c["lessons"] for n, c in again.classes().items()}, expected)
            finally:
                disk.close()

    def day(self, camera, shown, disk, losing):
        self.stop = threading.Event()
        self.faults = []
        self.losses = 0
        clients = [threading.Thread(target=self.guarded, args=(work, camera))
                   for work in (self.watch, self.never_read, self.come_and_go)]
        clients.append(threading.Thread(target=self.guarded, args=(self.lose, losing)))
        for client in clients:
            client.start()
        ids = {name: camera.post("/api/classes", {"name": name})["id"] for name in THINGS}
        rates, sizes, start = [], [], time.monotonic()
        warm = min(60.0, SECONDS / 3)
        rounds = 0
        try:
            while time.monotonic() - start < SECONDS:
                rounds += 1
                thing = self.numbers.choice(THINGS)
                shown.write_text(thing)
                if disk.mounted and rounds % 5 == 3:
                    disk.fill()
                try:
                    burst = camera.post("/api/teach", {"class": ids[thing], "seconds": 0.5})["burst"]
                    time.sleep(0.7)
                    if self.numbers.random() < 0.4:
                        camera.post("/api/undo", {"burst": burst})
                except Refused as refusal:
                    self.assertIn(refusal.status, (404, 409, 503), refusal)
                disk.free()
                moment = camera.moment()
                if time.monotonic() - start > warm:
                    rates.append(moment["rate"]["answered"])
                    sizes.append(resident(camera.process))
        finally:
            self.stop.set()
            for client in clients:
                client.join()
        camera.wait_until(lambda: all(b["durable"] for b in camera.state()["bursts"]), "everything on disk")
        self.assertEqual(self.faults, [])
        self.assertIsNone(camera.process.poll(), camera.said())
        third = max(1, len(rates) // 3)
        early, late = sorted(rates[:third])[third // 2], sorted(rates[-third:])[third // 2]
        growth = (max(sizes[-third:]) - max(sizes[:third])) / max(sizes[:third])
        self.assertIsNone(losing.process.poll(), losing.said())
        self.assertGreater(self.losses, 0)
        print(f"the camera was lost and came back {self.losses} times")
        print(f"{rounds} rounds; answered {early:.1f} frames a second early, {late:.1f} late; "
              f"memory {sizes[0] / 1e6:.0f} MB, grown by {100 * growth:.2f} %")
        self.assertGreater(late, 0.8 * early)
        # In the short form what is taken once (buffers of the first clients) is still a part of it.
        self.assertLess(growth, 0.01 if SECONDS >= 600 else 0.05)

    def guarded(self, work, camera):
        numbers = random.Random(self.numbers.random())
        try:
            while not self.stop.is_set():
                work(camera, numbers)
        except Exception as error:  # reported by the test's own thread
            self.faults.append(f"{work.__name__}: {error!r}")

    def lose(self, camera, numbers):
        """Kills the process that reads the camera; the page must say so, and the camera come back."""
        def problems():
            return [p["id"] for p in camera.state()["problems"]]

        camera.wait_until(lambda: camera.state()["source"]["status"] == "running", "the camera")
        for process in children(camera.process):
            os.kill(process, signal.SIGKILL)
        camera.wait_until(lambda: "camera-lost" in problems(), "'camera lost' on the page")
        camera.wait_until(lambda: camera.state()["source"]["status"] == "running" and not problems(),
                          "the camera to come back")
        answered = camera.moment()["frame"]
        camera.wait_until(lambda: camera.moment()["frame"] > answered, "new frames")
        self.losses += 1
        self.stop.wait(numbers.uniform(0, 5))

    def watch(self, camera, _):
        """Reads as a page does."""
        try:
            self.assertGreater(len(camera.moments(1.0)), 0)
        except (OSError, urllib.error.URLError):
            time.sleep(0.1)

    def never_read(self, camera, _):
        host, port = camera.address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), 10) as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.sendall(f"GET /api/picture.mjpeg HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
            self.stop.wait(5)

    def come_and_go(self, camera, numbers):
        for path in ("/", "/api/state", "/api/picture.jpg", "/metrics", "/healthz"):
            try:
                camera.get(path)
            except Refused as refusal:
                if refusal.status not in (429, 503):
                    raise
        time.sleep(numbers.uniform(0, 0.2))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
