"""Looks at all pages of a server in Chromium, and prints what is wrong with them.

    python pages.py http://127.0.0.1:8080 --chromium /usr/bin/chromium -o screenshots [--start /units/x ...]

Every link is followed. Each page is loaded at two widths, light and dark: its screenshot is kept, axe-core's and checks.js's
rules are applied, and no script may run, no dialog open, and nothing may be written to the console. At 320 pixels nothing
may be cut off. The keyboard's way through a page is followed, too.
"""

import argparse
import base64
import collections
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from html.parser import HTMLParser

import websocket

VIEWS = [(1440, "light"), (1440, "dark"), (390, "light"), (390, "dark")]


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []
        self.anchors = set()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if attributes.get("id"):
            self.anchors.add(attributes["id"])
        for name in ("href", "src", "action"):
            if attributes.get(name) is not None:
                self.found.append(attributes[name])


class Browser:
    """A tab of Chromium, driven by the DevTools protocol."""

    def __init__(self, executable):
        # Processes that Chromium started can write for a moment after it has ended.
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            [executable, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--no-proxy-server", "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
             "--remote-debugging-port=0", "--remote-allow-origins=*", f"--user-data-dir={self.profile.name}",
             "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        file = pathlib.Path(self.profile.name, "DevToolsActivePort")
        end = time.monotonic() + 60
        while not (file.exists() and file.read_text().count("\n")):
            if time.monotonic() > end:
                raise SystemExit("chromium does not start")
            time.sleep(0.05)
        port = file.read_text().split("\n")[0]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json") as answer:
            page = next(target for target in json.load(answer) if target["type"] == "page")
        self.socket = websocket.create_connection(page["webSocketDebuggerUrl"], timeout=60)
        self.number = 0
        self.events = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def send(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.take(message)

    def take(self, message):
        self.events.append(message)
        if message.get("method") == "Page.javascriptDialogOpening":
            self.number += 1
            self.socket.send(json.dumps(
                {"id": self.number, "method": "Page.handleJavaScriptDialog", "params": {"accept": False}}))

    def view(self, width, scheme):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def load(self, address):
        self.events.clear()
        failure = self.send("Page.navigate", url=address).get("errorText")
        if failure:
            raise RuntimeError(f"{address}: {failure}")
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.take(json.loads(self.socket.recv()))

    def evaluate(self, script, wait=False):
        result = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=wait)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"].get("description", "a script fails"))
        return result["result"].get("value")

    def screenshot(self, path):
        size = self.send("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 6000), "scale": 1}
        data = self.send("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"]
        path.write_bytes(base64.b64decode(data))

    def noise(self):
        """Whatever the page did beyond showing itself."""
        found = []
        for event in self.events:
            method, values = event.get("method"), event.get("params", {})
            if method == "Page.javascriptDialogOpening":
                found.append(f"a dialog opens: {values['message']}")
            elif method == "Runtime.consoleAPICalled" or method == "Runtime.exceptionThrown":
                found.append(f"a script ran: {json.dumps(values)[:200]}")
            elif method == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
                entry = values["entry"]
                # A failure that is asked for is an answer like any other; browsers ask for an icon by themselves.
                if entry["source"] == "network":
                    continue
                found.append(f"the console says: {entry['text'][:300]}")
            elif method == "Network.loadingFailed" and values.get("blockedReason"):
                found.append(f"something was blocked: {values['blockedReason']}")
        return found

    def close(self):
        self.process.terminate()
        self.process.wait(20)
        self.profile.cleanup()


def crawl(server, starts):
    """All pages that links lead to, and what is wrong with the links."""
    problems, pages, anchors, wanted = [], {}, {}, []
    queue = collections.deque(starts)
    seen = set(starts)
    while queue:
        path = queue.popleft()
        request = urllib.request.Request(server + path, headers={"Accept": "text/html"})
        try:
            with urllib.request.urlopen(request) as answer:
                kind, body = answer.headers.get_content_type(), answer.read().decode()
        except urllib.error.HTTPError as error:
            problems.append(f"{path}: {error.code}")
            continue
        pages[path] = kind
        if kind != "text/html":
            continue
        links = Links()
        links.feed(body)
        anchors[path] = links.anchors
        for link in links.found:
            target = urllib.parse.urljoin(server + path, link)
            if not target.startswith(server + "/"):
                problems.append(f"{path}: a link leaves the server: {link[:200]}")
                continue
            target, _, fragment = target[len(server):].partition("#")
            if fragment:
                wanted.append((path, target, fragment))
            if target not in seen:
                seen.add(target)
                queue.append(target)
    for path, target, fragment in wanted:
        if fragment not in anchors.get(target, ()):
            problems.append(f"{path}: nothing in {target} is called {fragment}")
    return pages, problems


def kinds(pages):
    """A few pages of each kind: those of one kind differ in data only, and links have shown that all of them answer."""
    groups = collections.defaultdict(list)
    for path, kind in pages.items():
        if kind == "text/html":
            groups[path.split("?")[0].strip("/").split("/")[0]].append(path)
    return groups


def axe_source():
    folder = importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0]
    return pathlib.Path(folder, "axe.min.js").read_text()


def look(browser, server, path, folder, axe):
    problems = []
    name = re.sub(r"[^A-Za-z0-9]+", "-", urllib.parse.unquote(path)).strip("-")[:60] or "overview"
    for width, scheme in VIEWS:
        browser.view(width, scheme)
        browser.load(server + path)
        browser.screenshot(folder / f"{name}-{width}-{scheme}.png")
        found = browser.noise()
        found += check(browser)
        if width == VIEWS[0][0]:
            browser.screenshot(folder / f"{name}-{width}-{scheme}-open.png")
        browser.evaluate(axe)
        violations = browser.evaluate(
            "axe.run(document, {resultTypes: ['violations']}).then((result) => result.violations.map((violation) => "
            "violation.id + ': ' + violation.help + ': ' + violation.nodes.slice(0, 3)"
            ".map((node) => node.target + ' ' + (node.any[0] || {message: ''}).message).join('; ')))", wait=True)
        problems += [f"{path} ({width}, {scheme}): {text}" for text in found + violations]
    browser.view(320, "light")
    browser.load(server + path)
    problems += [f"{path} (320): {text}" for text in check(browser)]
    problems += [f"{path}: {text}" for text in keyboard(browser, server + path)]
    return problems


def check(browser):
    # What is folded is checked as well.
    browser.evaluate("document.querySelectorAll('details').forEach((element) => { element.open = true })")
    return browser.evaluate((pathlib.Path(__file__).parent / "checks.js").read_text())


def keyboard(browser, address):
    """Goes through the first stops of the keyboard: each can be seen, and shows that it has the focus."""
    browser.view(VIEWS[0][0], "light")
    browser.load(address)
    problems, stops = [], 0
    for _ in range(40):
        for kind in ("rawKeyDown", "keyUp"):
            browser.send("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
        stop = browser.evaluate("""(() => {
            const element = document.activeElement;
            if (!element || element === document.body) return null;
            const style = getComputedStyle(element), box = element.getBoundingClientRect();
            return {name: element.outerHTML.slice(0, 80), width: parseFloat(style.outlineWidth), kind: style.outlineStyle,
                seen: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth && box.width > 0};
        })()""")
        if stop is None:
            break
        stops += 1
        if stop["kind"] == "none" or stop["width"] < 1:
            problems.append(f"the focus does not show on {stop['name']}")
        if not stop["seen"]:
            problems.append(f"the focus is on something out of sight: {stop['name']}")
    return problems if stops else ["nothing can be reached with the keyboard"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("server")
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("-o", dest="folder", default="screenshots", type=pathlib.Path)
    parser.add_argument("--start", action="append", default=[], help="a page that no link leads to")
    parser.add_argument("--each", type=int, default=3, help="how many pages of each kind are looked at")
    parser.add_argument("--only", help="look at pages whose path contains this text")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    starts = ["/"] + arguments.start
    pages, problems = crawl(arguments.server, starts)
    chosen = []
    for group in kinds(pages).values():
        named = [path for path in group if path in starts]
        chosen += named + [path for path in group if path not in starts][:arguments.each]
    if arguments.only:
        chosen = [path for path in pages if arguments.only in path and pages[path] == "text/html"][:20]
    browser = Browser(arguments.chromium)
    try:
        axe = axe_source()
        for path in chosen:
            problems += look(browser, arguments.server, path, arguments.folder, axe)
    finally:
        browser.close()
    print(f"{len(pages)} addresses followed, {len(chosen)} pages looked at", file=sys.stderr)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
