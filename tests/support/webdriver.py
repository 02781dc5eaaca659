# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""A real Chromium, without a window, driven through chromedriver (WebDriver: HTTP and JSON).

    reason = missing()                       # "chromedriver is not installed ...", or None
    with Browser(width=1280, height=800) as browser:
        browser.open("http://127.0.0.1:8000/")
        browser.find("#new-name").type("mug", ENTER)
        card = browser.wait_for(".card .hold")
        with browser.holding(card):          # the mouse button is down in here
            browser.wait_until(lambda: "Learning" in browser.text("#learning"), "a sign of learning")
        browser.screenshot("page.png")

Elements are found by CSS selectors. What takes too long raises TimeoutError, what WebDriver refuses
WebDriverError; both say what was wanted. Needs only the standard library, and of Debian the packages
chromium and chromium-driver.
"""
import base64
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key that WebDriver gives references of elements
ENTER, ESCAPE, TAB, SPACE, BACKSPACE = "\ue007", "\ue00c", "\ue004", " ", "\ue003"
SHIFT, LEFT, UP, RIGHT, DOWN = "\ue008", "\ue012", "\ue013", "\ue014", "\ue015"
PATIENCE = 20.0  # seconds; a busy machine is slow, and waiting ends as soon as what is waited for is there


def browser_program():
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def missing():
    """Why no browser can be driven here, or None."""
    if not browser_program():
        return "chromium is not installed (apt-get install chromium)"
    if not shutil.which("chromedriver"):
        return "chromedriver is not installed (apt-get install chromium-driver)"
    return None


class WebDriverError(Exception):
    """What chromedriver answered; `kind` is WebDriver's word for it, such as "no such element"."""

    def __init__(self, kind, message):
        super().__init__(f"{kind}: {message.splitlines()[0] if message else ''}")
        self.kind = kind


class Driver:
    """The chromedriver process and requests to it."""

    def __init__(self):
        # A process group of its own: chromium's processes end with it, whatever happens.
        self.process = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True,
                                        stderr=subprocess.DEVNULL, start_new_session=True)
        self.port = None
        for line in self.process.stdout:
            if "successfully on port" in line:
                self.port = int(line.rsplit("port", 1)[1].strip(" .\n"))
                break
        if self.port is None:
            raise WebDriverError("chromedriver", "did not start")

    def ask(self, method, path, body=None):
        data = None if method in ("GET", "DELETE") else json.dumps(body or {}).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise WebDriverError(value["error"], value["message"]) from None

    def close(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()


class Element:
    def __init__(self, browser, reference):
        self.browser, self.reference = browser, reference

    def _ask(self, method, path, body=None):
        return self.browser.ask(method, f"/element/{self.reference}/{path}", body)

    @property
    def text(self):
        """What is seen of it."""
        return self._ask("GET", "text")

    def attribute(self, name):
        return self._ask("GET", f"attribute/{name}")

    @property
    def value(self):
        """Of a field."""
        return self._ask("GET", "property/value")

    @property
    def role(self):
        """As told to screen readers: "button", "dialog", ..."""
        return self._ask("GET", "computedrole")

    @property
    def label(self):
        """As read by screen readers."""
        return self._ask("GET", "computedlabel")

    @property
    def shown(self):
        return self._ask("GET", "displayed")

    def click(self):
        self._ask("POST", "click")

    def type(self, *texts):
        """Keys; for a file chooser, the path of a file."""
        self._ask("POST", "value", {"text": "".join(map(str, texts))})

    def clear(self):
        self._ask("POST", "clear")

    @property
    def box(self):
        """x, y, width and height in the window, in CSS pixels."""
        return self.browser.script("const b = arguments[0].getBoundingClientRect();"
                                   "return {x: b.x, y: b.y, width: b.width, height: b.height}", self)


class Browser:
    def __init__(self, width=1280, height=800, downloads=None):
        """downloads: the folder for what pages let one save; otherwise one that goes away with it."""
        self.folder = tempfile.TemporaryDirectory(prefix="jackdaw-browser-", ignore_cleanup_errors=True)
        self.downloads = pathlib.Path(downloads or self.folder.name) / ("" if downloads else "downloads")
        self.driver = Driver()
        options = {
            "binary": browser_program(),
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--no-first-run", f"--window-size={width},{height}", f"--user-data-dir={self.folder.name}/profile"],
            "prefs": {"download.default_directory": str(self.downloads)}}
        try:
            session = self.driver.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
                "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
        except BaseException:
            self.driver.close()
            raise
        self.session = f"/session/{session['sessionId']}"
        self.size(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        with contextlib.suppress(Exception):
            self.driver.ask("DELETE", self.session)
        self.driver.close()
        self.folder.cleanup()

    def ask(self, method, path, body=None):
        return self.driver.ask(method, self.session + path, body)

    def devtools(self, command, **parameters):
        return self.ask("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    # --- the window -----------------------------------------------------------------------------
    def open(self, address):
        self.ask("POST", "/url", {"url": address})

    def reload(self):
        self.ask("POST", "/refresh")

    @property
    def address(self):
        return self.ask("GET", "/url")

    def size(self, width, height, phone=False):
        """Of the page itself; with `phone` touches are touches, and the pointer is coarse."""
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, mobile=phone,
                      deviceScaleFactor=2 if phone else 1)
        self.devtools("Emulation.setTouchEmulationEnabled", enabled=phone, maxTouchPoints=1)

    def prefers(self, **features):
        """browser.prefers(color_scheme="dark", reduced_motion="reduce")"""
        self.devtools("Emulation.setEmulatedMedia", features=[
            {"name": f"prefers-{name.replace('_', '-')}", "value": value} for name, value in features.items()])

    def screenshot(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self.ask("GET", "/screenshot")))

    def log(self):
        """What was written to the console since the last call, errors of the page among them."""
        return [f"{entry['level']}: {entry['message']}" for entry in self.ask("POST", "/se/log", {"type": "browser"})]

    # --- finding --------------------------------------------------------------------------------
    def find_all(self, selector):
        found = self.ask("POST", "/elements", {"using": "css selector", "value": selector})
        return [Element(self, each[ELEMENT]) for each in found]

    def find(self, selector):
        found = self.ask("POST", "/element", {"using": "css selector", "value": selector})
        return Element(self, found[ELEMENT])

    def text(self, selector):
        """Its text, hidden or not; "" where there is no such element. One step: it cannot vanish between two."""
        return self.script("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def count(self, selector):
        return self.script("return document.querySelectorAll(arguments[0]).length", selector)

    def focused(self):
        return Element(self, self.ask("GET", "/element/active")[ELEMENT])

    def wait_until(self, holds, what, seconds=PATIENCE):
        """Until holds() is true, which it returns."""
        end = time.monotonic() + seconds
        while True:
            value = holds()
            if value:
                return value
            if time.monotonic() > end:
                raise TimeoutError(f"waited {seconds} s in vain for {what}")
            time.sleep(0.05)

    def wait_for(self, selector, seconds=PATIENCE):
        """The first such element that is shown."""
        def shown():
            with contextlib.suppress(WebDriverError):
                return next((each for each in self.find_all(selector) if each.shown), None)
        return self.wait_until(shown, selector, seconds)

    def wait_for_text(self, selector, text, seconds=PATIENCE):
        try:
            self.wait_until(lambda: text in self.text(selector), "", seconds)
        except TimeoutError:
            raise TimeoutError(f'waited {seconds} s in vain for "{text}" in {selector}, '
                               f'which says "{self.text(selector)}"') from None

    # --- doing ----------------------------------------------------------------------------------
    def script(self, source, *arguments):
        """Runs the body of a function in the page; elements may be arguments."""
        given = [{ELEMENT: each.reference} if isinstance(each, Element) else each for each in arguments]
        return self.ask("POST", "/execute/sync", {"script": source, "args": given})

    def keys(self, *texts):
        """Presses and releases, wherever the focus is."""
        strokes = [{"type": kind, "value": key} for key in "".join(texts) for kind in ("keyDown", "keyUp")]
        self._actions("key", strokes)

    def _actions(self, kind, steps, **source):
        self.ask("POST", "/actions", {"actions": [{"type": kind, "id": kind, "actions": steps, **source}]})

    def release(self):
        """Lets go of every key and button."""
        self.ask("DELETE", "/actions")

    @contextlib.contextmanager
    def holding_key(self, key):
        self._actions("key", [{"type": "keyDown", "value": key}])
        try:
            yield
        finally:
            self._actions("key", [{"type": "keyUp", "value": key}])

    @contextlib.contextmanager
    def holding(self, element, touch=False):
        """The mouse button (or a finger) is down on the middle of the element, which is scrolled into sight."""
        self.script("arguments[0].scrollIntoView({block: 'nearest'})", element)
        if touch:
            box = element.box
            place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
            self.devtools("Input.dispatchTouchEvent", type="touchStart", touchPoints=[place])
        else:
            self._mouse({"type": "pointerMove", "duration": 0, "origin": {ELEMENT: element.reference}, "x": 0, "y": 0},
                        {"type": "pointerDown", "button": 0})
        try:
            yield
        finally:
            if touch:
                self.devtools("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
            else:
                self._mouse({"type": "pointerUp", "button": 0})

    def swipe(self, start, end, rest=0.0, steps=8):
        """A finger goes down at start, rests for some seconds, moves to end, and is lifted; each (x, y)."""
        def touch(kind, *points):
            self.devtools("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y} for x, y in points])
        touch("touchStart", start)
        time.sleep(rest)
        for step in range(1, steps + 1):
            touch("touchMove", tuple(a + (b - a) * step / steps for a, b in zip(start, end)))
            time.sleep(0.02)
        touch("touchEnd")

    def _mouse(self, *steps):
        self._actions("pointer", list(steps), parameters={"pointerType": "mouse"})

    def drag(self, start, end):
        """With the mouse, from one place in the window to another, each (x, y)."""
        def move(place, duration):
            return {"type": "pointerMove", "duration": duration, "x": round(place[0]), "y": round(place[1])}
        self._mouse(move(start, 0), {"type": "pointerDown", "button": 0}, move(end, 200),
                    {"type": "pointerUp", "button": 0})
