"""Changes settings with the forms of a server's pages in Chromium, and prints what is wrong.

    python editor.py http://127.0.0.1:8080 TOKEN --chromium /usr/bin/chromium -o screenshots

The server has the setting Page.Color, and the token the scopes explain and edit.
"""

import argparse
import base64
import json
import pathlib
import sys

import pages


def submit(browser, label, values={}):
    """Fills a form in and sends it, as a person does; returns the text of the next page."""
    browser.events.clear()
    sent = browser.evaluate("""((label, values) => {
        const form = document.querySelector(`form[aria-label="${label}"]`);
        if (!form) return false;
        for (const [name, value] of Object.entries(values)) form.elements[name].value = value;
        if (!form.checkValidity()) return false;
        form.querySelector("button").click();
        return true;
    })(""" + json.dumps(label) + ", " + json.dumps(values) + ")")
    if not sent:
        return f"(there is no form {label}, or it cannot be sent)"
    while not any(event.get("method") == "Page.loadEventFired" for event in browser.events):
        browser.take(json.loads(browser.socket.recv()))
    return browser.evaluate("document.body.innerText")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("server")
    parser.add_argument("token")
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("-o", dest="folder", default="screenshots", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    problems = []

    def expect(text, part):
        if part not in text:
            problems.append(f"no {part!r} in: {text[:1000]}")

    browser = pages.Browser(arguments.chromium)
    try:
        # The header that a browser adds by itself after a person has signed in.
        credentials = base64.b64encode(f"ada:{arguments.token}".encode()).decode()
        browser.send("Network.setExtraHTTPHeaders", headers={"Authorization": f"Basic {credentials}"})
        axe = pages.axe_source()
        editor = "/settings/edit"
        for path in (editor, f"{editor}?setting=Page.Color"):
            problems += pages.look(browser, arguments.server, path, arguments.folder, axe)
        expect(submit(browser, "New value", {"value": "dark \"red\""}), "nothing against it")
        expect(submit(browser, "Write the change"), "Set Page.Color to")
        browser.load(arguments.server + editor)
        values = {"section": "New <b>", "name": "Steps", "type": "integer", "value": "2", "maximum": "3"}
        expect(submit(browser, "New setting", {**values, "value": "4"}), "above the maximum")
        expect(submit(browser, "New setting", {"value": "2"}), "nothing against it")
        expect(submit(browser, "Write the change"), "Add New <b>.Steps")
        # A page of another site, which the browser sends with the same credentials.
        browser.load("data:text/html,<form aria-label=Foreign method=post action="
                     f"{arguments.server}{editor}><input name=operation value=remove>"
                     "<input name=setting value=Page.Title><button>Send</button></form>")
        expect(submit(browser, "Foreign"), "not on a page of this server")
        problems += browser.noise()
    finally:
        browser.close()
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
