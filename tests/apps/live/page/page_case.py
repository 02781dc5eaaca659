# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of the page share: one browser, and a mock server for each test.

    class Teaching(PageCase):
        def test_something(self):
            self.taught("mug", "ball")     # before the page is opened
            self.open()
            self.browser.find("#undo").click()

    if __name__ == "__main__":
        run()                              # exit 77 and the reason where there is no browser
"""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "support"))
import webdriver  # noqa: E402
from mock_server import MockServer  # noqa: E402

WIDE, PHONE = (1280, 800), (360, 740)


class PageCase(unittest.TestCase):
    browser = None  # set by run()
    token = None

    def setUp(self):
        self.server = MockServer(token=self.token).start()
        self.session = self.server.session
        self.addCleanup(self.server.stop)
        self.addCleanup(self.browser.open, "about:blank")
        self.addCleanup(self.browser.release)

    def taught(self, *names, pictures=20):
        for name in names:
            self.session.teach(self.session.add_class(name), 60)
            for _ in range(pictures):
                self.session.tick()
            self.session.stop_teaching()
            while not self.session.bursts[-1]["durable"]:
                self.session.tick()

    def open(self, size=WIDE, phone=False):
        self.browser.size(*size, phone=phone)
        self.browser.log()
        self.browser.open(self.server.address)
        self.browser.wait_until(lambda: self.browser.count("body[data-connection=open]"), "the first event")

    def card(self, class_id):
        return self.browser.wait_for(f'.card[data-class="{class_id}"] .hold')

    def known(self, class_id):
        return self.session.find(class_id)

    def asked(self, method, path):
        """The bodies of such requests, in order."""
        return [body for m, p, body in list(self.server.requests) if (m, p) == (method, path)]

    def wait_until(self, holds, what):
        return self.browser.wait_until(holds, what)

    def wait_for_text(self, selector, text):
        self.browser.wait_for_text(selector, text)

    def accept_no_page_errors(self):
        """The console holds no error: no script failed, the policy refused nothing."""
        self.assertEqual([line for line in self.browser.log() if line.startswith("SEVERE")], [])


def run():
    reason = webdriver.missing()
    if reason:
        print(f"skipped: {reason}")
        sys.exit(77)
    with webdriver.Browser(*WIDE) as PageCase.browser:
        unittest.main(verbosity=2)
