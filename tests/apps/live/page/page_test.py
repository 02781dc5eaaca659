#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""The page as a person uses it: making classes, teaching by mouse, key and finger, changing one's mind.

Usage: page_test.py [TEST ...]
"""
import time

from page_case import PHONE, PageCase, run
from webdriver import DOWN, ENTER, ESCAPE, SPACE


class FirstRun(PageCase):
    def test_a_first_run_says_what_to_do_and_the_next_step_has_the_focus(self):
        self.open()
        self.assertTrue(self.browser.find("#first-run").shown)
        self.assertEqual(self.browser.text("#answer-name"), "Nothing taught yet")
        self.browser.find("#new-name").type("mug", ENTER)
        self.card(1)
        self.assertEqual(self.session.classes[0]["name"], "mug")
        self.assertFalse(self.browser.find("#first-run").shown)
        self.wait_for_text("#answer-name", "Ready to learn")
        self.wait_until(lambda: self.browser.focused().attribute("class") == "hold", "the focus on the new card")
        self.assertEqual(self.browser.find("#new-name").value, "")
        with self.browser.holding_key(SPACE):  # so that holding is next
            self.wait_until(lambda: self.known(1)["examples"] > 2, "pictures taught by Space")
        self.accept_no_page_errors()

    def test_a_name_in_use_is_refused_beside_the_field(self):
        self.taught("mug")
        self.open()
        self.browser.find("#new-name").type("mug", ENTER)
        self.wait_for_text("#new-note", "There is a class mug already.")
        self.assertEqual(len(self.session.classes), 1)
        self.assertEqual(self.browser.focused().attribute("id"), "new-name")

    def test_the_picture_moves(self):
        self.open()
        look = """const canvas = document.createElement("canvas").getContext("2d");
                  canvas.drawImage(document.getElementById("picture"), 0, 0, 64, 48);
                  return canvas.getImageData(0, 0, 64, 48).data.join();"""
        self.wait_until(lambda: self.browser.script("return document.getElementById('picture').naturalWidth") == 640,
                        "the picture")
        first = self.browser.script(look)
        self.wait_until(lambda: self.browser.script(look) != first, "another frame")


class Teaching(PageCase):
    def setUp(self):
        super().setUp()
        self.session.add_class("mug")
        self.session.add_class("ball")

    def learned_while(self, hold, class_id):
        """Holds until some pictures are taught; then all is as it should be."""
        with hold:
            self.wait_until(lambda: self.known(class_id)["examples"] > 6, "pictures while it is held")
            card = f'.card[data-class="{class_id}"]'
            self.assertEqual(self.browser.count(f'{card}[data-stage="learning"]'), 1)
            self.wait_for_text(f"{card} .progress-count", "+")
            self.wait_for_text("#learning", f"Learning {self.known(class_id)['name']} · ")
        self.wait_until(lambda: self.session.teaching is None, "teaching to stop on release")
        self.wait_until(lambda: self.asked("DELETE", "/api/teach"), "a stop that was asked for")
        asked = self.asked("POST", "/api/teach")
        self.assertEqual(set(map(str, asked)), {str({"class_id": class_id, "seconds": 1})})
        self.wait_until(lambda: self.browser.count(f'{card}[data-stage="saved"]'), "saved")
        self.wait_for_text("#live-teach", "Saved: ")
        self.wait_for_text(f"{card} .count", "pictures")
        learned = self.known(class_id)["examples"]
        self.assertEqual(self.browser.text(f"{card} .count"), f"{learned} pictures")

    def test_holding_the_mouse_button(self):
        self.open()
        self.learned_while(self.browser.holding(self.card(2)), 2)
        self.accept_no_page_errors()

    def test_holding_a_number_key(self):
        self.open()
        self.learned_while(self.browser.holding_key("2"), 2)

    def test_holding_enter_on_a_card(self):
        self.open()
        self.browser.script("arguments[0].focus()", self.card(1))
        self.learned_while(self.browser.holding_key(ENTER), 1)

    def test_holding_a_finger(self):
        self.open(PHONE, phone=True)
        self.learned_while(self.browser.holding(self.card(1), touch=True), 1)

    def test_requests_neither_pile_up_nor_overtake_each_other(self):
        self.server.delay = 0.9
        self.open()
        with self.browser.holding(self.card(1)):
            self.wait_until(lambda: len(self.asked("POST", "/api/teach")) >= 3, "a third request")
        self.wait_until(lambda: self.asked("DELETE", "/api/teach"), "the stop")
        self.assertEqual(self.server.most_at_once, 1)

    def test_a_tap_teaches_nothing_by_finger_and_says_how(self):
        self.open(PHONE, phone=True)
        with self.browser.holding(self.card(1), touch=True):
            pass
        self.wait_for_text("#message", "Hold the card")

    def middle(self, element):
        box = element.box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def test_a_finger_that_holds_may_wander_and_one_that_swipes_scrolls(self):
        for number in range(8):
            self.session.add_class(f"thing {number}")
        self.open(PHONE, phone=True)
        x, y = self.middle(self.card(1))
        self.browser.swipe((x, y), (x, y - 150), rest=0.5)
        self.assertEqual(self.browser.script("return scrollY"), 0)
        self.wait_until(lambda: self.asked("DELETE", "/api/teach"), "teaching that ended with the touch")
        asked = len(self.asked("POST", "/api/teach"))
        self.assertGreater(asked, 0)
        self.browser.swipe((x, y), (x, y - 150))
        self.wait_until(lambda: self.browser.script("return scrollY") > 50, "the page to scroll")
        self.assertEqual(len(self.asked("POST", "/api/teach")), asked)

    def test_leaving_the_page_lets_go(self):
        self.server.delay = 0.9  # a request is under way when the page goes
        self.open()
        with self.browser.holding_key("1"):
            self.wait_until(lambda: self.asked("POST", "/api/teach"), "teaching")
            self.browser.open("about:blank")
            self.wait_until(lambda: self.asked("DELETE", "/api/teach"), "the stop")

    def test_losing_the_window_lets_go(self):
        self.open()
        with self.browser.holding_key("1"):
            self.wait_until(lambda: self.session.teaching, "teaching")
            self.browser.script("window.dispatchEvent(new Event('blur'))")
            self.wait_until(lambda: self.asked("DELETE", "/api/teach"), "the stop")
            self.wait_until(lambda: not self.browser.count('.card[data-stage="learning"]'), "the card to show it")

    def test_keys_in_a_field_are_text(self):
        self.open()
        self.browser.find("#new-name").type("12u")
        self.assertEqual(self.browser.find("#new-name").value, "12u")
        self.assertEqual(self.server.requests, [])

    def test_without_holding(self):
        self.open()
        self.browser.find('.card[data-class="1"] .more').click()
        self.browser.wait_for("#teach-without-holding").click()
        self.wait_until(lambda: self.asked("POST", "/api/teach") == [{"class_id": 1, "seconds": 3}], "3 seconds")

    def test_a_card_cannot_be_dragged_or_opened_by_a_long_press(self):
        self.open(PHONE, phone=True)
        prevented = self.browser.script(
            "return !arguments[0].dispatchEvent(new MouseEvent('contextmenu', {cancelable: true, bubbles: true}))",
            self.card(1))
        self.assertTrue(prevented)


class ChangingOnesMind(PageCase):
    def setUp(self):
        super().setUp()
        self.taught("mug", "ball")

    def test_undo_by_button_and_by_key(self):
        self.open()
        self.browser.find("#undo").click()
        self.wait_for_text("#message", "Taken back: 20 pictures of ball.")
        self.assertEqual(self.known(2)["examples"], 0)
        self.browser.keys("u")
        self.wait_for_text("#message", "Taken back: 20 pictures of mug.")
        self.assertEqual(self.known(1)["examples"], 0)
        self.wait_until(lambda: self.browser.find("#undo").attribute("aria-disabled") == "true", "nothing more")
        self.browser.keys("u")
        self.wait_for_text("#message", "nothing to undo")
        self.assertEqual(len(self.asked("POST", "/api/undo")), 2)

    def test_rename(self):
        self.open()
        self.browser.find('.card[data-class="1"] .more').click()
        field = self.browser.wait_for("#rename")
        field.clear()
        field.type("ball", ENTER)
        self.wait_for_text("#rename-note", "There is a class ball already.")
        field.clear()
        field.type("cup", ENTER)
        self.wait_for_text('.card[data-class="1"] .name', "cup")
        self.assertEqual(self.known(1)["name"], "cup")
        self.wait_until(lambda: not self.browser.find("#class-dialog").shown, "the dialog to close")

    def test_forget_asks_first(self):
        self.open()
        for confirmed in (False, True):
            self.browser.find('.card[data-class="1"] .more').click()
            self.browser.wait_for("#forget").click()
            self.browser.wait_for("#forget-dialog")
            self.assertEqual(self.browser.text("#forget-title"), "Forget mug?")
            self.assertEqual(self.browser.focused().text, "Keep it")  # Enter does no harm
            if confirmed:
                self.browser.find("#forget-yes").click()
            else:
                self.browser.keys(ESCAPE)
                self.wait_until(lambda: not self.browser.find("#forget-dialog").shown, "the dialog to close")
                self.assertEqual(len(self.session.classes), 2)
        self.wait_until(lambda: self.browser.count(".card") == 1, "one card")
        self.assertEqual([c["name"] for c in self.session.classes], ["ball"])
        self.wait_until(lambda: self.browser.focused().attribute("id") == "classes-title", "the focus near the cards")

    def test_a_burst_was_of_another_class(self):
        self.open()
        self.browser.find('.burst[data-class="2"] .move').click()
        self.browser.wait_for('#move-choices [data-class="1"]').click()
        self.wait_for_text("#message", "Moved: 20 pictures of ball to mug.")
        self.assertEqual((self.known(1)["examples"], self.known(2)["examples"]), (40, 0))
        self.wait_for_text('.card[data-class="1"] .count', "40 pictures")

    def test_an_earlier_burst_can_be_taken_back(self):
        self.open()
        self.browser.find('.burst[data-class="1"] .undo-burst').click()
        self.wait_until(lambda: self.known(1)["examples"] == 0, "the first burst to go")
        self.assertEqual(self.known(2)["examples"], 20)
        self.assertEqual(self.asked("POST", "/api/undo"), [{"burst_id": 1}])


class Region(PageCase):
    def test_dragging_a_rectangle_and_removing_it(self):
        self.open()
        box = self.browser.find("#picture").box
        self.browser.drag((box["x"] + 0.25 * box["width"], box["y"] + 0.2 * box["height"]),
                          (box["x"] + 0.75 * box["width"], box["y"] + 0.6 * box["height"]))
        self.wait_until(lambda: self.session.region, "a region")
        for key, wanted in (("x", 0.25), ("y", 0.2), ("width", 0.5), ("height", 0.4)):
            self.assertAlmostEqual(self.session.region[key], wanted, delta=0.01)  # pixels are whole
        drawn = self.browser.wait_for("#region-box").box
        self.assertAlmostEqual(drawn["width"], 0.5 * box["width"], delta=4)
        self.browser.wait_for("#region-remove").click()
        self.wait_until(lambda: self.session.region is None, "no region")

    def test_a_click_is_no_region(self):
        self.open()
        box = self.browser.find("#picture").box
        self.browser.drag((box["x"] + 50, box["y"] + 50), (box["x"] + 55, box["y"] + 52))
        self.assertEqual(self.asked("PUT", "/api/region"), [])
        self.assertFalse(self.browser.find("#region-box").shown)

    def test_with_the_keyboard_alone(self):
        self.open()
        self.browser.keys("r")
        self.wait_until(lambda: self.browser.focused().attribute("id") == "region-x", "the first number")
        self.browser.keys(DOWN * 5, ENTER)
        self.wait_until(lambda: self.session.region, "a region")
        self.assertEqual(self.session.region, {"x": 0.15, "y": 0.2, "width": 0.6, "height": 0.6})
        self.wait_until(lambda: self.browser.focused().attribute("id") == "region-choose", "the focus to return")


if __name__ == "__main__":
    run()
