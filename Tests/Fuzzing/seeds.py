#!/usr/bin/env python3
"""Writes the inputs from which each fuzzer starts: the samples and the fixtures of the tests.

    python3 Tests/Fuzzing/seeds.py .build/fuzzing/seeds
"""

import argparse
import json
import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
SAMPLES = TESTS.parent / "Experiments"

PATTERNS = [
    r"@example\.com$", r"^(ios|android)-[0-9]{2,3}$", r"(?i)straße|\bfoo\b", r"[^a-z\d]+?x*", r"(?:a|b(c|de)){1,5}",
    r"\p{Greek}+", r"[[:alpha:]]\W\S", r"(?s)a.b", r"(?m)^line$", r"a{0}|", r"\x{1F600}", r"(?U)a+b??", r"\Qa.b\E",
]
FILES = [
    b"a,b\n1,2\n", b'id,name\r\n1,"a ""quoted"" name"\r\n2,"two\nlines"\r\n', b'"a","b"\n,\n"",""', b'a\n"x"y\n',
    b"a;b,c\n\xef\xbb\xbf1,2\n\xff,3\n", b'a,"b\n',
]
TARGETS = [
    "/activeconfig/user/user-42?country=DE&app_version=2.1.0", "/active_config?userID=user-42&orders=3",
    "/activeconfig/user/(null)", "/activeconfig/user/%F0%9F%98%80?q=a+b%20c&empty=&=x&&flag", "user//?#",
    "/activeconfig/user/a%2Fb/?x=%zz", "?userID=1&userID=2", "caf%C3%A9?na%C3%AFve=%",
]
BODIES = [
    {"attributes": {"country": "DE", "orders": 3, "tags": ["a", "b"], "plan": None, "pro": True}}, {}, [],
    {"exposures": []},
    [{"unit": "user-42", "experiment": "checkout", "variant": "b", "at": "2026-11-21T12:00:00Z"},
     {"unit": "u", "experiment": "other", "variant": "a", "at": "2026-11-21T13:00:00+01:00", "id": "1", "salt": "s",
      "revision": "0123456789abcdef", "reason": "split", "override": False}],
    {"a": [1.5e300, -0.0, 12345678901234567890, "\u0000\ud83d\ude00", {"b": {"c": []}}]},
]


def definitions() -> list[bytes]:
    """Returns folders as the fuzzer reads them: files one after another, each after a line `-- NAME`."""
    names = ["base", "layers", "holdouts", "segments"]
    folder = {path.name: path.read_text() for path in SAMPLES.glob("*.yaml")}
    shared = {name: text for name, text in folder.items() if Path(name).stem in names}
    found = [{**shared, name: text} for name, text in folder.items() if name not in shared]
    for path in (TESTS / "AllotDefinitionsTests/Fixtures/faults").glob("*.txt"):
        start, *cases = re.split(r"^== .*\n", path.read_text(), flags=re.M)
        found += [parts(start) | parts(case) for case in cases]
    return ["".join(f"-- {name}\n{text}" for name, text in files.items()).encode() for files in found]


def parts(text: str) -> dict[str, str]:
    """Returns the files of a fixture; the lines after `=>` are what is expected of them."""
    text = re.sub(r"^=>.*\n?", "", text, flags=re.M)
    pieces = re.split(r"^-- (.*)\n", text, flags=re.M)
    return dict(zip(pieces[1::2], pieces[2::2]))


def conditions() -> list[bytes]:
    cases = json.loads((TESTS / "Conformance/growthbook/conditions.json").read_text())["cases"]
    following = cases[1:] + cases[:1]
    return [
        "\n".join(json.dumps(part) for part in (case["condition"], other["condition"], case["attributes"])).encode()
        for case, other in zip(cases, following)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    texts = ["user@example.com", "ios-12", "STRASSE foo", "line\nline"]
    seeds = {
        "definitions": definitions(),
        "conditions": conditions(),
        "patterns": [f"{pattern}\n{text}".encode() for pattern in PATTERNS for text in texts],
        "csv": [bytes([size]) + file for file in FILES for size in (0, 1, 7, 255)],
        "targets": [target.encode() for target in TARGETS],
        "bodies": [json.dumps(body).encode() for body in BODIES],
    }
    for target, inputs in seeds.items():
        (folder / target).mkdir(parents=True, exist_ok=True)
        for number, content in enumerate(inputs):
            (folder / target / f"seed-{number}").write_bytes(content)


if __name__ == "__main__":
    main()
