#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Events and moving pictures: who reads gets them, who does not harms nobody, and nothing stays behind.

    streams_test.py PROGRAM
"""

import json
import re
import time
import unittest

import http_support
from http_support import SECONDS, Served, read_all, read_until, status_of, wait_until


def follow(served, path, **more):
    plain = served.connect(**more)
    plain.sendall(f"GET {path} HTTP/1.1\r\nHost: {served.host}\r\n\r\n".encode())
    return plain


def frames_in(data):
    return [int(number) for number in re.findall(rb"\xff\xd8 frame (\d+) ", data)]


def read_for(plain, seconds):
    """All that comes within that time."""
    end, received = time.monotonic() + seconds, b""
    while (rest := end - time.monotonic()) > 0:
        plain.settimeout(rest)
        try:
            part = plain.recv(65536)
        except TimeoutError:
            break
        if not part:
            break
        received += part
    return received


def events_in(data):
    """(name, data) of every whole event."""
    found = []
    for block in data.split(b"\r\n\r\n", 1)[-1].split(b"\n\n")[:-1]:
        fields = dict(line.split(": ", 1) for line in block.decode().split("\n") if ": " in line and line[0] != ":")
        if "event" in fields:
            found.append((fields["event"], json.loads(fields["data"]), int(fields["id"])))
    return found


def streams(served):
    body = served.ask("GET", "/metrics")[2].decode()
    return sum(int(line.split()[1]) for line in body.splitlines() if line.startswith("jackdaw_http_streams{"))


class Events(unittest.TestCase):
    def test_state_first_then_every_change_and_moments_at_a_bounded_rate(self):
        with Served() as served, follow(served, "/api/events") as plain:
            first = read_until(plain, b"event: moment")
            self.assertIn(b"Content-Type: text/event-stream", first)
            self.assertIn(b"retry: ", first)
            self.assertLess(first.index(b"event: state"), first.index(b"event: moment"))
            served.json("POST", "/api/classes", {"name": "</script>\n\u2028mug".replace("\n", "")})
            seconds = 1.5
            got = events_in(b"\r\n\r\n" + read_for(plain, seconds))
            self.assertIn("</script>\u2028mug", [c["name"] for name, data, _ in got if name == "state" for c in data["classes"]])
            moments = [data["frame"] for name, data, _ in got if name == "moment"]
            self.assertGreater(len(moments), 5)
            self.assertLessEqual(len(moments), 15 * seconds + 3)
            self.assertEqual(moments, sorted(set(moments)))
            numbers = [number for _, _, number in got]
            self.assertEqual(numbers, sorted(set(numbers)))

    def test_a_silent_source_still_greets_and_beats(self):
        with Served("heartbeat_seconds=0.5") as served:
            self.assertTrue(wait_until(lambda: served.ask("GET", "/healthz")[0] == 200))
            served.tell("pause")
            time.sleep(0.2)
            with follow(served, "/api/events") as plain:
                received = read_for(plain, 1.4)
                self.assertEqual([name for name, _, _ in events_in(received)], ["state", "moment"])
                self.assertGreaterEqual(received.count(b": still here"), 2)
            with follow(served, "/api/picture.mjpeg") as plain:
                self.assertGreaterEqual(len(frames_in(read_for(plain, 1.4))), 2)

    def test_clients_that_are_gone_are_noticed(self):
        with Served("heartbeat_seconds=0.3") as served:
            self.assertTrue(wait_until(lambda: served.ask("GET", "/healthz")[0] == 200))
            served.tell("pause")
            crowd = [follow(served, path) for path in ("/api/events", "/api/picture.mjpeg") for _ in range(3)]
            self.assertTrue(wait_until(lambda: streams(served) == 6))
            for plain in crowd:
                plain.close()
            self.assertTrue(wait_until(lambda: streams(served) == 0))


class Pictures(unittest.TestCase):
    def test_whole_frames_in_order_at_a_bounded_rate(self):
        with Served("picture=100000") as served, follow(served, "/api/picture.mjpeg") as plain:
            head = read_until(plain, b"\r\n\r\n")
            self.assertIn(b"multipart/x-mixed-replace; boundary=jackdaw-frame", head)
            seconds = 1.5
            parts = (head.split(b"\r\n\r\n", 1)[1] + read_for(plain, seconds)).split(b"--jackdaw-frame\r\n")
            self.assertEqual(parts[0], b"")
            for part in parts[1:-1]:
                fields, _, jpeg = part.partition(b"\r\n\r\n")
                self.assertIn(b"Content-Type: image/jpeg", fields)
                length = int(re.search(rb"Content-Length: (\d+)", fields).group(1))
                self.assertEqual(len(jpeg), length + 2)
                self.assertTrue(jpeg.startswith(b"\xff\xd8") and jpeg.endswith(b"\xff\xd9\r\n"))
            frames = frames_in(b"".join(parts))
            self.assertGreater(len(frames), 5)
            self.assertLessEqual(len(frames), 15 * seconds + 3)
            self.assertEqual(frames, sorted(frames))
            self.assertGreaterEqual(len(set(frames)), len(frames) - 1)  # a newcomer may be shown its first twice

    def test_pictures_are_made_only_while_somebody_watches_and_once_for_all(self):
        with Served() as served:
            time.sleep(0.5)
            self.assertEqual(served.pictures_made(), 0)
            crowd = [follow(served, "/api/picture.mjpeg") for _ in range(5)]
            time.sleep(1.0)
            made = served.pictures_made()
            self.assertGreater(made, 3)
            self.assertLess(made, 15 * 1.0 + 5 + 10)
            for plain in crowd:
                plain.close()
            self.assertTrue(wait_until(lambda: streams(served) == 0))
            made = served.pictures_made()
            time.sleep(0.5)
            self.assertLessEqual(served.pictures_made(), made + 1)

    def test_who_does_not_read_slows_nobody_holds_little_and_is_dropped(self):
        size = 500000
        with Served(f"picture={size}", "progress_seconds=2") as served:
            with follow(served, "/api/picture.mjpeg") as good:
                read_until(good, b"--jackdaw-frame")
                before = served.resident_bytes()
                lazy = [follow(served, "/api/picture.mjpeg", receive_buffer=4096) for _ in range(10)]
                self.assertTrue(wait_until(lambda: streams(served) == 11))
                frames = frames_in(read_for(good, 1.5))
                self.assertGreater(len(frames), 8)
                self.assertLess(max(b - a for a, b in zip(frames, frames[1:])), 30)  # never a second's gap
                # A frame or two each, not the twenty that were shown meanwhile.
                if not served.sanitized():
                    self.assertLess(served.resident_bytes() - before, 10 * 2 * size + (8 << 20))
                def only_the_good():
                    read_for(good, 0.05)
                    return streams(served) == 1
                self.assertTrue(wait_until(only_the_good))
                for plain in lazy:
                    plain.close()

    def test_a_slow_reader_sees_the_newest_frame(self):
        with Served("picture=300000") as served, follow(served, "/api/picture.mjpeg", receive_buffer=4096) as plain:
            data = read_until(plain, b"frame ")
            time.sleep(2.0)  # sixty frames
            data += read_for(plain, 1.0)
            frames = frames_in(data)
            gaps = [b - a for a, b in zip(frames, frames[1:])]
            self.assertGreater(max(gaps), 20)  # what it missed was never sent


class Ends(unittest.TestCase):
    def test_more_streams_than_allowed(self):
        with Served("streams=3") as served:
            crowd = [follow(served, "/api/events") for _ in range(3)]
            self.assertTrue(wait_until(lambda: streams(served) == 3))
            self.assertEqual(served.ask("GET", "/api/picture.mjpeg")[0], 503)
            crowd.pop().close()
            self.assertTrue(wait_until(lambda: streams(served) == 2))
            with follow(served, "/api/picture.mjpeg") as plain:
                self.assertEqual(status_of(read_until(plain, b"\r\n\r\n")), 200)
            for plain in crowd:
                plain.close()

    def test_the_server_stops_with_clients_attached(self):
        for paused in (False, True):
            served = Served("picture=500000")
            self.assertTrue(wait_until(lambda: served.ask("GET", "/healthz")[0] == 200))
            if paused:
                served.tell("pause")
            crowd = [follow(served, path) for path in ("/api/events", "/api/picture.mjpeg") for _ in range(4)]
            crowd += [served.connect() for _ in range(4)]
            half = served.connect()
            half.sendall(f"POST /api/state-file HTTP/1.1\r\nHost: {served.host}\r\nContent-Length: 100\r\n\r\nhalf".encode())
            slow = [served.connect() for _ in range(4)]
            for plain in slow:
                plain.sendall(f"POST /api/state-file HTTP/1.1\r\nHost: {served.host}\r\nContent-Length: 4\r\n\r\nslow".encode())
            self.assertTrue(wait_until(lambda: streams(served) == 8))
            self.assertLess(served.stop(), 1.0 + 3.0)  # the import that runs takes a second
            for plain in crowd + slow + [half]:
                read_all(plain, SECONDS)  # ends
                plain.close()

    def test_clients_that_leave_in_the_middle(self):
        with Served("picture=200000", "heartbeat_seconds=0.5", "request_seconds=1") as served:
            files = served.open_files()
            for i in range(60):
                plain = follow(served, ("/api/events", "/api/picture.mjpeg")[i % 2])
                if i % 3:
                    plain.recv(10 + 1000 * (i % 7))
                plain.close()
            post = f"POST /api/state-file HTTP/1.1\r\nHost: {served.host}\r\nContent-Length: 100000\r\n\r\nhalf".encode()
            for _ in range(20):
                plain = served.connect()
                plain.sendall(post)
                plain.close()
            for _ in range(3):  # gone while a worker has the request
                plain = served.connect()
                plain.sendall(f"POST /api/predict HTTP/1.1\r\nHost: {served.host}\r\nContent-Length: 4\r\n\r\nslow".encode())
                plain.close()

            def answers():
                try:
                    return served.ask("GET", "/api/state")[0] == 200
                except ConnectionError:  # at its limit, until it has noticed that they are gone
                    return False

            self.assertTrue(wait_until(answers))
            self.assertTrue(wait_until(lambda: served.open_files() <= files + 1))

    def test_nothing_is_left_after_2000_requests(self):
        with Served("factor=1000", "heartbeat_seconds=0.5") as served:
            bodies = [("GET", "/", None), ("GET", "/api/state", None), ("POST", "/api/undo", b"{"), ("GET", "/metrics", None),
                      ("POST", "/api/state-file", b"x" * 100000), ("GET", "/nowhere", None), ("GET", "/api/picture.jpg", None),
                      ("POST", "/api/classes", b"x" * 70000), ("POST", "/api/predict", b"bad"), ("GET", "/api/state-file", None)]
            def requests(count):
                for i in range(count):
                    served.ask(*bodies[i % len(bodies)])
                    if i % 20 == 0:
                        with follow(served, ("/api/events", "/api/picture.mjpeg")[i // 20 % 2]) as plain:
                            plain.recv(1000)
            requests(400)  # memory pools and the like come once
            files, memory = served.open_files(), served.resident_bytes()
            requests(1600)
            self.assertTrue(wait_until(lambda: served.open_files() <= files))
            if not served.sanitized():
                self.assertLess(served.resident_bytes() - memory, 6 << 20)


if __name__ == "__main__":
    http_support.main(unittest.main)
