"""LaunchDarkly: launchdarkly-server-sdk decides from the payload of /sdk/latest-all."""

import logging

from ldclient import Context, LDClient
from ldclient.config import Config
from ldclient.feature_store import InMemoryFeatureStore
from ldclient.versioned_data_kind import FEATURES, SEGMENTS

import vendors

logging.disable(logging.CRITICAL)

COUNTRIES = ["DE", "FR", "US", "de", "Türkiye", "日本"]
PLANS = ["free", "pro", "business", "Pro", "pro ", ""]
EMAILS = ["a@example.com", "b@example.org", "C@EXAMPLE.COM", "d@example.com\n", "ü@example.com", "@", "kİ@example.com"]
VERSIONS = ["1.0.0", "1.2.3", "2", "2.1", "2.0.0-beta.1", "2.0.0-beta.2", "2.0.0+5", "10.0.0", "v2.0.0", "1.2.3.4",
            "01.2.3", "", "2.", "2-rc", "two", "2.0.0-0.3", "2.0.0-alpha", "2.0.0-beta.10", "2.0.0-beta.01",
            "2.0.0-", "2.0.0-é", "2.0.0-0", "18446744073709551616.0.0", " 1.0.0", "1.0.0\n", "1..0", "2+b", "2-1", "2.0-x"]
INSTANTS = ["2026-01-01T00:00:00Z", "2026-06-01T12:30:00.5+02:00", "2025-12-31T23:00:00-01:00", "2030-01-01T00:00:00Z",
            "2026-01-01", "soon", "2026-06-01T10:30:00.500001Z", "2026-01-01T00:00:00",
            "2026-01-01t00:00:00z", "2026-01-01T00:00:00-00:00", "2026-01-01T00:00:00+24:00", "2026-02-30T00:00:00Z",
            "9999-12-31T23:59:59.999999Z"]
MILLISECONDS = [1767225600000, 1780309800500, 0, -1, 1767225600000.5, 1893456000000]
# Other forms are refused where clauses have them, and Allot does not read them in attributes.
REFUSED_INSTANTS = ["2026-02-30T00:00:00Z", "2026-01-01T00:00:00+24:00", "2026-01-01 00:00:00Z", "20260101T000000Z", "2026-01-01T00:00:00,5Z", "2026-W01-1T00:00:00+00:00"]
NUMBERS = [0, 1, -1, 5, 5.0, 5.5, 18, 21, 1e3, 1000, -0.25, 1e300, 9007199254740993, 42, 1e-7, -5, 123456789012, 0.1, 2.5]
WEIRD = [None, "", " ", "5", "5.0", "true", "null", True, False, [], {}, [None], [[]], ["5", 5], {"key": "x"}, "x" * 1000,
         "ü", "u\u0308", "\U0001f600", 5, 0, 1.5, "\n"]
KEYS = ["user-1", "user-2", "5", "007", "7 ", "ü", "u\u0308", "日本", "\U0001f600", "x" * 1000, "a.b", "key"]
PATTERNS = ["^a", "@example\\.com$", "\\d+", "(?i)@example\\.com$", "^[a-z]+@", "(?:a|b)@", "^\\w+@\\w+\\.(com|org)$",
            "^\\S+$", "x{3,}", "^.{1,5}$", "(?i)^ki@", "[^@]@", "\\s", "(?P<name>pro|free)", "^$", "[A-Z]{2}", "b?usiness$"]


def kinds_of(payload):
    """The kinds that a payload names, as the importer reads it."""
    found = set()

    def walk(value):
        if isinstance(value, list):
            for element in value:
                walk(element)
        elif isinstance(value, dict):
            if value.get("attribute") == "kind":
                found.update(value["values"])
            for name, member in value.items():
                if name in ("contextKind", "rolloutContextKind"):
                    found.add(member)
                elif name != "variations":
                    walk(member)

    walk(payload["flags"])
    walk(payload["segments"])
    found.discard("user")
    return sorted(found)


def clause(random, kinds, segments):
    kind = random.choice(kinds)
    result = {"negate": random.random() < 0.3}
    named = kind != "user" or random.random() < 0.3
    if named:
        result["contextKind"] = kind
    choice = random.randrange(16)

    def some(values, count=3):
        return random.sample(values, min(len(values), random.randint(1, count)))

    if choice == 0 and segments:
        return {"attribute": "", "op": "segmentMatch", "negate": result["negate"], "values": some(segments, 2)}
    if choice == 1 and len(kinds) > 1:
        return {"attribute": "kind", "op": "in", "negate": result["negate"], "values": some(kinds, 2)}
    if choice == 2:
        return {**result, "attribute": "anonymous", "op": "in", "values": some([True, False, "true"], 2)}
    if choice == 3:
        return {**result, "attribute": random.choice(["name", "name", "/name"] if named else ["name"]),
                "op": random.choice(["in", "in", "startsWith", "endsWith", "contains", "matches", "lessThan", "before"]),
                "values": some(["Ann", "Bob", "", "A", "2026-01-01T00:00:00Z", 5, True, None], 2)}
    if choice == 4:
        return {**result, "attribute": "key", "op": random.choice(["in", "endsWith", "matches"]), "values": some(KEYS)}
    if choice == 5:
        paths = ["/address/city", "/address/city", "/address/a~1b", "/address/m~0n", "/address", "/tags/0", "/name/first",
                 "/address/city/part", "/key/x", "/plan", "/beta"]
        if random.random() < 0.005:
            paths = ["", "/", "//a", "/a~"]
        return {**result, "attribute": random.choice(paths),
                "op": random.choice(["in", "in", "startsWith"]), "values": some(["Berlin", "Paris", "x", 5, True])}
    if choice == 6:
        return {**result, "attribute": "version", "values": some(VERSIONS, 2),
                "op": random.choice(["semVerEqual", "semVerLessThan", "semVerGreaterThan"])}
    if choice == 7:
        instants = [value for value in INSTANTS + MILLISECONDS
                    if value != 1767225600000.5 and value not in REFUSED_INSTANTS]
        instants += [True, None, "", "1767225600000"]
        return {**result, "attribute": "created", "op": random.choice(["before", "after"]),
                "values": some(instants if random.random() < 0.98 else REFUSED_INSTANTS, 2)}
    if choice in (8, 9):
        return {**result, "attribute": "age", "values": some(NUMBERS[:12] + ["5", True, None], 2),
                "op": random.choice(["lessThan", "lessThanOrEqual", "greaterThan", "greaterThanOrEqual"])}
    if choice == 10:
        return {**result, "attribute": "email", "op": "matches", "values": some(PATTERNS, 2)}
    if choice == 11:
        return {**result, "attribute": random.choice(["email", "tags", "plan"]), "values": some(EMAILS + PLANS + [5]),
                "op": random.choice(["startsWith", "endsWith", "contains"])}
    if choice == 12:
        return {**result, "attribute": random.choice(["tags", "age", "beta"] + ["dotted.name"] * (kind == "user")), "op": "in",
                "values": some([5, 5.5, "5", "pro", True, False, 0, 1, None, "", "true"])}
    if choice == 13 and random.random() < 0.02:
        return {**result, "attribute": "plan", "op": "isBlueish", "values": ["x"]}
    return {**result, "attribute": random.choice(["country", "plan"]), "op": "in", "values": some(COUNTRIES + PLANS)}


def rollout(random, kinds, count):
    weights = []
    left = 100_000
    for index in range(count - 1):
        weight = random.choice([0, random.randint(0, left), left // 2, left // 3])
        weights.append(weight)
        left -= weight
    weights.append(left if random.random() < 0.9 else left // 2)
    order = random.sample(range(count), count)
    result = {"variations": [{"variation": order[index], "weight": weights[index]} for index in range(count)]}
    if random.random() < 0.4:
        result.update(kind="experiment", seed=random.randint(-5, 2**31))
        result["variations"][0]["untracked"] = True
    elif random.random() < 0.2:
        result["seed"] = random.randint(0, 2**31)
    kind = random.choice(kinds)
    if kind != "user" or random.random() < 0.3:
        result["contextKind"] = kind
    if random.random() < 0.3:
        result["bucketBy"] = random.choice(
            ["company", "key", "name", "anonymous", "/address/city", "company", "plan", "nowhere", "/company", ""])
    return {"rollout": result}


def payload(random):
    kinds = ["user"] if random.random() < 0.6 else ["user", "org", "device"]
    segments = {}
    for index in range(random.randint(1, 4)):
        key = f"segment-{index}"
        others = list(segments)
        segment = {"key": key, "salt": f"salt{index}", "version": 1, "included": [], "excluded": [], "rules": []}
        if random.random() < 0.4:
            segment["included"] = random.sample(KEYS, 3)
        if random.random() < 0.4:
            segment["excluded"] = random.sample(KEYS, 3)
        if len(kinds) > 1:
            segment["includedContexts"] = [{"contextKind": "org", "values": random.sample(KEYS, 2)}]
            segment["excludedContexts"] = [{"contextKind": random.choice(kinds), "values": random.sample(KEYS, 2)}]
        for _ in range(random.randint(0, 2)):
            rule = {"clauses": [clause(random, kinds, others) for _ in range(random.randint(0, 2))]}
            if random.random() < 0.3:
                rule["weight"] = random.choice([0, 100_000, random.randint(0, 100_000), 50_000])
                if random.random() < 0.3:
                    rule["bucketBy"] = random.choice(["company", "name", "key", "nowhere", "anonymous", "/address/city", ""])
                if random.random() < 0.3 and len(kinds) > 1:
                    rule["rolloutContextKind"] = random.choice(kinds)
            segment["rules"].append(rule)
        if random.random() < 0.02:
            segment["unbounded"] = True
        if random.random() < 0.1:
            for name in ["included", "excluded", "salt"]:
                del segment[name]
        segments[key] = segment
    flags = {}
    for index in range(random.randint(4, 8)):
        key = f"flag-{index}" if random.random() < 0.9 else f"Flag {index}/ü"
        variations = random.choice([
            [True, False], ["a", "b", "c"], [1, 2.5, 3], [{"color": "red"}, {"color": "blue", "size": 2}],
            ["same", "same", "other"], [None, False, 0, ""],
        ])
        count = len(variations)
        flag = {"key": key, "version": 1, "salt": f"s{random.randint(0, 999)}", "variations": variations,
                "on": random.random() < 0.9, "targets": [], "rules": [], "prerequisites": []}
        if random.random() < 0.9:
            flag["offVariation"] = random.randrange(count)
        if random.random() < 0.6:
            flag["fallthrough"] = rollout(random, kinds, count)
        else:
            flag["fallthrough"] = {"variation": random.randrange(count)}
        for variation in random.sample(range(count), random.randint(0, 2)):
            flag["targets"].append({"variation": variation, "values": random.sample(KEYS, 2)})
            if len(kinds) > 1:
                kind = random.choice(kinds)
                values = [] if kind == "user" else random.sample(KEYS, 2)
                flag.setdefault("contextTargets", []).append(
                    {"contextKind": kind, "variation": variation, "values": values})
        for rule in range(random.randint(0, 3)):
            clauses = [clause(random, kinds, list(segments)) for _ in range(random.randint(1, 2))]
            outcome = {"variation": random.randrange(count)} if random.random() < 0.5 else rollout(random, kinds, count)
            flag["rules"].append({"id": f"rule-{rule}", "clauses": clauses, **outcome})
        if flags and random.random() < 0.3:
            other = random.choice(list(flags))
            flag["prerequisites"].append({"key": other, "variation": random.randrange(len(flags[other]["variations"]))})
        if random.random() < 0.02:
            flag["prerequisites"].append({"key": random.choice(["nowhere", key, "flag-7"]), "variation": 0})
        if random.random() < 0.1:
            for name in ["targets", "prerequisites", "rules"]:
                if not flag[name]:
                    del flag[name]
        flags[key] = flag
    return {"flags": flags, "segments": segments}


def attributes(random):
    found = {}

    def maybe(name, values, odds=0.7):
        if random.random() < odds:
            found[name] = random.choice(values) if random.random() < 0.9 else random.choice(WEIRD)

    maybe("country", COUNTRIES)
    maybe("plan", PLANS)
    maybe("age", NUMBERS)
    maybe("email", EMAILS)
    maybe("version", VERSIONS)
    maybe("created", INSTANTS + MILLISECONDS)
    maybe("tags", [["pro", 5], [], ["a@example.com"], [True], [5.5, None], "pro", [["pro"]]])
    maybe("beta", [True, False])
    maybe("dotted.name", ["5", 5, "pro"], 0.3)
    maybe("address", [{"city": "Berlin"}, {"city": 5}, {"town": "Paris"}, "Berlin", {"city": None}, {"a/b": "x", "m~n": "x"},
                      {"city": ["x", "Paris"]}, {"city": {"part": "x"}}, {"city": ""}, {"city": True}])
    maybe("name", ["Ann", "Bob", "", "Anna"])
    maybe("anonymous", [True, False])
    if random.random() < 0.7:
        found["company"] = random.choice(["acme", "", 5, 12, True, None, 1.5, ["acme"], "Ünal", {"a": 1}, -3, 0, 5.0,
                                          False, "x" * 1000, "5"])
    return found


def users(random, payload):
    kinds = kinds_of(payload)
    found = []
    for _ in range(100):
        user = attributes(random)
        roll = random.random()
        if roll < 0.9:
            user["key"] = random.choice(KEYS) if random.random() < 0.2 else f"user-{random.randint(0, 10**6)}"
        elif roll < 0.95:
            user["key"] = random.choice(["", None, True, [], {}, ["user-1"]])
        for kind in kinds:
            if random.random() < 0.6:
                other = attributes(random)
                if random.random() < 0.9:
                    other["key"] = random.choice(KEYS + ["", None, False]) if random.random() < 0.3 \
                        else f"{kind}-{random.randint(0, 10**6)}"
                user[kind] = other
        found.append(user)
    return found


def context(attributes, kinds):
    """The context that Allot's attributes are: those of other kinds stand below the kind."""

    def single(values, kind):
        key = values.get("key")
        if not isinstance(key, str) or key == "":
            return None
        builder = Context.builder(key).kind(kind)
        for name, value in values.items():
            if name != "key" and not (kind == "user" and name in kinds):
                builder.set(name, value)
        return builder.build()

    contexts = [single(attributes, "user")]
    for kind in kinds:
        if isinstance(attributes.get(kind), dict):
            contexts.append(single(attributes[kind], kind))
    contexts = [found for found in contexts if found is not None]
    return Context.create_multi(*contexts) if contexts else None


def default(flag, kinds):
    """What those get who are no context at all: apps have the default in their code, the importer chooses this."""
    variations = flag["variations"]
    if not flag["on"]:
        index = flag.get("offVariation")
    elif "variation" in flag["fallthrough"]:
        index = flag["fallthrough"]["variation"]
    else:
        weighted = flag["fallthrough"]["rollout"]["variations"]
        index = weighted[0]["variation"]
        if not kinds:
            index = next((item["variation"] for item in weighted if item["weight"] > 0), weighted[-1]["variation"])
    return None if index is None else variations[index]


def decide(payload, users):
    store = InMemoryFeatureStore()
    store.init({FEATURES: payload["flags"], SEGMENTS: payload["segments"]})
    client = LDClient(Config("offline", feature_store=store, use_ldd=True, send_events=False))
    kinds = kinds_of(payload)
    decisions = []
    for user in users:
        found = context(user, kinds)
        values = {}
        for key, flag in payload["flags"].items():
            if found is not None:
                values[key] = client.variation(key, found, None)
            elif "offVariation" in flag and not flag.get("prerequisites") and not flag.get("rules") and len(
                    {type(value) for value in flag["variations"]} - {dict}) == 1:
                values[key] = default(flag, kinds)
        decisions.append(values)
    client.close()
    return decisions


if __name__ == "__main__":
    vendors.main(payload, users, decide)
