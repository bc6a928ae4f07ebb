"""Uses the settings sheet of shop-app in Chromium as a tester would, and prints what is wrong with it.

    python sheet.py http://127.0.0.1:8080/TOKEN/ --chromium /usr/bin/chromium -o screenshots

Each kind of control is changed, some with the keyboard alone; a value is refused; overrides are reset. Both pages are looked
at as in pages.py, and as narrow as 320 pixels.
"""

import argparse
import json
import pathlib
import sys
import time

import pages

pages.VIEWS = [(1200, "light"), (1200, "dark"), (320, "light"), (320, "dark")]

KEYS = {"Tab": (9, None), "Enter": (13, "\r"), " ": (32, " "), "ArrowRight": (39, None)}

# A setting, the value that is typed or chosen, and what the page says next.
CHANGES = [
    ("Basket.MaximumItems", "61", "Changed from 60 on this device."),
    ("Home.HeroStyle", '"video"', 'Changed from "photo" on this device.'),
    ("Checkout.ButtonColor", "#1a7f37", 'Changed from "#1f6feb" on this device.'),
    ("Checkout.ButtonText", "<b>'Buy'\u202e", 'Changed from "Buy now" on this device.'),
    ("Checkout.PaymentMethods", '["card"]', 'Changed from ["card","paypal"] on this device.'),
    ("Home.Banner", '"Hello"', "Changed from null on this device."),
]


class Sheet:
    def __init__(self, browser, address):
        self.browser = browser
        self.problems = []
        browser.view(1200, "light")
        browser.load(address)

    def form(self, name, rest):
        script = f"[...document.forms].find((form) => form.textContent.includes({json.dumps(name)})){rest}"
        return self.browser.evaluate(script)

    def control(self, name, rest):
        return self.form(name, f".querySelector('[id$=-value], [id$=-variant]'){rest}")

    def press(self, key):
        code, text = KEYS[key]
        typed = {"type": "keyDown", "text": text} if text else {"type": "rawKeyDown"}
        for kind in (typed, {"type": "keyUp"}):
            self.browser.send("Input.dispatchKeyEvent", key=key, windowsVirtualKeyCode=code, **kind)

    def leave(self, act):
        """Does what loads the next page, and waits until it is there."""
        self.browser.evaluate("window.isFormer = true")
        act()
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                if self.browser.evaluate("!window.isFormer && document.readyState === 'complete'"):
                    return
            except RuntimeError:
                pass  # The page is being replaced.
            time.sleep(0.05)
        raise SystemExit("the next page does not load")

    def apply(self, name):
        self.leave(lambda: self.form(name, ".querySelector('button').click()"))

    def expect(self, found, wanted, what):
        if found != wanted:
            self.problems.append(f"{what}: {found!r}, not {wanted!r}")

    def expect_text(self, name, text):
        shown = self.form(name, ".innerText")
        if text not in shown:
            self.problems.append(f"{name}: {text!r} is not in {shown!r}")


def use(sheet):
    for name, value, text in CHANGES:
        sheet.control(name, f".value = {json.dumps(value)}")
        sheet.apply(name)
        sheet.expect_text(name, text)
        sheet.expect(sheet.control(name, ".value"), value, name)

    # With the keyboard alone: a switch, a slider whose number follows it, and the buttons after them.
    name = "Checkout.AllowsGuests"
    sheet.control(name, ".focus()")
    sheet.press(" ")
    sheet.press("Tab")
    sheet.leave(lambda: sheet.press("Enter"))
    sheet.expect_text(name, "Changed from false on this device.")
    sheet.expect(sheet.control(name, ".checked"), True, name)
    name = "Home.RecommendationCount"
    sheet.control(name, ".focus()")
    sheet.press("ArrowRight")
    sheet.expect(sheet.form(name, ".querySelector('output').value"), "9", "the number of the slider")
    sheet.press("Tab")
    sheet.leave(lambda: sheet.press("Enter"))
    sheet.expect_text(name, "Changed from 8 on this device.")
    sheet.expect(sheet.form(name, ".querySelectorAll('svg.icon').length"), 2, "the icons of the slider")
    sheet.leave(lambda: sheet.form(name, ".querySelector('button[value=reset]').click()"))
    sheet.expect(sheet.control(name, ".value"), "8", name)

    # A refusal has the focus, what was typed, and the reason in its description.
    name = "Checkout.ButtonColor"
    sheet.control(name, ".value = 'red'")
    sheet.apply(name)
    sheet.expect(sheet.control(name, ".value"), "red", name)
    sheet.expect(sheet.control(name, ".getAttribute('aria-invalid')"), "true", name)
    sheet.expect(sheet.control(name, " === document.activeElement"), True, "the focus")
    sheet.expect_text(name, "choose another value")

    sheet.control("buy-button", ".selectedIndex = 2")
    sheet.apply("buy-button")
    sheet.expect_text("buy-button", "Now green (chosen on this device).")
    sheet.problems += sheet.browser.noise()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address")
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("-o", dest="folder", default="screenshots", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    browser = pages.Browser(arguments.chromium)
    try:
        sheet = Sheet(browser, arguments.address)
        use(sheet)
        axe = pages.axe_source()
        for path in ("", "readout"):
            found = pages.look(browser, arguments.address, path, arguments.folder, axe)
            # One document has its style and its script in it.
            own = ("an element does not belong here: <style>", "an element does not belong here: <script>")
            sheet.problems += [problem for problem in found if not any(text in problem for text in own)]
        browser.load(arguments.address)
        sheet.leave(lambda: browser.evaluate("document.querySelector('button[value=reset-all]').click()"))
        if "Changed" in browser.evaluate("document.body.innerText"):
            sheet.problems.append("something is changed after all overrides were reset")
        browser.load(arguments.address + "readout")
        sheet.expect(browser.evaluate("document.querySelectorAll('svg.code').length"), 1, "QR codes")
    finally:
        browser.close()
    for problem in sheet.problems:
        print(problem)
    return 1 if sheet.problems else 0


if __name__ == "__main__":
    sys.exit(main())
