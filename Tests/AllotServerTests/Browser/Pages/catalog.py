"""Looks at the files of allot catalog in Chromium, and prints what is wrong with them.

    python catalog.py site --chromium /usr/bin/chromium -o screenshots

The indexes and a page of each kind are looked at as in pages.py. The front has a limited height, and the address of a group
shows this group alone.
"""

import argparse
import pathlib
import sys

import pages

HIGHEST_FRONT = 4000


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", type=pathlib.Path)
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("-o", dest="folder", default="screenshots", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    site = arguments.site.resolve().as_uri() + "/"
    files = [sorted(arguments.site.glob(pattern)) for pattern in ("*.html", "experiments/*.html", "layers/*.html")]
    chosen = files[0] + files[1][:1] + files[2][:1]
    problems = []
    browser = pages.Browser(arguments.chromium)
    try:
        axe = pages.axe_source()
        for file in chosen:
            path = file.relative_to(arguments.site).as_posix()
            problems += pages.look(browser, site, path, arguments.folder, axe)
        for width in (390, 1440):
            browser.view(width, "light")
            browser.load(site + "index.html")
            height = browser.evaluate("document.documentElement.scrollHeight")
            if height > HIGHEST_FRONT:
                problems.append(f"the front is {height} pixels high at a width of {width}, not {HIGHEST_FRONT}")
        links = browser.evaluate("[...document.querySelectorAll('nav[aria-label=Index] dd a')].map((link) => link.href)")
        for link in links[::10]:
            browser.load("about:blank")
            browser.load(link)
            shown = browser.evaluate(
                "[...document.querySelectorAll('.groups > *')].filter((group) => group.offsetHeight).map((group) => group.id)")
            if shown != [link.partition("#")[2]]:
                problems.append(f"{link} shows {shown}")
        if not links:
            problems.append("the front has no links to groups")
    finally:
        browser.close()
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
