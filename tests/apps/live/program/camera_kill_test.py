#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Killed with -9 at random moments while it is taught: every acknowledged picture is there after the restart.

Usage: camera_kill_test.py JACKDAW MAKE_ENCODER KILLS
"""
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.error
import zlib

from camera_program import Camera, Refused

JACKDAW, MAKE_ENCODER, KILLS = sys.argv[1], sys.argv[2], int(sys.argv[3])
SEED = int(os.environ.get("JACKDAW_TEST_SEED", "20240607"))
NAMES = ("a", "b", "c")


def png(numbers):
    """16x16 of random colours."""
    rows = b"".join(b"\0" + bytes(numbers.randrange(256) for _ in range(48)) for _ in range(16))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Kills(unittest.TestCase):
    def test_every_acknowledged_picture_survives(self):
        print("seed:", SEED)
        numbers = random.Random(SEED)
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            encoder = root / "encoders" / "tiny"
            encoder.parent.mkdir()
            subprocess.run([MAKE_ENCODER, encoder, "16"], check=True, timeout=60)
            acknowledged = dict.fromkeys(NAMES, 0)
            sent = dict.fromkeys(NAMES, 0)
            for kill in range(KILLS):
                camera = Camera(JACKDAW, root / "state", "--source", "demo://", "--variations", "0", encoder=encoder)
                try:
                    self.check(camera, acknowledged, sent, kill)
                    ids = {name: self.id_of(camera, name) for name in NAMES}
                    clients = [threading.Thread(target=self.send, args=(camera, ids[name], name, acknowledged, sent,
                                                                        random.Random(numbers.random())))
                               for name in NAMES]
                    for client in clients:
                        client.start()
                    threading.Event().wait(numbers.uniform(0.05, 1.0))
                finally:
                    camera.kill()
                for client in clients:
                    client.join()
            with Camera(JACKDAW, root / "state", "--source", "demo://", encoder=encoder) as camera:
                self.check(camera, acknowledged, sent, KILLS)
        print("acknowledged:", acknowledged)
        self.assertGreater(sum(acknowledged.values()), KILLS)

    def id_of(self, camera, name):
        there = camera.classes().get(name)
        return there["id"] if there else camera.post("/api/classes", {"name": name})["id"]

    def send(self, camera, class_id, name, acknowledged, sent, numbers):
        while True:
            try:
                sent[name] += 1
                camera.post(f"/api/teach/picture?class={class_id}", png(numbers))
                acknowledged[name] += 1
            except Refused as refusal:
                if refusal.status not in (429, 503):
                    raise
            except (OSError, urllib.error.URLError, ValueError):
                return  # it was killed

    def check(self, camera, acknowledged, sent, kill):
        classes = camera.classes()
        for name in NAMES:
            there = classes.get(name, {"lessons": 0})["lessons"]
            self.assertGreaterEqual(there, acknowledged[name], f"{name} after kill {kill}")
            self.assertLessEqual(there, sent[name], f"{name} after kill {kill}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
