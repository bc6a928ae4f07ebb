"""Random flag definitions of flagd, decided by `openfeature-flagd-core`: with its own hash of `fractional`, or with that
of flagd's daemon, which is written out below. The payload's metadata say which.
"""

import copy
import logging
import time

import vendors
from openfeature.contrib.tools.flagd.core import FlagdCore
from openfeature.contrib.tools.flagd.core.targeting.targeting import OPERATORS
from openfeature.evaluation_context import EvaluationContext

logging.disable(logging.CRITICAL)

ATTRIBUTES = ["country", "plan", "email", "age", "beta", "company", "missing", "tags", "nested.name", "targetingKey"]
VERSIONS = ["1.2.3", "2.0.0", "2.0", "v1.10", "2", "2.0.0-rc.1", "1.2.3+5", "nope"]


def murmur3(data):
    """MurmurHash3 for x86 with 32 bits and the seed 0."""
    mask, value = 0xFFFFFFFF, 0
    for start in range(0, len(data), 4):
        block = data[start:start + 4]
        part = int.from_bytes(block, "little") * 0xCC9E2D51 & mask
        value ^= ((part << 15 | part >> 17) & mask) * 0x1B873593 & mask
        if len(block) == 4:
            value = ((value << 13 | value >> 19) & mask) * 5 + 0xE6546B64 & mask
    value ^= len(data)
    for shift, factor in (16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1):
        value = (value ^ value >> shift) * factor & mask
    return value


def daemon_fractional(data, *arguments):
    """`fractional` of the daemon: the hash of a text, or of the flag's key and the targeting key."""
    if arguments and isinstance(arguments[0], str):
        text, arguments = arguments[0], arguments[1:]
    elif data.get("targetingKey"):
        text = data["$flagd"]["flagKey"] + data["targetingKey"]
    else:
        return None
    shares = []
    for argument in arguments:
        if not isinstance(argument, (list, tuple)) or len(argument) not in (1, 2):
            return None
        share = argument[1] if len(argument) == 2 else 1
        if isinstance(share, bool) or not isinstance(share, (int, float)) or share != int(share):
            return None
        shares.append((argument[0], max(0, int(share))))
    total = sum(share for _, share in shares)
    if total > 2**31 - 1:
        return None
    number = murmur3(text.encode()) * total >> 32
    for variant, share in shares:
        if number < share:
            return variant
        number -= share
    return None


def daemon_cat(data, *arguments):
    def text(value):
        if isinstance(value, (list, tuple)):
            return ",".join(map(text, value))
        if isinstance(value, dict):
            return "[object Object]"
        return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)

    return "".join(map(text, arguments))


OWN = {name: OPERATORS[name] for name in ("fractional", "cat")}
DAEMON = {"fractional": daemon_fractional, "cat": daemon_cat}


def var(random):
    name = random.choice(ATTRIBUTES + ["country", "plan", "email", "age"])
    kind = random.random()
    if kind < 0.05:
        return {"var": [name]}
    if kind < 0.12:
        return {"var": [name, random.choice(["DE", "", "5", 5, 0, True, False, None])]}
    return {"var": "$flagd.flagKey"} if kind > 0.98 else {"var": name}


def literal(random):
    return random.choice(vendors.COUNTRIES + vendors.PLANS + vendors.NUMBERS + ["", "5", "1", "null", True, False, None])


def condition(random, depth=0):
    kind = random.randrange(16 if depth < 2 else 11)
    if kind < 2:
        operands = [var(random), literal(random)]
        if random.random() < 0.3:
            operands.reverse()
        return {random.choice(["==", "!=", "===", "!=="]): operands}
    if kind == 2:
        operands = [random.choice([{"var": "age"}, var(random)]), random.choice(vendors.NUMBERS + [True])]
        if random.random() < 0.3:
            operands.reverse()
        return {random.choice(["<", "<=", ">", ">="]): operands}
    if kind == 3:
        return {random.choice(["<", "<="]): [random.choice([0, 5, 18]), {"var": "age"}, random.choice([20, 99, 1000])]}
    if kind == 4:
        pool = vendors.COUNTRIES + vendors.PLANS + vendors.WORDS
        if random.random() < 0.3:
            pool = pool + vendors.NUMBERS + [True, None]
        return {"in": [var(random), [random.choice(pool) for _ in range(random.randrange(5))]]}
    if kind == 5 and random.random() < 0.1:
        return {random.choice(["==", "!=", "<", ">=", "in", "starts_with"]): [
            random.choice(["DE", "5", "", 5, 0, True, None]), random.choice([5, 1, 0, True])]}
    if kind == 5:
        return {"in": [random.choice(["@example.com", "a", "DE", "vip", ""]), var(random)]}
    if kind == 6:
        return {random.choice(["starts_with", "ends_with"]): [var(random), random.choice(["u", "DE", ".com", "", "o"])]}
    if kind == 7:
        return {"sem_ver": [{"var": random.choice(["app_version", "app_version", ["app_version", "2.0.0"]])}, random.choice(["=", "!=", "<", "<=", ">", ">=", "^", "~"]),
                            random.choice(VERSIONS)]}
    if kind == 8:
        return var(random)
    if kind == 9 and depth == 0:
        now = int(time.time())
        return {random.choice(["<", "<=", ">", ">="]): [{"var": "$flagd.timestamp"},
                                                        now + random.choice([-500000, -9000, 9000, 500000])]}
    if kind in (9, 10):
        return random.choice([{"missing": ["email", "plan"]}, {"===": [{"var": "$flagd.flagKey"}, "flag-1"]}
                              if random.random() < 0.1 else {"!!": [var(random)]}, True, ""])
    if kind < 13:
        return {"and": [condition(random, depth + 1) for _ in range(random.choice([1, 2, 3]))]}
    if kind < 15:
        return {"or": [condition(random, depth + 1) for _ in range(random.choice([1, 2, 3]))]}
    return {"!": [condition(random, depth + 1)]}


def fractional(random, names):
    parts = []
    for name in names:
        parts.append([name, weight(random)] if random.random() < 0.9 else [name])
    if random.random() < 0.05:
        parts.append([random.choice(["unknown", None, "a"]), 10])
    if random.random() < 0.1:
        parts[0][0] = random.choice([{"if": [condition(random, 2), names[0], names[-1]]},
                                     {"if": [condition(random, 2), {"fractional": [[names[0], 1], [names[-1], 2]]}]}])
    if random.random() < 0.02:
        # Refused: a share that is computed.
        parts.append(random.choice([{"if": [condition(random, 2), [names[0], 1], [names[-1], 2]]}, {"var": "tags"}]))
    return {"fractional": hashed(random) + parts}


def weight(random):
    if random.random() < 0.97:
        return random.choice([0, 1, 5, 25, 50, 100, 333])
    return random.choice([-1, -10**20, True, False, 1.0, 0.5, 2147483647, 2147483600, 10**20, "5", None, [1]])


def hashed(random):
    """What a fractional hashes: nothing for the flag's and the targeting key, or a text of its own."""
    kind = random.random()
    if kind < 0.6:
        return []
    if kind < 0.63:
        return [random.choice(["fixed", "f" * 1000, {"cat": ["a", {"var": "$flagd.flagKey"}, 5]}, {"cat": [5]}, None])]
    if kind < 0.64:
        # Refused: a number alone, and texts that are no salts.
        return [random.choice([5, 0, 2.5, "f" * 1100, {"cat": ["f" * 1100, {"var": "email"}]}])]
    if kind < 0.75:
        return [{"var": random.choice(["handle", "handle", ["handle", "absent"], "targetingKey"])}]
    name = random.choice(["email", "company", "age", "targetingKey", "missing"])
    start = random.choice([[{"var": "$flagd.flagKey"}], ["seed"], ["s" * 60], [{"var": "$flagd.flagKey"}, "-"], ["ü", 7]])
    return [{"cat": start + [{"var": [name, "absent"] if random.random() < 0.1 else name}]}]


def value(random, names, depth=0):
    kind = random.randrange(10)
    if kind < 3 * depth or depth > 2:
        return random.choice(names + [None] if random.random() < 0.9 else ["unknown", "", 5])
    if kind < 6:
        return fractional(random, random.sample(names, random.randrange(1, len(names) + 1)))
    return {"if": [part for _ in range(random.choice([1, 1, 2])) for part in
                   (condition(random), value(random, names, depth + 1))]
            + ([value(random, names, depth + 1)] if random.random() < 0.8 else [])}


def payload(random):
    flags = {}
    for index in range(12):
        kind = random.randrange(4)
        variants = [{"on": True, "off": False}, {"true": True, "false": False}, {"a": "red", "b": "green", "c": ""},
                    {"a": {"x": [1]}, "b": {"y": None, "x": 2}}][kind]
        flag = {"state": "ENABLED" if random.random() < 0.95 else "DISABLED", "variants": variants}
        if random.random() < 0.85:
            flag["defaultVariant"] = random.choice(list(variants))
        if random.random() < 0.9:
            if kind == 1 and random.random() < 0.5:
                flag["targeting"] = condition(random)
                if not isinstance(flag["targeting"], dict) or list(flag["targeting"])[0] in ("var", "missing"):
                    flag["targeting"] = {"!": [condition(random)]}
            else:
                flag["targeting"] = value(random, list(variants))
            if not isinstance(flag["targeting"], dict):
                del flag["targeting"]
        if random.random() < 0.1:
            name = random.choice(["isInternal"] * 4 + ["quoted"] * 3 + ["escaped", "ü"])
            flag["targeting"] = {"if": [{"$ref": name}, random.choice(list(variants)), None]}
        flags[random.choice(["flag-%d", "Flag %d", "checkout.color%d"]) % index] = flag
    for key in random.sample(sorted(flags), 3):
        flags[key]["metadata"] = {"description": "a note"}
    return {"$schema": "https://flagd.dev/schema/v0/flags.json", "flags": flags,
            "metadata": {"hash": random.choice(["daemon", "daemon", "cbor"])},
            "$evaluators": {"isInternal": {"in": ["@example.com", {"var": ["email"]}]},
                            "quoted": {"in": [{"var": "plan"}, ["pro", "a\"b"]]},
                            # Refused: the text loses its backslash, and the name is not found.
                            "escaped": {"in": ["a\\b", {"var": "email"}]}, "ü": {"!": [{"var": "email"}]}}}


def users(random, document):
    people = []
    for _ in range(50):
        person = vendors.attributes(random, unit="targetingKey")
        if random.random() < 0.3:
            person["nested"] = {"name": random.choice(["DE", "pro", 5, None])}
        if not isinstance(person.get("app_version"), (str, type(None))):
            del person["app_version"]  # Digits of a number are a version there.
        if random.random() < 0.7:
            person["handle"] = random.choice(["", "a", "ü", "5", "x" * 200, "handle-%d" % random.randrange(1000)])
        # The text of a list or a fraction is hashed there. The ID may be missing where nothing is asked of it.
        for name in ("email", "company", "age"):
            value = person.get(name)
            if isinstance(value, list) and value or isinstance(value, float):
                del person[name]
        people.append(vendors.without_unit(random, person, "targetingKey"))
    return people


def decide(document, people):
    OPERATORS.update(DAEMON if document["metadata"]["hash"] == "daemon" else OWN)
    core = FlagdCore()
    known = copy.deepcopy(document)
    for flag in known["flags"].values():
        flag.pop("description", None)  # This SDK refuses what the daemon ignores.
    core.set_flags(known)
    missing = object()
    result = []
    for person in people:
        attributes = {name: value for name, value in person.items() if name != "targetingKey"}
        context = EvaluationContext(person.get("targetingKey"), attributes)
        values = {}
        for key, flag in document["flags"].items():
            try:
                # The app's own default is null here.
                found = core._resolve(key, missing, context).value
            except Exception:
                found = missing
            values[key] = None if found is missing else found
        result.append(values)
    return result


vendors.main(payload, users, decide)
