#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""The page and the API of docs/api.md over a mock session, to develop and test the page.

    mock_server.py [--port 8000] [--token TOKEN] [--classes mug,ball]     # then open the page

    with MockServer() as server:            # in a test
        browser.open(server.address)
        server.session.set(status="lost")
        server.stop(); server.start()       # the connection breaks, and comes back on the same port
        server.requests                     # [("POST", "/api/teach", {"class": 1, "seconds": 1}), ...]

It keeps the page to the policy that the app sends: nothing inline, nothing from elsewhere.
"""
import argparse
import contextlib
import http.cookies
import json
import pathlib
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import mock_picture
from mock_session import MockSession, Refused

PAGE = pathlib.Path(__file__).resolve().parents[4] / "apps" / "live" / "page"
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
BOUNDARY = "frame"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "jackdaw-mock"

    def log_message(self, format, *arguments):  # quiet: tests look at MockServer.requests
        pass

    @property
    def mock(self):
        return self.server.mock

    # --- answers --------------------------------------------------------------------------------
    def answer(self, status, kind, body, headers=()):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-store")
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def json(self, status, value):
        self.answer(status, "application/json", json.dumps(value).encode())

    def stream(self, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    # --- requests -------------------------------------------------------------------------------
    def handle_any(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        url = urlsplit(self.path)
        try:
            if url.path.startswith("/api/"):
                self.api(url, body)
            elif self.command == "GET":
                self.page(url)
            else:
                raise Refused(405, "Pages are only read.")
        except Refused as refused:
            self.json(refused.status, {"error": str(refused)})
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

    def page(self, url):
        path = (PAGE / (url.path.lstrip("/") or "index.html")).resolve()
        if path.parent != PAGE or not path.is_file() or path.suffix not in TYPES:
            raise Refused(404, "There is no such page.")
        given = parse_qs(url.query).get("token", [None])[0]
        if given is None:
            return self.answer(200, TYPES[path.suffix], path.read_bytes())
        if given != self.mock.token:
            raise Refused(401, "This is not the token; the program printed it when it started.")
        self.answer(303, "application/json", b"{}", [  # into a cookie, and out of the address bar
            ("Location", "/"), ("Set-Cookie", f"jackdaw={given}; HttpOnly; SameSite=Strict; Path=/")])

    def allowed(self):
        cookie = http.cookies.SimpleCookie(self.headers.get("Cookie", "")).get("jackdaw")
        given = {cookie.value if cookie else "", self.headers.get("Authorization", "").removeprefix("Bearer ")}
        return self.mock.token is None or self.mock.token in given

    def api(self, url, body):
        if not self.allowed():
            raise Refused(401, "This needs the token that was printed when the program started.")
        for method, pattern, call in ROUTES:
            found = re.fullmatch(pattern, url.path)
            if found and method == self.command:
                if "state-file" in pattern:
                    return call(self, body)
                value = self.parsed(body) if body else {}
                if method == "GET":
                    return call(self, *map(int, found.groups()))
                with self.mock.noted(method, url.path, value):
                    time.sleep(self.mock.delay)
                    return call(self, *map(int, found.groups()), **value)
        raise Refused(404, f"There is no {url.path}.")

    def parsed(self, body):
        try:
            value = json.loads(body)
        except ValueError as error:
            raise Refused(400, "The body is not JSON.") from error
        known = {"name", "class", "seconds", "burst", "x", "y", "width", "height"}
        if not isinstance(value, dict) or set(value) - known:
            raise Refused(400, "The body holds an unknown field.")
        return {{"class": "class_id", "burst": "burst_id"}.get(k, k): v for k, v in value.items()}

    # --- streams --------------------------------------------------------------------------------
    def events(self):
        self.stream("text/event-stream")
        seen, session = -1, self.mock.session
        while not self.mock.stopping.is_set():
            if session.version != seen:
                seen = session.version
                self.event("state", session.state())
            if session.status == "running":
                self.event("moment", session.moment())
            with session.changed:
                session.changed.wait(0.07)

    def event(self, kind, value):
        self.wfile.write(f"event: {kind}\ndata: {json.dumps(value)}\n\n".encode())

    def mjpeg(self):
        self.stream(f"multipart/x-mixed-replace; boundary={BOUNDARY}")
        until = self.mock.break_pictures
        while not self.mock.stopping.is_set() and until == self.mock.break_pictures:
            picture = mock_picture.frame(self.mock.session.frame)
            self.wfile.write(f"--{BOUNDARY}\r\nContent-Type: image/png\r\nContent-Length: {len(picture)}\r\n\r\n"
                             .encode() + picture + b"\r\n")
            time.sleep(0.1)

    def picture(self):
        self.answer(200, "image/png", mock_picture.frame(self.mock.session.frame))

    def thumbnail(self, class_id):
        self.answer(200, "image/png", mock_picture.thumbnail(self.mock.session.find(class_id)["name"]))

    def state_file(self, _):
        self.answer(200, "application/octet-stream", self.mock.session.export(),
                    [("Content-Disposition", 'attachment; filename="state.jackdaw"')])

    def take_file(self, kind, body):
        self.mock.session.take_file(kind, body)
        self.json(200, {})


def asked(call, reply=lambda result: (200, {})):
    """A route that calls the session and answers with what `reply` makes of the result."""
    def route(handler, *arguments, **value):
        try:
            result = call(handler.mock.session, *arguments, **value)
        except TypeError as error:
            raise Refused(400, "A field is missing or wrong.") from error
        handler.json(*reply(result))
    return route


ROUTES = (
    ("GET", "/api/state", asked(MockSession.state, lambda state: (200, state))),
    ("GET", "/api/events", Handler.events),
    ("GET", "/api/picture.jpg", Handler.picture),
    ("GET", "/api/picture.mjpeg", Handler.mjpeg),
    ("GET", r"/api/classes/(\d+)/thumbnail.jpg", Handler.thumbnail),
    ("POST", "/api/classes", asked(MockSession.add_class, lambda made: (201, {"id": made}))),
    ("PATCH", r"/api/classes/(\d+)", asked(MockSession.rename)),
    ("DELETE", r"/api/classes/(\d+)", asked(MockSession.forget)),
    ("POST", "/api/teach", asked(MockSession.teach, lambda burst: (200, {"burst": burst}))),
    ("DELETE", "/api/teach", asked(MockSession.stop_teaching)),
    ("POST", "/api/undo", asked(MockSession.undo, lambda burst: (200, {"burst": burst}))),
    ("POST", r"/api/bursts/(\d+)/move", asked(MockSession.move)),
    ("PUT", "/api/region", asked(lambda session, **region: session.set_region(region))),
    ("DELETE", "/api/region", asked(lambda session: session.set_region(None))),
    ("GET", "/api/state-file", Handler.state_file),
    ("POST", "/api/state-file", lambda handler, body: handler.take_file("import", body)),
    ("POST", "/api/state-file/merge", lambda handler, body: handler.take_file("merge", body)),
)


class Http(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):  # browsers drop connections as they like
            super().handle_error(request, client_address)


class MockServer:
    def __init__(self, port=0, token=None, session=None):
        self.session = session or MockSession()
        self.port, self.token = port, token
        self.requests = []
        self.at_once = self.most_at_once = 0  # requests that change something
        self.delay = 0.0         # seconds before such a request is answered
        self.break_pictures = 0  # another number ends the picture streams
        self.stopping = threading.Event()
        self.http = None

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}/"

    @contextlib.contextmanager
    def noted(self, *request):
        self.requests.append(request)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            yield
        finally:
            self.at_once -= 1

    def start(self):
        self.stopping.clear()
        self.http = Http(("127.0.0.1", self.port), Handler)
        self.http.mock = self
        self.port = self.http.server_address[1]
        threading.Thread(target=self.http.serve_forever, args=(0.05,), daemon=True).start()
        threading.Thread(target=self._tick, daemon=True).start()
        return self

    def stop(self):
        self.stopping.set()
        self.http.shutdown()
        self.http.server_close()

    def _tick(self):
        while not self.stopping.wait(0.1):
            self.session.tick()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--token")
    parser.add_argument("--classes", default="", help="names, with commas between them, taught already")
    arguments = parser.parse_args()
    server = MockServer(arguments.port, arguments.token)
    for name in filter(None, arguments.classes.split(",")):
        server.session.teach(server.session.add_class(name), 60)
        for _ in range(20):
            server.session.tick()
        server.session.stop_teaching()
    with server:
        print(f"the page is at {server.address}", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
