#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Pictures of the page in its states, to look at after a change: page_screenshots.py FOLDER"""
import pathlib
import sys
import time

from page_case import PHONE, WIDE, PageCase
from webdriver import ESCAPE, Browser

SETTLE = 0.6  # seconds; for transitions and the next picture
PROBLEMS = [{"id": "camera-lost", "severity": "error", "text": "The camera does not answer; trying again in 4 s."},
            {"id": "disk", "severity": "warning", "text": "The disk is nearly full: 120 MB are left."}]


class Pictures(PageCase):
    folder = None

    def runTest(self):
        self.open()
        self.shot("first_run")
        self.taught("mug", "ball", "desk lamp")
        self.session.add_class("screwdriver")
        self.session.set(shown="mug")
        for scheme in ("light", "dark"):
            self.browser.prefers(color_scheme=scheme)
            self.of_all_kinds(scheme)

    def shot(self, name):
        time.sleep(SETTLE)
        self.browser.screenshot(self.folder / f"{name}.png")

    def of_all_kinds(self, scheme):
        self.browser.size(*WIDE)
        self.shot(f"wide_{scheme}")
        with self.browser.holding(self.card(2)):
            self.wait_for_text('.card[data-class="2"] .progress-count', "+1")
            self.shot(f"teaching_{scheme}")
        for name, opener in (("class", ".card .more"), ("files", "#open-files"), ("help", "#open-help"),
                             ("move", ".burst .move")):
            self.browser.find(opener).click()
            self.shot(f"dialog_{name}_{scheme}")
            self.browser.keys(ESCAPE)
        self.browser.keys("r")
        self.shot(f"region_{scheme}")
        self.browser.keys(ESCAPE)
        self.session.set(status="lost", problems=PROBLEMS)
        self.shot(f"problem_{scheme}")
        self.session.set(status="running", problems=[])
        self.browser.size(*PHONE, phone=True)
        self.shot(f"phone_{scheme}")
        with self.browser.holding(self.card(1), touch=True):
            self.wait_for_text('.card[data-class="1"] .progress-count', "+1")
            self.shot(f"phone_teaching_{scheme}")
        self.browser.size(740, 360, phone=True)
        self.shot(f"phone_across_{scheme}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    Pictures.folder = pathlib.Path(sys.argv[1])
    Pictures.folder.mkdir(parents=True, exist_ok=True)
    with Browser(*WIDE) as PageCase.browser:
        Pictures().debug()
