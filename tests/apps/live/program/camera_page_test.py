#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""The real page in a real browser, against the real program and its demo: three classes are made and taught for two
seconds each, then known; undo, rename, forget, export; and after a restart all is as it was.

Usage: camera_page_test.py JACKDAW [SCREENSHOTS]

Needs Chromium, chromedriver and the encoder efficientnet-lite0@cifar100-256 in the cache; exit 77 and the reason where
one is missing.
"""
import pathlib
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "support"))
import webdriver  # noqa: E402
from camera_program import Camera  # noqa: E402
from needs import encoder_or_skip  # noqa: E402

JACKDAW = sys.argv[1]
SCREENSHOTS = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
ENCODER = "efficientnet-lite0@cifar100-256"
THINGS = ("mug", "clock", "plant")
SHARE_RIGHT = 0.95

# Whether the picture shows something: how many different colours a coarse grid of it has.
COLOURS = """
const picture = document.querySelector("#picture"), canvas = document.createElement("canvas");
canvas.width = 32; canvas.height = 24;
const context = canvas.getContext("2d");
context.drawImage(picture, 0, 0, 32, 24);
const data = context.getImageData(0, 0, 32, 24).data, colours = new Set();
for (let i = 0; i < data.length; i += 4) colours.add((data[i] >> 3) + "," + (data[i+1] >> 3) + "," + (data[i+2] >> 3));
return colours.size;
"""


class CameraPage(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        root = pathlib.Path(self.folder.name)
        self.shown = root / "shown"
        self.downloads = root / "downloads"
        self.downloads.mkdir()
        self.state = root / "state"
        self.show("")
        self.browser = webdriver.Browser(1280, 800, downloads=self.downloads)
        self.addCleanup(self.browser.close)

    def show(self, thing):
        """Puts it before the camera, and waits until frames of it have been answered."""
        self.shown.write_text(thing)
        time.sleep(0.5)

    def start(self):
        camera = Camera(JACKDAW, self.state, "--source", f"demo://?control={self.shown}", encoder=ENCODER)
        self.addCleanup(camera.stop)
        self.browser.open(camera.address + "/")
        self.browser.wait_until(lambda: self.browser.count("body[data-connection=open]"), "the first event")
        return camera

    def screenshot(self, name):
        if SCREENSHOTS:
            SCREENSHOTS.mkdir(parents=True, exist_ok=True)
            self.browser.screenshot(SCREENSHOTS / f"{name}.png")

    def make(self, name):
        box = self.browser.wait_for("#new-name")
        box.clear()
        box.type(name)
        self.browser.find("#new-add").click()
        self.browser.wait_until(lambda: self.card(name) is not None, f"a card for {name}")

    def card(self, name):
        """The id of the class of that name; None: there is no card for it."""
        return self.browser.script(
            "const card = [...document.querySelectorAll('.card')].find("
            "c => c.querySelector('.name').textContent === arguments[0]); return card ? card.dataset.class : null;",
            name)

    def teach(self, name, seconds=2.0):
        hold = self.browser.wait_for(f'.card[data-class="{self.card(name)}"] .hold')
        with self.browser.holding(hold):
            time.sleep(seconds)
            if name == THINGS[-1]:
                self.screenshot("teaching")

    def answers(self, camera, thing, seconds=3.0):
        """What the program answers for it, frame by frame, smoothed as it is shown."""
        self.show(thing)
        time.sleep(1.0)  # the smoothing's window
        return [(m["answer"] or {}).get("name") for m in camera.moments(seconds)]

    def known(self, camera, things):
        right = total = 0
        for thing in things:
            answers = self.answers(camera, thing)
            right += sum(a == thing for a in answers)
            total += len(answers)
            print(f"{thing}: {sum(a == thing for a in answers)} of {len(answers)} frames")
        self.assertGreater(total, 20)
        self.assertGreaterEqual(right / total, SHARE_RIGHT)

    def test_from_the_first_run_to_a_restart(self):
        camera = self.start()
        self.browser.wait_until(lambda: self.browser.script(COLOURS) > 12, "a picture with something in it")
        self.screenshot("first-run")
        for thing in THINGS:
            self.show(thing)
            self.make(thing)
            self.teach(thing)
        camera.wait_until(lambda: all(b["durable"] for b in camera.state()["bursts"]), "everything on disk")
        self.known(camera, THINGS)
        # The page says what the program says.
        self.browser.wait_until(lambda: self.browser.text("#answer-name") == THINGS[-1], "the answer on the page")
        self.screenshot("known")
        self.assertGreater(self.browser.count("#bars li"), 1)

        # A burst of nothing, taken back: the counts are as before.
        before = {n: c["lessons"] for n, c in camera.classes().items()}
        self.show("")
        self.teach("mug", 0.6)
        camera.wait_until(lambda: camera.classes()["mug"]["lessons"] > before["mug"], "lessons of the empty table")
        self.browser.find("#undo").click()
        camera.wait_until(lambda: camera.classes()["mug"]["lessons"] == before["mug"], "undo")

        self.rename("clock", "wall clock")
        self.forget("plant")
        self.assertEqual(set(camera.classes()), {"mug", "wall clock"})
        self.browser.find("#open-files").click()
        self.browser.wait_for("#export").click()
        self.browser.wait_until(lambda: list(self.downloads.glob("*.jackdaw")), "the download")
        exported = next(self.downloads.glob("*.jackdaw"))
        self.assertGreater(exported.stat().st_size, 100_000)
        there = camera.classes()
        self.assertEqual(camera.stop(), 0, camera.said())

        again = self.start()
        self.assertEqual({n: c["lessons"] for n, c in again.classes().items()},
                         {n: c["lessons"] for n, c in there.items()})
        self.browser.wait_until(lambda: self.card("wall clock") is not None, "the cards after the restart")
        self.known_as(again, "clock", "wall clock")
        self.known_as(again, "mug", "mug")
        self.browser.size(360, 740, phone=True)
        self.screenshot("phone")
        # The exported file goes into an empty device.
        self.assertEqual(again.post("/api/state-file", exported.read_bytes()), {})
        self.assertEqual(set(again.classes()), {"mug", "wall clock"})

    def known_as(self, camera, thing, name):
        answers = self.answers(camera, thing)
        self.assertGreaterEqual(sum(a == name for a in answers) / len(answers), SHARE_RIGHT)

    def rename(self, name, to):
        self.browser.find(f'.card[data-class="{self.card(name)}"] .more').click()
        box = self.browser.wait_for("#rename")
        box.clear()
        box.type(to, "\ue007")
        self.browser.wait_until(lambda: self.card(to) is not None, f"{name} to be {to}")
        if self.browser.find("#class-dialog").attribute("open"):
            self.browser.find("#class-dialog [data-close]").click()

    def forget(self, name):
        self.browser.find(f'.card[data-class="{self.card(name)}"] .more').click()
        self.browser.wait_for("#forget").click()
        self.browser.wait_for("#forget-yes").click()
        self.browser.wait_until(lambda: self.card(name) is None, f"{name} to be forgotten")


if __name__ == "__main__":
    reason = webdriver.missing()
    if reason:
        print("skipped:", reason)
        sys.exit(77)
    encoder_or_skip(ENCODER)
    unittest.main(argv=sys.argv[:1], verbosity=2)
