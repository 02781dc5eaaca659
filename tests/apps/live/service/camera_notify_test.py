#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""The real program as systemd would start it: what it tells the notify socket while all is well, while the camera is
gone, while its frame loop hangs, and at the end.

Usage: camera_notify_test.py JACKDAW MAKE_ENCODER
"""
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "program"))
from camera_program import Camera  # noqa: E402

JACKDAW, MAKE_ENCODER = sys.argv[1:3]
WATCHDOG = 4.0  # seconds; it is fed four times as often


class Manager:
    """systemd's end of the socket."""

    def __init__(self, address):
        self.address = address
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + address[1:] if address[0] == "@" else address)

    def environment(self):
        return {"NOTIFY_SOCKET": self.address, "WATCHDOG_USEC": str(int(WATCHDOG * 1e6))}

    def heard(self, seconds):
        """The messages of that time, each as {field: value}."""
        messages, end = [], time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                text = self.socket.recv(4096).decode()
            except TimeoutError:
                break
            messages.append(dict(line.split("=", 1) for line in text.splitlines()))
        return messages

    def wait_for(self, field, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for message in self.heard(0.2):
                if field in message:
                    return message
        raise AssertionError(f"no {field} within {seconds} s")


class Notify(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.encoder = self.root / "tiny"
        subprocess.run([MAKE_ENCODER, self.encoder, "16"], check=True, timeout=60)

    def camera(self, manager, source):
        camera = Camera(JACKDAW, self.root / "state", "--source", source, encoder=self.encoder,
                        environment=manager.environment())
        self.addCleanup(camera.kill)
        return camera

    def test_ready_alive_stuck_and_stopping(self):
        shown = self.root / "shown"
        shown.write_text("mug")
        manager = Manager(f"@jackdaw-test-{os.getpid()}")
        camera = self.camera(manager, f"demo://?control={shown}")
        self.assertEqual(manager.wait_for("READY")["READY"], "1")
        messages = manager.heard(2 * WATCHDOG)
        self.assertGreaterEqual(sum("WATCHDOG" in m for m in messages), 4, messages)
        self.assertRegex(messages[-1]["STATUS"], r"^[\d.]+ frames a second, 0 classes; unknown$")

        # The demo reads its control file with every frame: a pipe that nobody writes to makes the loop hang.
        pipe = self.root / "pipe"
        os.mkfifo(pipe)
        os.rename(pipe, shown)
        time.sleep(1.0)
        manager.heard(WATCHDOG / 2)
        self.assertEqual(manager.heard(2 * WATCHDOG), [], "a loop that hangs must not be called alive")
        self.assertIsNone(camera.process.poll())

        with open(shown, "w") as writer:
            shown.unlink()
            shown.write_text("mug")
            writer.write("mug")
        self.assertEqual(manager.wait_for("WATCHDOG")["WATCHDOG"], "1")
        camera.process.terminate()
        manager.wait_for("STOPPING")
        self.assertEqual(camera.process.wait(60), 0, camera.said())

    def test_a_camera_that_is_not_there(self):
        manager = Manager(str(self.root / "notify"))
        camera = self.camera(manager, "rtsp://127.0.0.1:1/nobody")
        manager.wait_for("READY")
        camera.wait_until(lambda: camera.state()["source"]["status"] == "lost", "that it is lost")
        messages = manager.heard(2 * WATCHDOG)
        self.assertGreaterEqual(sum("WATCHDOG" in m for m in messages), 4, messages)
        self.assertTrue(any(m["STATUS"].startswith("no picture, trying again: ") for m in messages), messages)
        self.assertEqual(camera.stop(), 0, camera.said())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
