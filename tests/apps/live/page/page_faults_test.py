#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""The page when things are not as they should be, state files, and what screen readers are told.

Usage: page_faults_test.py [TEST ...]
"""
import json
import pathlib
import tempfile

from page_case import PHONE, WIDE, PageCase, run
from webdriver import ENTER

HOSTILE = ("<img src=x onerror=alert(1)>", "</script><b>bold</b>", "{{7*7}} & \"quotes'", "\u202egnp.exe", "日本語 ☕")


class Answer(PageCase):
    def test_the_answer_and_its_bars(self):
        self.taught("mug", "ball")
        self.session.set(shown="ball")
        self.open()
        self.wait_for_text("#answer-name", "ball")
        self.wait_until(lambda: self.browser.count('#bars [data-class="2"][data-best]'), "its bar in front")
        self.assertEqual(self.browser.count("#bars li"), 3)
        self.session.set(shown=None)
        self.wait_for_text("#answer-name", "Unknown")
        self.wait_until(lambda: self.browser.count('#bars [data-class="0"][data-best]'), "the bar of unknown in front")
        self.assertEqual(self.browser.find("#answer").attribute("data-answer"), "unknown")

    def test_meters(self):
        self.open()
        self.wait_for_text('[data-meter="rate"]', "29.4 of 30.0")
        self.wait_for_text('[data-meter="encode"]', "ms")
        self.assertEqual(self.browser.text('[data-meter="memory"]'), "75 MB · 201 MB")
        self.assertEqual(self.browser.text('[data-meter="dropped"]'), "4")

    def test_answers_read_aloud_are_few(self):
        self.taught("mug", "ball")
        self.open()
        self.browser.script("""window.heard = [];
            new MutationObserver(() => heard.push(document.getElementById("live-answer").textContent))
              .observe(document.getElementById("live-answer"), {childList: true, characterData: true, subtree: true});""")
        for shown in ("mug", "ball") * 8:  # flickering for about two seconds
            self.session.set(shown=shown)
            self.wait_for_text("#answer-name", shown)
        self.assertLessEqual(len(self.browser.script("return heard")), 2)
        self.wait_until(lambda: "It sees ball." in self.browser.text("#live-answer"), "what stands to be read")


class Faults(PageCase):
    def test_problems_come_and_go(self):
        self.open()
        self.assertEqual(self.browser.count(".banners [data-problem]"), 0)
        text = "The camera does not answer; trying again in 4 s."
        self.session.set(status="lost", problems=[{"id": "camera-lost", "severity": "error", "text": text}])
        self.wait_for_text('[data-problem="camera-lost"]', text)
        self.assertTrue(self.browser.find("#veil").shown)
        self.assertEqual(self.browser.find(".banners").role, "status")
        self.session.set(status="running", problems=[])
        self.wait_until(lambda: self.browser.count(".banners [data-problem]") == 0, "no problem")
        self.assertFalse(self.browser.find("#veil").shown)

    def test_a_lost_app_is_said_and_found_again(self):
        self.taught("mug")
        self.open()
        self.server.stop()
        self.browser.wait_for("#connection-lost")
        self.session.add_class("ball")
        self.server.start()
        self.wait_until(lambda: not self.browser.find("#connection-lost").shown, "the app again")
        self.card(2)

    def test_a_broken_picture_comes_back(self):
        self.open()
        picture = "return document.getElementById('picture').src"
        first = self.browser.script(picture)
        self.server.break_pictures += 1
        self.wait_until(lambda: self.browser.script(picture) != first, "another stream")

    def test_losing_the_app_while_holding_lets_go(self):
        self.session.add_class("mug")
        self.open()
        with self.browser.holding(self.card(1)):
            self.wait_until(lambda: self.session.teaching, "teaching")
            self.server.stop()
            self.wait_until(lambda: self.browser.count("body[data-connection=lost]"), "the loss")
            self.assertEqual(self.browser.count('.card[data-stage="learning"]'), 0)
            self.assertFalse(self.browser.find("#learning").shown)
        self.server.start()

    def test_what_the_app_refuses_is_said(self):
        self.taught("mug")
        self.session.max_classes = 1
        self.open()
        self.browser.find("#new-name").type("ball", ENTER)
        self.wait_for_text("#new-note", "There is no room for more than 1 classes.")

    def test_a_class_forgotten_elsewhere_while_held(self):
        self.session.add_class("mug")
        self.open()
        with self.browser.holding_key("1"):
            self.wait_until(lambda: self.session.teaching, "teaching")
            self.session.forget(1)
            self.wait_until(lambda: self.browser.count(".card") == 0, "no card")
            self.wait_until(lambda: self.asked("DELETE", "/api/teach"), "the stop")

    def test_hostile_names_stay_text(self):
        self.taught(*HOSTILE, pictures=3)
        self.session.set(shown=HOSTILE[0])
        self.open()
        self.wait_for_text("#answer-name", HOSTILE[0])
        names = self.browser.script("return [...document.querySelectorAll('.card .name')].map(e => e.textContent)")
        self.assertEqual(names, list(HOSTILE))
        self.browser.find(".burst .move").click()
        self.browser.wait_for("#move-choices button")
        self.browser.find("#move-dialog [data-close]").click()
        self.browser.find('.card[data-class="1"] .more').click()
        self.browser.wait_for("#forget").click()
        self.assertEqual(self.browser.text("#forget-title"), f"Forget {HOSTILE[0]}?")
        self.browser.find("#forget-yes").click()
        self.wait_for_text("#message", HOSTILE[0])
        self.assertEqual(self.browser.count("main b, main script, img[src='x'], dialog b, #message b"), 0)
        self.accept_no_page_errors()


class Token(PageCase):
    token = "right-token"

    def open(self):
        self.browser.size(*WIDE)
        self.browser.open(self.server.address)

    def test_a_wrong_token_and_the_right_one(self):
        self.open()
        self.browser.wait_for("#token").type("wrong", ENTER)
        self.wait_for_text("#token-note", "That was not the token.")
        self.assertFalse(self.browser.find("main").shown)
        self.browser.find("#token").type(self.token, ENTER)
        self.browser.wait_for("#first-run")
        self.assertEqual(self.browser.address, self.server.address)  # the token is not left in it


class Files(PageCase):
    def setUp(self):
        super().setUp()
        self.taught("mug")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, content):
        path = self.folder / "kitchen.jackdaw"
        path.write_text(content)
        return path

    def choose(self, field, content):
        self.open()
        self.browser.find("#open-files").click()
        self.browser.find(field).type(self.file(content))
        self.browser.wait_for("#files-yes")
        self.assertIn("kitchen.jackdaw", self.browser.text("#files-question"))
        self.assertEqual(self.session.imported, [])
        self.browser.find("#files-yes").click()

    def names(self):
        return [(c["name"], c["examples"]) for c in self.session.classes]

    def test_merge(self):
        self.choose("#merge-file", json.dumps({"mock": [["mug", 5, 9], ["fork", 7, 9]]}))
        self.wait_for_text("#message", "Added.")
        self.assertEqual(self.names(), [("mug", 25), ("fork", 7)])
        self.wait_until(lambda: self.browser.count(".card") == 2, "both cards")

    def test_import(self):
        self.choose("#import-file", json.dumps({"mock": [["fork", 7, 9]]}))
        self.wait_for_text("#message", "Loaded.")
        self.assertEqual(self.names(), [("fork", 7)])

    def test_a_file_that_is_none_is_refused_and_nothing_changes(self):
        self.choose("#import-file", "holiday picture")
        self.wait_for_text("#files-note", "This is not a state file of Jackdaw.")
        self.assertEqual(self.names(), [("mug", 20)])
        self.browser.find("#files-back").click()
        self.assertTrue(self.browser.find("#export").shown)

    def test_export(self):
        self.open()
        self.browser.find("#open-files").click()
        self.browser.wait_for("#export").click()
        saved = self.wait_until(lambda: [p for p in self.browser.downloads.glob("*.jackdaw")], "the file")
        self.assertEqual(saved[0].read_bytes(), self.session.export())


class Access(PageCase):
    def test_roles_and_labels(self):
        self.taught("mug")
        self.open()
        for selector, role, label in (
                ("main", "main", ""), ("header", "banner", ""), (".teach", "region", "Classes"),
                ("#picture", "image", "Live picture of the camera"), ("#new-name", "textbox", "Name of a new class"),
                ('.card .more', "button", "mug: rename, forget"), ("#bars", "list", "Confidence"),
                (".undo-burst", "button", "Undo 20 pictures of mug"), ("#live-answer", "paragraph", "")):
            element = self.browser.find(selector)
            self.assertIn(element.role, (role, "img") if role == "image" else (role,), selector)
            self.assertEqual(element.label, label, selector)
        self.assertIn("mug", self.card(1).label)
        self.assertEqual(self.card(1).attribute("aria-keyshortcuts"), "1")

    def test_nothing_is_wider_than_a_small_phone_and_targets_are_large(self):
        self.taught("mug", "W" * 60)
        self.open(PHONE, phone=True)
        self.assertEqual(self.browser.script("return document.documentElement.scrollWidth"), PHONE[0])
        for button in self.browser.find_all("main button"):
            if button.shown:
                self.assertGreaterEqual(min(button.box["width"], button.box["height"]), 43.9, button.text)

    def test_no_motion_where_none_is_wanted(self):
        self.session.add_class("mug")
        self.browser.prefers(reduced_motion="reduce")
        self.addCleanup(self.browser.prefers)
        self.open()
        with self.browser.holding(self.card(1)):
            self.wait_until(lambda: self.browser.count('.card[data-stage="learning"]'), "learning")
            self.assertEqual(self.browser.script("return document.getAnimations().length"), 0)


if __name__ == "__main__":
    run()
