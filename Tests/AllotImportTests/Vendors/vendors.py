"""What the generators of all systems share: hostile attributes, and writing payloads with the vendor's own decisions.

A system's module has three functions and ends with `vendors.main(payload, users, decide)`:

    payload(random) -> dict                          a random payload
    users(random, payload) -> [attributes]           users made for it, any number (see `attributes` below)
    decide(payload, users) -> [{setting: value}]     what the vendor's SDK serves each user, offline

The last payload is `payloads/SYSTEM.json`, written by hand with the members that real ones have.

Command line: `python SYSTEM.py --seed S --payloads P --users U -o DIR` writes `DIR/K/payload.json`,
`DIR/K/users.jsonl`, a line `{"attributes": {...}, "expected": {...}}` for each user, and `DIR/K/at`, the instant of the
decisions: the SDKs look at the clock, so that schedules in payloads are hours away from now at least.

Setting names are those that the import gives them. A user for whom the SDK raises an error is left out by `decide`
returning `None` for it.
"""

import argparse
import datetime
import json
import os
import random as randoms
import sys

# A script may have the name of the package that it imports: packages come first.
sys.path.append(sys.path.pop(0))

COUNTRIES = ["DE", "US", "FR", "NO", "de", "GB", "ÅX"]
PLANS = ["free", "pro", "team", "enterprise"]
VERSIONS = ["1.0.0", "1.2.3", "1.10.0", "2.0.0", "2.0.0-beta.1", "2.0.0-rc.2", "10.0.0", "2.0", "not a version"]
WORDS = ["", " ", "a", "A", "abc", "abc ", "ABC", "straße", "STRASSE", "naïve", "e\u0301", "é", "日本", "🙂", "a.b", "a,b",
         "true", "false", "null", "0", "1", "1.0", "-1", "1e3", "NaN", "x" * 300, "\u0000", "a\nb", "50%", "$eq"]
NUMBERS = [0, 1, -1, 2, 3, 5, 10, 17, 18, 21, 99, 100, 1000, 2.5, -0.5, 1e10, 123456789012, 0.1]


def unit_id(random):
    """An ID that every system accepts as text."""
    kind = random.randrange(10)
    if kind < 5:
        return "user-%d" % random.randrange(10**9)
    if kind < 7:
        return "%08x-%04x-4%03x-a%03x-%012x" % (
            random.getrandbits(32), random.getrandbits(16), random.getrandbits(12), random.getrandbits(12),
            random.getrandbits(48))
    if kind == 7:
        return str(random.randrange(10**6))
    if kind == 8:
        return random.choice(["ü", "日本", "🙂", "é", "e\u0301", "A:B", "a.b", "x y", "%s"]) + str(random.randrange(10**6))
    return random.choice("abcdefgh") * random.choice([1, 3, 4, 5, 55, 64, 200]) + str(random.randrange(10**6))


def hostile(random):
    """Any JSON value that a caller might send as an attribute."""
    kind = random.randrange(8)
    if kind < 3:
        return random.choice(WORDS)
    if kind < 5:
        return random.choice(NUMBERS)
    if kind == 5:
        return random.choice([True, False])
    if kind == 6:
        return [random.choice(WORDS + NUMBERS) for _ in range(random.randrange(4))]
    return random.choice([None, {"a": 1}, {}, "DE", "pro"])


def without_unit(random, person, unit):
    """Takes the ID from some users: rules that draw nothing are for them too."""
    if random.random() < 0.15:
        if random.random() < 0.5:
            del person[unit]
        else:
            person[unit] = random.choice(["", None])
    return person


def attributes(random, unit="user_id", hostility=0.1):
    """Typical attributes of a user. Each may be missing, or (in the share `hostility`) hold anything."""
    result = {unit: unit_id(random)}
    plain = {
        "country": lambda: random.choice(COUNTRIES),
        "plan": lambda: random.choice(PLANS),
        "email": lambda: "u%d@%s" % (random.randrange(1000), random.choice(["example.com", "example.org", "test.de"])),
        "age": lambda: random.choice(NUMBERS),
        "beta": lambda: random.choice([True, False]),
        "app_version": lambda: random.choice(VERSIONS),
        "tags": lambda: [random.choice(["a", "b", "c", "vip"]) for _ in range(random.randrange(4))],
        "company": lambda: "company-%d" % random.randrange(50),
    }
    for name, value in plain.items():
        chance = random.random()
        if chance < hostility:
            result[name] = hostile(random)
        elif chance < 0.85:
            result[name] = value()
    return result


def example():
    """The system's payload in `payloads`, with the members that a vendor's server writes; `None` if there is none."""
    system = os.path.splitext(os.path.basename(sys.argv[0]))[0]
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "payloads", system + ".json")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def main(payload, users, decide):
    """The command line of a system's module."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--payloads", type=int, required=True)
    parser.add_argument("--users", type=int, required=True)
    parser.add_argument("-o", dest="folder", required=True)
    arguments = parser.parse_args()
    for number in range(arguments.payloads + 1):
        random = randoms.Random("%d/%d" % (arguments.seed, number))
        document = payload(random) if number < arguments.payloads else example()
        if document is None:
            continue
        people = []
        while len(people) < arguments.users:
            some = users(random, document)
            if not some:
                sys.exit("users() returned none")
            people += some
        people = people[: arguments.users]
        expected = decide(document, people)
        folder = os.path.join(arguments.folder, str(number))
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "at"), "w", encoding="utf-8") as file:
            file.write(datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"))
        with open(os.path.join(folder, "payload.json"), "w", encoding="utf-8") as file:
            json.dump(document, file, ensure_ascii=False, indent=1)
        with open(os.path.join(folder, "users.jsonl"), "w", encoding="utf-8") as file:
            for person, values in zip(people, expected, strict=True):
                if values is not None:
                    json.dump({"attributes": person, "expected": values}, file, ensure_ascii=False)
                    file.write("\n")
