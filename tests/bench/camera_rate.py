#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""How much of its rate the camera app keeps while somebody reads picture and events, and while others are hostile.

Usage: camera_rate.py JACKDAW [--encoder NAME] [--seconds 10] [--rounds 3]

Alone and watched take turns in one run; the ratio is of their medians. "watched": one reader of /api/picture.mjpeg and one of
/api/events. "hostile": also 100 connections that say nothing, and requests with broken bodies, one after the other.
"""
import argparse
import pathlib
import socket
import statistics
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "apps/live/program"))
from camera_program import Camera, Refused  # noqa: E402


class Reader(threading.Thread):
    def __init__(self, camera, path):
        super().__init__(daemon=True)
        self.answer = urllib.request.urlopen(camera.address + path, timeout=60)
        self.bytes = 0
        self.start()

    def run(self):
        try:
            while piece := self.answer.read1(1 << 16):
                self.bytes += len(piece)
        except (OSError, ValueError, AttributeError):
            pass

    def close(self):
        self.answer.close()


def count(camera):
    """Frames answered so far."""
    for line in camera.get("/metrics").decode().splitlines():
        if line.startswith("jackdaw_frames_answered_total"):
            return float(line.split()[-1])
    raise AssertionError("no jackdaw_frames_answered_total in /metrics")


def rate(camera, seconds):
    first, begun = count(camera), time.monotonic()
    time.sleep(seconds)
    return (count(camera) - first) / (time.monotonic() - begun)


def hostile(camera, stop):
    host, port = camera.address.removeprefix("http://").split(":")
    silent = []
    for _ in range(100):
        try:
            silent.append(socket.create_connection((host, int(port)), 5))
        except OSError:
            break
    while not stop.is_set():
        for body in (b"{", b"[" * 1000, b'{"name": 5}', b"\xff\xfe", b'{"class": 1e999, "seconds": -1}'):
            try:
                camera.post("/api/teach", body)
            except (Refused, urllib.error.URLError, OSError):
                pass
        stop.wait(0.05)
    for client in silent:
        client.close()


def main():
    parser = argparse.ArgumentParser(description="rate of the camera app alone, watched, and under hostile clients")
    parser.add_argument("jackdaw")
    parser.add_argument("--encoder", default="efficientnet-lite0@cifar100-256")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    rates = {"alone": [], "watched": [], "hostile": []}
    with tempfile.TemporaryDirectory() as folder:
        with Camera(options.jackdaw, pathlib.Path(folder) / "state", "--source", "demo://", encoder=options.encoder) as camera:
            rate(camera, 3)  # warm
            for _ in range(options.rounds):
                rates["alone"].append(rate(camera, options.seconds))
                readers = [Reader(camera, path) for path in ("/api/picture.mjpeg", "/api/events")]
                rates["watched"].append(rate(camera, options.seconds))
                stop = threading.Event()
                attack = threading.Thread(target=hostile, args=(camera, stop))
                attack.start()
                rates["hostile"].append(rate(camera, options.seconds))
                stop.set()
                attack.join()
                for reader in readers:
                    assert reader.bytes > 0, "a reader got nothing"
                    reader.close()
    alone = statistics.median(rates["alone"])
    for name, values in rates.items():
        middle = statistics.median(values)
        print(f"{name}: {middle:.1f} frames a second ({', '.join(f'{v:.1f}' for v in values)}), ratio {middle / alone:.2f}"
              + (" required 0.9" if name == "watched" else ""))


if __name__ == "__main__":
    main()
