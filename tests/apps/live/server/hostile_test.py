#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Requests that mean harm are refused with the right status, and others are answered meanwhile.

    hostile_test.py PROGRAM
"""

import json
import resource
import time
import unittest

import http_support
from http_support import Served, read_all, read_until, status_of, wait_until

# Every one is 400 where the body is JSON with these fields.
BAD_CLASS_BODIES = [
    b"", b" ", b"{", b"}", b"[", b"[]", b"null", b"true", b"1", b'"name"', b"{]", b"{}", b"{}{}", b"{},", b"nul",
    b'{"name"}', b'{"name":}', b'{"name": "mug",}', b'{name: "mug"}', b"{'name': 'mug'}", b'{"name": mug}',
    b'{"name": 1}', b'{"name": null}', b'{"name": []}', b'{"name": {}}', b'{"name": ["mug"]}', b'{"name": true}',
    b'{"name": ""}', b'{"name": "' + b"a" * 64 + b'"}', b'{"name": "a\\u0000b"}', b'{"name": "a\\nb"}',
    b'{"name": "\\u001b[31m"}', b'{"name": "\xff\xfe"}', b'{"name": "\xc3"}', b'{"name": "\\ud800"}',
    b'{"name": "\xed\xa0\x80"}', b'{"name": "mug", "name": "cup"}', b'{"name": "mug", "id": 1}', b'{"Name": "mug"}',
    b'{"name": "mug"} x', b'{"name": "mug"', b'{"name": "mug}', b"\x00", b'{"name": "mug"}\x00', b"\xef\xbb\xbf",
    b"[" * 60000, b'{"a":' * 10000, b'{"name": [[[[[[[[[[1]]]]]]]]]]}', b"name=mug", b"--x\r\nContent-Disposition: form-data",
    b"<name>mug</name>", b'{"name": "a\\x41"}', b"{\"name\": \"tab\there\"}", b"9" * 5000, b"/**/{}",
]
BAD_NUMBERS = ["-1", "0", "1.0", "1.5", "1e0", "1e400", "-1e400", "4294967296", "18446744073709551616", "NaN", "Infinity",
               "-Infinity", '"1"', "true", "null", "[1]", "{}", "0x1", "01", "+1", "--1", "1_000", "9" * 400]
BAD_SECONDS = ["-0.001", "60.001", "1e400", "-1e400", "NaN", "Infinity", '"2"', "true", "null", "[2]", "1e99", "1,5"]
BAD_REGIONS = [{}, {"x": 0}, {"x": 0, "y": 0, "width": 0, "height": 1}, {"x": 0, "y": 0, "width": 1, "height": 0},
               {"x": -0.1, "y": 0, "width": 1, "height": 1}, {"x": 0.5, "y": 0, "width": 0.6, "height": 1},
               {"x": 0, "y": 0.5, "width": 1, "height": 0.51}, {"x": 1, "y": 0, "width": 0.1, "height": 1},
               {"x": 0, "y": 0, "width": 2, "height": 1}, {"x": "0", "y": 0, "width": 1, "height": 1},
               {"x": 0, "y": 0, "width": 1, "height": 1, "z": 0}, {"x": None, "y": 0, "width": 1, "height": 1}]


class Bodies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.served = Served("state_bytes=1048576")

    @classmethod
    def tearDownClass(cls):
        cls.served.stop()

    def refused(self, method, path, body):
        status, answer = self.served.json(method, path, body)
        self.assertEqual(status, 400, (path, body[:60], answer))
        self.assertEqual(list(answer), ["error"])

    def test_malformed_bodies(self):
        self.assertGreaterEqual(len(BAD_CLASS_BODIES), 40)
        for body in BAD_CLASS_BODIES:
            self.refused("POST", "/api/classes", body)
        self.assertEqual(self.served.json("GET", "/api/state")[1]["classes"], [])

    def test_numbers(self):
        for number in BAD_NUMBERS:
            self.refused("POST", "/api/teach", f'{{"class": {number}, "seconds": 1}}'.encode())
            self.refused("POST", "/api/bursts/1/move", f'{{"class": {number}}}'.encode())
            if number != "4294967296":
                self.refused("POST", "/api/undo", f'{{"burst": {number}}}'.encode())
        for seconds in BAD_SECONDS:
            self.refused("POST", "/api/teach", f'{{"class": 1, "seconds": {seconds}}}'.encode())
        for body in (b'{"class": 1}', b'{"seconds": 1}', b'{"class": 1, "seconds": 1, "then": 2}'):
            self.refused("POST", "/api/teach", body)

    def test_the_field_is_named(self):
        answer = self.served.json("POST", "/api/teach", {"class": 1, "seconds": 61})[1]
        self.assertIn('"seconds"', answer["error"])
        self.assertIn("60", answer["error"])
        self.assertIn('"then"', self.served.json("POST", "/api/undo", {"then": 1})[1]["error"])

    def test_regions(self):
        for region in BAD_REGIONS:
            self.refused("PUT", "/api/region", json.dumps(region).encode())
        self.assertIsNone(self.served.json("GET", "/api/state")[1]["region"])

    def test_requests_without_a_body_take_none(self):
        for method, path in (("GET", "/api/state"), ("DELETE", "/api/teach"), ("DELETE", "/api/classes/1")):
            self.assertEqual(self.served.ask(method, path, b"x")[0], 400)

    def head(self, path, *lines, method="POST"):
        return "\r\n".join([f"{method} {path} HTTP/1.1", f"Host: {self.served.host}", *lines, "", ""]).encode()

    def test_too_long_is_refused_before_it_is_read(self):
        for path, most in (("/api/classes", 64 << 10), ("/api/predict", 16 << 20), ("/api/state-file", 1 << 20),
                           ("/api/state-file/merge", 1 << 20), ("/api/teach/picture?class=1", 16 << 20)):
            for length in (most + 1, 1 << 40, (1 << 64) - 1, 1 << 80):
                reply = self.served.raw(self.head(path, f"Content-Length: {length}"))  # and nothing more
                self.assertEqual(status_of(reply), 413, (path, length))
        reply = self.served.raw(self.head("/api/classes", "Content-Length: 9999999", "Expect: 100-continue"))
        self.assertEqual(status_of(reply), 413)

    def test_a_body_of_the_very_length_is_taken(self):
        body = b'{"burst": 77' + b" " * ((64 << 10) - 13) + b"}"
        self.assertEqual(self.served.ask("POST", "/api/undo", body)[0], 404)
        self.assertEqual(self.served.ask("POST", "/api/undo", body + b" ")[0], 413)
        self.assertEqual(self.served.ask("POST", "/api/state-file", b"x" * (1 << 20))[0], 200)

    def test_chunks_are_cut_off_at_the_limit(self):
        for path, most in (("/api/classes", 64 << 10), ("/api/state-file", 1 << 20)):
            with self.served.connect() as plain:
                plain.sendall(self.head(path, "Transfer-Encoding: chunked"))
                chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
                sent = 0
                try:
                    while sent < 200 << 20:  # as the 200 MB
                        plain.sendall(chunk)
                        sent += 65536
                except (BrokenPipeError, ConnectionResetError):
                    pass
                # Beyond the limit only what the system's own buffers hold.
                self.assertLess(sent, most + (16 << 20), path)
                self.assertIn(status_of(read_all(plain)), (413, 0))
        small = self.head("/api/classes", "Transfer-Encoding: chunked") + b"10001\r\n" + b" " * 65537 + b"\r\n"
        self.assertEqual(self.served.raw_status(small), 413)

    def test_no_length(self):
        for method, path in (("POST", "/api/classes"), ("PUT", "/api/region"), ("PATCH", "/api/classes/1"),
                             ("POST", "/api/state-file"), ("POST", "/api/predict")):
            self.assertEqual(self.served.raw_status(self.head(path, "Connection: close", method=method)), 411)

    def test_heads_that_contradict_themselves(self):
        for lines in (["Content-Length: 2", "Content-Length: 3"], ["Content-Length: 2", "Transfer-Encoding: chunked"],
                      ["Transfer-Encoding: gzip"], ["Transfer-Encoding: chunked, gzip"], ["Transfer-Encoding: identity"],
                      ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], [f"Host: {self.served.host}", "Content-Length: 2"],
                      ["Content-Length: -2"], ["Content-Length: 0x2"], ["Content-Length: 2a"], ["Content-Length: +2"]):
            data = self.head("/api/undo", *lines) + b"{}"
            self.assertEqual(self.served.raw_status(data), 400, lines)

    def test_malformed_chunks(self):
        for chunks in (b"zz\r\n", b"-1\r\n{}\r\n0\r\n\r\n", b"2\r\n{}XX0\r\n\r\n"):
            status = self.served.raw_status(self.head("/api/undo", "Transfer-Encoding: chunked") + chunks)
            self.assertEqual(status, 400, chunks)


class Heads(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.served = Served("allow_host=camera.example", "request_seconds=2")

    @classmethod
    def tearDownClass(cls):
        cls.served.stop()

    def test_path_tricks(self):
        served = self.served
        for path in ("/../secret.html", "/..%2fsecret.html", "/%2e%2e/secret.html", "/%2e%2e%2fsecret.html", "//", "//index.html",
                     "/./index.html", "/index.html/", "/index.html%00", "/index.html%00.js", "/api/state%00", "/api/state/",
                     "/api//state", "/API/state", "/api/../api/state", "/api/classes/../state", "/%61pi/state",
                     "/api/classes/1/../../state", "/api/classes/0/thumbnail.jpg", "/api/classes/01/thumbnail.jpg",
                     "/api/classes/-1/thumbnail.jpg", "/api/classes/1e1/thumbnail.jpg", "/api/classes//thumbnail.jpg",
                     "/api/classes/99999999999999999999999/thumbnail.jpg", "/api/classes/1/thumbnail.jpg/x",
                     "/\\..\\secret.html", "/etc/passwd", "/page/index.html", "http://evil.example/", "*", "/.", "/..",
                     "/index.html;x", "/" + "a" * 5000):
            data = f"GET {path} HTTP/1.1\r\nHost: {served.host}\r\nConnection: close\r\n\r\n".encode()
            reply = served.raw(data)
            self.assertIn(status_of(reply), (400, 404), path[:60])
            self.assertNotIn(b"outside", reply)

    def test_malformed_heads(self):
        served, host = self.served, self.served.host
        long = "a" * 100000
        heads = (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET\r\n\r\n", b"\r\n" * 500, b"GET / HTTP/9.9\r\n\r\n",
                 b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost\r\n\r\n", b"GET /\x00x HTTP/1.1\r\nHost: x\r\n\r\n",
                 b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET / HTTP/1.1\r\nHost: " + b"\xff" * 50 + b"\r\n\r\n",
                 f"GET /{long} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode(),
                 f"GET / HTTP/1.1\r\nHost: {host}\r\nX: {long}\r\n\r\n".encode(),
                 (f"GET / HTTP/1.1\r\nHost: {host}\r\n" + "X: y\r\n" * 20000 + "\r\n").encode(),
                 f"{'G' * 50000} / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        crowd = [served.connect() for _ in heads]
        for plain, data in zip(crowd, heads):
            try:
                plain.sendall(data)
            except OSError:
                pass  # refused before its end
        for plain, data in zip(crowd, heads):
            status = status_of(read_all(plain))
            plain.close()
            self.assertTrue(status == 0 or 400 <= status <= 505, (data[:40], status))
        self.assertEqual(served.ask("GET", "/api/state")[0], 200)

    def test_foreign_hosts(self):
        ask = lambda host: self.served.ask("GET", "/api/state", headers={"Host": host})[0]
        port = self.served.port
        for host in (f"127.0.0.1:{port}", f"localhost:{port}", "localhost", "LOCALHOST:80", f"[::1]:{port}", "camera.example",
                     "Camera.Example.:9000"):
            self.assertEqual(ask(host), 200, host)
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example", "localhost.evil.example", "8.8.8.8", "[::2]",
                     "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:99999", "user@127.0.0.1", "127.0.0.1/x", "[::1", "::1", "2130706433",
                     "127.1", "local host", "localhost,evil.example", "%6cocalhost"):
            self.assertEqual(ask(host), 403, host)
        for path in ("/", "/app.js", "/healthz", "/metrics", "/api/picture.mjpeg"):
            self.assertEqual(self.served.ask("GET", path, headers={"Host": "evil.example"})[0], 403)

    def test_foreign_origins(self):
        host = self.served.host
        for origin in ("http://evil.example", "null", "", f"http://localhost:{self.served.port}", f"http://127.0.0.1:{self.served.port + 1}",
                       "http://127.0.0.1", f"ftp://{host}", f"http://{host}.evil.example", f"http://evil.example/{host}", "file://", host,
                       f"http://{host}/", f"http://u@{host}"):
            for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/json"):
                headers = {"Origin": origin, "Content-Type": kind}
                self.assertEqual(self.served.ask("POST", "/api/undo", "{}", headers=headers)[0], 403, origin)
            for path in ("/api/events", "/api/picture.mjpeg", "/api/state"):
                self.assertEqual(self.served.ask("GET", path, headers={"Origin": origin})[0], 403, origin)
        self.assertEqual(self.served.ask("POST", "/api/undo", "{}", headers={"Origin": f"http://{host}"})[0], 404)
        self.assertTrue(wait_until(lambda: self.served.ask("GET", "/api/picture.jpg")[0] == 200))  # the first frame
        for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)):
            self.assertEqual(self.served.ask("GET", "/api/picture.jpg", headers={"Sec-Fetch-Site": site})[0], status)


class Tokens(unittest.TestCase):
    TOKEN = "0123456789abcdef0123456789ABCDEF"

    def test_token(self):
        with Served(f"token={self.TOKEN}") as served:
            ask = lambda path, **headers: served.ask("GET", path, headers=headers)
            self.assertEqual(served.url, f"http://{served.host}/?token={self.TOKEN}")
            for path in ("/", "/app.js", "/style.css"):
                self.assertEqual(ask(path)[0], 200)
            self.assertIn(ask("/healthz")[0], (200, 503))
            paths = ("/api/state", "/api/events", "/api/picture.jpg", "/api/picture.mjpeg", "/metrics", "/api/state-file",
                     "/api/classes/1/thumbnail.jpg")
            cookie = f"jackdaw_{served.port}"
            for path in paths:
                for headers in ({}, {"Authorization": "Bearer"}, {"Authorization": "Bearer "}, {"Authorization": f"Bearer {self.TOKEN}x"},
                                {"Authorization": f"Bearer {self.TOKEN[:-1]}"}, {"Authorization": f"Bearer {self.TOKEN.lower()}"},
                                {"Authorization": f"Basic {self.TOKEN}"}, {"Authorization": self.TOKEN}, {"Cookie": f"{cookie}=x"},
                                {"Cookie": f"{cookie}="}, {"Cookie": f"jackdaw_1={self.TOKEN}"}):
                    status, answer, _ = ask(path, **headers)
                    self.assertEqual(status, 401, (path, headers))
                    self.assertTrue(answer["WWW-Authenticate"].startswith("Bearer"))
            self.assertEqual(ask(f"/api/state?token={self.TOKEN}")[0], 401)
            self.assertEqual(served.ask("POST", "/api/undo", "{}")[0], 401)
            self.assertEqual(ask("/api/state", Authorization=f"Bearer {self.TOKEN}")[0], 200)
            self.assertEqual(ask("/api/state", Cookie=f"a=b; {cookie}={self.TOKEN}; c=d")[0], 200)

    def test_the_token_leaves_the_address_bar(self):
        with Served(f"token={self.TOKEN}") as served:
            status, headers, _ = served.ask("GET", f"/?token={self.TOKEN}")
            self.assertEqual((status, headers["Location"]), (303, "/"))
            self.assertEqual(headers["Set-Cookie"],
                             f"jackdaw_{served.port}={self.TOKEN}; HttpOnly; SameSite=Strict; Path=/")
            status, headers, _ = served.ask("GET", "/?token=wrong")
            self.assertEqual(status, 401)
            self.assertNotIn("Set-Cookie", headers)
        with Served() as served:
            status, headers, _ = served.ask("GET", "/?token=old")
            self.assertEqual(status, 303)
            self.assertNotIn("Set-Cookie", headers)


class Crowds(unittest.TestCase):
    def test_slow_heads_do_not_keep_others_out(self):
        with Served("request_seconds=2") as served:
            self.assertTrue(wait_until(lambda: served.ask("GET", "/healthz")[0] == 200))
            slow = []
            for _ in range(200):
                plain = served.connect()
                plain.sendall(b"GET /api/state HTTP/1.1\r\nHost: loc")
                slow.append(plain)
            worst = 0.0
            for _ in range(25):
                began = time.monotonic()
                self.assertEqual(served.ask("GET", "/healthz")[0], 200)
                worst = max(worst, time.monotonic() - began)
                for plain in slow:
                    try:
                        plain.sendall(b"a")  # progress, but never an end
                    except OSError:
                        pass
                time.sleep(0.1)
            self.assertLess(worst, 2.0)
            # By now the time of every one is over, however busily it trickles.
            self.assertTrue(wait_until(lambda: open_connections(served) <= 1))
            for plain in slow:
                plain.close()

    def test_slow_bodies_are_cut(self):
        with Served("request_seconds=1") as served:
            with served.connect() as plain:
                plain.sendall(f"POST /api/classes HTTP/1.1\r\nHost: {served.host}\r\nContent-Length: 60000\r\n\r\n".encode())
                began = time.monotonic()
                with self.assertRaises(OSError):
                    while time.monotonic() - began < http_support.SECONDS:
                        plain.sendall(b"  ")
                        time.sleep(0.05)
                self.assertLess(time.monotonic() - began, 10.0)
            self.assertEqual(served.ask("GET", "/api/state")[0], 200)

    def test_a_thousand_connections(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard < 1200:
            self.skipTest(f"this user may open {hard} files only")
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 1200), hard))
        with Served() as served:
            files = served.open_files()
            crowd = [served.connect() for _ in range(1000)]
            for plain in crowd[::7]:
                try:
                    plain.sendall(f"GET /api/state HTTP/1.1\r\nHost: {served.host}\r\n\r\n".encode())
                except OSError:
                    pass
            # While the crowd's own requests fill the queue, the right answer is "try again".
            statuses = []
            self.assertTrue(wait_until(lambda: statuses.append(served.ask("GET", "/api/state")[0]) or
                                       statuses[-10:] == [200] * 10))
            self.assertLessEqual(set(statuses), {200, 503})
            self.assertLess(served.open_files(), files + 64 + 32)
            for plain in crowd:
                plain.close()
            self.assertTrue(wait_until(lambda: served.open_files() <= files + 1))

    def test_one_address_leaves_room_for_others(self):
        with Served("loopback=4", "connections=8") as served:
            mine = []
            for _ in range(4):  # streams are in use, and are not given up for newcomers
                plain = served.connect("127.0.0.2")
                plain.sendall(f"GET /api/events HTTP/1.1\r\nHost: {served.host}\r\n\r\n".encode())
                self.assertIn(b"event: state", read_until(plain, b"event: state"))
                mine.append(plain)
            self.assertEqual(served.raw_status(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", source="127.0.0.2"), 0)
            self.assertEqual(served.ask("GET", "/api/state", source="127.0.0.3")[0], 200)
            for plain in mine:
                plain.close()

    def test_too_many_requests(self):
        with Served("rate=5", "burst=20", "factor=1") as served:
            statuses = [served.ask("GET", "/api/state", source="127.0.0.2")[0] for _ in range(60)]
            self.assertEqual(statuses[:20], [200] * 20)
            self.assertIn(429, statuses)
            while (reply := served.ask("GET", "/api/state", source="127.0.0.2"))[0] != 429:
                pass
            self.assertEqual(reply[1]["Retry-After"], "1")
            self.assertEqual(served.ask("GET", "/api/state", source="127.0.0.3")[0], 200)
            time.sleep(1.1)
            self.assertEqual(served.ask("GET", "/api/state", source="127.0.0.2")[0], 200)

    def test_slow_work_blocks_nobody_and_its_queue_is_bounded(self):
        with Served("queued=2") as served:
            self.assertTrue(wait_until(lambda: served.ask("GET", "/healthz")[0] == 200))
            head = f"POST /api/state-file HTTP/1.1\r\nHost: {served.host}\r\nContent-Length: 4\r\nConnection: close\r\n\r\nslow"
            crowd = [served.connect() for _ in range(6)]
            for plain in crowd:
                plain.sendall(head.encode())
            began = time.monotonic()
            self.assertEqual(served.ask("GET", "/api/state")[0], 200)
            self.assertEqual(served.ask("GET", "/healthz")[0], 200)
            self.assertLess(time.monotonic() - began, 0.9)  # an import takes 1 s
            statuses = sorted(status_of(read_all(plain)) for plain in crowd)
            for plain in crowd:
                plain.close()
            self.assertEqual(statuses.count(200) + statuses.count(503), 6)
            self.assertIn(statuses.count(200), (2, 3))  # the one that runs, and those that wait

    def test_all_bodies_together_are_bounded(self):
        with Served("state_bytes=1000000") as served:
            head = f"POST /api/state-file HTTP/1.1\r\nHost: {served.host}\r\nContent-Length: 900000\r\n\r\n".encode()
            waiting = [served.connect() for _ in range(2)]
            for plain in waiting:
                plain.sendall(head)
            time.sleep(0.3)
            self.assertEqual(served.raw_status(head), 503)
            for plain in waiting:
                plain.close()
            self.assertTrue(wait_until(lambda: served.ask("POST", "/api/state-file", b"x" * 900000)[0] == 200))


def open_connections(served):
    body = served.ask("GET", "/metrics")[2].decode()
    return int(next(line for line in body.splitlines() if line.startswith("jackdaw_http_connections ")).split()[1])


if __name__ == "__main__":
    http_support.main(unittest.main)
