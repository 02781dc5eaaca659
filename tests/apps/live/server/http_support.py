# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""The server under test in a process of its own, and two ways to talk to it.

    with Served("burst=5") as served:
        status, headers, body = served.ask("GET", "/api/state")
        reply = served.raw(b"GET / HTTP/1.1\\r\\n...")       # whatever comes until the end

Everything goes over loopback and has a time limit.
"""

import http.client
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time

SECONDS = 20  # generous: the machine may be busy


class Served:
    program = None  # set by main()

    def __init__(self, *options, page=True):
        self.folder = tempfile.TemporaryDirectory()
        page_folder = os.path.join(self.folder.name, "page")
        os.mkdir(page_folder)
        for name in ("index.html", "app.js", "style.css", "icon.svg"):
            with open(os.path.join(page_folder, name), "w", encoding="utf-8") as out:
                out.write(f"<!-- {name} -->")
        with open(os.path.join(self.folder.name, "secret.html"), "w", encoding="utf-8") as out:
            out.write("outside")
        arguments = list(options) + ([f"page={page_folder}"] if page else [])
        self.process = subprocess.Popen([self.program, *arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip().partition(" ")[2]
        self.port = int(self.process.stdout.readline().split()[1])
        self.host = f"127.0.0.1:{self.port}"

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.stop()

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def pictures_made(self):
        self.tell("count")
        return int(self.process.stdout.readline().split()[1])

    def stop(self):
        """Ends the program and says how long that took; a crash or a sanitizer's report fails."""
        began = time.monotonic()
        if self.process.poll() is None:
            self.process.stdin.close()
            self.process.wait(timeout=SECONDS)
        self.process.stdout.close()
        self.folder.cleanup()
        assert self.process.returncode == 0, f"the server ended with {self.process.returncode}"
        return time.monotonic() - began

    def connect(self, source=None, receive_buffer=None):
        plain = socket.socket()
        plain.settimeout(SECONDS)
        if receive_buffer:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        if source:
            plain.bind((source, 0))
        plain.connect(("127.0.0.1", self.port))
        return plain

    def ask(self, method, path, body=None, headers=None, source=None):
        """One request on a connection of its own: status, headers, body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS,
                                                source_address=(source, 0) if source else None)
        try:
            if isinstance(body, (dict, list)):
                body = json.dumps(body)
            if isinstance(body, str):
                body = body.encode()
            connection.request(method, path, body=body, headers=headers or {})
            reply = connection.getresponse()
            return reply.status, dict(reply.getheaders()), reply.read()
        finally:
            connection.close()

    def json(self, method, path, body=None, **more):
        status, _, text = self.ask(method, path, body, **more)
        return status, json.loads(text)

    def raw(self, data, source=None):
        """Sends bytes as they are and returns all that comes until the server closes, or is silent."""
        with self.connect(source) as plain:
            try:
                plain.sendall(data)
            except (BrokenPipeError, ConnectionResetError):
                pass
            return read_all(plain)

    def raw_status(self, data, **more):
        return status_of(self.raw(data, **more))

    def open_files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def sanitized(self):
        """Whether freed memory is kept back to catch its use, so that its size says nothing."""
        with open(f"/proc/{self.process.pid}/maps", encoding="utf-8", errors="replace") as maps:
            return re.search(r"lib[at]san\.so", maps.read()) is not None

    def resident_bytes(self):
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def read_all(plain, silence=None):
    received = b""
    if silence:
        plain.settimeout(silence)
    try:
        while part := plain.recv(65536):
            received += part
    except (socket.timeout, ConnectionResetError):
        pass
    return received


def read_until(plain, what, most=1 << 22):
    received = b""
    while what not in received:
        part = plain.recv(65536)
        if not part or len(received) > most:
            break
        received += part
    return received


def status_of(reply):
    """The status of the first answer in these bytes; 0: the connection was closed without one."""
    return int(reply.split(b" ", 2)[1]) if reply.startswith(b"HTTP/1.") else 0


def wait_until(condition, seconds=SECONDS):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def main(unittest_main):
    """TEST.py PROGRAM [unittest options]"""
    Served.program = sys.argv[1]
    unittest_main(argv=[sys.argv[0], *sys.argv[2:]])
