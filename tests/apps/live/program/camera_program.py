# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""The real `jackdaw camera`, as a test meets it. Standard library only.

    with Camera(program, folder / "state", "--source", "demo://?control=FILE") as camera:
        mug = camera.post("/api/classes", {"name": "mug"})["id"]
        camera.teach(mug, seconds=2)
        camera.wait_until(lambda: camera.moment()["answer"], "an answer")
"""
import http.client
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request

PATIENCE = 60


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(f"{status}: {message}")
        self.status = status


class Camera:
    def __init__(self, program, state, *options, encoder=None, environment=None):
        self.log = tempfile.TemporaryFile()
        command = [program, "camera", "--state", str(state), "--listen", "127.0.0.1:0", *map(str, options)]
        if encoder:
            command += ["--encoder", str(encoder)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log,
                                        env={**os.environ, **(environment or {})})
        self.lines = []
        self.address = None
        threading.Thread(target=self._read, daemon=True).start()
        self.wait_until(lambda: self.address or self.process.poll() is not None, "the page's address")
        if not self.address:
            raise AssertionError("jackdaw camera ended at once:\n" + self.said())

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.decode(errors="replace").rstrip())
            if self.lines[-1].startswith("page: "):
                self.address = self.lines[-1][6:].rstrip("/")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def said(self):
        """What it wrote to stderr."""
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def stop(self):
        """As Ctrl-C does; the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise

    def kill(self):
        self.process.kill()
        self.process.wait(PATIENCE)

    # --- the API ---------------------------------------------------------------------------------
    def ask(self, method, path, body=None):
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data=data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                content = answer.read()
                kind = answer.headers.get_content_type()
        except urllib.error.HTTPError as error:
            raise Refused(error.code, error.read().decode(errors="replace")) from None
        return json.loads(content) if kind == "application/json" else content

    def get(self, path):
        return self.ask("GET", path)

    def post(self, path, body):
        return self.ask("POST", path, body)

    def state(self):
        return self.get("/api/state")

    def classes(self):
        return {c["name"]: c for c in self.state()["classes"]}

    def moments(self, seconds):
        """Every answered frame that the events tell of in that time."""
        address = self.address.removeprefix("http://")
        connection = http.client.HTTPConnection(address, timeout=PATIENCE)
        connection.request("GET", "/api/events")
        answer = connection.getresponse()
        found, kind, end = [], None, time.monotonic() + seconds
        while time.monotonic() < end:
            line = answer.readline().decode().rstrip()
            if line.startswith("event: "):
                kind = line[7:]
            elif line.startswith("data: ") and kind == "moment":
                found.append(json.loads(line[6:]))
        connection.close()
        return found

    def moment(self):
        while True:
            found = self.moments(0.2)
            if found:
                return found[-1]

    def teach(self, class_id, seconds):
        """Until all of it, variations too, survives power loss; the burst."""
        burst = self.post("/api/teach", {"class": class_id, "seconds": seconds})["burst"]
        time.sleep(seconds)

        def safe():
            state = self.state()
            found = [b for b in state["bursts"] if b["id"] == burst]
            return not state["teaching"] and found and found[0]["durable"] and found[0]["pending"] == 0

        self.wait_until(safe, f"burst {burst} to be safe")
        return burst

    def wait_until(self, holds, what, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if holds():
                return
            time.sleep(0.05)
        raise AssertionError(f"waited {seconds} s in vain for {what}\n{self.said()}")
