#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Every request of docs/api.md, and every status it can be answered with.

    api_test.py PROGRAM
"""

import http.client
import unittest

import http_support
from http_support import Served

STATE_FIELDS = ["version", "source", "encoder", "learner", "classes", "max_classes", "teaching", "bursts",
                "region", "memory", "state_folder", "record_folder", "problems"]
MOMENT_FIELDS = ["frame", "answer", "raw", "ranked", "unknown", "taught", "rate", "milliseconds", "counts"]
NAMES = ["mug", "<script>alert(1)</script>", '"quoted\\"', "it's", "\U0001f426 jackdaw", "كوب", "\u202eevil",
         "a" * 63, "{\"name\": 1}", "&amp;", "кружка"]


class Routes(unittest.TestCase):
    def setUp(self):
        self.served = Served()
        self.addCleanup(self.served.stop)

    def check(self, method, path, body, status, answer=None):
        got, text = self.served.json(method, path, body)
        self.assertEqual(got, status, text)
        if answer is not None:
            self.assertEqual(text, answer)
        if status >= 400:
            self.assertEqual(list(text), ["error"])
            self.assertGreater(len(text["error"]), 10)

    def state(self):
        return self.served.json("GET", "/api/state")[1]

    def test_state_and_moment_have_the_documented_fields_in_order(self):
        self.check("POST", "/api/classes", {"name": "mug"}, 201, {"id": 1})
        self.check("POST", "/api/teach", {"class": 1, "seconds": 2}, 200, {"burst": 1})
        state = self.state()
        self.assertEqual(list(state), STATE_FIELDS)
        self.assertEqual(list(state["source"]), ["uri", "status", "message", "width", "height"])
        self.assertEqual(list(state["classes"][0]), ["id", "name", "examples", "lessons", "thumbnail"])
        self.assertEqual(list(state["bursts"][0]),
                         ["id", "class", "frames", "lessons", "pending", "durable", "undoable"])
        self.assertEqual(state["teaching"], {"class": 1})
        self.assertEqual(state["classes"][0]["thumbnail"], "/api/classes/1/thumbnail.jpg?v=1")
        status, moment = self.served.json("POST", "/api/predict", b"a picture")
        self.assertEqual(status, 200)
        self.assertEqual(list(moment), MOMENT_FIELDS)
        self.assertEqual(moment["answer"], {"class": 1, "name": "mug", "confidence": 0.75})
        self.assertEqual(list(moment["milliseconds"]), ["capture", "preprocess", "encode", "answer", "teach"])
        self.assertEqual(list(moment["counts"]),
                         ["answered", "lessons", "dropped", "bad_frames", "dropped_variations"])

    def test_unknown_is_null(self):
        moment = self.served.json("POST", "/api/predict", b"a picture")[1]
        self.assertIsNone(moment["answer"])
        self.assertEqual(moment["ranked"], [])

    def test_classes(self):
        self.check("POST", "/api/classes", {"name": "mug"}, 201, {"id": 1})
        self.check("POST", "/api/classes", {"name": "mug"}, 409)
        self.check("POST", "/api/classes", {"name": "ball"}, 201, {"id": 2})
        self.check("PATCH", "/api/classes/1", {"name": "cup"}, 200, {})
        self.check("PATCH", "/api/classes/1", {"name": "ball"}, 409)
        self.check("PATCH", "/api/classes/7", {"name": "x"}, 404)
        self.check("PATCH", "/api/classes/4294967297", {"name": "x"}, 404)
        self.assertEqual([c["name"] for c in self.state()["classes"]], ["cup", "ball"])
        self.check("DELETE", "/api/classes/1", None, 200, {})
        self.check("DELETE", "/api/classes/1", None, 404)
        self.assertEqual([c["id"] for c in self.state()["classes"]], [2])
        for i in range(7):
            self.check("POST", "/api/classes", {"name": f"c{i}"}, 201)
        self.check("POST", "/api/classes", {"name": "one too many"}, 507)

    def test_names_come_back_as_they_were_given(self):
        for name in NAMES[:8]:
            self.check("POST", "/api/classes", {"name": name}, 201)
        self.assertEqual([c["name"] for c in self.state()["classes"]], NAMES[:8])
        for name in NAMES[8:]:
            self.check("PATCH", "/api/classes/1", {"name": name}, 200)
            self.assertEqual(self.state()["classes"][0]["name"], name)

    def test_teaching_undo_and_move(self):
        for name in ("mug", "ball"):
            self.check("POST", "/api/classes", {"name": name}, 201)
        self.check("POST", "/api/teach", {"class": 1, "seconds": 0}, 200, {"burst": 1})
        self.check("POST", "/api/teach", {"class": 1, "seconds": 60.0}, 200, {"burst": 2})
        self.check("POST", "/api/teach", {"class": 3, "seconds": 1}, 404)
        self.check("DELETE", "/api/teach", None, 200, {})
        self.assertIsNone(self.state()["teaching"])
        self.check("POST", "/api/teach/picture?class=2", b"a picture", 200, {"burst": 3})
        self.check("POST", "/api/bursts/1/move", {"class": 2}, 200, {})
        self.check("POST", "/api/bursts/1/move", {"class": 9}, 404)
        self.check("POST", "/api/bursts/9/move", {"class": 1}, 404)
        self.check("POST", "/api/undo", {}, 200, {"burst": 3})
        self.check("POST", "/api/undo", {"burst": 1}, 200, {"burst": 1})
        self.check("POST", "/api/undo", {"burst": 1}, 404)
        self.assertEqual([b["id"] for b in self.state()["bursts"]], [2])

    def test_pictures_from_outside(self):
        self.check("POST", "/api/classes", {"name": "mug"}, 201)
        for path in ("/api/predict", "/api/teach/picture?class=1"):
            self.check("POST", path, b"bad", 400)
            self.check("POST", path, b"busy", 503)
            self.check("POST", path, b"fail", 500)
        self.check("POST", "/api/teach/picture?class=2", b"a picture", 404)
        for query in ("", "?class=", "?class=0", "?class=-1", "?class=1.0", "?class=%31", "?class=4294967296",
                      "?class=one", "?klass=1"):
            self.check("POST", "/api/teach/picture" + query, b"a picture", 400)

    def test_region(self):
        region = {"x": 0.2, "y": 0.25, "width": 0.5, "height": 0.75}
        self.check("PUT", "/api/region", region, 200, {})
        self.assertEqual(self.state()["region"], region)
        self.check("DELETE", "/api/region", None, 200, {})
        self.assertIsNone(self.state()["region"])
        self.check("PUT", "/api/region", {"x": 0, "y": 0, "width": 1, "height": 1}, 200, {})

    def test_pictures(self):
        self.assertTrue(http_support.wait_until(lambda: self.served.ask("GET", "/api/picture.jpg")[0] == 200))
        status, headers, body = self.served.ask("GET", "/api/picture.jpg")
        self.assertEqual((status, headers["Content-Type"]), (200, "image/jpeg"))
        self.assertTrue(body.startswith(b"\xff\xd8") and body.endswith(b"\xff\xd9"))
        self.assertEqual(self.served.ask("GET", "/api/classes/1/thumbnail.jpg")[0], 404)
        self.check("POST", "/api/classes", {"name": "mug"}, 201)
        self.check("POST", "/api/teach", {"class": 1, "seconds": 1}, 200)
        status, headers, body = self.served.ask("GET", "/api/classes/1/thumbnail.jpg?v=1")
        self.assertEqual((status, headers["Content-Type"]), (200, "image/jpeg"))
        self.assertEqual(body, b"\xff\xd8 thumbnail\xff\xd9")

    def test_state_files(self):
        status, headers, body = self.served.ask("GET", "/api/state-file")
        self.assertEqual((status, body), (200, b"a state file"))
        self.assertIn("attachment", headers["Content-Disposition"])
        file = bytes(range(256)) * 4096
        self.check("POST", "/api/state-file", file, 200, {})
        self.assertEqual(self.served.ask("GET", "/api/state-file")[2], file)
        self.check("POST", "/api/state-file/merge", b"another", 200, {})
        self.check("POST", "/api/state-file", b"conflict", 409)
        self.check("POST", "/api/state-file/merge", b"conflict", 409)
        self.check("POST", "/api/state-file/merge", b"fail", 500)

    def test_chunked_bodies_are_taken_too(self):
        def parts():
            for i in range(100):
                yield b"%04d" % i * 250

        self.assertEqual(self.served.ask("POST", "/api/state-file", parts())[0], 200)
        self.assertEqual(self.served.ask("GET", "/api/state-file")[2], b"".join(parts()))

    def test_health(self):
        healthy = lambda: self.served.ask("GET", "/healthz")[0] == 200
        self.assertTrue(http_support.wait_until(healthy))
        self.assertEqual(self.served.json("GET", "/healthz")[1], {"ok": True})
        self.served.tell("status lost The camera does not answer.")
        self.assertTrue(http_support.wait_until(lambda: not healthy()))
        self.assertEqual(self.served.json("GET", "/healthz"),
                         (503, {"ok": False, "problem": "The camera does not answer."}))

    def test_methods(self):
        for path, allow in (("/api/state", "GET, HEAD"), ("/api/classes", "POST"), ("/", "GET, HEAD"),
                            ("/api/classes/3", "PATCH, DELETE"), ("/api/state-file", "GET, HEAD, POST"),
                            ("/api/teach", "POST, DELETE"), ("/app.js", "GET, HEAD"), ("/healthz", "GET, HEAD")):
            for method in ("TRACE", "OPTIONS", "FOO"):
                status, headers, _ = self.served.ask(method, path)
                self.assertEqual((status, headers.get("Allow")), (405, allow), path)
        self.assertEqual(self.served.ask("FOO", "/nowhere")[0], 404)
        self.assertTrue(http_support.wait_until(lambda: self.served.ask("GET", "/healthz")[0] == 200))
        for path in ("/", "/api/state", "/healthz", "/metrics", "/api/events", "/api/picture.mjpeg"):
            status, headers, body = self.served.ask("HEAD", path)
            self.assertEqual((status, body), (200, b""), path)

    def test_page_files_and_headers(self):
        types = {"/": "text/html", "/index.html": "text/html", "/app.js": "text/javascript",
                 "/style.css": "text/css", "/icon.svg": "image/svg+xml"}
        for path, kind in types.items():
            status, headers, body = self.served.ask("GET", path)
            self.assertEqual(status, 200)
            self.assertTrue(headers["Content-Type"].startswith(kind))
            self.assertEqual(body.decode(), f"<!-- {path[1:] or 'index.html'} -->")
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
            self.assertIn("script-src 'self';", headers["Content-Security-Policy"])
            self.assertNotIn("unsafe", headers["Content-Security-Policy"])
        for path in ("/api/state", "/api/picture.jpg", "/healthz", "/metrics", "/nowhere"):
            self.assertEqual(self.served.ask("GET", path)[1]["Cache-Control"], "no-store")

    def test_one_connection_carries_many_requests(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.served.port, timeout=http_support.SECONDS)
        connection.connect()
        first = connection.sock
        for method, path, body, status in (("GET", "/", None, 200), ("GET", "/api/state", None, 200),
                                           ("GET", "/nowhere", None, 404), ("POST", "/api/undo", "{}", 404),
                                           ("POST", "/api/undo", "{", 400), ("DELETE", "/", None, 405),
                                           ("GET", "/app.js", None, 200)):
            connection.request(method, path, body)
            reply = connection.getresponse()
            reply.read()
            self.assertEqual(reply.status, status)
            self.assertIs(connection.sock, first, f"closed after {method} {path}")
        connection.close()


class Metrics(unittest.TestCase):
    def test_prometheus_can_read_them(self):
        with Served() as served:
            served.json("POST", "/api/classes", {"name": "mug"})
            status, headers, body = served.ask("GET", "/metrics")
            self.assertEqual(status, 200)
            self.assertTrue(headers["Content-Type"].startswith("text/plain; version=0.0.4"))
            values, types = {}, {}
            for line in body.decode().splitlines():
                if line.startswith("# TYPE "):
                    _, _, name, kind = line.split()
                    self.assertNotIn(name, types)
                    types[name] = kind
                elif not line.startswith("# HELP "):
                    self.assertRegex(line, r'^jackdaw_[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+$')
                    name, value = line.rsplit(" ", 1)
                    self.assertIn(name.split("{")[0], types)
                    self.assertNotIn(name, values)
                    values[name] = float(value)
            self.assertEqual(values["jackdaw_classes"], 1)
            self.assertEqual(values['jackdaw_stage_seconds{stage="encode"}'], 0.004)
            self.assertEqual(values["jackdaw_resident_bytes"], 2000)
            self.assertEqual(values["jackdaw_source_up"], 1)
            self.assertEqual(values['jackdaw_http_requests_total{status="201"}'], 1)
            self.assertGreaterEqual(values["jackdaw_http_connections"], 1)


class NoPage(unittest.TestCase):
    def test_the_api_stands_without_a_page(self):
        with Served(page=False) as served:
            self.assertEqual(served.ask("GET", "/")[0], 404)
            self.assertEqual(served.ask("GET", "/api/state")[0], 200)


if __name__ == "__main__":
    http_support.main(unittest.main)
